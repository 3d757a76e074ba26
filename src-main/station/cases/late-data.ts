/** Data that come when the sending of their case has begun: nothing is changed by them, so a person is notified. */
import type { FieldName, Fields } from '../../../src-shared/fields.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import { fieldsColumn, sourcesColumn } from '../json-columns.ts'
import type { SidecarMatch } from '../outbox/files.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import { type Sidecar, stemKeyOf } from './meaning/sources.ts'
import { bareId, isSameId } from './meaning/numbers.ts'
import { eyesIn, type HeldRecord } from './verdict/binding.ts'
import { visitFolderOf } from './visits/identity.ts'
import type { InFolder, VisitContext } from './visits/pictures.ts'
import { isOpen } from './visits/visits.ts'

type VisitFolder = InFolder<VisitContext>

/** A name without an extension is its own stem; a name with dots is ambiguous. */
export function imagesNamed({ outbox, folderPath }: VisitFolder, key: string): readonly ImageRow[] {
  return [key, stemKeyOf(key)].flatMap((stem) => outbox.imagesOfStem(folderPath, stem))
}

export function affectedSubmissions(
  context: VisitFolder,
  { kind, key }: SidecarMatch,
): readonly SubmissionRow[] {
  const { outbox, folderPath } = context
  switch (kind) {
    case 'file':
      return imagesNamed(context, key).flatMap((image) => outbox.rowOf(image.submission_id) ?? [])
    case 'patient':
      return outbox.submissionsOfGroupsFrom(folderPath, JSON.stringify(['patient', bareId(key)]).slice(0, -1))
    case 'directory':
      return outbox.submissionsInFolder(folderPath, key)
    case 'capture':
      return []
  }
}

export type LateData = {
  readonly submissionId: string
  readonly reference: string
  /** Fields that the case lacks, or has differently from an earlier data file. */
  readonly fields: readonly FieldName[]
  /** Names of images for which it states another eye. It may be a hint only, which raises no alarm. */
  readonly eyesOf: readonly string[]
}

/** More cases than these become an ellipsis: the activity of each case names the file. */
const MAX_NAMED = 3

/** The cases of a record that were attempted before it arrived, if it states something different. */
export function findLateData(
  context: VisitFolder,
  held: HeldRecord,
  matches: readonly SidecarMatch[],
): readonly LateData[] {
  const { record } = held
  const reached = matches.flatMap((match) =>
    affectedSubmissions(context, match).filter((row) => isLateFor(row, record.fields, match.kind)),
  )
  const byId = new Map(reached.map((row) => [row.id, row]))
  return [...byId.values()].flatMap((row) => {
    const images = context.outbox.imageRowsOf(row.id)
    const directory = matches.find(({ kind }) => kind === 'directory')?.key
    // A case.json covers the images beside it, not those in subfolders.
    if (directory !== undefined && images.every((image) => visitFolderOf(image.file_name) !== directory))
      return []
    const fields = differingFields(record, fieldsColumn.read(row.fields), sourcesColumn.read(row.sources))
    const eyesOf = imagesOfOtherEye(held, images)
    if (fields.length === 0 && eyesOf.length === 0) return []
    return [{ submissionId: row.id, reference: row.reference, fields, eyesOf }]
  })
}

/** True if this is about the visit of a case whose sending has begun; as is what names its images. */
function isLateFor(row: SubmissionRow, theirs: Fields, kind: SidecarMatch['kind']): boolean {
  if (row.attempts === 0 || row.state === 'discarded' || isOpen(row)) return false
  const ours = fieldsColumn.read(row.fields)
  const isDayKnown = sourcesColumn.read(row.sources).visit_date !== 'fileTime'
  const patient = agree(theirs.history_number, ours.history_number)
  const day = isDayKnown ? agree(theirs.visit_date, ours.visit_date) : 'silent'
  if (patient === 'no' || day === 'no') return false
  // Some cameras rewrite one file for each patient, so a statement about the patient alone does not apply to each
  // visit.
  if (kind === 'directory') return patient === 'yes' || day === 'yes'
  return kind === 'file' || (theirs.visit_date !== undefined && day !== 'silent')
}

function agree(theirs: string | undefined, ours: string | undefined): 'yes' | 'no' | 'silent' {
  if (theirs === undefined || ours === undefined) return 'silent'
  return isSameId(theirs, ours) ? 'yes' : 'no'
}

type Sources = ReturnType<typeof sourcesColumn.read>

/** Sources that a data file may correct; the image itself, names and persons know as well or better. */
const CORRECTABLE_SOURCES: readonly Sources[FieldName][] = ['sidecar', 'fileTime']

function differingFields(record: Sidecar, ours: Fields, sources: Sources): FieldName[] {
  const stated = (Object.keys(record.fields) as FieldName[]).filter(
    (name) => !isSameValue(record.fields[name], ours[name]),
  )
  const isAgeNew = record.birthDate !== null && record.fields.age === undefined && ours.age === undefined
  return [...stated, ...(isAgeNew ? ['age' as const] : [])].filter((name) =>
    // A field cleared by a person is decided, too.
    ours[name] === undefined ? sources[name] !== 'person' : CORRECTABLE_SOURCES.includes(sources[name]),
  )
}

function isSameValue(theirs: Fields[FieldName], ours: Fields[FieldName]): boolean {
  const isText = typeof theirs === 'string' && typeof ours === 'string'
  return isText ? isSameId(theirs, ours) : theirs === ours
}

function imagesOfOtherEye(held: HeldRecord, images: readonly ImageRow[]): string[] {
  const sent = images.filter((image) => image.excluded_because === null)
  const names = sent.map(({ file_name: name }) => name)
  return sent.flatMap(({ file_name: name, eye, eye_source: source }) =>
    source !== 'person' && eyesIn(held, name, names).some((stated) => stated !== eye) ? [name] : [],
  )
}

/** One entry for each case: a table may refer to it in several rows. */
export function mergeLateData(late: readonly LateData[]): readonly LateData[] {
  const joined = new Map<string, LateData>()
  for (const one of late) {
    const before = joined.get(one.submissionId)
    joined.set(one.submissionId, {
      ...one,
      fields: [...new Set([...(before?.fields ?? []), ...one.fields])],
      eyesOf: [...new Set([...(before?.eyesOf ?? []), ...one.eyesOf])],
    })
  }
  return [...joined.values()]
}

export function lateDataMessage(late: readonly LateData[]): Message {
  const references = late.slice(0, MAX_NAMED).map(({ reference }) => reference)
  const named = [...references, ...(late.length > MAX_NAMED ? ['\u2026'] : [])].join(', ')
  const fields = [...new Set(late.flatMap((one) => one.fields))]
  const hasEyes = late.some(({ eyesOf }) => eyesOf.length > 0)
  const what = [
    ...fields.map((field) => wordingOf(`field:label.${field}`)),
    ...(hasEyes ? [wordingOf('intake:lateData.eyes')] : []),
  ]
  return worded('intake:lateData.message', { references: named, what })
}

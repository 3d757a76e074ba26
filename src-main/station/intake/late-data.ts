/**
 * Data files about cases whose sending has begun: they no longer change these cases, so a person is notified. Also
 * matches the records of a data file with those of an earlier version.
 */
import type { FieldName, Fields } from '../../../src-shared/fields.ts'
import type { Source } from '../../../src-shared/submission.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import { fieldsColumn, recordIn, sourcesColumn } from '../json-columns.ts'
import type { ImageRow, SubmissionRow } from '../outbox/rows.ts'
import type { SidecarMatch, SidecarRecordRow } from '../outbox/files.ts'
import type { DataFileForm as Form } from './data-files/data-files.ts'
import { type Sidecar, sidecarStatementsOf, stemKeyOf } from './evidence.ts'
import type { IngestContext } from './refresh.ts'
import { isSameId } from './names/names.ts'
import { visitFolderOf } from './visits/evidence.ts'

export type LateData = {
  readonly submissionId: string
  readonly reference: string
  /** Fields that the case lacks, or has differently from an earlier data file. */
  readonly fields: readonly FieldName[]
  /** Names of images for which it states another eye, or the first one. */
  readonly eyesOf: readonly string[]
}

/** More cases than these become an ellipsis: the activity of each case names the file. */
const MAX_NAMED = 3

type Sources = Partial<Record<FieldName, Source>>

/** The cases of a record that were attempted before it arrived, if it states something different. */
export function findLateData(
  context: IngestContext,
  folderPath: string,
  record: Sidecar,
  matches: readonly SidecarMatch[],
): readonly LateData[] {
  const reached = matches.flatMap((match) =>
    affectedSubmissions(context, folderPath, match).filter((row) =>
      isLateFor(row, record.fields, match.kind),
    ),
  )
  const byId = new Map(reached.map((row) => [row.id, row]))
  return [...byId.values()].flatMap((row) => {
    const images = context.outbox.images.rows(row.id)
    const directory = matches.find(({ kind }) => kind === 'directory')?.key
    // A case.json covers the images beside it, not those in subfolders.
    if (directory !== undefined && images.every((image) => visitFolderOf(image.file_name) !== directory))
      return []
    const fields = differingFields(record, fieldsColumn.read(row.fields), sourcesColumn.read(row.sources))
    const eyesOf = imagesOfOtherEye(record, images)
    if (fields.length === 0 && eyesOf.length === 0) return []
    return [{ submissionId: row.id, reference: row.reference, fields, eyesOf }]
  })
}

function affectedSubmissions(
  { outbox }: IngestContext,
  folderPath: string,
  { kind, key }: SidecarMatch,
): readonly SubmissionRow[] {
  switch (kind) {
    case 'file':
      return [key, stemKeyOf(key)].flatMap((stem) =>
        outbox.images
          .ofStem(folderPath, stem)
          .flatMap((image) => outbox.submissions.row(image.submission_id) ?? []),
      )
    case 'patient':
      return outbox.groups.submissionsFrom(folderPath, JSON.stringify(['patient', key]).slice(0, -1))
    case 'directory':
      return outbox.images.submissionsInFolder(folderPath, key)
  }
}

/**
 * True if this is about the visit of a case whose sending has begun. A file that names its images is, unless
 * something contradicts it.
 */
function isLateFor(row: SubmissionRow, theirs: Fields, kind: SidecarMatch['kind']): boolean {
  if (row.attempts === 0 || row.state === 'discarded') return false
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

/** Sources that a data file may correct; the image itself, names and persons know as well or better. */
const CORRECTABLE_SOURCES: readonly (Source | undefined)[] = ['sidecar', 'fileTime']

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

/** Case is ignored, in ids and in names. */
function isSameValue(theirs: Fields[FieldName], ours: Fields[FieldName]): boolean {
  if (typeof theirs === 'string' && typeof ours === 'string')
    return theirs.toLowerCase() === ours.toLowerCase()
  return theirs === ours
}

function imagesOfOtherEye(record: Sidecar, images: readonly ImageRow[]): string[] {
  const sent = images.filter((image) => image.excluded_because === null)
  const stated = sidecarStatementsOf(
    sent.map((image) => image.file_name),
    record.eyes,
  )
  return sent
    .filter(
      ({ file_name, eye, eye_source }) =>
        eye_source !== 'person' && (stated.get(file_name) ?? []).some(({ value }) => value !== eye),
    )
    .map((image) => image.file_name)
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

/** Everything that arrived late in a file. */
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

type EarlierRecord = { readonly row: SidecarRecordRow; readonly record: Sidecar | null }

/** The earlier records of a data file, indexed by visit: a table of years has a row for each. */
export class EarlierRecords {
  readonly #form: Form
  readonly #all: readonly EarlierRecord[]
  readonly #byVisit = new Map<string, EarlierRecord[]>()
  /** Rows already replaced: two records of one file never replace the same one. */
  readonly #replaced = new Set<number>()
  #uncommitted: number[] = []

  constructor(form: Form, rows: readonly SidecarRecordRow[]) {
    this.#form = form
    this.#all = rows.map((row) => ({
      row,
      record: recordIn(row.content)[0] ?? null,
    }))
    for (const one of this.#all) {
      if (one.record === null) continue
      const key = visitKey(one.record)
      this.#byVisit.set(key, [...(this.#byVisit.get(key) ?? []), one])
    }
  }

  /** The row that this record replaces: an identical one, one of the same visit, or one that was unreadable. */
  findReplaced(record: Sidecar): SidecarRecordRow | null {
    const all = this.#form === 'table' ? (this.#byVisit.get(visitKey(record)) ?? []) : this.#all
    const free = all.filter(({ row }) => !this.#replaced.has(row.id))
    const content = JSON.stringify(record)
    const found =
      free.find(({ row }) => row.content === content) ??
      free.findLast(
        (one) => one.record !== null && visitKey(one.record) === visitKey(record) && this.#fits(one, record),
      ) ??
      free.findLast((one) => this.#fits(one, record))
    if (found) {
      this.#replaced.add(found.row.id)
      this.#uncommitted.push(found.row.id)
    }
    return found?.row ?? null
  }

  /** Confirms the replacements since the last commit. */
  commit(): void {
    this.#uncommitted = []
  }

  /** Withdraws the replacements since the last commit, which are then made again. */
  rollback(): void {
    for (const id of this.#uncommitted) this.#replaced.delete(id)
    this.#uncommitted = []
  }

  #fits({ record: before }: EarlierRecord, record: Sidecar): boolean {
    return before === null || isSameVisit(this.#form, before, record)
  }

  hasReadable(): boolean {
    return this.#all.some(({ record }) => record !== null)
  }

  first(): SidecarRecordRow | null {
    return this.#all[0]?.row ?? null
  }
}

/**
 * True if two records are about one visit. A row of a table is identified by patient, day and files; any other file
 * holds one visit.
 */
function isSameVisit(form: Form, before: Sidecar, after: Sidecar): boolean {
  const [one, other] = [before.fields, after.fields]
  if (form !== 'table')
    return (
      agreeOrSilent(one.history_number, other.history_number) &&
      agreeOrSilent(one.visit_date, other.visit_date)
    )
  const isSamePatient = one.history_number === other.history_number && one.visit_date === other.visit_date
  const named = other.history_number !== undefined
  return isSamePatient && (named || before.files.some((file) => after.files.includes(file)))
}

function agreeOrSilent(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

function visitKey({ fields }: Sidecar): string {
  return JSON.stringify([fields.history_number ?? null, fields.visit_date ?? null])
}

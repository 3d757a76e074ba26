/** Which records of data files may be about an image, and what those files said before they were written over. */
import { formerPatientsIn, type FormerPatient, recordIn } from '../../json-columns.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import type { ImageCopy } from '../../outbox/images.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import { type ContentFacts, foldPath, type Sidecar, stemKeyOf } from '../evidence.ts'
import { doEyesDiffer, type HeldRecord } from '../proof/binding.ts'
import { bareId } from '../proof/numbers.ts'
import { contradictionOf, type Person } from '../proof/people.ts'

type Context = { readonly outbox: Outbox }

/**
 * The records that may be about these files: those that name them, and the one that governs their folder. Of a
 * `case.json` that was written over, the newest counts beside that one, unless the names were given to other images; and
 * every earlier one that says otherwise of the same patient.
 */
export function recordsAbout(
  { outbox }: Context,
  folderPath: string,
  paths: readonly string[],
  files: readonly Pick<ImageRow, 'record_id'>[],
  isReused: boolean,
): readonly HeldRecord[] {
  if (!outbox.sidecars.exist(folderPath)) return []
  const keys = new Set(paths.flatMap((path) => [foldPath(path), stemKeyOf(path)]))
  const named = [...keys].flatMap((key) => outbox.sidecars.matching(folderPath, { kind: 'file', key }))
  const ofFolder = Map.groupBy(
    named.filter(({ relative_path: path }) => formOf(path) === 'case'),
    ({ relative_path: path }) => path,
  )
  const newest = isReused
    ? []
    : [...ofFolder.values()].map((rows) => rows.reduce((one, row) => (row.id > one.id ? row : one)))
  const governing = files.flatMap(({ record_id: id }) =>
    id === null ? [] : (outbox.sidecars.record(id) ?? []),
  )
  const others = named.filter(({ relative_path: path }) => formOf(path) !== 'case')
  const rows = new Map(
    [...others, ...newest, ...governing].map((row): [number, SidecarRecordRow] => [row.id, row]),
  )
  const chosen = [...rows.values()]
  for (const row of chosen)
    for (const before of ofFolder.get(row.relative_path) ?? [])
      if (isContradicted(recordIn(before.content), recordIn(row.content))) rows.set(before.id, before)
  return [...rows.values()].toSorted(byName).flatMap((row) =>
    recordIn(row.content).map((record): HeldRecord => {
      const form = formOf(row.relative_path)
      const all = form === 'table' ? [] : outbox.sidecars.recordsOf(folderPath, row.relative_path)
      const patients = all.flatMap((one) => [
        ...recordIn(one.content),
        ...formerPatientsIn(one.former_patients),
      ])
      const hasHeldAnother = patients.some((other) => !mayBeOfOnePatient(other, record))
      return { path: row.relative_path, form, record, hasHeldAnother }
    }),
  )
}

function isContradicted(before: readonly Sidecar[], now: readonly Sidecar[]): boolean {
  return before.some((one) =>
    now.some((other) => {
      const [day, otherDay] = [one.fields.visit_date, other.fields.visit_date]
      const isOtherDay = day !== undefined && otherDay !== undefined && day !== otherDay
      return mayBeOfOnePatient(one, other) && (isOtherDay || doEyesDiffer(one, other))
    }),
  )
}

/** False if the numbers of two records differ, or, without them, what they say of the person. */
export function mayBeOfOnePatient(one: FormerPatient, other: FormerPatient): boolean {
  const [ours, theirs] = [one.fields.history_number, other.fields.history_number]
  if (ours !== undefined && theirs !== undefined) return bareId(ours) === bareId(theirs)
  return contradictionOf(personIn(one), personIn(other)) === null
}

const MOST_OF_VISIT = 500

/** The images in the folder of a record that names some by their plain names: such a name may be of several. */
export function othersBelow(
  { outbox }: Context,
  folderPath: string,
  { path, record }: HeldRecord,
): readonly string[] {
  const hasPlainName = [...record.files, ...Object.keys(record.eyes)].some((file) => !file.includes('/'))
  const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  // A table beside all images names them by their paths.
  if (!hasPlainName || directory === '') return []
  return outbox.images.namesBelow(folderPath, directory, MOST_OF_VISIT)
}

/** By the name of the data file, then in the order within the file, so that the order of arrival decides nothing. */
function byName(one: SidecarRecordRow, other: SidecarRecordRow): number {
  if (one.relative_path === other.relative_path) return one.id - other.id
  return one.relative_path < other.relative_path ? -1 : 1
}

export function formOf(path: string): HeldRecord['form'] {
  if (/(^|\/)case\.json$/i.test(path)) return 'case'
  return /\.(csv|tsv|tab|txt)$/i.test(path) ? 'table' : 'document'
}

/** True if this folder has used the name for other bytes: what is bound to a name proves nothing then. */
export function isReusedName(
  { outbox }: Context,
  folderPath: string,
  path: string,
  files: readonly Pick<ImageRow, 'id' | 'mtime_ms'>[],
  copies: readonly ImageCopy[],
): boolean {
  const own = new Set([...files.map(({ id }) => id), ...copies.map(({ image_id }) => image_id)])
  const isSame = (name: string): boolean => foldPath(name) === foldPath(path)
  const times = new Set(files.map(({ mtime_ms: time }) => time))
  return (
    outbox.images
      .namesUsed(folderPath, stemKeyOf(path))
      .some(({ id, name }) => !own.has(id) && isSame(name)) ||
    outbox.unusable
      .ofStem(folderPath, stemKeyOf(path))
      .some((file) => isSame(file.relative_path) && !times.has(file.mtime_ms))
  )
}

export function personIn({
  fields,
  birthDate,
}: Pick<Sidecar | ContentFacts, 'fields' | 'birthDate'>): Person {
  const { last_name: lastName = null, first_name: firstName = null, gender } = fields
  return { lastName, firstName, birthDate, sex: gender === undefined ? null : gender === 1 ? 'F' : 'M' }
}

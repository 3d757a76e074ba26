/** Which records of data files may be about an image, and what those files said before they were written over. */
import { posix } from 'node:path'
import { recordIn, statedBeforeIn } from '../../json-columns.ts'
import type { SidecarRecordRow } from '../../outbox/files.ts'
import type { ImageCopy, NameUsed } from '../../outbox/seen-files.ts'
import type { ImageRow } from '../../outbox/rows.ts'
import { foldPath, type Sidecar, stemKeyOf } from '../meaning/sources.ts'
import { comparePhotographs } from './twins.ts'
import { bondOf, type HeldRecord, type NameUse } from '../verdict/binding.ts'
import type { CaseReads } from './reads.ts'
import { areTwoOfOneNumber, doVisitsDiffer, mayBeOfOnePatient } from './restated.ts'

type Context = { readonly outbox: CaseReads; readonly folderPath: string }

/** A record of a data file, and what the file stated in its place before; none of what cannot be read. */
type Version = {
  readonly row: SidecarRecordRow
  readonly stated: readonly Sidecar[]
  readonly statedBefore: readonly Sidecar[]
}

function versionIn(row: SidecarRecordRow): Version {
  return { row, stated: recordIn(row.content), statedBefore: statedBeforeIn(row.stated_before) }
}

/** A record as its file states it, or stated it before. */
type RecordAbout = HeldRecord & {
  /** Since when the file does not state it any more; null if it does. */
  readonly withdrawnAt: number | null
}

/**
 * Records that name these files, and the newest of each governing `case.json`. Of one written over, also the one that
 * governed when they came, unless other images got their names, and what it stated before and contradicts.
 */
export function recordsAbout(
  { outbox, folderPath }: Context,
  paths: readonly string[],
  files: readonly Pick<ImageRow, 'record_id'>[],
  isReused: boolean,
): readonly RecordAbout[] {
  if (!outbox.hasSidecarRecords(folderPath)) return []
  const keys = new Set(paths.flatMap((path) => [foldPath(path), stemKeyOf(path)]))
  const named = [...keys].flatMap((key) => outbox.recordsMatching(folderPath, { kind: 'file', key }))
  const governing = files.flatMap(({ record_id: id }) =>
    id === null ? [] : (outbox.sidecarRecord(id) ?? []),
  )
  const others = named.filter((row) => !isOfFolder(row))
  const newest = isReused ? [] : newestOfEach(named.filter(isOfFolder))
  const beside = newestOfEach(besideGoverning({ outbox, folderPath }, governing))
  const rows = new Map([...others, ...newest, ...beside, ...governing].map((row) => [row.id, row]))
  /** A row of a table has no past. */
  const versionsOf = ({ relative_path: path, form }: SidecarRecordRow): readonly Version[] =>
    form === 'table' ? [] : outbox.recordsOfSidecar(folderPath, foldPath(path)).map(versionIn)
  const formers = [...rows.values()].flatMap((row) =>
    recordIn(row.content).flatMap((record) => {
      const { relative_path: path, form } = row
      const past = contradictingIn(versionsOf(row), { path, form, record }, paths)
      for (const before of past.rows) rows.set(before.id, before)
      return past.formers
    }),
  )
  const held = [...rows.values()].toSorted(byName).flatMap((row) =>
    recordIn(row.content).map((record): RecordAbout => {
      const { relative_path: path, form, withdrawn_at: withdrawnAt } = row
      const hasHeldAnother = versionsOf(row).some(({ stated, statedBefore }) =>
        [...stated, ...statedBefore].some((other) => !mayBeOfOnePatient(other, record)),
      )
      return { path, form, record, onlyDoubts: hasHeldAnother, withdrawnAt }
    }),
  )
  return [...held, ...new Map(formers.map((one) => [JSON.stringify(one), one])).values()]
}

/** The records of other data files that govern the folder as well: of the folders that divide it, or of the one around them. */
function besideGoverning(
  { outbox, folderPath }: Context,
  governing: readonly SidecarRecordRow[],
): readonly SidecarRecordRow[] {
  const paths = new Set(governing.map(({ relative_path: path }) => foldPath(path)))
  const directories = new Set(
    governing.flatMap(({ id }) =>
      outbox.matchesOfRecord(id).flatMap(({ kind, key }) => (kind === 'directory' ? [key] : [])),
    ),
  )
  return [...directories]
    .flatMap((key) => outbox.recordsMatching(folderPath, { kind: 'directory', key }))
    .filter(({ relative_path: path }) => !paths.has(foldPath(path)))
}

/** Earlier statements against a record: two people under one number; another day or eye, if about these images. */
function contradictingIn(
  versions: readonly Version[],
  { path, form, record: now }: Pick<HeldRecord, 'path' | 'form' | 'record'>,
  paths: readonly string[],
): { readonly rows: readonly SidecarRecordRow[]; readonly formers: readonly RecordAbout[] } {
  const asBefore = (record: Sidecar): HeldRecord => ({ path, form, record, onlyDoubts: false })
  const isContradicting = (before: Sidecar): boolean =>
    areTwoOfOneNumber(before, now) ||
    (doVisitsDiffer(before, now) &&
      paths.some((image) => bondOf(asBefore(before), image, 'once') === 'bound'))
  return {
    rows: versions.flatMap(({ row, stated }) => (stated.some(isContradicting) ? [row] : [])),
    formers: versions.flatMap(({ row, statedBefore }) =>
      statedBefore
        .filter(isContradicting)
        // It doubts, and proves nothing.
        .map((record) => ({ ...asBefore(record), onlyDoubts: true, withdrawnAt: row.at })),
    ),
  }
}

/** The images that records of one exposure are of: each has such a record beside it, or is named by one. */
export function imagesOfCapture({ outbox, folderPath }: Context, key: string, but = ''): readonly ImageRow[] {
  return outbox
    .recordsMatching(folderPath, { kind: 'capture', key })
    .filter(({ relative_path: path }) => foldPath(path) !== foldPath(but))
    .flatMap(({ id }) => outbox.matchesOfRecord(id))
    .flatMap((match) => (match.kind === 'file' ? [match.key, stemKeyOf(match.key)] : []))
    .flatMap((stem) => outbox.imagesOfStem(folderPath, stem))
}

/** The images that have a copy of a record about this one: what it proves of them changes with this. */
export function imagesOfOneRecord(context: Context, path: string): readonly string[] {
  const { outbox, folderPath } = context
  if (!outbox.hasSidecarRecords(folderPath)) return []
  return [foldPath(path), stemKeyOf(path)]
    .flatMap((key) => outbox.recordsMatching(folderPath, { kind: 'file', key }))
    .flatMap(({ content }) => recordIn(content).flatMap(({ capture }) => capture ?? []))
    .flatMap((key) => imagesOfCapture(context, key).map(({ id }) => id))
}

/**
 * True if a copy of a record of one exposure lies beside another image: it is not known to be of this one. The copy of a
 * `case.json` speaks of another image only if it has the name of this one.
 */
export function isBesideAnother(
  context: Context,
  { path, form, record: { capture } }: HeldRecord,
  files: readonly Pick<ImageRow, 'id' | 'file_name' | 'grey'>[],
): boolean {
  if (capture === undefined) return false
  const own = new Set(files.map(({ id }) => id))
  const names = new Set(files.map(({ file_name: name }) => foldPath(posix.basename(name))))
  return imagesOfCapture(context, capture, path).some(
    ({ id, file_name: name, twin_of: twin, grey }) =>
      !own.has(id) &&
      (form !== 'case' || names.has(foldPath(posix.basename(name)))) &&
      (twin === null || !own.has(twin)) &&
      files.every((file) => comparePhotographs(file.grey, grey) !== 'same'),
  )
}

function isOfFolder({ form }: SidecarRecordRow): boolean {
  return form === 'case'
}

/** The newest record of each data file, before all others the one that it states still. */
function newestOfEach(rows: readonly SidecarRecordRow[]): readonly SidecarRecordRow[] {
  const byPath = Map.groupBy(rows, ({ relative_path: path }) => foldPath(path))
  return [...byPath.values()].map((all) => all.reduce((one, row) => (isNewer(row, one) ? row : one)))
}

function isNewer(one: SidecarRecordRow, other: SidecarRecordRow): boolean {
  const [end, otherEnd] = [one.withdrawn_at ?? Infinity, other.withdrawn_at ?? Infinity]
  return end === otherEnd ? one.id > other.id : end > otherEnd
}

const MOST_OF_VISIT = 500

/** The images in the folder of a record that names some by their plain names: such a name may be of several. */
export function othersBelow(
  { outbox, folderPath }: Context,
  { path, record }: HeldRecord,
): readonly string[] {
  const hasPlainName = [...record.files, ...Object.keys(record.eyes)].some((file) => !file.includes('/'))
  const directory = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  // A table beside all images names them by their paths.
  if (!hasPlainName || directory === '') return []
  return outbox.imageNamesBelow(folderPath, directory, MOST_OF_VISIT)
}

/** By the name of the data file, then in the order within the file, so that the order of arrival decides nothing. */
export function byName(one: SidecarRecordRow, other: SidecarRecordRow): number {
  if (one.relative_path === other.relative_path) return one.id - other.id
  return one.relative_path < other.relative_path ? -1 : 1
}

/** Is this file, which was ignored, the one of today, whose name is only written in other capitals? */
export function isRenamed(
  { id, name, size_bytes: size, mtime_ms: time }: NameUsed,
  now: Pick<ImageRow, 'file_name' | 'size_bytes' | 'mtime_ms'>,
): boolean {
  return id === '' && name !== now.file_name && size === now.size_bytes && time === now.mtime_ms
}

/** What else this folder has had under the name of an image: what is bound to the name may be of that. */
export function useOfName(
  { outbox, folderPath }: Context,
  path: string,
  files: readonly Pick<ImageRow, 'id' | 'file_name' | 'size_bytes' | 'mtime_ms' | 'grey'>[],
  copies: readonly ImageCopy[],
): NameUse {
  const own = new Set([...files.map(({ id }) => id), ...copies.map(({ image_id }) => image_id)])
  const isSame = (name: string): boolean => foldPath(name) === foldPath(path)
  const times = new Set(files.map(({ mtime_ms: time }) => time))
  const file = files.find(({ file_name: name }) => name === path)
  const stemKey = stemKeyOf(path)
  const fellows = outbox.namesUsed(folderPath, [stemKey]).filter(({ id }) => !own.has(id))
  const isReused =
    fellows.some((used) => isSame(used.name) && !(file && isRenamed(used, file))) ||
    outbox
      .unusableOfStems(folderPath, [stemKey])
      .some((file) => isSame(file.relative_path) && !times.has(file.mtime_ms))
  if (isReused) return 'reused'
  const isOther = (id: string): boolean => {
    const fellow = outbox.imageById(id)
    return (
      fellow !== undefined &&
      (fellow.twin_of === null || !own.has(fellow.twin_of)) &&
      files.every(({ grey }) => comparePhotographs(grey, fellow.grey) !== 'same')
    )
  }
  return fellows.some(({ id }) => isOther(id)) ? 'sharedStem' : 'once'
}

/**
 * Ingests a data file: the visits that it states, and the images that these affect. Cases whose sending has begun are
 * not changed by it, so a person is notified.
 */
import { join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isUnsent } from '../../../src-shared/states.ts'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { readSource } from '../lib/files.ts'
import type { SidecarMatch, SidecarRecordRow } from '../outbox/files.ts'
import type { FileMark } from '../watch/watch.ts'
import {
  type DataFileOptions,
  type DataFileReading,
  type DataFileForm as Form,
  MAX_DATA_BYTES,
  readDataFile,
} from './data-files/data-files.ts'
import { noteContradictingRecord } from './contradictions.ts'
import { foldPath, type Sidecar, stemKeyOf } from './evidence.ts'
import {
  affectedSubmissions,
  findLateData,
  imagesNamed,
  type LateData,
  lateDataMessage,
  mergeLateData,
} from './late-data.ts'
import { type IngestContext, type IngestResult, noteFor, refreshSubmissions } from './refresh.ts'
import { visitFolderOf } from './visits/identity.ts'
import { profileOf, type VisitContext } from './visits/pictures.ts'
import { earlierRecords, statedBeforeAfter } from './visits/restated.ts'
import { assignVisits, isOpen } from './visits/visits.ts'

/**
 * The images that a record refers to. A `case.json` governs its folder; in the watched folder itself, with files of
 * many visits, only the files that it names. Other data files refer to the files they name, to files of their own
 * stem, and to the patient they name, wherever the images are in the watched folder.
 */
function matchesOf(relativePath: string, form: Form, record: Sidecar | null): SidecarMatch[] {
  const beside = posix.dirname(relativePath) === '.' ? '' : `${posix.dirname(relativePath)}/`
  const files = [...new Set([...(record?.files ?? []), ...Object.keys(record?.eyes ?? {})])].map(
    (file): SidecarMatch => ({ kind: 'file', key: foldPath(`${beside}${file}`) }),
  )
  if (form === 'case') {
    const directory = visitFolderOf(relativePath)
    return directory === '' ? files : [{ kind: 'directory', key: directory }, ...files]
  }
  const historyNumber = record?.fields.history_number
  return [
    ...files,
    ...(form === 'document' ? [{ kind: 'file' as const, key: stemKeyOf(relativePath) }] : []),
    ...(historyNumber === undefined ? [] : [{ kind: 'patient' as const, key: foldPath(historyNumber) }]),
  ]
}

/** Rows per commit: few enough that nothing else waits long. */
const ROWS_PER_COMMIT = 50

/** Ingests a data file; `path` is where its bytes are, if outside the watched folder. */
export async function ingestDataFile(
  context: IngestContext,
  file: FileMark,
  path = join(file.folderPath, file.relativePath),
): Promise<IngestResult> {
  // One byte over the limit shows that the file is too large.
  const bytes = await readSource(path, MAX_DATA_BYTES + 1)
  const profile = profileOf(context.settings(), file.folderPath)
  const reading = readOrSetAside(context, file, bytes, {
    columns: profile?.columns ?? {},
    dateOrder: profile?.dateOrder ?? 'ymd',
    nameOrder: profile?.nameOrder ?? 'lastFirst',
  })
  const note = noteFor(context, file)
  if (reading.ok) {
    const [form, records] = ofStemIfOne(reading.form, reading.records)
    const late = await applyRecords(context, file, form, records, null)
    const [first, second] = [
      ...(reading.trouble === null ? [] : [reading.trouble]),
      ...(late.length > 0 ? [lateDataMessage(late)] : []),
    ]
    const kind = reading.trouble === null ? 'dataCameLate' : 'sidecarUnreadable'
    if (first && second)
      note(kind, worded('intake:ingest.both', { first: quoted(first), second: quoted(second) }))
    else if (first) note(kind, first)
  } else {
    note(reading.isForeign ? 'ignored' : 'sidecarUnreadable', reading)
    // The problem of the record of a folder is one of its cases.
    const isCase = /(^|\/)case\.json$/i.test(file.relativePath) && !reading.isForeign
    await applyRecords(context, file, isCase ? 'case' : 'document', isCase ? [null] : [], reading)
  }
  context.outbox.files.markSeen(file, 'sidecar', null, context.clock.now())
  return 'done'
}

/** A table of one visit that names no file is of the image of its stem, as any document is. */
function ofStemIfOne(form: Form, records: readonly Sidecar[]): readonly [Form, readonly Sidecar[]] {
  const [record, ...others] = records
  const isOne = form === 'table' && record !== undefined && others.length === 0
  if (!isOne || record.files.length > 0 || Object.keys(record.eyes).length > 0) return [form, records]
  // Rows of both eyes are of two images, and no one knows which this is.
  return ['document', [(record.ownEyes ?? []).length > 1 ? { ...record, ownEyes: [] } : record]]
}

/** An error over the content of a data file would recur on each attempt: it concerns this file alone. */
function readOrSetAside(
  { logger }: IngestContext,
  file: FileMark,
  bytes: Uint8Array,
  options: DataFileOptions,
): DataFileReading {
  try {
    return readDataFile(file.relativePath, bytes, options)
  } catch (error) {
    logger?.error('a data file could not be read and was set aside', {
      error: error instanceof Error ? error.name : 'unknown',
    })
    return { ok: false, isForeign: false, ...worded('intake:ingest.dataFileNotRead') }
  }
}

/**
 * Applies the records of a file in batches (null if it could not be read, and then why), then withdraws what it does not
 * state any more; after an interruption it starts over and finds its earlier work. Returns what came too late, which is
 * noted with each case.
 */
async function applyRecords(
  context: IngestContext,
  file: FileMark,
  form: Form,
  records: readonly (Sidecar | null)[],
  problem: Message | null,
): Promise<readonly LateData[]> {
  const { outbox, clock } = context
  const late: LateData[] = []
  const before = recordsOfFile(context, file)
  const earlier = earlierRecords(form, before)
  let replaced: ReadonlySet<number> = new Set()
  for (let from = 0; from < records.length; from += ROWS_PER_COMMIT) {
    const batch = outbox.write(() => {
      // A write may run again, and then begins with what the last commit left.
      const replacing = new Set(replaced)
      const touched = new Set<string>()
      const lateHere: LateData[] = []
      for (const record of records.slice(from, from + ROWS_PER_COMMIT)) {
        // A file that is no longer readable keeps its earlier content.
        if (record === null && earlier.hasReadable) continue
        const row = record === null ? earlier.first : earlier.findReplaced(record, replacing)
        if (row !== null) replacing.add(row.id)
        const content = record === null ? null : JSON.stringify(record)
        const matches = matchesOf(file.relativePath, form, record)
        // A growing table is read as a whole each time: unchanged rows change nothing.
        if (row?.content === content && content !== null && row.withdrawn_at === null)
          if (form === 'table' || hasMatches(context, row, matches)) continue
        if (record !== null) noteContradictingRecord(context, file, { form, record, matches })
        const trouble = problem && JSON.stringify({ message: problem.message, wording: problem.wording })
        for (const id of saveRecord(
          context,
          {
            ...file,
            pathKey: foldPath(file.relativePath),
            content,
            trouble,
            statedBefore: row && statedBeforeAfter(row, record),
            matches,
            at: clock.now(),
          },
          form,
          row,
        ))
          touched.add(id)
        if (record !== null) lateHere.push(...findLateData(context, file.folderPath, record, matches))
      }
      refreshSubmissions(context, touched)
      for (const { submissionId, fields, eyesOf } of mergeLateData(lateHere)) {
        const others = eyesOf.length > 0 && { otherEyes: eyesOf.length }
        const details = { ...(fields.length > 0 && { fields }), ...others }
        outbox.audit.append({ at: clock.now(), submissionId, what: 'dataCameLate', by: null, details })
      }
      return { replacing, lateHere }
    })
    replaced = batch.replacing
    for (const one of batch.lateHere) late.push(one)
    await setImmediate()
  }
  const gone = before.filter(({ id, withdrawn_at: at }) => at === null && !replaced.has(id))
  outbox.sidecars.withdraw(
    gone.map(({ id }) => id),
    clock.now(),
  )
  return mergeLateData(late)
}

/** False if a row became the only one of its table, and is of the image of its stem now. */
function hasMatches(
  { outbox }: IngestContext,
  { id }: SidecarRecordRow,
  now: readonly SidecarMatch[],
): boolean {
  const before = new Set(outbox.sidecars.matchesOf(id).map(({ kind, key }) => `${kind} ${key}`))
  return now.every(({ kind, key }) => before.has(`${kind} ${key}`))
}

/** The records of a data file so far. */
function recordsOfFile(
  { outbox }: IngestContext,
  { folderPath, relativePath }: Pick<FileMark, 'folderPath' | 'relativePath'>,
): readonly SidecarRecordRow[] {
  return outbox.sidecars.recordsOf(folderPath, { relativePath, pathKey: foldPath(relativePath) })
}

/** Stores a record and reassigns every image that it refers to, now or before; returns the submissions concerned. */
function saveRecord(
  context: IngestContext,
  record: Parameters<IngestContext['outbox']['sidecars']['save']>[0],
  form: Form,
  replaced: SidecarRecordRow | null,
): ReadonlySet<string> {
  const { outbox } = context
  const { folderPath, matches } = record
  // Of a file that was written over, every record counts: what it said before proves less now.
  const earlier = form === 'table' ? [] : recordsOfFile(context, record)
  const before = [...earlier, ...(replaced === null ? [] : [replaced])].flatMap(({ id }) =>
    outbox.sidecars.matchesOf(id),
  )
  const recordId = outbox.sidecars.save(record, replaced?.id ?? null)
  const images = [...before, ...matches].flatMap((match) =>
    affectedImages(context, folderPath, recordId, match),
  )
  const homes = images.flatMap((id) => outbox.images.byId(id)?.submission_id ?? [])
  return new Set([...homes, ...assignVisits(context, folderPath, [...new Set(images)])])
}

/** The open images that a record refers to; those of its folder are bound to it. */
function affectedImages(
  context: IngestContext,
  folderPath: string,
  recordId: number,
  match: SidecarMatch,
): string[] {
  const { outbox } = context
  switch (match.kind) {
    case 'file':
      return imagesNamed(context, folderPath, match.key).map((image) => image.id)
    case 'patient':
      return affectedSubmissions(context, folderPath, match)
        .filter(isOpen)
        .flatMap((row) => outbox.images.rows(row.id).map((image) => image.id))
    case 'directory':
      return bindFolder(context, folderPath, recordId, match.key)
  }
}

/**
 * Binds the unsent images of a folder, and copies, to its record, unless another visit's record has them. Returns the
 * ids of the images.
 */
function bindFolder(
  { outbox }: VisitContext,
  folderPath: string,
  recordId: number,
  directory: string,
): string[] {
  const isInside = ({ file_name: path }: { readonly file_name: string }): boolean =>
    visitFolderOf(path) === directory
  const isFree = ({ record_id: id }: { readonly record_id: number | null }): boolean => {
    const bound = id === null ? null : outbox.sidecars.record(id)
    return bound === null || bound.content === null
  }
  const images = outbox.images
    .submissionsInFolder(folderPath, directory)
    .filter(({ state }) => isUnsent(state))
    .flatMap(({ id }) => outbox.images.rows(id))
    .filter(isInside)
  for (const image of images.filter(isFree)) outbox.images.setRecord(image.id, recordId)
  const copies = outbox.images.copiesInFolder(folderPath, directory).filter(isInside)
  for (const copy of copies.filter(isFree)) outbox.images.setRecordOfCopy(copy, recordId)
  return [...images.map(({ id }) => id), ...copies.map(({ image_id: id }) => id)]
}

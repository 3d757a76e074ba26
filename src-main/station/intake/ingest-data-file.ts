/** Ingests a data file: the visits that it states, and the images that these affect. */
import { join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { readSource } from '../lib/files.ts'
import type { SidecarMatch } from '../outbox/files.ts'
import type { FileMark } from '../watch/watch.ts'
import {
  type DataFileOptions,
  type DataFileReading,
  type DataFileForm as Form,
  MAX_DATA_BYTES,
  readDataFile,
} from './data-files/data-files.ts'
import { foldPath, type Sidecar, stemKeyOf } from './evidence.ts'
import { type IngestContext, type IngestResult, refreshSubmissions } from './refresh.ts'
import { noteFor } from './intake-folder.ts'
import { EarlierRecords, findLateData, type LateData, lateDataMessage, mergeLateData } from './late-data.ts'
import { pathRulesOf, visitFolderOf } from './visits/evidence.ts'
import { assignVisits, isOpen } from './visits/visits.ts'

/**
 * The images that a record refers to. A `case.json` governs its folder; in the watched folder itself, with files of
 * many visits, only the files that it names. Other data files refer to the files they name, to files of their own
 * stem, and to the patient they name, wherever the images are in the watched folder.
 */
export function matchesOf(relativePath: string, form: Form, record: Sidecar | null): SidecarMatch[] {
  const beside = posix.dirname(relativePath) === '.' ? '' : `${posix.dirname(relativePath)}/`
  const files = [...new Set([...(record?.files ?? []), ...Object.keys(record?.eyes ?? {})])].map(
    (file): SidecarMatch => ({ kind: 'file', key: foldPath(`${beside}${file}`) }),
  )
  if (form === 'case') {
    const directory = visitFolderOf(relativePath)
    return directory === '' ? files : [{ kind: 'directory', key: directory }]
  }
  const historyNumber = record?.fields.history_number
  return [
    ...files,
    ...(form === 'document' ? [{ kind: 'file' as const, key: stemKeyOf(relativePath) }] : []),
    ...(historyNumber === undefined ? [] : [{ kind: 'patient' as const, key: foldPath(historyNumber) }]),
  ]
}

/** The submissions that a record changed, and those that it came too late for. */
type RecordResult = { readonly touched: ReadonlySet<string>; readonly late: readonly LateData[] }

const NO_CHANGE: RecordResult = { touched: new Set(), late: [] }

/** Rows per commit: few enough that nothing else waits long. */
const ROWS_PER_COMMIT = 50

/** Ingests a data file; `path` is where its bytes are, if outside the watched folder. */
export async function ingestDataFile(
  context: IngestContext,
  file: FileMark,
  path = join(file.folderPath, file.relativePath),
): Promise<IngestResult> {
  const { outbox, clock } = context
  // One byte over the limit shows that the file is too large.
  const bytes = await readSource(path, MAX_DATA_BYTES + 1)
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const reading = readOrSetAside(context, file, bytes, {
    columns: profile?.columns ?? {},
    dateOrder: profile?.dateOrder ?? 'ymd',
    nameOrder: profile?.nameOrder ?? 'lastFirst',
  })
  const note = noteFor(context, file)
  if (!reading.ok) note(reading.isForeign ? 'ignored' : 'sidecarUnreadable', reading)
  const isCase = /(^|\/)case\.json$/i.test(file.relativePath)
  if (reading.ok) {
    const late = await applyRecords(context, file, reading.form, reading.records)
    const unread: Message[] = reading.trouble === null ? [] : [reading.trouble]
    const [first, second] = [...unread, ...(late.length > 0 ? [lateDataMessage(late)] : [])]
    const kind = unread.length === 0 ? 'dataCameLate' : 'sidecarUnreadable'
    if (first && second)
      note(kind, worded('intake:ingest.both', { first: quoted(first), second: quoted(second) }))
    else if (first) note(kind, first)
  } else if (isCase && !reading.isForeign) {
    outbox.write(() => {
      const rows = outbox.sidecars.recordsOf(file.folderPath, file.relativePath)
      const earlier = new EarlierRecords('case', rows)
      refreshSubmissions(context, applyRecord(context, file, 'case', earlier, null, reading).touched)
    })
  }
  outbox.files.markSeen(file, 'sidecar', null, clock.now())
  return 'done'
}

/** Stores a record and reassigns every image that it refers to, now or before. Within one transaction. */
function applyRecord(
  context: IngestContext,
  file: FileMark,
  form: Form,
  earlier: EarlierRecords,
  record: Sidecar | null,
  problem: Message | null,
): RecordResult {
  const { outbox, clock } = context
  const { folderPath, relativePath } = file
  // A file that is no longer readable withdraws nothing of its earlier content.
  if (record === null && earlier.hasReadable()) return NO_CHANGE
  const replaced = record === null ? earlier.first() : earlier.findReplaced(record)
  const content = record === null ? null : JSON.stringify(record)
  // A growing table is read as a whole each time: unchanged rows change nothing.
  if (replaced !== null && replaced.content === content && content !== null) return NO_CHANGE
  const matches = matchesOf(relativePath, form, record)
  const before = replaced === null ? [] : outbox.sidecars.matchesOf(replaced.id)
  const recordId = outbox.sidecars.save(
    { folderPath, relativePath, content, trouble: problem && textOf(problem), matches, at: clock.now() },
    replaced?.id ?? null,
  )
  const images = [...before, ...matches].flatMap((match) =>
    affectedImages(context, folderPath, recordId, match),
  )
  const homes = new Set(images.flatMap((id) => outbox.images.byId(id)?.submission_id ?? []))
  const touched = new Set([...homes, ...assignVisits(context, folderPath, [...new Set(images)])])
  return { touched, late: record === null ? [] : findLateData(context, folderPath, record, matches) }
}

/** As `refresh.ts` reads it. */
function textOf({ message, wording }: Message): string {
  return JSON.stringify({ message, wording })
}

/**
 * The open images that a record refers to. Images of its folder are bound to it, unless another visit's record has
 * them.
 */
function affectedImages(
  context: IngestContext,
  folderPath: string,
  recordId: number,
  match: SidecarMatch,
): string[] {
  const { outbox } = context
  switch (match.kind) {
    case 'file':
      // A name without an extension is its own stem; a name with dots is ambiguous.
      return [match.key, stemKeyOf(match.key)].flatMap((stem) =>
        outbox.images.ofStem(folderPath, stem).map((image) => image.id),
      )
    case 'patient': {
      const prefix = JSON.stringify(['patient', match.key]).slice(0, -1)
      return outbox.groups
        .submissionsFrom(folderPath, prefix)
        .filter(isOpen)
        .flatMap((row) => outbox.images.rows(row.id).map((image) => image.id))
    }
    case 'directory':
      return [
        ...affectedImagesIn(context, folderPath, recordId, match.key),
        ...affectedCopiesIn(context, folderPath, recordId, match.key),
      ]
  }
}

function affectedCopiesIn(
  context: IngestContext,
  folderPath: string,
  recordId: number,
  directory: string,
): string[] {
  const { outbox } = context
  return outbox.images
    .copiesInFolder(folderPath, directory)
    .filter((copy) => visitFolderOf(copy.file_name) === directory)
    .map((copy) => {
      const bound = copy.record_id === null ? null : outbox.sidecars.record(copy.record_id)
      if (bound === null || bound.content === null) outbox.images.setRecordOfCopy(copy, recordId)
      return copy.image_id
    })
}

/** The open images of a folder, bound to its record unless another visit's record has them. */
function affectedImagesIn(
  context: IngestContext,
  folderPath: string,
  recordId: number,
  directory: string,
): string[] {
  const { outbox } = context
  const reached: string[] = []
  for (const row of outbox.images.submissionsInFolder(folderPath, directory).filter(isOpen)) {
    for (const image of outbox.images.rows(row.id)) {
      if (visitFolderOf(image.file_name) !== directory) continue
      const bound = image.record_id === null ? null : outbox.sidecars.record(image.record_id)
      const isFree = bound === null || bound.id === recordId || bound.content === null
      if (isFree) outbox.images.setRecord(image.id, recordId)
      // It arrived after the record of one visit and before that of the next: it may belong to either.
      else if (row.state === 'collecting' && image.added_at >= bound.at)
        outbox.images.setRecordDoubtful(image.id)
      reached.push(image.id)
    }
  }
  return reached
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
 * Applies the records of a file in batches; after an interruption it starts over and finds its earlier work. Returns
 * what came too late, which is noted with each case.
 */
async function applyRecords(
  context: IngestContext,
  file: FileMark,
  form: Form,
  records: readonly Sidecar[],
): Promise<readonly LateData[]> {
  const { outbox } = context
  const late: LateData[] = []
  const earlier = new EarlierRecords(form, outbox.sidecars.recordsOf(file.folderPath, file.relativePath))
  for (let from = 0; from < records.length; from += ROWS_PER_COMMIT) {
    const came = outbox.write(() => {
      earlier.rollback()
      const touched = new Set<string>()
      const lateHere: LateData[] = []
      for (const record of records.slice(from, from + ROWS_PER_COMMIT)) {
        const result = applyRecord(context, file, form, earlier, record, null)
        for (const id of result.touched) touched.add(id)
        for (const one of result.late) lateHere.push(one)
      }
      refreshSubmissions(context, touched)
      auditLateData(context, mergeLateData(lateHere))
      return lateHere
    })
    earlier.commit()
    for (const one of came) late.push(one)
    await setImmediate()
  }
  return mergeLateData(late)
}

function auditLateData({ outbox, clock }: IngestContext, late: readonly LateData[]): void {
  for (const { submissionId, fields, eyesOf } of late)
    outbox.audit.append({
      at: clock.now(),
      submissionId,
      what: 'dataCameLate',
      by: null,
      details: {
        ...(fields.length > 0 && { fields }),
        ...(eyesOf.length > 0 && { otherEyes: eyesOf.length }),
      },
    })
}

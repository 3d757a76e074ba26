/** Ingests a data file: its visits, and the images that these affect. Of cases whose sending has begun a person is notified. */
import { join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isUnsent } from '../../../src-shared/states.ts'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { errorName } from '../lib/errors.ts'
import { diskCodeOf } from '../lib/files.ts'
import type { SidecarForm as Form, SidecarMatch, SidecarRecordRow } from '../outbox/files.ts'
import type { FileMark, UnusableMark } from '../../reader/watch-messages.ts'
import { MAX_DATA_BYTES } from '../../reader/messages.ts'
import type { DataFileOptions, DataFileReading, SidecarList } from './records/data-files.ts'
import { noteContradictingRecord } from './contradictions.ts'
import { foldPath, type Sidecar, stemKeyOf } from './meaning/sources.ts'
import {
  affectedSubmissions,
  findLateData,
  imagesNamed,
  type LateData,
  lateDataMessage,
  mergeLateData,
} from './late-data.ts'
import { type IngestContext, type IngestResult, noteFor, refreshSubmissions } from './settle.ts'
import { visitFolderOf } from './visits/identity.ts'
import { readingOf } from './visits/pictures.ts'
import { imagesOfCapture } from './visits/records.ts'
import { afterDeathOn, recordDeathOn } from './unusable.ts'
import { earlierRecords, statedBeforeAfter } from './visits/restated.ts'
import { assignVisits, isOpen } from './visits/visits.ts'

/**
 * A `case.json` governs its folder, but in the watched folder itself only files that it names. Others refer to the
 * files they name, those of their own stem, and their patient's anywhere.
 */
function matchesOf(relativePath: string, form: Form, record: Sidecar | null): SidecarMatch[] {
  const beside = posix.dirname(relativePath) === '.' ? '' : `${posix.dirname(relativePath)}/`
  const files = [...new Set([...(record?.files ?? []), ...Object.keys(record?.eyes ?? {})])].map(
    (file): SidecarMatch => ({ kind: 'file', key: foldPath(`${beside}${file}`) }),
  )
  if (record?.capture !== undefined) files.push({ kind: 'capture', key: record.capture })
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

/** A commit of a table takes about this long, so that nothing else waits for it. */
const COMMIT_MS = 10

/** Each of these is read again in the same commit. */
const MOST_CASES_IN_COMMIT = 2

export async function ingestDataFile(context: IngestContext, file: FileMark): Promise<IngestResult> {
  const path = join(file.folderPath, file.relativePath)
  // One byte over the limit shows that the file is too large.
  return takeDataFile(context, file, await context.foreign.read(path, MAX_DATA_BYTES.csv + 1))
}

export async function takeDataFile(
  context: IngestContext,
  file: FileMark,
  bytes: Uint8Array,
): Promise<IngestResult> {
  const { columns, dateOrder, nameOrder } = readingOf(context)
  const reading = await readOrSetAside(context, file, bytes, { columns, dateOrder, nameOrder })
  if (reading === 'died') return afterDeathOfReader(context, file)
  const note = noteFor(context, file)
  if (reading.ok) {
    const late = await applyRecords(context, file, reading.form, reading.records, null)
    if (late === null) return 'again'
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
    await applyProblem(context, file, reading, reading.isForeign)
  }
  context.outbox.markSeen(file, 'sidecar', context.clock.now())
  return 'done'
}

function isOfFolder({ relativePath }: FileMark): boolean {
  return /(^|\/)case\.json$/i.test(relativePath)
}

/** The problem of the record of a folder is one of its cases. */
async function applyProblem(
  context: IngestContext,
  file: FileMark,
  problem: Message,
  isForeign = false,
): Promise<void> {
  const isCase = isOfFolder(file) && !isForeign
  await applyRecords(context, file, isCase ? 'case' : 'document', isCase ? [null] : [], problem)
}

/** Of what the process of a folder reports: a case waits for the record of its folder while it may not be read, too. */
export async function recordUnread(context: IngestContext, file: UnusableMark): Promise<void> {
  if (isOfFolder(file) && (file.why === 'suspect' || file.why === 'setAside'))
    await applyProblem(context, file, file)
}

/** A case waits for the record of its folder, also while that is to be read once more. What others stated before holds until then. */
async function afterDeathOfReader(context: IngestContext, file: FileMark): Promise<IngestResult> {
  const result = afterDeathOn(context, file)
  if (result === 'again' && !isOfFolder(file)) return result
  await applyProblem(context, file, worded(`intake:watch.${result === 'done' ? 'setAside' : 'suspect'}`))
  return result
}

/** An error over the content of a data file would recur on each attempt: it concerns this file alone. */
async function readOrSetAside(
  context: IngestContext,
  file: FileMark,
  bytes: Uint8Array,
  options: DataFileOptions,
): Promise<DataFileReading<SidecarList> | 'died'> {
  const { logger, readDataFile } = context
  let hasDied = false
  const onDeath = (): void => {
    hasDied = true
    recordDeathOn(context, file)
  }
  try {
    return await readDataFile(file.relativePath, bytes, options, onDeath)
  } catch (error) {
    if (hasDied) return 'died'
    // No process reads it now, which says nothing of it.
    if (diskCodeOf(error) !== null) throw error
    logger?.error('a data file could not be read and was set aside', { error: errorName(error) })
    return { ok: false, isForeign: false, ...worded('intake:ingest.dataFileNotRead') }
  }
}

/**
 * Applies the records of a file (null if it could not be read, and then why), then withdraws what it does not state any
 * more. A table is applied in many short commits, anything else in one; after an interruption it starts over and finds its
 * earlier work. Returns what came too late, which is noted with each case; null if the station ends meanwhile.
 */
async function applyRecords(
  context: IngestContext,
  file: FileMark,
  form: Form,
  records: SidecarList<Sidecar | null>,
  problem: Message | null,
): Promise<readonly LateData[] | null> {
  const { outbox, clock } = context
  const late: LateData[] = []
  const pathKey = foldPath(file.relativePath)
  const earlier = await recordsSoFar(context, form, file)
  const replaced = new Set<number>()
  let next = 0
  while (next < records.length) {
    if (context.isEnding?.() === true) return null
    const batch = outbox.write(() => {
      // A write may run again, and then begins with what the last commit left.
      const replacing = new Set<number>()
      const touched = new Set<string>()
      let hasChanged = false
      const lateHere: LateData[] = []
      const begunAt = performance.now()
      const isFull = (): boolean =>
        form === 'table' && (performance.now() - begunAt > COMMIT_MS || touched.size >= MOST_CASES_IN_COMMIT)
      let at = next
      for (; at < records.length && !isFull(); at += 1) {
        const record = records.at(at) ?? null
        // A file that is no longer readable keeps its earlier content.
        if (record === null && earlier.hasReadable()) continue
        const isReplaced = (id: number): boolean => replaced.has(id) || replacing.has(id)
        const row = record === null ? earlier.first() : earlier.findReplaced(record, isReplaced)
        if (row !== null) replacing.add(row.id)
        const content = record === null ? null : JSON.stringify(record)
        const matches = matchesOf(file.relativePath, form, record)
        // A growing table is read as a whole each time: unchanged rows change nothing.
        if (row?.content === content && content !== null && row.withdrawn_at === null)
          if (form === 'table' || hasMatches(context, row, matches)) continue
        const held = record && { path: file.relativePath, form, record, onlyDoubts: false }
        if (held !== null) noteContradictingRecord(context, held, matches)
        const trouble = problem && JSON.stringify({ message: problem.message, wording: problem.wording })
        const saved = {
          ...file,
          pathKey,
          form,
          content,
          trouble,
          statedBefore: row && statedBeforeAfter(row, record),
          matches,
          at: clock.now(),
        }
        // Every image that the record refers to, or did before.
        const before = row === null ? [] : outbox.matchesOfRecord(row.id)
        const recordId = outbox.saveSidecarRecord(saved, row?.id ?? null)
        for (const id of reassign(context, [...before, ...matches], recordId)) touched.add(id)
        hasChanged = true
        if (held !== null) lateHere.push(...findLateData(context, held, matches))
      }
      // Of a file that was written over, every record counts: what it said before proves less now.
      if (form !== 'table' && hasChanged) {
        const all = outbox.recordsOfSidecar(file.folderPath, pathKey)
        const everMatched = all.flatMap(({ id }) => outbox.matchesOfRecord(id))
        for (const id of reassign(context, everMatched, null)) touched.add(id)
      }
      refreshSubmissions(context, touched)
      for (const { submissionId, fields, eyesOf } of mergeLateData(lateHere)) {
        const others = eyesOf.length > 0 && { otherEyes: eyesOf.length }
        const details = { ...(fields.length > 0 && { fields }), ...others }
        outbox.appendAudit({ at: clock.now(), submissionId, what: 'dataCameLate', details })
      }
      return { replacing, lateHere, at }
    })
    next = batch.at
    for (const id of batch.replacing) replaced.add(id)
    for (const one of batch.lateHere) late.push(one)
    await setImmediate()
  }
  const gone = earlier.stated().filter((id) => !replaced.has(id))
  for (let from = 0; from < gone.length; from += ROWS_AT_ONCE) {
    outbox.withdrawSidecarRecords(gone.slice(from, from + ROWS_AT_ONCE), clock.now())
    await setImmediate()
  }
  return mergeLateData(late)
}

/** Read and withdrawn in a few milliseconds. */
const ROWS_AT_ONCE = 100

/** The records of a data file so far; those of a long list are read in parts. */
async function recordsSoFar(
  { outbox }: IngestContext,
  form: Form,
  { folderPath, relativePath }: FileMark,
): Promise<ReturnType<typeof earlierRecords>> {
  const earlier = earlierRecords(form, outbox.sidecarRecord)
  let after = 0
  for (;;) {
    const rows = outbox.recordsOfSidecar(folderPath, foldPath(relativePath), { after, limit: ROWS_AT_ONCE })
    earlier.add(rows)
    if (rows.length < ROWS_AT_ONCE) return earlier
    after = rows.at(-1)?.id ?? after
    await setImmediate()
  }
}

/** False if a row became the only one of its table, and is of the image of its stem now. */
function hasMatches(
  { outbox }: IngestContext,
  { id }: SidecarRecordRow,
  now: readonly SidecarMatch[],
): boolean {
  const before = new Set(outbox.matchesOfRecord(id).map(({ kind, key }) => `${kind} ${key}`))
  return now.every(({ kind, key }) => before.has(`${kind} ${key}`))
}

/** Finds the visits of the images that these reach once more; returns the submissions that had them and have them now. */
function reassign(
  context: IngestContext,
  matches: readonly SidecarMatch[],
  recordId: number | null,
): ReadonlySet<string> {
  const found = new Set(matches.flatMap((match) => affectedImages(context, recordId, match)))
  const homes = context.outbox.imagesAmong([...found]).map((image) => image.submission_id)
  return new Set([...homes, ...assignVisits(context, [...found])])
}

/** The open images that a record refers to; those of its folder are bound to it. */
function affectedImages(context: IngestContext, recordId: number | null, match: SidecarMatch): string[] {
  const { outbox } = context
  switch (match.kind) {
    case 'file':
      return imagesNamed(context, match.key).map((image) => image.id)
    case 'capture':
      return imagesOfCapture(context, match.key).map((image) => image.id)
    case 'patient':
      return affectedSubmissions(context, match)
        .filter(isOpen)
        .flatMap((row) => outbox.imageRowsOf(row.id).map((image) => image.id))
    case 'directory':
      return bindFolder(context, recordId, match.key)
  }
}

/** Binds unsent images, and copies, to the folder's record, unless another visit's has them. Returns their ids. */
function bindFolder(
  { outbox, folderPath }: IngestContext,
  recordId: number | null,
  directory: string,
): string[] {
  const isInside = ({ file_name: path }: { readonly file_name: string }): boolean =>
    visitFolderOf(path) === directory
  const isWhole = new Map<number, boolean>()
  const isFree = ({ record_id: id }: { readonly record_id: number | null }): boolean => {
    if (id === null) return true
    const isBound = isWhole.get(id) ?? typeof outbox.sidecarRecord(id)?.content === 'string'
    isWhole.set(id, isBound)
    return !isBound
  }
  const images = outbox
    .submissionsInFolder(folderPath, directory)
    .filter(({ state }) => isUnsent(state))
    .flatMap(({ id }) => outbox.imageRowsOf(id))
    .filter(isInside)
  const free = images.filter(isFree).map(({ id }) => id)
  if (recordId !== null && free.length > 0) outbox.setRecord(free, recordId)
  const copies = outbox.copiesBelow(folderPath, foldPath(directory)).filter(isInside)
  if (recordId !== null) for (const copy of copies.filter(isFree)) outbox.setRecordOfCopy(copy, recordId)
  return [...images.map(({ id }) => id), ...copies.map(({ image_id: id }) => id)]
}

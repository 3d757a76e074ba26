/**
 * Ingests a data file: the visits that it states, and the images that these affect. Cases whose sending has begun are
 * not changed by it, so a person is notified.
 */
import { join, posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Fields } from '../../../src-shared/fields.ts'
import { isUnsent } from '../../../src-shared/states.ts'
import { type Message, quoted, worded } from '../../../src-shared/wording.ts'
import { formerPatientsIn, type FormerPatient, recordIn } from '../json-columns.ts'
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
import { doEyesDiffer } from './proof/binding.ts'
import { visitFolderOf } from './visits/identity.ts'
import { profileOf, type VisitContext } from './visits/pictures.ts'
import { mayBeOfOnePatient } from './visits/records.ts'
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
    const late = await applyRecords(context, file, reading.form, reading.records, null)
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
    const isCase = /(^|\/)case\.json$/i.test(file.relativePath)
    if (isCase && !reading.isForeign) await applyRecords(context, file, 'case', [null], reading)
  }
  context.outbox.files.markSeen(file, 'sidecar', null, context.clock.now())
  return 'done'
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
 * Applies the records of a file in batches (null if it could not be read, and then why); after an interruption it
 * starts over and finds its earlier work. Returns what came too late, which is noted with each case.
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
  const earlier = earlierRecords(form, outbox.sidecars.recordsOf(file.folderPath, file.relativePath))
  let replaced: ReadonlySet<number> = new Set()
  for (let from = 0; from < records.length; from += ROWS_PER_COMMIT) {
    const batch = outbox.write(() => {
      // A write may run again, and then begins with what the last commit left.
      const replacing = new Set(replaced)
      const touched = new Set<string>()
      const lateHere: LateData[] = []
      for (const record of records.slice(from, from + ROWS_PER_COMMIT)) {
        const row = record === null ? earlier.first : earlier.findReplaced(record, replacing)
        if (row !== null) replacing.add(row.id)
        // A file that is no longer readable withdraws nothing of its earlier content.
        if (record === null && earlier.hasReadable) continue
        const content = record === null ? null : JSON.stringify(record)
        // A growing table is read as a whole each time: unchanged rows change nothing.
        if (row !== null && row.content === content && content !== null) continue
        const matches = matchesOf(file.relativePath, form, record)
        if (record !== null) noteContradictingRecord(context, file, { form, record, matches })
        const trouble = problem && JSON.stringify({ message: problem.message, wording: problem.wording })
        for (const id of saveRecord(
          context,
          {
            ...file,
            content,
            trouble,
            formerPatients: row && form !== 'table' ? formerPatientsAfter(row, record) : null,
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
  return mergeLateData(late)
}

/** Stores a record and reassigns every image that it refers to, now or before; returns the submissions concerned. */
function saveRecord(
  context: IngestContext,
  record: Parameters<IngestContext['outbox']['sidecars']['save']>[0],
  form: Form,
  replaced: SidecarRecordRow | null,
): ReadonlySet<string> {
  const { outbox } = context
  const { folderPath, relativePath, matches } = record
  // Of a file that was written over, every record counts: what it said before proves less now.
  const earlier = form === 'table' ? [] : outbox.sidecars.recordsOf(folderPath, relativePath)
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

/** The earlier records of a data file. */
export function earlierRecords(form: Form, rows: readonly SidecarRecordRow[]) {
  const all = rows.map((row) => ({ row, record: recordIn(row.content)[0] ?? null }))
  // A table of years has a row for each visit.
  const byVisit = Map.groupBy(all, ({ record }) => record && visitKey(record))
  return {
    first: all[0]?.row ?? null,
    hasReadable: all.some(({ record }) => record !== null),
    /**
     * The row that this record replaces: an identical one, one of the same visit, or one that was unreadable;
     * none that stated another eye, because one of the two is wrong.
     * `replaced` are the ids of rows already replaced: two records of one file never replace the same one.
     */
    findReplaced: (record: Sidecar, replaced: ReadonlySet<number>): SidecarRecordRow | null => {
      const isFree = ({ row }: { readonly row: SidecarRecordRow }): boolean => !replaced.has(row.id)
      const { fields, files } = record
      const ofVisit = (byVisit.get(visitKey(record)) ?? []).filter(isFree)
      const content = JSON.stringify(record)
      const same = ofVisit.find(({ row }) => row.content === content)
      if (same) return same.row
      // A row of a table is identified by patient, day and files; any other file holds one visit.
      const found =
        form === 'table'
          ? ofVisit.findLast(
              (one) =>
                (one.record === null || !doEyesDiffer(one.record, record)) &&
                (fields.history_number !== undefined ||
                  one.record?.files.some((file) => files.includes(file))),
            )
          : (ofVisit.findLast((one) => one.record === null || mayReplace(one.record, record)) ??
            all.findLast(
              (one) =>
                isFree(one) &&
                (one.record === null ||
                  (mayBeOneVisit(one.record.fields, fields) && mayReplace(one.record, record))),
            ))
      return found?.row ?? null
    },
  }
}

function mayReplace(before: Sidecar, now: Sidecar): boolean {
  return mayBeOfOnePatient(before, now) && !doEyesDiffer(before, now)
}

/** More are not needed: with two, the path proves nothing any more. */
const MANY_FORMER_PATIENTS = 8

/** Whom the file has named, once `now` takes the place of `row`: a record that says less must not hide them. */
function formerPatientsAfter(row: SidecarRecordRow, now: Sidecar | null): string | null {
  const known = formerPatientsIn(row.former_patients)
  const dropped = recordIn(row.content)
    .map(patientIn)
    .filter((before) => now === null || saysMore(before, now))
  const all = [...new Map([...known, ...dropped].map((one) => [JSON.stringify(one), one])).values()]
  return all.length === 0 ? null : JSON.stringify(all.slice(0, MANY_FORMER_PATIENTS))
}

const OF_PATIENT = ['history_number', 'last_name', 'first_name', 'gender'] as const

function patientIn({ fields, birthDate }: Sidecar): FormerPatient {
  const stated = OF_PATIENT.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]]))
  return { fields: Object.fromEntries(stated), birthDate }
}

function saysMore(before: FormerPatient, now: FormerPatient): boolean {
  return (
    OF_PATIENT.some((name) => before.fields[name] !== undefined && now.fields[name] === undefined) ||
    (before.birthDate !== null && now.birthDate === null)
  )
}

function mayBeOneVisit(one: Fields, other: Fields): boolean {
  return (['history_number', 'visit_date'] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  )
}

function visitKey({ fields }: Sidecar): string {
  return JSON.stringify([fields.history_number ?? null, fields.visit_date ?? null])
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

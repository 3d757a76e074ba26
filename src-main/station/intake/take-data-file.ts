/** Takes a data file in: what it says of which visits, and which images that reaches. */
import { readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { SidecarMatch, SidecarRecordRow } from '../outbox/sidecar-store.ts'
import type { FileMark } from '../watch/watcher.ts'
import { readDataFile, type DataFileReading } from './data-files/read-data-file.ts'
import type { Sidecar } from './recognition.ts'
import { gatherAll, type TakeInContext, type TakenIn } from './take-image.ts'
import { arrangeAgain } from './visits/arrange.ts'
import { pathRulesOf } from './visits/exposure-of.ts'
import { isOpen } from './visits/find-submission.ts'
import { foldPath, stemKeyOf } from './visits/twins.ts'
import { visitFolderOf } from './visits/visit-folder.ts'

type Form = Extract<DataFileReading, { ok: true }>['form']

/**
 * Which images a record speaks of. A `case.json` governs its folder; in the watched folder itself, where files of many
 * visits lie, only the files that it names. Other data files speak of the files they name, of files of their own stem,
 * and of the patient they name, wherever his images lie in the watched folder.
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

function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/** Do two records speak of one visit? Of a table a row is told by patient, day and files; one visit a file otherwise. */
function isSameVisit(form: Form, before: Sidecar, after: Sidecar): boolean {
  const [one, other] = [before.fields, after.fields]
  if (form !== 'table')
    return agree(one.history_number, other.history_number) && agree(one.visit_date, other.visit_date)
  const isSamePatient = one.history_number === other.history_number && one.visit_date === other.visit_date
  const named = other.history_number !== undefined
  return isSamePatient && (named || before.files.some((file) => after.files.includes(file)))
}

function contentOf(row: SidecarRecordRow): Sidecar | null {
  return row.content === null ? null : (JSON.parse(row.content) as Sidecar)
}

/** The earlier record that a new one takes the place of: of the same visit, or one that could not be read. */
function replacedBy(form: Form, earlier: readonly SidecarRecordRow[], record: Sidecar): number | null {
  const found = earlier.findLast((row) => {
    const before = contentOf(row)
    return before === null || isSameVisit(form, before, record)
  })
  return found?.id ?? null
}

/** The open images that a record speaks of. Those of a folder are bound to it, where no other visit's record has them. */
function imagesReached(
  context: TakeInContext,
  folderPath: string,
  recordId: number,
  match: SidecarMatch,
): string[] {
  const { outbox } = context
  switch (match.kind) {
    case 'file':
      return outbox.imagesOfStem(folderPath, stemKeyOf(match.key)).map((image) => image.id)
    case 'patient': {
      const prefix = JSON.stringify(['patient', match.key]).slice(0, -1)
      return outbox
        .submissionsOfGroupsFrom(folderPath, prefix)
        .filter(isOpen)
        .flatMap((row) => outbox.imageRowsOf(row.id).map((image) => image.id))
    }
    case 'directory': {
      const reached = outbox
        .submissionsUnder(folderPath, match.key)
        .filter(isOpen)
        .flatMap((row) => outbox.imageRowsOf(row.id))
        .filter((image) => visitFolderOf(image.file_name) === match.key)
        .filter((image) => {
          const bound = image.record_id === null ? null : outbox.sidecarRecord(image.record_id)
          return bound === null || bound.id === recordId || bound.content === null
        })
      for (const image of reached) outbox.setRecord(image.id, recordId)
      return reached.map((image) => image.id)
    }
  }
}

/** Writes a record down and reads every image anew that it speaks of. Within one transaction. */
function take(
  context: TakeInContext,
  file: FileMark,
  form: Form,
  record: Sidecar | null,
  trouble: string | null,
): ReadonlySet<string> {
  const { outbox, clock } = context
  const { folderPath, relativePath } = file
  const earlier = outbox.recordsOfSidecar(folderPath, relativePath)
  // A file that cannot be read any more takes nothing back of what it said before.
  if (record === null && earlier.some((row) => row.content !== null)) return new Set()
  const replaces = record === null ? (earlier[0]?.id ?? null) : replacedBy(form, earlier, record)
  const content = record === null ? null : JSON.stringify(record)
  // A table that grows is read whole each time: rows that say what they said before change nothing.
  if (earlier.some((row) => row.id === replaces && row.content === content && content !== null))
    return new Set()
  const matches = matchesOf(relativePath, form, record)
  const recordId = outbox.keepSidecarRecord(
    {
      folderPath,
      relativePath,
      content,
      trouble,
      matches,
      at: clock.now(),
    },
    replaces,
  )
  const images = matches.flatMap((match) => imagesReached(context, folderPath, recordId, match))
  const before = new Set(images.flatMap((id) => outbox.imageById(id)?.submission_id ?? []))
  return new Set([...before, ...arrangeAgain(context, folderPath, [...new Set(images)])])
}

/** What a data file changed is settled without another quiet time: nothing more is expected because of it. */
function settleNow(context: TakeInContext, ids: ReadonlySet<string>): void {
  const { outbox, clock } = context
  const at = clock.now()
  for (const id of ids) {
    const row = outbox.rowOf(id)
    if (row && isOpen(row) && row.state !== 'collecting' && row.state !== 'held')
      outbox.moveSubmission(id, 'imageArrived', { quietUntil: at, notBefore: null }, { at })
  }
  gatherAll(context, ids)
}

/** Takes a data file in; `path` is where its bytes lie, where that is not the watched folder. */
export async function takeDataFile(
  context: TakeInContext,
  file: FileMark,
  path = join(file.folderPath, file.relativePath),
): Promise<TakenIn> {
  const { outbox, clock } = context
  const bytes = await readFile(path)
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const reading = readDataFile(file.relativePath, bytes, {
    columns: profile?.columns ?? {},
    dateOrder: profile?.dateOrder ?? 'ymd',
    nameOrder: profile?.nameOrder ?? 'lastFirst',
  })
  const note = (kind: FileNote['kind'], message: string): void =>
    context.note(file.folderPath, { fileName: file.relativePath, kind, message, at: clock.now() })
  if (!reading.ok) note(reading.isForeign ? 'ignored' : 'sidecarUnreadable', reading.message)
  outbox.write(() => {
    outbox.markSeen(file, 'sidecar', null, clock.now())
    const isCase = /(^|\/)case\.json$/i.test(file.relativePath)
    if (!reading.ok) {
      if (isCase && !reading.isForeign) settleNow(context, take(context, file, 'case', null, reading.message))
      return
    }
    const touched = new Set<string>()
    for (const record of reading.records)
      for (const id of take(context, file, reading.form, record, null)) touched.add(id)
    settleNow(context, touched)
    if (reading.message !== null) note('sidecarUnreadable', reading.message)
  })
  return 'done'
}

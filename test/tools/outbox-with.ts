import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { verdictOf } from './verdict-of-rows.ts'
import {
  fieldsColumn,
  identityColumn,
  reasonsColumn,
  sourcesColumn,
} from '../../src-main/station/json-columns.ts'
import { createSignal } from '../../src-main/station/lib/part.ts'
import { createStore, type SqlDatabase } from '../../src-main/station/outbox/database.ts'
import { migrate } from '../../src-main/station/outbox/migrations/migrate.ts'
import { bindOutbox, type Outbox } from '../../src-main/station/outbox/outbox.ts'
import { beginSession } from '../../src-main/station/outbox/restored-copy.ts'
import { type NewSubmission, NO_IDENTITY } from '../../src-main/station/outbox/submissions.ts'
import { type OpenOutbox, openOutbox } from '../../src-main/station/outbox/open-outbox.ts'
import type { Fields } from '../../src-shared/fields.ts'
import type { ImageType } from '../../src-shared/image-files.ts'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../src-shared/states.ts'
import type { Source } from '../../src-shared/submission.ts'
import { temporaryFolder } from './temporary-folder.ts'

export { NO_IDENTITY }

export const MORNING = Date.UTC(2026, 10, 20, 9)

export type TestOutbox = {
  readonly outbox: Outbox
  readonly folder: string
  /** The ids of every notification, in order. */
  readonly notified: readonly (readonly string[])[]
  spoolPath(spoolName: string): string
  close(): void
  /** Opens again what was kept when it was closed. */
  reopened(): TestOutbox
}

/** An outbox in this folder, or without one in memory: then a temporary folder holds only what is spooled. */
export function openTestOutbox(folder?: string, onChanged: () => void = () => undefined): TestOutbox {
  if (folder === undefined) return openMemoryOutbox(onChanged)
  return testOutbox(folder, openOutbox(folder), () => openTestOutbox(folder, onChanged), onChanged)
}

let schema: Buffer | null = null

/** With its tables, which are made once a process. */
function emptyOutbox(): Buffer {
  if (schema !== null) return schema
  const sql = new Database(':memory:')
  migrate(sql, ':memory:')
  schema = sql.serialize()
  sql.close()
  return schema
}

/** An outbox in memory, with its connection: a test may change its tables behind its back. */
export function openMemoryOutbox(
  onChanged: () => void = () => undefined,
  content = emptyOutbox(),
  folder = temporaryFolder(),
): TestOutbox & { readonly sql: SqlDatabase } {
  const sql = new Database(content)
  sql.pragma('foreign_keys = ON')
  const committed = createSignal<[submissionIds: readonly string[]]>()
  const store = createStore(sql, committed.emit)
  beginSession(store, null)
  let kept = content
  const close = (): void => {
    kept = sql.serialize()
    sql.close()
  }
  const opened = { outbox: bindOutbox(store), onCommitted: committed.subscribe, close }
  return { ...testOutbox(folder, opened, () => openMemoryOutbox(onChanged, kept, folder), onChanged), sql }
}

/** Closed when the test ends. */
function testOutbox(
  folder: string,
  opened: Pick<OpenOutbox, 'outbox' | 'onCommitted' | 'close'>,
  reopened: () => TestOutbox,
  onChanged: () => void,
): TestOutbox {
  const notified: (readonly string[])[] = []
  opened.onCommitted((ids) => {
    notified.push(ids)
    onChanged()
  })
  let isOpen = true
  const close = (): void => {
    if (isOpen) opened.close()
    isOpen = false
  }
  onTestFinished(close)
  mkdirSync(join(folder, 'spool'), { recursive: true })
  return {
    outbox: opened.outbox,
    folder,
    notified,
    spoolPath: (spoolName) => join(folder, 'spool', spoolName),
    close,
    reopened,
  }
}

export function newSubmission(options: Partial<NewSubmission> = {}): NewSubmission {
  return {
    folderPath: '/exports',
    groupKey: null,
    addendumTo: null,
    identity: NO_IDENTITY,
    fields: { history_number: 'H-00017', visit_date: '2026-11-20' },
    sources: { history_number: 'sidecar', visit_date: 'sidecar' },
    centerId: null,
    quietUntil: null,
    at: MORNING,
    ...options,
  }
}

export type TestImage = {
  readonly contentType?: ImageType
  readonly bytes: Uint8Array
  readonly eye?: Eye
  /** A data file, unless it says otherwise: names alone never leave without a person. */
  readonly eyeSource?: Source
  readonly fileName?: string
  readonly at?: number
  readonly importedAt?: number | null
}

let added = 0
/** Spools the bytes and adds them as an image; answers with its id. */
export function addTestImage(test: TestOutbox, submissionId: string, image: TestImage): string {
  // Images are shown and sent in the order of their names.
  const fileName = image.fileName ?? `visit/IMG_${String((added += 1)).padStart(6, '0')}.jpg`
  const sha256 = createHash('sha256').update(image.bytes).digest('hex')
  writeFileSync(test.spoolPath(`${sha256}.jpg`), image.bytes)
  const id = test.outbox.addImage({
    submissionId,
    folderPath: '/exports',
    fileName,
    mtimeMs: MORNING,
    stemKey: fileName.toLowerCase().replace(/\.[^.]*$/, ''),
    eye: image.eye ?? 'right',
    eyeSource: image.eyeSource ?? 'sidecar',
    sizeBytes: image.bytes.byteLength,
    sha256,
    spoolName: `${sha256}.jpg`,
    contentType: image.contentType ?? 'image/jpeg',
    importedAt: image.importedAt ?? null,
    at: image.at ?? MORNING,
  })
  updateVerdict(test, submissionId)
  return id
}

/** Stores the verdict on what the rows of a case say now, as a refresh does. */
export function updateVerdict({ outbox }: Pick<TestOutbox, 'outbox'>, id: string): void {
  const row = outbox.rowOf(id)
  if (!row) throw new Error('a case that is input exists')
  const fields = fieldsColumn.read(row.fields)
  const sources = sourcesColumn.read(row.sources)
  const reasons = reasonsColumn.read(row.reasons)
  const identity = identityColumn.read(row.identity)
  const input = { fields, sources, reasons, identity, groupedBy: row.grouped_by }
  const verdict = verdictOf(input, outbox.imageRowsOf(id))
  outbox.setContent(id, { fields, sources, reasons, verdict }, row.changed_at)
}

let made = 0
/** Bytes that no other image has; the outbox and the service look at no picture. */
export function someBytes(sizeBytes = 64): Uint8Array {
  made += 1
  return Buffer.alloc(sizeBytes, `image ${made} `)
}

/** Of a whole JPEG only its end. */
export function jpegOf(sizeBytes: number): Uint8Array {
  return Buffer.concat([Buffer.alloc(sizeBytes - 2), Buffer.from([0xff, 0xd9])])
}

export type Waiting = {
  readonly fields?: Fields
  readonly centerId?: string | null
  readonly images?: readonly TestImage[]
  readonly at?: number
}

/** A submission that may be sent, with one image unless it says otherwise. */
export function addWaiting(test: TestOutbox, options: Waiting = {}): string {
  const at = options.at ?? MORNING
  const id = test.outbox.createSubmission(
    newSubmission({
      at,
      centerId: options.centerId ?? null,
      fields: options.fields ?? {
        history_number: `H-${String(made).padStart(5, '0')}`,
        visit_date: '2026-11-20',
      },
    }),
  )
  for (const image of options.images ?? [{ bytes: someBytes() }]) addTestImage(test, id, image)
  updateVerdict(test, id)
  test.outbox.moveSubmission(id, 'gatheredToSend', {}, { at })
  return id
}

export function stateOf(test: Pick<TestOutbox, 'outbox'>, id: string): SubmissionState | null {
  return test.outbox.rowOf(id)?.state ?? null
}

/** The service that synthetic cases were sent to. */
export const SERVICE = { baseUrl: 'https://service.example/', clientId: 'practice' }

/** Takes a waiting submission on its way to that service, as an attempt does. */
export function startAttempt(
  test: Pick<TestOutbox, 'outbox'>,
  submissionId: string,
  centerId: string | null = null,
): void {
  const destination = { ...SERVICE, centerId }
  test.outbox.openAttempt({ submissionId, destination, requestBytes: 1, at: MORNING })
}

const OUTCOME_EVENTS = {
  delivered: 'deliveredNow',
  unsent: 'stayedUnsent',
  unknown: 'becameUnknown',
  refused: 'wasRefused',
} as const

/** Ends the open attempt of a submission, without an answer. A delivered one has this case id. */
export function endAttempt(
  { outbox }: Pick<TestOutbox, 'outbox'>,
  submissionId: string,
  outcome: keyof typeof OUTCOME_EVENTS,
  { caseId = submissionId, at = MORNING }: { readonly caseId?: string; readonly at?: number } = {},
): void {
  const attempt = outbox.attemptsOf(submissionId).at(-1)
  const end = { outcome, handedOverBytes: 1, failure: null, answer: null, at }
  const patch = outcome === 'delivered' ? { caseId, sentAt: at, failure: null } : {}
  outbox.endAttempt(attempt?.id ?? '', end, OUTCOME_EVENTS[outcome], patch)
}

/**
 * Copies every new version of a report into the clinic's folder, if one is set.
 *
 * Reports fetched before a folder was set are not copied: years of history would flood the in-tray of a
 * record system. From then on none is left out. A failed copy is tried again with growing pauses, after a
 * restart, and into another folder if one is set instead.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { ReportKind } from '../../../src-shared/report.ts'
import { errorCode } from '../lib/errors.ts'
import { flushFolder } from '../lib/files.ts'
import { limitedWaits, type Loop, openLoop, ShareSilent } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { UnsavedReport } from '../outbox/reports.ts'
import type { Clock, Logger } from '../ports.ts'

const IMAGE_ENDINGS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/gif': 'gif',
  'image/webp': 'webp',
}

export const ENDINGS: Readonly<Record<ReportKind, string>> = {
  pdf: 'pdf',
  json: 'json',
  html: 'html',
  text: 'txt',
  image: 'img',
  link: 'url',
  unknown: 'bin',
}

/** A wait by this computer's clock, epoch milliseconds. */
export type Pause = { readonly since: number; readonly until: number }

/** Also true if the clock was set back to before the wait began: then the remaining time is unknown. */
export function isOver({ since, until }: Pause, now: number): boolean {
  return until <= now || now < since
}

/** File systems of other machines that cannot flush a folder, or do not let us. */
const CANNOT_SYNC = ['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES', 'EISDIR', 'ENOSYS']

/** More files of one name than this were not written by us. */
const MAX_NAMES = 1_000
const FIRST_PAUSE_MS = 30 * SECOND
const LONGEST_PAUSE_MS = 15 * MINUTE

/** A report damaged here is probably damaged for good; one that a scanner holds is not. */
const UNREADABLE_RETRY_MS = MINUTE

/** Read and written in batches: a share that was away for a week must not fill the memory. */
const BATCH_SIZE = 50

/** A hanging share must not keep the station from stopping; the copy is made after the next start. */
const CLOSE_WITHIN_MS = 2 * SECOND

/** A copy that takes longer is made all the same, and found by the next try. */
const COPY_LIMIT_MS = 30 * SECOND

/** A single bad file does not stop the others; after this many the folder itself is at fault. */
const FAILURES_OF_A_FOLDER = 3
const TARGET_FACT = 'reportsSaveTo'

type ReportCopiesOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  /** The target folder; null for none. */
  readonly saveTo: () => string | null
  /** Where reports are stored. */
  readonly folder: string
  /** Writes one into the target folder; tests let it hang. */
  readonly write?: typeof writeCopy
}

const copyTargetSchema = z.object({ path: z.string(), after: z.number().int() })

export function openReportCopies(options: ReportCopiesOptions): Loop {
  const { outbox, clock, logger } = options
  /** The folder cannot be written now. */
  let trouble: { readonly path: string; readonly pause: Pause } | null = null
  /** Versions whose stored bytes cannot be read, by id and number: only these wait. Each is logged once. */
  let unreadable: ReadonlySet<string> = new Set()
  let isClosed = false

  const noteFolder = (path: string, failures: readonly { readonly code: string }[]): number => {
    const pause = pauseAfter(trouble?.pause ?? null, clock.now())
    trouble = { path, pause }
    logger.warn('reports could not be copied into the folder that is set; they are kept and tried again', {
      reports: failures.length,
      code: failures.at(-1)?.code ?? '',
      pauseSeconds: (pause.until - pause.since) / SECOND,
    })
    return pause.until
  }

  const logUnreadable = (report: UnsavedReport, code: string): void =>
    logger.warn('a report cannot be read here, so that it is not copied; the others are', {
      report: report.id,
      submission: report.submission_id,
      code,
    })

  const run = async (): Promise<number | null> => {
    const target = currentTarget(options)
    if (trouble?.path !== target?.path) trouble = null
    if (!target) return null
    // Whatever wakes the station, a missing folder is not tried again before the pause is over.
    if (trouble && !isOver(trouble.pause, clock.now())) return trouble.pause.until
    const failures: { readonly code: string }[] = []
    const isFolderGone = (): boolean => failures.length >= FAILURES_OF_A_FOLDER
    const unread = new Set<string>()
    let after = target.after
    let isMore = true
    while (isMore && !isFolderGone()) {
      const reports = outbox.unsavedReports(after, BATCH_SIZE)
      isMore = reports.length === BATCH_SIZE
      for (const report of reports) {
        after = report.position
        const saved = await wait(target.path, () => saveCopy(options, target.path, report)).catch(
          asNotWritten,
        )
        if (isClosed) return null
        if (saved.kind === 'notRead') {
          unread.add(versionKey(report))
          if (!unreadable.has(versionKey(report))) logUnreadable(report, saved.code)
        }
        if (saved.kind === 'saved') outbox.markReportSaved(report, clock.now())
        if (saved.kind === 'notWritten') failures.push(saved)
        if (isFolderGone()) break
      }
    }
    if (failures.length > 0) {
      unreadable = new Set([...unreadable, ...unread])
      return noteFolder(target.path, failures)
    }
    trouble = null
    unreadable = unread
    return unread.size === 0 ? null : clock.now() + UNREADABLE_RETRY_MS
  }

  const wait = limitedWaits(clock, COPY_LIMIT_MS)
  const loop = openLoop({ name: 'copying reports', clock, logger, run })
  return {
    wake: () => loop.wake(),
    close: async () => {
      isClosed = true
      const { promise, resolve } = Promise.withResolvers<void>()
      const cancel = clock.after(CLOSE_WITHIN_MS, resolve)
      await Promise.race([loop.close(), promise])
      cancel()
    },
  }
}

/** Documents are copied unchanged; a bare address becomes a file that opens it. */
function copyOf(kind: ReportKind, bytes: Uint8Array): Uint8Array {
  if (kind !== 'link') return bytes
  const address = Buffer.from(bytes)
    .toString('utf8')
    .replace(/[\s\p{Cc}]/gu, '')
  return Buffer.from(`[InternetShortcut]\r\nURL=${address}\r\n`)
}

async function compareExisting(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'nothing'> {
  try {
    const found = await stat(path)
    if (!found.isFile() || found.size !== bytes.byteLength) return 'other'
    return (await readFile(path)).equals(bytes) ? 'same' : 'other'
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'nothing'
    throw error
  }
}

/**
 * Writes `<reference>_<number>.<extension>` wholly or not at all, under the next free number beside other content.
 * Rejects for a missing folder too, which is not created: its drive may not be mounted.
 */
async function writeCopy(
  folder: string,
  name: { readonly reference: string; readonly number: number; readonly extension: string },
  bytes: Uint8Array,
): Promise<void> {
  if (!(await stat(folder)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
  for (let number = name.number; number < name.number + MAX_NAMES; number += 1) {
    const fileName = `${name.reference}_${number}.${name.extension}`
    const path = join(folder, fileName)
    const existing = await compareExisting(path, bytes)
    if (existing === 'same') return
    if (existing === 'other') continue
    return writeWhole(path, join(folder, `.${fileName}.part`), bytes)
  }
  throw new Error('no name is free')
}

/** Uses the folder's permissions, not our restrictive ones: others must read the file. */
async function writeWhole(path: string, temporary: string, bytes: Uint8Array): Promise<void> {
  try {
    const file = await open(temporary, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  try {
    await flushFolder(join(path, '..'))
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error
  }
}

/** The current folder, and the version after which it starts; kept, so that a restart continues there. */
function currentTarget({ outbox, saveTo }: ReportCopiesOptions): z.infer<typeof copyTargetSchema> | null {
  const path = saveTo()
  const text = outbox.readFact(TARGET_FACT)
  const stored = text === null || text === '' ? null : copyTargetSchema.parse(JSON.parse(text))
  if (path === (stored?.path ?? null)) return stored
  // A new folder also gets what the old one could not take.
  const target = path === null ? null : { path, after: stored?.after ?? outbox.lastReportPosition() }
  outbox.writeFact(TARGET_FACT, target === null ? '' : JSON.stringify(target))
  return target
}

/** The bytes as fetched; rejects if our stored file is missing or damaged. */
async function readStored(options: ReportCopiesOptions, report: UnsavedReport): Promise<Uint8Array> {
  const bytes = await readFile(join(options.folder, report.file_name))
  if (createHash('sha256').update(bytes).digest('hex') === report.sha256) return bytes
  throw Object.assign(new Error('a kept report has changed'), { code: 'DAMAGED' })
}

type Saved = { readonly kind: 'saved' | 'notRead' | 'notWritten'; readonly code: string }

function asNotWritten(error: unknown): Saved {
  if (!(error instanceof ShareSilent)) throw error
  return { kind: 'notWritten', code: error.code }
}

async function saveCopy(options: ReportCopiesOptions, path: string, report: UnsavedReport): Promise<Saved> {
  let bytes: Uint8Array
  try {
    bytes = await readStored(options, report)
  } catch (error) {
    return { kind: 'notRead', code: errorCode(error) ?? 'unknown' }
  }
  try {
    const ofImage = report.kind === 'image' ? IMAGE_ENDINGS[report.content_type] : undefined
    const extension = ofImage ?? ENDINGS[report.kind]
    const name = { reference: report.reference, number: report.number, extension }
    await (options.write ?? writeCopy)(path, name, copyOf(report.kind, bytes))
    return { kind: 'saved', code: '' }
  } catch (error) {
    return { kind: 'notWritten', code: errorCode(error) ?? 'unknown' }
  }
}

/** Doubles the pause after one more failure. */
function pauseAfter(before: Pause | null, now: number): Pause {
  const ms = before ? Math.min((before.until - before.since) * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
  return { since: now, until: now + ms }
}

function versionKey({ id, number }: UnsavedReport): string {
  return `${id} ${number}`
}

/**
 * Copies every new version of a report into the clinic's folder, if one is set.
 *
 * Reports fetched before a folder was set are not copied: years of history would flood the in-tray of a
 * record system. From then on none is left out. A failed copy is tried again with growing pauses, after a
 * restart, and into another folder if one is set instead.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { ReportKind } from '../../../src-shared/report.ts'
import type { Settings } from '../../../src-shared/settings.ts'
import { fieldsColumn } from '../json-columns.ts'
import { type Loop, openLoop, ShareSilent } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { UnsavedReport } from '../outbox/reports.ts'
import type { ForeignFiles, ReportCopyRequest, ReportCopyResult } from '../../reader/messages.ts'
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

const FIRST_PAUSE_MS = 30 * SECOND
const LONGEST_PAUSE_MS = 15 * MINUTE

/** A report damaged here is probably damaged for good; one that a scanner holds is not. */
const UNREADABLE_RETRY_MS = MINUTE

/** Read and written in batches: a share that was away for a week must not fill the memory. */
const BATCH_SIZE = 50

/** A single bad file does not stop the others; after this many the folder itself is at fault. */
const FAILURES_OF_A_FOLDER = 3
const TARGET_FACT = 'reportsSaveTo'

type ReportCopiesOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => { readonly reports: Pick<Settings['reports'], 'saveTo' | 'copyNames'> }
  /** Where reports are stored. */
  readonly folder: string
  /** Opens what writes into a target folder, whose share may hang: each folder has its own. */
  readonly openFiles: () => Pick<ForeignFiles, 'copyReport'> & { readonly close: () => Promise<void> }
}

const copyTargetSchema = z.object({ path: z.string(), after: z.number().int() })

export function openReportCopies(options: ReportCopiesOptions): Loop {
  const { outbox, clock, logger, openFiles } = options
  /** The folder cannot be written now. */
  let trouble: { readonly path: string; readonly pause: Pause } | null = null
  /** Versions whose stored bytes cannot be read, by id and number: only these wait. Each is logged once. */
  let unreadable: ReadonlySet<string> = new Set()
  let isClosed = false
  let target: { readonly path: string; readonly files: ReturnType<typeof openFiles> } | null = null
  const filesFor = (path: string): ReturnType<typeof openFiles> => {
    if (target?.path === path) return target.files
    // Not waited for: its share may hang.
    void target?.files.close()
    target = { path, files: openFiles() }
    return target.files
  }

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
    const wanted = currentTarget(options)
    if (trouble?.path !== wanted?.path) trouble = null
    if (!wanted) return null
    // Whatever wakes the station, a missing folder is not tried again before the pause is over.
    if (trouble && !isOver(trouble.pause, clock.now())) return trouble.pause.until
    const failures: { readonly code: string }[] = []
    const isFolderGone = (): boolean => failures.length >= FAILURES_OF_A_FOLDER
    const unread = new Set<string>()
    let after = wanted.after
    let isMore = true
    while (isMore && !isFolderGone()) {
      const reports = outbox.unsavedReports(after, BATCH_SIZE)
      isMore = reports.length === BATCH_SIZE
      for (const report of reports) {
        after = report.position
        const copy = { folder: wanted.path, ...namingOf(report, options.settings().reports.copyNames) }
        const saved = await saveCopy(options.folder, copy, report, filesFor(wanted.path)).catch(asNotWritten)
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
      return noteFolder(wanted.path, failures)
    }
    trouble = null
    unreadable = unread
    return unread.size === 0 ? null : clock.now() + UNREADABLE_RETRY_MS
  }

  const loop = openLoop({ name: 'copying reports', clock, logger, run })
  return {
    wake: () => loop.wake(),
    close: async () => {
      isClosed = true
      // The copy that is being made ends with its process; the next start finds it whole, or makes it.
      await Promise.all([target?.files.close(), loop.close()])
    },
  }
}

/** The current folder, and the version after which it starts; kept, so that a restart continues there. */
function currentTarget({ outbox, settings }: ReportCopiesOptions): z.infer<typeof copyTargetSchema> | null {
  const path = settings().reports.saveTo
  const text = outbox.readFact(TARGET_FACT)
  const stored = text === null || text === '' ? null : copyTargetSchema.parse(JSON.parse(text))
  if (path === (stored?.path ?? null)) return stored
  // A new folder also gets what the old one could not take.
  const target = path === null ? null : { path, after: stored?.after ?? outbox.lastReportPosition() }
  outbox.writeFact(TARGET_FACT, target === null ? '' : JSON.stringify(target))
  return target
}

function asNotWritten(error: unknown): ReportCopyResult {
  if (!(error instanceof ShareSilent)) throw error
  return { kind: 'notWritten', code: error.code }
}

/** Longer numbers are cut: a name ends after 255 bytes. */
const MOST_OF_NAME = 40

/** What a copy is called, and the facts beside it, by which the clinic's record system takes it in. */
function namingOf(report: UnsavedReport, copyNames: Settings['reports']['copyNames']) {
  const { reference, fields, case_id: caseId, number: version } = report
  const isSentWrongly = report.is_sent_wrongly === 1
  const warning = isSentWrongly ? 'DO-NOT-USE_' : ''
  if (copyNames === 'reference') return { name: warning + reference, facts: null }
  const { history_number: historyNumber = '', visit_date: visitDate = '' } = fieldsColumn.readOr(fields, {})
  const number = historyNumber.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, MOST_OF_NAME)
  const facts = JSON.stringify({ historyNumber, visitDate, reference, caseId, version, isSentWrongly })
  return { name: warning + [number, visitDate, reference].filter(Boolean).join('_'), facts }
}

function saveCopy(
  storedIn: string,
  copy: Pick<ReportCopyRequest, 'folder' | 'name' | 'facts'>,
  report: UnsavedReport,
  files: Pick<ForeignFiles, 'copyReport'>,
): Promise<ReportCopyResult> {
  const { kind, sha256, number } = report
  const ofImage = kind === 'image' ? IMAGE_ENDINGS[report.content_type] : undefined
  return files.copyReport({
    storedPath: join(storedIn, report.file_name),
    sha256,
    isLink: kind === 'link',
    ...copy,
    number,
    extension: ofImage ?? ENDINGS[kind],
  })
}

/** Doubles the pause after one more failure. */
function pauseAfter(before: Pause | null, now: number): Pause {
  const ms = before ? Math.min((before.until - before.since) * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
  return { since: now, until: now + ms }
}

function versionKey({ id, number }: UnsavedReport): string {
  return `${id} ${number}`
}

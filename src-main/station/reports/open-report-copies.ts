/**
 * Copies every new version of a report into the clinic's folder, where one is set.
 *
 * What was fetched before a folder was set stays where it is: a history of years in the in-tray of a record system
 * would be a flood. From then on nothing is left out: what could not be written is tried again, at a growing pause,
 * after a restart, and in another folder if that is set instead.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { openLoop, type Loop } from '../loop.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { UnsavedReport } from '../outbox/report-copy-store.ts'
import type { Clock, Logger } from '../ports.ts'
import { copyOf, endingOf } from './copy-of.ts'
import { writeCopy } from './write-copy.ts'

const FIRST_PAUSE_MS = 30 * SECOND
const LONGEST_PAUSE_MS = 15 * MINUTE
/** Read and written in portions: a share that was away for a week is no reason for a long list in memory. */
const AT_A_TIME = 50
/** A share that hangs does not keep the station from stopping; the copy is made after the next start. */
const CLOSE_WITHIN_MS = 2 * SECOND
/** One file that cannot be written keeps the others from nothing; after so many it is the folder. */
const FAILURES_OF_A_FOLDER = 3
const FACT = 'reportsSaveTo'

export type ReportCopiesOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  /** Where copies go; null: nowhere. */
  readonly saveTo: () => string | null
  /** Where the reports lie. */
  readonly folder: string
}

const placeSchema = z.object({ path: z.string(), after: z.number().int() })
type Place = z.infer<typeof placeSchema>

/** Which folder is set, and after which version it begins; written down, so that a restart goes on where it was. */
function placeOf({ outbox, saveTo }: ReportCopiesOptions): Place | null {
  const path = saveTo()
  const text = outbox.readFact(FACT)
  const kept = text === null || text === '' ? null : placeSchema.parse(JSON.parse(text))
  if (path === (kept?.path ?? null)) return kept
  // Another folder takes over what the one before could not take.
  const place = path === null ? null : { path, after: kept?.after ?? outbox.lastReportPosition() }
  outbox.writeFact(FACT, place === null ? '' : JSON.stringify(place))
  return place
}

/** The bytes as they were fetched; rejects where our own copy of them is gone or damaged. */
async function readKept(options: ReportCopiesOptions, report: UnsavedReport): Promise<Uint8Array> {
  const bytes = await readFile(join(options.folder, report.file_name))
  if (createHash('sha256').update(bytes).digest('hex') === report.sha256) return bytes
  throw Object.assign(new Error('a kept report has changed'), { code: 'DAMAGED' })
}

type Saved = { readonly kind: 'saved' } | { readonly kind: 'notRead' | 'notWritten'; readonly code: string }

async function save(options: ReportCopiesOptions, path: string, report: UnsavedReport): Promise<Saved> {
  let bytes: Uint8Array
  try {
    bytes = await readKept(options, report)
  } catch (error) {
    return { kind: 'notRead', code: codeOf(error) }
  }
  try {
    const extension = endingOf(report.kind, report.content_type)
    const name = { reference: report.reference, number: report.number, extension }
    await writeCopy(path, name, copyOf(report.kind, bytes))
    return { kind: 'saved' }
  } catch (error) {
    return { kind: 'notWritten', code: codeOf(error) }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}

export function openReportCopies(options: ReportCopiesOptions): Loop {
  const { outbox, clock, logger } = options
  let trouble: { readonly path: string; readonly pauseMs: number; readonly againAt: number } | null = null
  let isClosed = false

  const note = (path: string, failures: readonly { readonly code: string }[]): void => {
    const pauseMs = Math.min(trouble ? trouble.pauseMs * 2 : FIRST_PAUSE_MS, LONGEST_PAUSE_MS)
    trouble = { path, pauseMs, againAt: clock.now() + pauseMs }
    logger.warn('reports could not be copied into the folder that is set; they are kept and tried again', {
      reports: failures.length,
      code: failures.at(-1)?.code ?? '',
      pauseSeconds: pauseMs / SECOND,
    })
  }

  const run = async (): Promise<number | null> => {
    const place = placeOf(options)
    if (trouble?.path !== place?.path) trouble = null
    if (!place) return null
    // Whatever wakes the station, a folder that is gone is not asked for more often than the pause allows.
    if (trouble && clock.now() < trouble.againAt) return trouble.againAt
    const failures: Exclude<Saved, { kind: 'saved' }>[] = []
    const isFolderGone = (): boolean =>
      failures.filter(({ kind }) => kind === 'notWritten').length >= FAILURES_OF_A_FOLDER
    let after = place.after
    let isMore = true
    while (isMore && !isFolderGone()) {
      const reports = outbox.unsavedReports(after, AT_A_TIME)
      isMore = reports.length === AT_A_TIME
      for (const report of reports) {
        const saved = await save(options, place.path, report)
        if (isClosed) return null
        if (saved.kind === 'saved') outbox.markReportSaved(report, clock.now())
        else failures.push(saved)
        if (isFolderGone()) break
        after = report.position
      }
    }
    if (failures.length > 0) note(place.path, failures)
    else trouble = null
    return trouble?.againAt ?? null
  }

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

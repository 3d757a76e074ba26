/**
 * `heartbeat.json` in the data folder: one object, rewritten every minute, for a tool that watches many computers.
 *
 * ```json
 * { "pid": 4711, "host": "electron", "version": "1.4.0", "startedAt": "2026-11-20T08:01:12.000Z",
 *   "at": "2026-11-20T09:14:12.000Z", "mode": "paused", "why": "safeMode", "needPerson": 3, "waiting": 0, "offers": 1,
 *   "disk": "encrypted" }
 * ```
 *
 * `at` older than three minutes: the station hangs, was killed, or the computer sleeps. `mode` is `running`, `paused`
 * (with `why`: `person`, `signedOut`, `serviceNotSet`, `safeMode`), `stopping` or, after a clean end, `stopped`.
 * `needPerson` cases wait for a person, `waiting` ones for their turn; with `offers` above 0 a person may confirm that
 * the station reads the names of a folder. `disk`: does the system encrypt the disk of the data folder (`encrypted`,
 * `notEncrypted`, `unknown`)? It contains nothing about a patient. The file is replaced as a whole, so a
 * reader never sees a part of it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { About } from '../../src-shared/desktop.ts'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import { STATES_NEEDING_A_PERSON } from '../../src-shared/states.ts'
import type { Mode, StationStatus } from '../../src-shared/station-status.ts'
import { worded } from '../../src-shared/wording.ts'
import { errorCode } from './lib/errors.ts'
import { removeBestEffort, renameWithRetry } from './lib/files.ts'
import { openingError, StorageError } from './lib/storage-faults.ts'
import { serially } from './lib/schedule.ts'
import type { Clock, Ports } from './ports.ts'

/** What waits, in numbers. */
type Work = { readonly needPerson: number; readonly waiting: number; readonly offers: number }

export function workIn({ counts, names }: Pick<StationStatus, 'counts' | 'names'>): Work {
  return {
    needPerson: STATES_NEEDING_A_PERSON.reduce((sum, state) => sum + counts[state], 0),
    waiting: counts.waiting,
    offers: names.reduce((sum, { offers }) => sum + offers, 0),
  }
}

const BEAT_EVERY_MS = MINUTE

/** Often enough that after a sleep a case goes on before anybody wonders, seldom enough to cost nothing. */
const CHECK_EVERY_MS = 15 * SECOND

const HEARTBEAT_FILE = 'heartbeat.json'

/**
 * Reports that the station is alive, and notices when it was not for a while, in every host: the system's report of a
 * sleep may not come (Linux, Signal-Desktop 6258).
 */
export function openHeartbeat(options: {
  readonly dataFolder: string
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'host' | 'version'>
  readonly mode: () => Mode
  readonly work: () => Work
  readonly disk: Promise<About['protection']['disk']>
  /** Time has passed without the station: all that waits is to be looked at again. */
  readonly wakeUp: () => void
}) {
  const { clock, logger, host, version } = options.ports
  const path = join(options.dataFolder, HEARTBEAT_FILE)
  const startedAt = new Date(clock.now()).toISOString()
  let cancel: (() => void) | null = null
  let disk: About['protection']['disk'] = 'unknown'
  void options.disk.then((found) => (disk = found))
  let isFailureLogged = false
  let isEnding = false
  // The clean end is written last.
  const inTurn = serially()

  /** Nothing of an outbox that cannot be read: the station lives all the same. */
  const readWork = (): Partial<Work> => {
    try {
      return options.work()
    } catch {
      return {}
    }
  }
  /** A heart that cannot beat stops no case. */
  const write = (mode: Mode): Promise<void> => {
    const at = new Date(clock.now()).toISOString()
    const why = mode.kind === 'paused' ? { why: mode.why } : {}
    const work = mode.kind === 'stopped' ? {} : readWork()
    const content = { pid: process.pid, host, version, startedAt, at, mode: mode.kind, ...why, ...work, disk }
    return inTurn(() => replace(path, `${JSON.stringify(content)}\n`)).catch(() => {
      if (!isFailureLogged) logger.warn('the heartbeat could not be written')
      isFailureLogged = true
    })
  }
  const read = (): Instants => ({ wallMs: clock.now(), monotonicMs: clock.monotonicMs() })
  let before = read()
  let beatMs = -Infinity
  const check = (): void => {
    cancel = clock.after(CHECK_EVERY_MS, check)
    const now = read()
    const gap = gapBetween(before, now)
    before = now
    // After a gap, what is written there is old.
    if (gap !== 'none' || now.monotonicMs - beatMs > BEAT_EVERY_MS - SECOND) {
      beatMs = now.monotonicMs
      void write(options.mode())
    }
    if (gap === 'none' || isEnding) return
    logger.info('time has passed without this station', { gap })
    options.wakeUp()
  }
  check()
  return {
    /** Stops the wake-ups; the heartbeat continues. */
    stop: (): void => {
      isEnding = true
    },
    /** Marks the clean end, and writes nothing after it. */
    close: (): Promise<void> => {
      cancel?.()
      return write({ kind: 'stopped' })
    },
  }
}

/** A virus scanner or a backup holds a file for seconds, a station that ends for five. */
const LOCK_LIMIT_MS = 30 * SECOND
const LOCK_RETRY_MS = 500

/** Opens an outbox, waiting a while for another program that holds it; then a StorageError says who holds it. */
export async function openWhenFree<Opened>(
  open: () => Promise<Opened>,
  { dataFolder, clock }: { readonly dataFolder: string; readonly clock: Clock },
): Promise<Opened> {
  const untilMs = clock.monotonicMs() + LOCK_LIMIT_MS
  for (;;) {
    try {
      return await open()
    } catch (error) {
      if (!isHeld(error)) throw error
      if (await isStationAt(dataFolder, clock.now()))
        throw new StorageError(worded('start:inUse'), { cause: error })
      if (clock.monotonicMs() >= untilMs) throw openingError(error)
      await new Promise<void>((resolve) => clock.after(LOCK_RETRY_MS, resolve))
    }
  }
}

/** By the code of the system or of SQLite, which is that of the cause if a message for people was made of it. */
function isHeld(error: unknown): boolean {
  const codes = [error, error instanceof Error ? error.cause : null].map((one) => errorCode(one) ?? '')
  const isShut =
    process.platform === 'win32' && codes.some((code) => /^(SQLITE_CANTOPEN|EPERM|EACCES)/.test(code))
  return isShut || codes.some((code) => /^(SQLITE_BUSY|SQLITE_LOCKED|SQLITE_IOERR_LOCK|EBUSY)/.test(code))
}

const heartbeatSchema = z.object({ pid: z.number().int().positive(), at: z.iso.datetime(), mode: z.string() })

/** Older, and the station hangs or is gone, see above. */
const FRESH_MS = 3 * MINUTE

/** Does a station work with this data folder, by its heartbeat? One that ends does so no more. */
async function isStationAt(dataFolder: string, now: number): Promise<boolean> {
  try {
    const { pid, at, mode } = heartbeatSchema.parse(
      JSON.parse(await readFile(join(dataFolder, HEARTBEAT_FILE), 'utf8')),
    )
    if (mode === 'stopping' || mode === 'stopped' || Math.abs(now - Date.parse(at)) > FRESH_MS) return false
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Of another account.
    return errorCode(error) === 'EPERM'
  }
}

/** Whole or not at all. Not flushed to the disk: it is worth nothing after a power cut. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`
  try {
    await writeFile(temporary, text, { mode: 0o600 })
    await renameWithRetry(temporary, path, { forMs: 2_000 })
  } catch (error) {
    await removeBestEffort(temporary)
    throw error
  }
}

/** Less is a busy machine, or a clock that is being adjusted. */
const TOLERANCE_MS = 30 * SECOND

type Instants = { readonly wallMs: number; readonly monotonicMs: number }

/** Both clocks are asked: in a sleep the monotonic one stands still on Linux and macOS, and goes on on Windows. */
export function gapBetween(before: Instants, now: Instants): 'none' | 'stoodStill' | 'clockSetBack' {
  const wall = now.wallMs - before.wallMs
  const monotonic = now.monotonicMs - before.monotonicMs
  if (Math.max(wall, monotonic) > CHECK_EVERY_MS + TOLERANCE_MS) return 'stoodStill'
  return wall < -TOLERANCE_MS ? 'clockSetBack' : 'none'
}

/**
 * `heartbeat.json` in the data folder: one object, written anew every minute, for a tool that watches many computers.
 *
 * ```json
 * { "pid": 4711, "host": "electron", "version": "1.4.0", "startedAt": "2026-11-20T08:01:12.000Z",
 *   "at": "2026-11-20T09:14:12.000Z", "mode": "paused", "why": "safeMode" }
 * ```
 *
 * `at` older than three minutes: the station hangs, was killed, or the computer sleeps. `mode` is `running`, `paused`
 * (with `why`: `person`, `signedOut`, `serviceNotSet`, `safeMode`), `stopping` or, after a clean end, `stopped`. Nothing
 * of a patient stands in it. The file is replaced whole, so whoever reads it never sees a part.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MINUTE } from '../../src-shared/durations.ts'
import type { Mode } from '../../src-shared/station-status.ts'
import type { Ports } from './ports.ts'
import { removeBestEffort, renameWithRetry } from './stubborn-files.ts'

const BEAT_EVERY_MS = MINUTE
const HEARTBEAT_FILE = 'heartbeat.json'

export type HeartbeatFile = {
  /** Writes at once, as after a sleep: what stands there is old. */
  beat(): void
  /** Marks the clean end, and writes nothing after it. */
  close(): Promise<void>
}

export function openHeartbeatFile(options: {
  readonly dataFolder: string
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'host' | 'version'>
  /** How the station is at that moment. */
  readonly mode: () => Mode
}): HeartbeatFile {
  const { clock, logger, host, version } = options.ports
  const path = join(options.dataFolder, HEARTBEAT_FILE)
  const startedAt = new Date(clock.now()).toISOString()
  let cancel: (() => void) | null = null
  let isFailureLogged = false
  let last = Promise.resolve()

  /** One after the other, so that the last word is the last. A heart that cannot beat stops no case. */
  const write = (mode: Mode): Promise<void> => {
    const content = {
      pid: process.pid,
      host,
      version,
      startedAt,
      at: new Date(clock.now()).toISOString(),
      mode: mode.kind,
      ...(mode.kind === 'paused' && { why: mode.why }),
    }
    last = last
      .then(() => replace(path, `${JSON.stringify(content)}\n`))
      .catch(() => {
        if (!isFailureLogged) logger.warn('the heartbeat could not be written')
        isFailureLogged = true
      })
    return last
  }
  const beat = (): void => {
    cancel?.()
    cancel = clock.after(BEAT_EVERY_MS, beat)
    void write(options.mode())
  }
  beat()
  return {
    beat,
    close: () => {
      cancel?.()
      return write({ kind: 'stopped' })
    },
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

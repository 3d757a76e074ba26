/**
 * A program of its own that opens an outbox as a station does, and ends it.
 *
 * `leave FOLDER` writes something and is gone without closing, as a power cut has it. `open FOLDER` opens and closes.
 * `backUp FOLDER` opens, makes a backup, and closes. The last two print one line of JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CheckedOutbox,
  openCheckedOutbox,
  openDailyBackups,
} from '../../src-main/station/outbox/recovery/backups.ts'
import { systemClock } from '../../src-main/station/ports.ts'

export type Measured = {
  readonly seconds: number
  /** Epoch milliseconds. */
  readonly from: number
  readonly until: number
}
export type Session = { readonly open: Measured; readonly work: Measured | null; readonly close: Measured }

const quiet = (): void => undefined
const thread = {
  workerUrl: new URL('../../src-main/station/outbox/outbox-worker.ts', import.meta.url),
  logger: { info: quiet, warn: quiet, error: quiet },
}

async function measured<Value>(work: () => Promise<Value>): Promise<readonly [Measured, Value]> {
  // What the probe has not noted yet belongs to what was before.
  await sleep(100)
  const from = Date.now()
  const startedAt = performance.now()
  const value = await work()
  const seconds = (performance.now() - startedAt) / 1_000
  return [{ seconds, from, until: Date.now() }, value]
}

const open = (folder: string): Promise<CheckedOutbox> => openCheckedOutbox(folder, thread)

async function backUp(opened: CheckedOutbox): Promise<void> {
  const backups = openDailyBackups({
    opened,
    clock: systemClock,
    settings: () => ({ storage: { keepImagesDays: null, lowWaterBytes: 0, ballastBytes: 0 } }),
  })
  const made = await backups.backUpNow()
  if (!made.ok) throw new Error(made.failure.message)
  await backups.close()
}

const [what, folder = ''] = process.argv.slice(2)
const [opening, opened] = await measured(() => open(folder))
if (what === 'leave') {
  opened.outbox.writeFact('lastSentAt', '0')
  process.exit(0)
}
const work = what === 'backUp' ? (await measured(() => backUp(opened)))[0] : null
const [close] = await measured(() => opened.close())
console.log(JSON.stringify({ open: opening, work, close } satisfies Session))

/**
 * What a station makes of every row of the layout table: groups, fields, eyes, states. One real station in this process,
 * with the real watcher and outbox, a folder for each row, and no service.
 */
import { expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../../src-main/station/settings/managed-files.ts'
import { answerCall } from '../../../../src-main/station/calls/calls.ts'
import { type Clock, systemClock } from '../../../../src-main/station/ports.ts'
import { openStation } from '../../../../src-main/station/station.ts'
import { type CallInput, type CallName, type CallOutput, calls } from '../../../../src-shared/contract.ts'
import { layoutRows } from '../../../end-to-end/layouts/rows.ts'
import { setStageOnFiles } from '../../../end-to-end/layouts/stage.ts'
import { expectedTable, layoutTable } from '../../../end-to-end/layouts/tables.ts'
import type { HostedStart } from '../../../end-to-end/station-hosts.ts'
import { isLongRun } from '../../../tools/long-run.ts'
import { stationPorts } from '../../../tools/station-ports.ts'

/** The evening of the visits: what comes days later is looked at, whatever proves it. */
const startedAt = Date.now()
const EVENING = new Date(2026, 5, 3, 20).getTime()
const clock: Clock = { ...systemClock, now: () => EVENING + Date.now() - startedAt }

async function startInProcess({ dataFolder, config }: HostedStart) {
  const ports = stationPorts({ clock })
  const station = await openStation({
    dataFolder,
    ports,
    config: parseConfig(config),
  })
  const value = async <Name extends CallName>(
    name: Name,
    input?: CallInput<Name>,
  ): Promise<CallOutput<Name>> => {
    const answer = await answerCall(station.handlers, ports.logger, name, input ?? {})
    if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
    return calls[name].output.parse(answer.value) as never
  }
  const stop = async (): Promise<number> => {
    await station.stop()
    return 0
  }
  return { value, stop }
}

/** Drawing and decoding all rows takes ten seconds of the processor: the quick run takes some of every sort. */
const EVERY = isLongRun ? 1 : 6

/** The station settles files in seconds; a busy machine takes its time to draw and to decode them. */
const WITHIN = { timeout: 90_000, interval: 250 }

it('makes the same groups, fields and eyes of every layout as version 0.1, and lets none leave by names alone', async () => {
  const rows = layoutRows.filter((_row, index) => index % EVERY === 0)
  const stage = await setStageOnFiles(rows, startInProcess)
  onTestFinished(() => stage.close())
  const read = () =>
    Promise.all(stage.rows.map(async (staged) => layoutTable(staged.row, await stage.shown(staged))))
  await expect.poll(read, WITHIN).toEqual(rows.map((row) => expectedTable(row, 'inTime')))
}, 240_000)

import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openHeartbeatFile } from '../../../src-main/station/heartbeat.ts'
import { openStation } from '../../../src-main/station/station.ts'
import type { Mode } from '../../../src-shared/station-status.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

function open(dataFolder: string) {
  const clock = new ManualClock()
  const ports = stationPorts({ clock })
  const state: { mode: Mode } = { mode: { kind: 'running' } }
  const heartbeat = openHeartbeatFile({ dataFolder, ports, mode: () => state.mode })
  const read = (): unknown => JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8'))
  return { clock, logger: ports.logger, state, heartbeat, read }
}

it('says every minute that the station lives and how it is, and at a clean end that it has stopped', async () => {
  const dataFolder = temporaryFolder()
  const { clock, state, heartbeat, read } = open(dataFolder)
  const always = {
    pid: process.pid,
    host: 'headless',
    version: '0.0.0-test',
    startedAt: '2026-11-20T09:00:00.000Z',
  }
  await clock.settle()
  expect(read()).toEqual({ ...always, at: '2026-11-20T09:00:00.000Z', mode: 'running' })
  state.mode = { kind: 'paused', why: 'safeMode', until: null }
  await clock.turn(MINUTE)
  expect(read()).toEqual({ ...always, at: '2026-11-20T09:01:00.000Z', mode: 'paused', why: 'safeMode' })
  await heartbeat.close()
  await clock.turn(5 * MINUTE)
  expect(read()).toEqual({ ...always, at: '2026-11-20T09:01:00.000Z', mode: 'stopped' })
  expect(readdirSync(dataFolder)).toEqual(['heartbeat.json'])
})

it('stops no station where it cannot be written, says so once, and beats again later', async () => {
  const dataFolder = temporaryFolder()
  mkdirSync(join(dataFolder, 'heartbeat.json.tmp'))
  const { clock, logger, heartbeat, read } = open(dataFolder)
  await clock.turn(3 * MINUTE)
  expect(logger.lines.map(({ message }) => message)).toEqual(['the heartbeat could not be written'])
  rmSync(join(dataFolder, 'heartbeat.json.tmp'), { recursive: true })
  await clock.turn(MINUTE)
  expect(read()).toMatchObject({ at: '2026-11-20T09:04:00.000Z' })
  await heartbeat.close()
})

it('says that the station has stopped, even if a part of it cannot be closed', async () => {
  const dataFolder = temporaryFolder()
  const clock = new ManualClock()
  const { after } = clock
  // The timer at the end of this pause cannot be canceled, so that closing the pause fails.
  clock.after = (delayMs, run) => {
    const cancel = after(delayMs, run)
    if (delayMs !== 7 * MINUTE) return cancel
    return () => {
      throw new Error('not canceled')
    }
  }
  const station = await openStation({ dataFolder, config: null, ports: stationPorts({ clock }) })
  await answerCall(station.handlers, createRecordingLogger(), 'station.pause', { seconds: 420 })
  await expect(station.stop()).rejects.toThrow('not canceled')
  const heartbeat: unknown = JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8'))
  expect(heartbeat).toMatchObject({ mode: 'stopped' })
})

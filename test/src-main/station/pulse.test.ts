import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { HOUR, SECOND } from '../../../src-shared/durations.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

it('a station that slept, and was told by nobody, looks again at all that waits within seconds', async () => {
  const dataFolder = temporaryFolder()
  const clock = new ManualClock()
  const stated = { service: { baseUrl: 'http://127.0.0.1:9/', clientId: 'c', clientSecret: 's' } }
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const ports = stationPorts({ clock })
  const station = await openStation({ dataFolder, ports, config })
  onTestFinished(() => station.stop())
  const ask = (name: string, input: unknown = {}) =>
    answerCall(station.handlers, createRecordingLogger(), name, input)
  await ask('station.pause', { seconds: 900 })
  await clock.turn(15 * SECOND)
  expect(await ask('station.status')).toMatchObject({ value: { mode: { why: 'person' } } })

  // The lid is closed for an hour: the wall goes on, no timer does.
  clock.set(HOUR)
  await clock.turn(15 * SECOND)
  expect(await ask('station.status')).toMatchObject({ value: { mode: { kind: 'running' } } })
  expect(ports.logger.lines.map(({ message }) => message)).toContain('time has passed without this station')
  // A tool that watches it sees at once that it is back.
  const { at } = JSON.parse(readFileSync(join(dataFolder, 'heartbeat.json'), 'utf8')) as { at: string }
  expect(clock.now() - Date.parse(at)).toBeLessThanOrEqual(15 * SECOND)
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Station } from '../../../src-main/station/api.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { stationStatusSchema } from '../../../src-shared/station-status.ts'
import { openPracticeService } from '../../practice-service/practice-service.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

/** A station with one case that waits, and a service; the pause is set before the first byte could leave. */
async function scene() {
  const service = await openPracticeService({ answerDelayMs: 0 })
  onTestFinished(() => service.close())
  const dataFolder = temporaryFolder()
  const { baseUrl, clientId, clientSecret } = service
  const stated = {
    service: { baseUrl, clientId, clientSecret },
    centerId: '101',
    delivery: { retryBaseSeconds: 0.1 },
  }
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const open = async () => {
    const station = await openStation({ dataFolder, ports: stationPorts(), config })
    onTestFinished(() => station.stop())
    return station
  }
  const addOne = (): void => {
    const test = openTestOutbox(dataFolder)
    addWaiting(test, { centerId: '101' })
    test.close()
  }
  return { service, open, addOne, posted: () => service.journal.of('POST /cases') }
}

async function ask(station: Station, name: string, input: unknown = {}) {
  const answer = await answerCall(station.handlers, createRecordingLogger(), name, input)
  if (!answer.ok) throw new Error(answer.failure.message)
  return stationStatusSchema.parse(answer.value)
}

const WITHIN = { timeout: 10_000, interval: 50 }

it('sends nothing in a pause, not even after a restart, and resumes by itself at its end', async () => {
  const { open, addOne, posted } = await scene()
  const first = await open()
  // Long enough for a busy machine to close the station and to open it again.
  const { mode } = await ask(first, 'station.pause', { seconds: 10 })
  if (mode.kind !== 'paused' || mode.until === null) throw new Error(`it is ${mode.kind}`)
  expect(mode).toMatchObject({ why: 'person' })
  expect(mode.until - Date.now()).toBeGreaterThan(5 * SECOND)
  await first.stop()
  addOne()

  const station = await open()
  const status = await ask(station, 'station.status')
  expect(status).toMatchObject({ mode, counts: { waiting: 1 } })
  // Whatever else wakes a station ends no pause.
  station.wakeUp()
  await sleep(mode.until - Date.now() - 300)
  expect(posted()).toEqual([])

  await vi.waitFor(() => expect(posted()).toHaveLength(1), WITHIN)
  expect(posted()[0]?.at).toBeGreaterThanOrEqual(mode.until)
  expect((await ask(station, 'station.status')).mode).toEqual({ kind: 'running' })
}, 30_000)

it('pauses until somebody resumes, and goes on at once then', async () => {
  const { open, addOne, posted } = await scene()
  const first = await open()
  expect((await ask(first, 'station.pause')).mode).toEqual({ kind: 'paused', why: 'person', until: null })
  await first.stop()
  addOne()
  const station = await open()
  await sleep(1_500)
  expect(posted()).toEqual([])
  await ask(station, 'station.resume')
  await vi.waitFor(() => expect(posted()).toHaveLength(1), WITHIN)
})

import { expect, it, onTestFinished } from 'vitest'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { openStation } from '../../../src-main/station/station.ts'
import type { StationEvent } from '../../../src-shared/contract.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

it('a station shows of few changed cases one by one, and of many at once by their ids', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const ids = test.outbox.write(() => Array.from({ length: 21 }, () => addWaiting(test)))
  test.close()
  const config = { settings: settingsSchema.parse({}), stated: {}, enforced: [], unknownNames: [] }
  const station = await openStation({ dataFolder, ports: stationPorts({ clock: new ManualClock() }), config })
  onTestFinished(() => station.stop())
  const heard: StationEvent[] = []
  station.on((event) => void heard.push(event))
  const hold = (held: readonly string[]): Promise<unknown> =>
    answerCall(station.handlers, createRecordingLogger(), 'submissions.hold', { ids: held })
  const notified = (): unknown[] => {
    const found: unknown[] = []
    for (const { name, payload } of heard.splice(0)) {
      if (name === 'submissionChanged') found.push(payload.id)
      if (name === 'submissionsChanged') found.push(payload.ids)
    }
    return found
  }
  await hold(ids)
  expect(notified()).toEqual([ids])
  await answerCall(station.handlers, createRecordingLogger(), 'submissions.release', {
    ids: ids.slice(0, 20),
  })
  expect(notified()).toEqual(ids.slice(0, 20))
})

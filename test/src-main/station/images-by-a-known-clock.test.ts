import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { openStation } from '../../../src-main/station/station.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { settingsSchema } from '../../../src-shared/settings.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, endAttempt, startAttempt, MORNING, openTestOutbox } from '../../tools/outbox-with.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

it('no image is removed by a clock years ahead that no service was there to compare', async () => {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const { outbox } = test
  const id = addWaiting(test)
  startAttempt(test, id)
  endAttempt(test, id, 'delivered')
  outbox.submissions.setConfirmed(id, MORNING)
  const path = test.spoolPath(outbox.images.rows(id)[0]?.spool_name ?? '')
  test.close()

  const clock = new ManualClock({ now: MORNING + 3 * 365 * 24 * 60 * MINUTE })
  // No one listens there.
  const service = { baseUrl: 'http://127.0.0.1:9/', clientId: 'c', clientSecret: 's' }
  const stated = { service, storage: { keepImagesDays: 365 } }
  const config = { settings: settingsSchema.parse(stated), stated, enforced: [], unknownNames: [] }
  const station = await openStation({ dataFolder, ports: stationPorts({ clock }), config })
  onTestFinished(() => station.stop())
  for (let minute = 0; minute < 12; minute += 1) await clock.turn(MINUTE)
  expect(existsSync(path)).toBe(true)
})

import { expect, it, vi } from 'vitest'
import type * as Store from '../../../src-main/station/outbox/database.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { failureOf } from '../../../src-shared/failure.ts'
import { ManualClock } from '../../tools/manual-clock.ts'
import { addWaiting, newSubmission, openTestOutbox } from '../../tools/outbox-with.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { FaultySql } from './outbox/faulty-sql.ts'
import { started } from './started.ts'

const { disk } = vi.hoisted(() => ({ disk: { faults: null as FaultySql | null } }))
vi.mock('../../../src-main/station/outbox/database.ts', async (original) => {
  const real = await original<typeof Store>()
  return {
    ...real,
    createStore: (...[sql, ...rest]: Parameters<typeof real.createStore>) =>
      real.createStore(disk.faults?.over(sql as never) ?? sql, ...rest),
  }
})

/** A data folder with a case to be sent and one that is to be closed soon. */
function dataFolderWith(): { readonly dataFolder: string; readonly waiting: string } {
  const dataFolder = temporaryFolder()
  const test = openTestOutbox(dataFolder)
  const waiting = addWaiting(test)
  test.outbox.createSubmission(newSubmission({ quietUntil: new ManualClock().now() + MINUTE }))
  test.close()
  return { dataFolder, waiting }
}

async function open(dataFolder: string) {
  const clock = new ManualClock()
  const service = { baseUrl: 'http://127.0.0.1:9/', clientId: 'c' }
  return {
    clock,
    ...(await started({ service, reports: { saveTo: temporaryFolder() } }, { dataFolder, clock })),
  }
}

it('a station whose disk has failed says what to do, reads what can be read, logs it once, stops, and starts again', async () => {
  const { dataFolder, waiting } = dataFolderWith()
  const faults = new FaultySql()
  disk.faults = faults
  const { station, clock, logger, answer } = await open(dataFolder)
  faults.failAt(1, 'SQLITE_IOERR_FSYNC')
  const failed = { ok: false, failure: failureOf('storage') }
  for (const name of ['station.pause', 'station.pause', 'station.resume'])
    expect(await answer(name), name).toEqual(failed)
  expect(await answer('submissions.hold', { ids: [waiting] })).toEqual(failed)
  expect(await answer('submissions.list')).toMatchObject({ ok: true, value: { total: 2 } })
  expect(await answer('station.status')).toMatchObject({
    ok: true,
    value: { storage: failureOf('storage'), counts: { waiting: 1 } },
  })
  await clock.turn(MINUTE)
  // What was under way says once that it cannot go on.
  const logged = logger.errors()
  expect(logged[0]).toBe('the outbox cannot be relied on; nothing is written any more until the next start')
  expect(new Set(logged).size).toBe(logged.length)
  for (let minute = 0; minute < 15; minute += 1) await clock.turn(MINUTE)
  expect(logger.errors()).toEqual(logged)
  await station.stop()

  disk.faults = null
  const again = await open(dataFolder)
  expect(await again.answer('station.status')).toMatchObject({ ok: true, value: { storage: null } })
  expect(await again.answer('submissions.list')).toMatchObject({ ok: true, value: { total: 2 } })
  expect(await again.answer('station.pause')).toMatchObject({ ok: true })
  await again.station.stop()
})

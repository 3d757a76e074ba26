import Database from 'better-sqlite3'
import { describe, expect, it, vi } from 'vitest'
import { createDeliveries } from '../../../../src-main/station/delivery/delivery.ts'
import { CaseUnreadable } from '../../../../src-main/station/outbox/write-through.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, NO_GUARD } from './delivery-with.ts'

const noRoom = (): never => {
  throw new Database.SqliteError('full', 'SQLITE_FULL')
}

describe('the delivery to the service that is set', () => {
  const deliveriesWith = () => {
    const test = deliveryWith()
    const { outbox, clock, logger, service } = test
    const opening = { fails: false }
    const deliveries = createDeliveries({
      outbox,
      clock,
      logger,
      guard: NO_GUARD,
      random: () => 0.5,
      settings: () => test.settings,
      spoolPath: (spoolName) => test.spoolPath(spoolName),
      maySend: () => true,
      openClient: () => {
        if (opening.fails) throw new Error('no client')
        return service
      },
    })
    return { ...test, deliveries, opening }
  }

  it('is opened on a full disk, too, and sends once there is space again', async () => {
    const test = deliveriesWith()
    const id = addWaiting(test)
    await test.deliveries.reopen()
    const first = test.deliveries.current()
    const full = vi.spyOn(test.outbox, 'write').mockImplementation(noRoom)
    await test.deliveries.reopen()
    expect(test.deliveries.current()).not.toBe(first)
    expect(test.deliveries.current()).not.toBeNull()
    full.mockRestore()
    test.deliveries.current()?.wake()
    await test.clock.turn(60 * SECOND)
    expect(stateOf(test, id)).toBe('sent')
    await test.deliveries.close()
  })

  it('is none if the next one cannot be opened: a closed one is not left behind', async () => {
    const test = deliveriesWith()
    await test.deliveries.reopen()
    test.opening.fails = true
    await expect(test.deliveries.reopen()).rejects.toThrow('no client')
    expect(test.deliveries.current()).toBeNull()
  })
})

it('closes although the case that is being sent cannot be read any more', async () => {
  const test = deliveryWith()
  const id = addWaiting(test)
  test.service.plan = () => ({ kind: 'silent' })
  const delivery = test.open()
  await test.clock.settle()
  expect(stateOf(test, id)).toBe('sending')
  const unreadable = vi.spyOn(test.outbox.attempts, 'of').mockImplementation(() => {
    throw new CaseUnreadable(id, 'attempts.phase', () => undefined)
  })
  await delivery.close()
  unreadable.mockRestore()
  expect(test.outbox.attempts.of(id)).toMatchObject([{ outcome: 'unknown' }])
})

import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDeliveries } from '../../../../src-main/station/delivery/delivery.ts'
import { recoverAttempts } from '../../../../src-main/station/delivery/sender.ts'
import { CaseUnreadable } from '../../../../src-main/station/outbox/database.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import {
  addWaiting,
  startAttempt,
  MORNING,
  openTestOutbox,
  SERVICE,
  someBytes,
  stateOf,
  type TestOutbox,
} from '../../../tools/outbox-with.ts'
import {
  attempted,
  deliveryWith,
  NO_GUARD,
  onEachList,
  outcomesOf,
  sending,
  type TestDelivery,
} from './delivery-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { answered, SILENT } from './scripted-service.ts'

const VISIT = { history_number: 'H-00017', visit_date: '2026-11-20' }
const DESTINATION = { ...SERVICE, centerId: null }

describe('several cases', () => {
  it('go as many at a time as was agreed, and no more', async () => {
    const { test } = await sending({ delivery: { concurrency: 3 } })
    test.service.plan = () => SILENT
    for (let count = 0; count < 8; count += 1) addWaiting(test)
    await test.clock.turn(MINUTE)
    expect(test.outbox.countSubmissions()).toMatchObject({ sending: 3, waiting: 5 })
    expect(test.service.mostAtOnce).toBe(3)
  })

  it.each(['was never asked', 'was in trouble'])('begin with one if the service %s', async (when) => {
    const options = { delivery: { concurrency: 3 }, cases: 5, plan: SILENT, turnMs: MINUTE }
    const { test } = await sending(options, ({ service }) => {
      if (when === 'was in trouble') service.trouble = failureOf('offline')
    })
    if (when === 'was in trouble') {
      test.service.trouble = null
      await test.clock.turn(16 * MINUTE)
    }
    expect(test.outbox.countSubmissions().sending).toBe(1)
  })

  it.each([
    ['', VISIT.history_number],
    [', written a little differently,', ' h-00017'],
  ])('of one patient and visit%s are never under way together', async (_name, historyNumber) => {
    const test = deliveryWith({ delivery: { concurrency: 4 } })
    addWaiting(test)
    const again = { ...VISIT, history_number: historyNumber }
    const ids = [addWaiting(test, { fields: VISIT }), addWaiting(test, { fields: again }), addWaiting(test)]
    const together: number[] = []
    test.service.plan = () => {
      together.push(ids.slice(0, 2).filter((id) => stateOf(test, id) === 'sending').length)
      return { kind: 'taken' }
    }
    test.open()
    await test.clock.turn(MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent', 'sent'])
    expect(Math.max(...together)).toBe(1)
  })

  it('go past one that cannot be read, of which nothing is sent', async () => {
    const { test, ids } = await sending({ cases: 3, turnMs: MINUTE }, (made, id) =>
      made.outbox.quarantine(id, 'images.eye'),
    )
    expect(ids.slice(1).map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
    expect(test.outbox.submissionOf(ids[0] ?? '')).toMatchObject({
      state: 'waiting',
      unreadable: 'images.eye',
    })
    expect(test.outbox.countSubmissions()).toMatchObject({ sent: 2, waiting: 1 })
  })

  it('of the patient and visit of one that cannot be read, and whose attempt is open, are not begun', async () => {
    const test = deliveryWith()
    const unreadable = addWaiting(test, { fields: VISIT })
    startAttempt(test, unreadable)
    test.outbox.quarantine(unreadable, 'images.eye')
    const ids = [addWaiting(test, { fields: VISIT }), addWaiting(test)]
    test.open()
    await test.clock.turn(MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['waiting', 'sent'])
  })

  it('that fall due while the queue is read are not left for the next wake', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.outbox.setNotBefore(id, test.clock.now() + 1)
    const { dueSubmissions } = test.outbox
    vi.spyOn(test.outbox, 'dueSubmissions').mockImplementationOnce((now, limit) => {
      const due = dueSubmissions(now, limit)
      test.clock.set(1)
      return due
    })
    test.open()
    await test.clock.turn(SECOND)
    expect(stateOf(test, id)).toBe('sent')
  })

  it('do not wait for one whose answer is long in coming: a try that is due is made', async () => {
    const { test, id: first } = await sending({ delivery: { concurrency: 2 } })
    expect(stateOf(test, first)).toBe('sent')
    test.service.plan = (number) => (number === 2 ? SILENT : number === 3 ? answered(401) : { kind: 'taken' })
    const silent = addWaiting(test)
    await test.clock.settle()
    expect(stateOf(test, silent)).toBe('sending')
    const later = addWaiting(test)
    test.outbox.setNotBefore(later, test.clock.now() + 20 * SECOND)
    await test.clock.turn(2 * MINUTE)
    expect([silent, later].map((id) => stateOf(test, id))).toEqual(['sending', 'sent'])
  })

  it('go on if one of them is refused or waits for its time', async () => {
    const options = { delivery: { concurrency: 1 }, cases: 3, turnMs: MINUTE }
    const plan = [answered(422), { kind: 'taken' as const }]
    const { test, ids, id } = await sending({ ...options, plan }, (made, first) =>
      made.outbox.setNotBefore(first, made.clock.now() + HOUR),
    )
    expect(ids.map((one) => stateOf(test, one))).toEqual(['waiting', 'refused', 'sent'])
    await test.clock.turn(HOUR)
    expect(stateOf(test, id)).toBe('sent')
  })
})

describe('a pause', () => {
  it('that comes between the choice of a case and its attempt stops the attempt', async () => {
    const { test, id } = await sending({}, (made) => onEachList(made, () => void (made.maySend = false)))
    expect([stateOf(test, id), test.service.posts]).toEqual(['waiting', []])
  })

  it('does not keep a lost answer from being looked up', async () => {
    const { test, id } = await sending({ plan: { kind: 'taken', answers: false } })
    test.maySend = false
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
  })
})

describe('the end of the delivery', () => {
  const LARGE = { images: [{ bytes: someBytes(900_000) }] }

  it('stops at once what is not through, as unsent', async () => {
    const plan = { kind: 'stalled', afterBytes: 600_000 } as const
    const { test, id, delivery } = await sending({ plan, waiting: LARGE })
    const closed = delivery.close()
    await test.clock.settle()
    await closed
    expect(outcomesOf(test, id)).toEqual(['unsent'])
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'interrupted' },
    })
    expect(test.service.asked.at(-1)).toBe('closed')
  })

  it('does not wait for a long transfer because the service is to be asked how it is', async () => {
    const plan = { kind: 'stalled', afterBytes: 600_000 } as const
    const { test, id, delivery } = await sending({
      plan,
      waiting: LARGE,
      centerId: '101',
      turnMs: 6 * MINUTE,
    })
    expect(stateOf(test, id)).toBe('sending')
    let isClosed = false
    void delivery.close().then(() => void (isClosed = true))
    await test.clock.turn(5 * SECOND)
    expect([isClosed, outcomesOf(test, id)]).toEqual([true, ['unsent']])
  })

  it('waits a moment for the answer to a whole request, and then calls it unknown', async () => {
    const { test, id, delivery } = await sending({ plan: SILENT })
    let isClosed = false
    const closed = delivery.close().then(() => void (isClosed = true))
    await test.clock.turn(2 * SECOND)
    expect([isClosed, stateOf(test, id)]).toEqual([false, 'sending'])
    await test.clock.turn(2 * SECOND)
    await closed
    expect([outcomesOf(test, id), stateOf(test, id)]).toEqual([['unknown'], 'unconfirmed'])
  })

  it('takes an answer that comes in that moment', async () => {
    const answer = Promise.withResolvers<void>()
    const { test, id, delivery } = await sending({}, ({ service }) => {
      const { postCase } = service
      service.postCase = async (options) => {
        const evidence = await postCase(options)
        await answer.promise
        return evidence
      }
    })
    const closed = delivery.close()
    await test.clock.turn(SECOND)
    answer.resolve()
    await test.clock.settle()
    await closed
    expect(stateOf(test, id)).toBe('sent')
  })

  it('begins nothing any more', async () => {
    const { test, delivery } = await sending({ cases: 0 })
    const closed = delivery.close()
    await test.clock.settle()
    await closed
    const id = addWaiting(test)
    delivery.wake()
    delivery.retryNow()
    await test.clock.turn(MINUTE)
    expect([stateOf(test, id), test.service.posts]).toEqual(['waiting', []])
  })

  it.each(['a small question before a case', 'the probe of the breaker'])(
    'does not wait for %s',
    async (what) => {
      // A question as the real client asks it: it goes on until it is answered or its signal ends it.
      const hangUntilStopped = ({ service }: TestDelivery): void => {
        service.trouble = null
        service.listCases = (signal) =>
          new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve({ ok: false, failure: failureOf('interrupted') }))
          })
      }
      const isProbe = what.startsWith('the probe')
      const { test, id, delivery } = await sending({}, (made) => {
        if (isProbe) made.service.trouble = failureOf('offline')
        else hangUntilStopped(made)
      })
      if (isProbe) {
        hangUntilStopped(test)
        await test.clock.turn(16 * MINUTE)
      }
      let isClosed = false
      void delivery.close().then(() => void (isClosed = true))
      await test.clock.turn(5 * SECOND)
      expect([isClosed, stateOf(test, id)]).toEqual([true, 'waiting'])
    },
  )

  it('comes although the case that is being sent cannot be read any more', async () => {
    const { test, id, delivery } = await sending({ plan: SILENT })
    const unreadable = vi.spyOn(test.outbox, 'attemptsOf').mockImplementation(() => {
      throw new CaseUnreadable(id, 'attempts.phase', () => undefined)
    })
    await delivery.close()
    unreadable.mockRestore()
    expect(outcomesOf(test, id)).toEqual(['unknown'])
  })

  it('leaves no attempt open that throws meanwhile', async () => {
    const { test, id, delivery } = await sending({ plan: SILENT, waiting: LARGE }, ({ service }) => {
      const { postCase } = service
      service.postCase = async (options) => {
        await postCase(options)
        throw new Error('a bug')
      }
    })
    expect(stateOf(test, id)).toBe('sending')
    const closed = delivery.close()
    await test.clock.turn(10_000)
    await closed
    // All of it had been handed over.
    expect([outcomesOf(test, id), stateOf(test, id)]).toEqual([['unknown'], 'unconfirmed'])
  })
})

it('reports a guard that throws at the end of an attempt, and goes on with the others', async () => {
  const rejections: unknown[] = []
  const note = (reason: unknown): void => void rejections.push(reason)
  process.on('unhandledRejection', note)
  onTestFinished(() => void process.off('unhandledRejection', note))
  const settle = (): never => {
    throw new Error('the disk')
  }
  const options = { guard: { ...NO_GUARD, settle }, delivery: { concurrency: 1 }, cases: 2, turnMs: MINUTE }
  const { test, ids, delivery } = await sending(options)
  expect(ids.map((id) => stateOf(test, id))).toEqual(['sent', 'sent'])
  expect(test.logger.errors()).toContain('the end of an attempt stopped unexpectedly')
  await delivery.close()
  expect(rejections).toEqual([])
})

describe('what a start finds', () => {
  const recover = ({ outbox }: TestOutbox, clock = new ManualClock()) =>
    recoverAttempts({ outbox, clock, logger: createRecordingLogger() })

  it.each([
    { phase: 'prepared', outcome: 'unsent', state: 'waiting', handedOver: 0, kind: 'interrupted' },
    { phase: 'sending', outcome: 'unsent', state: 'waiting', handedOver: 0, kind: 'interrupted' },
    { phase: 'handedOver', outcome: 'unknown', state: 'unconfirmed', handedOver: 9, kind: 'outcomeUnknown' },
    { phase: 'ended', outcome: 'unknown', state: 'unconfirmed', handedOver: 9, kind: 'outcomeUnknown' },
  ] as const)('an attempt that was $phase is $outcome', ({ phase, outcome, state, handedOver, kind }) => {
    const folder = openTestOutbox(temporaryFolder())
    const id = addWaiting(folder)
    folder.outbox.markPhase(attempted(folder, id, DESTINATION), phase)
    folder.close()
    const test = openTestOutbox(folder.folder)
    const clock = new ManualClock({ now: MORNING + MINUTE })
    expect(recover(test, clock)).toEqual({ unsent: 0, unknown: 0, [outcome]: 1 })
    const details = test.outbox.detailsOf(id)
    expect(details).toMatchObject({
      state,
      failure: { kind, requestBytes: 9 },
      attemptList: [{ outcome, phase: 'ended', handedOverBytes: handedOver, endedAt: MORNING + MINUTE }],
    })
    // Both are due within a second: to be sent, or to be looked up.
    expect(details?.notBefore).toBeLessThanOrEqual(MORNING + MINUTE + SECOND)
    expect(recover(test, clock)).toEqual({ unsent: 0, unknown: 0 })
  })

  it('leaves ended attempts and everything else alone', () => {
    const test = openTestOutbox()
    attempted(test, addWaiting(test), DESTINATION, { outcome: 'unknown' })
    addWaiting(test)
    const before = test.outbox.listSubmissions({ limit: 10 }).items
    expect(recover(test)).toEqual({ unsent: 0, unknown: 0 })
    expect(test.outbox.listSubmissions({ limit: 10 }).items).toEqual(before)
  })

  it.each(['prepared', 'handedOver'] as const)(
    'sets a case aside of which an attempt is open (%s) although it is not being sent, and ends the others',
    (phase) => {
      const folder = openTestOutbox(temporaryFolder())
      const [contradictory, other] = [addWaiting(folder), addWaiting(folder)]
      for (const id of [contradictory, other])
        folder.outbox.markPhase(attempted(folder, id, DESTINATION), phase)
      folder.close()
      const sql = new Database(join(folder.folder, 'outbox.sqlite'))
      sql.prepare("UPDATE submissions SET state = 'waiting' WHERE id = ?").run(contradictory)
      sql.close()
      const test = openTestOutbox(folder.folder)
      const { unsent, unknown } = recover(test)
      expect(unsent + unknown).toBe(1)
      expect(stateOf(test, other)).toBe(phase === 'prepared' ? 'waiting' : 'unconfirmed')
      expect(test.outbox.quarantinedOf(contradictory)).toMatchObject({ unreadable: 'submissions.state' })
      expect(test.outbox.dueSubmissions(MORNING, 9).map(({ id }) => id)).not.toContain(contradictory)
      expect(recover(test)).toEqual({ unsent: 0, unknown: 0 })
    },
  )

  it('sets a case aside that is being sent without an open attempt', () => {
    const folder = openTestOutbox(temporaryFolder())
    const [contradictory, other] = [addWaiting(folder), addWaiting(folder)]
    attempted(folder, other, DESTINATION)
    folder.close()
    const sql = new Database(join(folder.folder, 'outbox.sqlite'))
    sql.prepare("UPDATE submissions SET state = 'sending' WHERE id = ?").run(contradictory)
    sql.close()
    const test = openTestOutbox(folder.folder)
    expect(recover(test)).toEqual({ unsent: 1, unknown: 0 })
    expect(stateOf(test, other)).toBe('waiting')
    expect(test.outbox.quarantinedOf(contradictory)).toMatchObject({ unreadable: 'submissions.state' })
    expect(test.outbox.quarantinedOf(other)).toBeNull()
  })
})

describe('the delivery to the service that is set', () => {
  const deliveriesWith = () => {
    const test = deliveryWith()
    const opening = { fails: false }
    const deliveries = createDeliveries({
      ...test,
      guard: NO_GUARD,
      random: () => 0.5,
      settings: () => test.settings,
      maySend: () => true,
      openClient: () => {
        if (opening.fails) throw new Error('no client')
        return test.service
      },
    })
    return { ...test, deliveries, opening }
  }

  it('is opened on a full disk, too, and sends once there is space again', async () => {
    const test = deliveriesWith()
    const id = addWaiting(test)
    await test.deliveries.reopen()
    const first = test.deliveries.current()
    const full = vi.spyOn(test.outbox, 'write').mockImplementation(() => {
      throw new Database.SqliteError('full', 'SQLITE_FULL')
    })
    await test.deliveries.reopen()
    expect([null, first]).not.toContain(test.deliveries.current())
    full.mockRestore()
    test.deliveries.current()?.wake()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, id)).toBe('sent')
    await test.deliveries.close()
  })

  it('is still the one before until that has ended: its transfers may be asked about', async () => {
    const test = deliveriesWith()
    test.service.plan = () => SILENT
    const id = addWaiting(test)
    await test.deliveries.reopen()
    await test.clock.turn(SECOND)
    const first = test.deliveries.current()
    const reopened = test.deliveries.reopen()
    await test.clock.turn(SECOND)
    expect([test.deliveries.current(), stateOf(test, id)]).toEqual([first, 'sending'])
    expect(test.deliveries.current()?.cancel(id)).toBe('tooLate')
    await test.clock.turn(MINUTE)
    await reopened
    expect([null, first]).not.toContain(test.deliveries.current())
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

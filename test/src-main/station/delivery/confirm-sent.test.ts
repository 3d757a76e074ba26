import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, MORNING, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith } from './delivery-with.ts'

describe('a case that was sent', () => {
  it('teaches how far the list can be believed', async () => {
    const test = deliveryWith({ centerId: '101' })
    for (let count = 0; count < 3; count += 1) addWaiting(test, { centerId: '101' })
    test.open()
    await test.clock.turn(MINUTE)
    const here = { ...test.service.identity, centerId: '101' }
    expect(test.outbox.cases.calibrationOf(here)).toEqual({
      seen: 3,
      missed: 0,
      echoed: 3,
      slowestMs: 2 * SECOND,
    })
    expect(test.outbox.cases.calibrationOf({ ...here, centerId: null }).seen).toBe(0)
  })

  it('is not confirmed under a center that another client sets right behind ours, where nothing tells', async () => {
    const test = deliveryWith({ centerId: '101' })
    const id = addWaiting(test, { centerId: '101' })
    const { changeCenter } = test.service
    let switches = 0
    test.service.changeCenter = async (centerId, signal) => {
      const changed = await changeCenter(centerId, signal)
      // Once before it is sent, and once before it is read back.
      switches += 1
      if (switches <= 2) test.service.center = '102'
      return changed
    }
    test.open()
    await test.clock.turn(MINUTE)
    expect(switches).toBeGreaterThan(2)
    expect(test.service.posts[0]?.centerId).toBe('102')
    expect(test.outbox.submissions.details(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    const looks = test.outbox.submissions.details(id)?.evidence.map(({ kind }) => kind)
    expect(looks).toEqual(['readBack', 'readBackFailed'])
  })

  it('is read back twice where nothing marks the current center, and once where it is marked', async () => {
    const looksAt = async (isMarked: boolean): Promise<readonly string[]> => {
      const test = deliveryWith({ centerId: '101' })
      const id = addWaiting(test, { centerId: '101' })
      if (isMarked)
        test.service.centersShown = () => [
          { centerId: '101', name: null, isCurrent: test.service.center === '101' },
        ]
      test.open()
      await test.clock.turn(MINUTE)
      expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
      return test.outbox.submissions.details(id)?.evidence.map(({ kind }) => kind) ?? []
    }
    expect(await looksAt(false)).toEqual(['readBack', 'readBack'])
    expect(await looksAt(true)).toEqual(['readBack'])
  })

  it('that is there but not in the list makes the list unbelievable', async () => {
    const test = deliveryWith()
    addWaiting(test)
    test.service.listAnswer = () => succeed({ cases: [], isComplete: true })
    test.open()
    await test.clock.turn(MINUTE)
    const calibration = test.outbox.cases.calibrationOf({ ...test.service.identity, centerId: null })
    expect(calibration).toMatchObject({ seen: 0, missed: 1 })
  })

  it('teaches nothing where there is no list, and is confirmed by itself', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.service.listAnswer = () => fail(failureOf('answerUnreadable'))
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
    const calibration = test.outbox.cases.calibrationOf({ ...test.service.identity, centerId: null })
    expect(calibration).toEqual({ seen: 0, missed: 0, echoed: 0, slowestMs: 0 })
  })

  it('and cannot be read back yet is asked for ever more rarely, until it is there', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    test.open()
    // The service shows its cases in the evening only.
    test.service.listAnswer = () => succeed({ cases: [], isComplete: true })
    test.service.plan = () => ({ kind: 'taken' })
    const { getCase } = test.service
    test.service.getCase = (caseId, signal) =>
      test.clock.now() < MORNING + 9 * HOUR
        ? Promise.resolve(fail(failureOf('notFound')))
        : getCase(caseId, signal)
    await test.clock.turn(8 * HOUR)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.outbox.submissions.get(id)?.confirmedAt).toBeNull()
    const asked = test.service.asked.filter((what) => what === 'list').length
    expect(asked).toBeGreaterThan(5)
    expect(asked).toBeLessThan(60)
    await test.clock.turn(DAY)
    expect(test.outbox.submissions.get(id)?.confirmedAt).not.toBeNull()
    expect(test.logger.errors()).toEqual([])
  })

  it('keeps the others from nothing while it cannot be read back, whatever the hour', async () => {
    const test = deliveryWith()
    addWaiting(test)
    test.service.listAnswer = () => fail(failureOf('answerUnreadable'))
    test.service.getCase = () => Promise.resolve(fail(failureOf('notFound')))
    test.open()
    await test.clock.settle()
    // An odd number of milliseconds after it was sent: half of it is no instant that the outbox takes.
    for (const byMs of [12_345, 33_333, 77_777, 5 * SECOND + 1, 123_457]) await test.clock.turn(byMs)
    expect(test.logger.errors()).toEqual([])
  })

  it('is not confirmed by what another service shows under its id', async () => {
    const test = deliveryWith()
    const id = addWaiting(test)
    const destination = { baseUrl: 'https://before.example', clientId: 'clinic', centerId: null }
    const plan = { submissionId: id, destination, requestBytes: 1, at: MORNING }
    const { attemptId } = test.outbox.attempts.open(plan)
    const end = {
      outcome: 'delivered',
      handedOverBytes: 1,
      failure: null,
      answer: null,
      at: MORNING,
    } as const
    test.outbox.attempts.end(attemptId, end, 'deliveredNow', { caseId: '7', sentAt: MORNING })
    test.service.addCase({ caseId: '7' }, null)
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
    const here = { ...test.service.identity, centerId: null }
    expect(test.outbox.cases.calibrationOf(here)).toMatchObject({ seen: 0, missed: 0 })
  })

  it('is not confirmed by what is shown once another client has switched the center', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.centersShown = () =>
      ['101', '102'].map((centerId) => ({
        centerId,
        name: null,
        isCurrent: test.service.center === centerId,
      }))
    const id = addWaiting(test, { centerId: '101' })
    test.service.listAnswer = () => succeed({ cases: [], isComplete: true })
    test.service.getCase = (caseId) => {
      test.service.center = '102'
      const unsaid = { state: null, historyNumber: null, firstName: null, lastName: null, visitDate: null }
      return Promise.resolve(
        succeed({ caseId, ...unsaid, createdAt: null, urgency: null, raw: { id: caseId } }),
      )
    }
    test.open().learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)).toMatchObject({ state: 'sent', confirmedAt: null })
  })

  it('is not confirmed by a case of another patient', async () => {
    const test = deliveryWith()
    const id = addWaiting(test, { fields: { history_number: 'H-00017', visit_date: '2026-11-20' } })
    test.service.shows = 'identity'
    test.service.addCase({ caseId: '7', historyNumber: 'H-99999', visitDate: '2020-01-01' }, null)
    // A person's slip: the case that was said to be it is somebody else's.
    test.outbox.attempts.open({
      submissionId: id,
      destination: { ...test.service.identity, centerId: null },
      requestBytes: 1,
      at: MORNING,
    })
    const attemptId = test.outbox.attempts.of(id)[0]?.id ?? ''
    const end = { outcome: 'unknown', handedOverBytes: 1, failure: null, answer: null, at: MORNING } as const
    test.outbox.attempts.end(attemptId, end, 'becameUnknown', {})
    test.outbox.submissions.transition(
      id,
      'foundDelivered',
      { caseId: '7', sentAt: MORNING },
      { at: MORNING },
    )
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.get(id)?.confirmedAt).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import type { Center } from '../../../../src-shared/case.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, type TestDelivery } from './delivery-with.ts'

/** A service that marks the center that is set. */
function markCenters(test: TestDelivery, ids: readonly string[] = ['101', '102']): void {
  test.service.centersShown = () =>
    ids.map((centerId): Center => ({ centerId, name: null, isCurrent: centerId === test.service.center }))
}

const CENTERS_READ = (test: TestDelivery): number =>
  test.service.asked.filter((what) => what === 'centers').length

describe('the mark of the current center', () => {
  it('is not asked for where no list has ever shown one', async () => {
    const test = deliveryWith({ centerId: '101' })
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: null }])
    addWaiting(test, { centerId: '101' })
    await test.clock.turn(MINUTE)
    expect(test.service.posts).toHaveLength(1)
    expect(CENTERS_READ(test)).toBe(0)
  })

  it('once known, is read before and after each case, also after a restart', async () => {
    const first = deliveryWith({ centerId: '101' })
    markCenters(first)
    const delivery = first.open()
    delivery.learnCenters(
      first.service.centersShown().map((one) => ({ ...one, isCurrent: one.centerId === '101' })),
    )
    await delivery.close()
    first.close()
    const test = deliveryWith({ centerId: '101', folder: first.folder })
    markCenters(test)
    addWaiting(test, { centerId: '101' })
    test.open()
    await test.clock.turn(SECOND)
    const asked = test.service.asked.filter((what) => what === 'centers' || what === 'post')
    const post = asked.indexOf('post')
    expect(asked.slice(0, post)).toContain('centers')
    expect(asked.slice(post + 1)).toContain('centers')
    expect(test.outbox.alarms.listOpen()).toEqual([])
  })

  it('lets nothing leave where a switch was taken and not made', async () => {
    const test = deliveryWith({ centerId: '101' })
    markCenters(test)
    test.service.firstCenter = '102'
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '102', name: null, isCurrent: true }])
    // Says yes, and stays where it was.
    test.service.changeCenter = () => Promise.resolve({ ok: true, value: null })
    const id = addWaiting(test, { centerId: '101' })
    await test.clock.turn(10 * MINUTE)
    expect(test.service.posts).toHaveLength(0)
    expect(test.outbox.submissions.get(id)).toMatchObject({
      state: 'waiting',
      failure: {
        kind: 'centerNotChanged',
        message: expect.stringContaining('marks another center as the current one') as string,
      },
    })
    expect(test.outbox.attempts.of(id)).toEqual([])
  })

  it('lets nothing leave where another client has switched since, and sets the center anew', async () => {
    const test = deliveryWith({ centerId: '101' })
    markCenters(test)
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    addWaiting(test, { centerId: '101' })
    await test.clock.turn(MINUTE)
    expect(test.service.posts).toHaveLength(1)
    test.service.center = '102'
    addWaiting(test, { centerId: '101' })
    await test.clock.turn(30 * MINUTE)
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101', '101'])
    expect(test.outbox.alarms.listOpen()).toEqual([])
  })

  it('that shows another one right after a case is an alarm and a line of evidence', async () => {
    const test = deliveryWith({ centerId: '101' })
    markCenters(test)
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    const id = addWaiting(test, { centerId: '101' })
    test.service.plan = () => {
      // Another workstation, between our mark and the arrival.
      test.service.center = '102'
      return { kind: 'taken' }
    }
    await test.clock.settle()
    expect(test.outbox.submissions.details(id)?.evidence[0]).toMatchObject({
      kind: 'centerUnsure',
      caseIds: ['100'],
    })
    expect(test.outbox.alarms.listOpen()).toMatchObject([
      { kind: 'centerSwitched', submissionId: id, caseIds: ['100'] },
    ])
    expect(test.alarms).toEqual([id])
  })

  it('keeps a list that was read under another center from being a baseline or an absence', async () => {
    const test = deliveryWith({ centerId: '101' })
    markCenters(test)
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    const calibration = { seen: 3, missed: 0, echoed: 3, slowestMs: SECOND }
    test.outbox.cases.saveCalibration({ ...test.service.identity, centerId: '101' }, calibration)
    test.settings = {
      ...test.settings,
      delivery: { ...test.settings.delivery, resendWhenProvenAbsent: true },
    }
    const id = addWaiting(test, { centerId: '101' })
    test.service.plan = () => ({ kind: 'taken', answers: false })
    const list = test.service.listCases
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('unconfirmed')
    // Another client wins every time a list is read.
    test.service.listCases = (signal) => {
      test.service.center = '102'
      return list(signal)
    }
    await test.clock.turn(DAY)
    expect(test.service.posts).toHaveLength(1)
    expect(test.outbox.submissions.details(id)?.evidence.map(({ kind }) => kind)).not.toContain('absent')
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('a center that the service does not know any more', () => {
  it('is named in the failure after repeated refusals, while the case waits and the others go', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.centersShown = () => [{ centerId: '101', name: null, isCurrent: null }]
    test.service.centerRefusals.set('999', failureOf('serviceRefused'))
    const lost = addWaiting(test, { centerId: '999' })
    const fine = addWaiting(test, { centerId: '101' })
    test.open()
    await test.clock.turn(HOUR)
    expect(stateOf(test, fine)).toBe('sent')
    expect(test.outbox.submissions.get(lost)).toMatchObject({
      state: 'waiting',
      failure: {
        kind: 'centerNotChanged',
        message: expect.stringContaining('does not know the center') as string,
      },
    })
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101'])
  })

  it.each<[string, readonly Center[]]>([
    ['it is still in the list', [{ centerId: '999', name: null, isCurrent: null }]],
    ['the list is empty', []],
  ])('is not said to be so where %s', async (_name, centers) => {
    const test = deliveryWith({ centerId: '999' })
    test.service.centersShown = () => centers
    test.service.centerRefusals.set('999', failureOf('serviceRefused'))
    const id = addWaiting(test, { centerId: '999' })
    test.open()
    await test.clock.turn(HOUR)
    expect(test.outbox.submissions.get(id)?.failure?.message).toBe(failureOf('centerNotChanged').message)
  })
})

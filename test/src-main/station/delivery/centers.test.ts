import { describe, expect, it } from 'vitest'
import { failureFromAnswer } from '../../../../src-main/station/service/failures.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, stateOf } from '../../../tools/outbox-with.ts'
import { deliveryWith, outcomesOf } from './delivery-with.ts'

describe('a case of a center', () => {
  it('arrives under its own center, whatever stands in the settings and whatever order they came in', async () => {
    const test = deliveryWith({ centerId: '103' })
    test.service.firstCenter = '999'
    const centers = ['101', '102', '101', '103', '102', '101', '102', '102']
    for (const centerId of centers) addWaiting(test, { centerId, fields: { history_number: centerId } })
    test.open()
    await test.clock.turn(MINUTE)
    expect(test.outbox.submissions.count().sent).toBe(centers.length)
    for (const post of test.service.posts) expect(post.field('history_number')).toBe(post.centerId)
  })

  it('does not leave under a token that came between the setting and the first byte', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.firstCenter = '999'
    const id = addWaiting(test, { centerId: '101' })
    const { listCases } = test.service
    let renewals = 2
    test.service.listCases = async (signal) => {
      const list = await listCases(signal)
      // The list itself needed a new token.
      if (renewals-- > 0) test.service.renewToken()
      return list
    }
    test.open()
    await test.clock.turn(HOUR)
    expect(stateOf(test, id)).toBe('sent')
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101'])
  })

  it('does not leave under a token that the post itself had to take', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.firstCenter = '999'
    const id = addWaiting(test, { centerId: '101' })
    const { postCase } = test.service
    let renewals = 2
    test.service.postCase = (options) => {
      if (renewals-- > 0) test.service.renewToken()
      return postCase(options)
    }
    test.open()
    await test.clock.turn(HOUR)
    expect(test.service.posts.map((post) => post.centerId)).toEqual(['101'])
    expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'delivered'])
    expect(test.outbox.attempts.of(id)[0]?.handed_over_bytes).toBe(0)
  })

  it('keeps no list as its baseline that was read under a new token, and so under another center', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.firstCenter = '999'
    addWaiting(test, { centerId: '101' })
    const foreign = test.service.addCase({}, '999')
    let isFirst = true
    const { listCases } = test.service
    test.service.listCases = async (signal) => {
      if (isFirst) test.service.renewToken()
      isFirst = false
      return listCases(signal)
    }
    test.open()
    await test.clock.settle()
    const probe = {
      base_url: test.service.identity.baseUrl,
      client_id: test.service.identity.clientId,
      center_id: '101',
      baseline: '[]',
      known_position: test.outbox.cases.knownPosition(),
    }
    expect(test.outbox.cases.wasKnownBefore(probe, foreign)).toBe(false)
  })
})

describe('a center that cannot be set', () => {
  it('lets its own cases step aside, and the others go', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.centerRefusals.set('404', failureOf('centerNotChanged', { serviceSaid: 'unknown center' }))
    const [bad, good] = [addWaiting(test, { centerId: '404' }), addWaiting(test, { centerId: '101' })]
    test.open()
    await test.clock.turn(MINUTE)
    expect(stateOf(test, good)).toBe('sent')
    expect(test.outbox.submissions.get(bad)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'centerNotChanged' },
      attempts: 0,
    })
    test.service.centerRefusals.clear()
    await test.clock.turn(30 * MINUTE)
    expect(stateOf(test, bad)).toBe('sent')
    expect(test.service.posts.at(-1)?.centerId).toBe('404')
  })

  it('is told in the words of the service', async () => {
    const test = deliveryWith()
    test.service.centerRefusals.set('404', failureOf('centerNotChanged', { serviceSaid: 'unknown center' }))
    const bad = addWaiting(test, { centerId: '404' })
    test.open()
    await test.clock.settle()
    expect(test.outbox.submissions.get(bad)?.failure?.serviceSaid).toBe('unknown center')
  })

  it('is not asked for in circles', async () => {
    const test = deliveryWith()
    test.service.centerRefusals.set('404', failureOf('centerNotChanged'))
    addWaiting(test, { centerId: '404' })
    test.open()
    await test.clock.turn(HOUR)
    expect(test.service.asked.filter((what) => what === 'center 404').length).toBeLessThan(150)
  })

  it('because this client may not use it (403) stops no other center', async () => {
    const test = deliveryWith({ centerId: '101' })
    const forbidden = {
      status: 403,
      headers: {},
      body: Buffer.from('{"error":"not yours"}'),
      isComplete: true,
    }
    // What the real client makes of such an answer to change-center, under a token that is new.
    test.service.centerRefusals.set('102', failureFromAnswer('center', forbidden, test.clock.now()))
    const [bad, good] = [addWaiting(test, { centerId: '102' }), addWaiting(test, { centerId: '101' })]
    const delivery = test.open()
    await test.clock.turn(10 * MINUTE)
    expect(stateOf(test, good)).toBe('sent')
    expect(stateOf(test, bad)).toBe('waiting')
    expect(delivery.serviceStatus().health).toBe('reachable')
  })

  it('does not keep the breaker open where it is the one of the settings', async () => {
    const test = deliveryWith({ centerId: '404', delivery: { concurrency: 1 } })
    test.service.centerRefusals.set('404', failureOf('centerNotChanged'))
    const [lost, good] = [addWaiting(test, { centerId: '101' }), addWaiting(test, { centerId: '101' })]
    test.service.plan = (number) => (number === 1 ? { kind: 'answered', status: 503 } : { kind: 'taken' })
    test.open()
    await test.clock.turn(HOUR)
    expect(outcomesOf(test, lost)).toEqual(['unknown'])
    expect(stateOf(test, good)).toBe('sent')
  })

  it('is not asked for in circles by what was lost under it', async () => {
    const test = deliveryWith()
    const lost = addWaiting(test, { centerId: '102' })
    test.service.plan = () => ({ kind: 'answered', status: 502 })
    test.open()
    await test.clock.settle()
    expect(stateOf(test, lost)).toBe('unconfirmed')
    test.service.centerRefusals.set('102', failureOf('centerNotChanged'))
    test.service.renewToken()
    await test.clock.turn(HOUR)
    expect(test.service.asked.filter((what) => what === 'center 102').length).toBeLessThan(1_900)
  })

  it('does not keep the looks and read-backs of other centers', async () => {
    const test = deliveryWith()
    const [bad, good] = ['102', '101'].map((centerId) => addWaiting(test, { centerId })) as [string, string]
    test.service.plan = () => ({ kind: 'taken', answers: false })
    test.service.shows = 'nothing'
    test.open()
    await test.clock.settle()
    test.service.shows = 'reference'
    test.service.centerRefusals.set('102', failureOf('centerNotChanged'))
    await test.clock.turn(5 * MINUTE)
    expect(stateOf(test, good)).toBe('sent')
    expect(stateOf(test, bad)).toBe('unconfirmed')
  })
})

it('takes the same id from two centers that number their cases each for itself', async () => {
  const test = deliveryWith({ centerId: '101' })
  const ids = ['101', '102'].map((centerId) => addWaiting(test, { centerId }))
  test.service.plan = () => ({ kind: 'taken', caseId: '5' })
  test.open()
  await test.clock.turn(MINUTE)
  expect(ids.map((id) => [stateOf(test, id), test.outbox.submissions.row(id)?.case_id])).toEqual([
    ['sent', '5'],
    ['sent', '5'],
  ])
})

describe('a question under a center', () => {
  it('is asked again under the center set anew where a new token came in its middle', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.firstCenter = '999'
    const delivery = test.open()
    await test.clock.settle()
    let count = 0
    const answer = await delivery.ask('101', () => {
      count += 1
      if (count === 1) test.service.renewToken()
      return Promise.resolve(succeed(test.service.center))
    })
    expect(answer).toEqual(succeed('101'))
    expect(count).toBe(2)
  })

  it('is asked again where another client switched the center meanwhile, and answered from no other', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.centersShown = () =>
      ['101', '102'].map((centerId) => ({
        centerId,
        name: null,
        isCurrent: test.service.center === centerId,
      }))
    const delivery = test.open()
    delivery.learnCenters([{ centerId: '101', name: null, isCurrent: true }])
    let switches = 1
    const ask = (): ReturnType<typeof delivery.ask> =>
      delivery.ask('101', () => {
        if (switches-- > 0) test.service.center = '102'
        return Promise.resolve(succeed(test.service.center))
      })
    expect(await ask()).toEqual(succeed('101'))
    switches = 9
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'centerNotChanged' } })
  })

  it('under none is not asked where this station has one: nobody knows whose answer it is', async () => {
    const test = deliveryWith({ centerId: '101' })
    const delivery = test.open()
    const answer = await delivery.ask(null, () => expect.unreachable())
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'centerNotChanged' } })
    expect(await delivery.askAnywhere((client) => client.listCenters())).toMatchObject({ ok: true })
    test.settings = { ...test.settings, centerId: null }
    expect(await delivery.ask(null, (client) => client.listCases())).toMatchObject({ ok: true })
  })

  it('is answered with what stands in its way', async () => {
    const test = deliveryWith()
    test.service.centerRefusals.set('404', failureOf('centerNotChanged'))
    const delivery = test.open()
    const answer = await delivery.ask('404', () => expect.unreachable())
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'centerNotChanged' } })
  })

  it('is not answered from another center, however often the token changes', async () => {
    const test = deliveryWith({ centerId: '101' })
    test.service.firstCenter = '999'
    const delivery = test.open()
    await test.clock.settle()
    const answer = await delivery.ask('101', () => {
      test.service.renewToken()
      return Promise.resolve(succeed(test.service.center))
    })
    expect(answer.ok && answer.value).not.toBe('999')
  })
})

it('does not send under a switched center what was made while the station never switched', async () => {
  const test = deliveryWith({ centerId: '101', delivery: { concurrency: 1 } })
  test.service.firstCenter = 'home'
  const [bound] = [addWaiting(test, { centerId: '101' }), addWaiting(test, { centerId: null })]
  test.open()
  await test.clock.turn(MINUTE)
  expect(stateOf(test, bound)).toBe('sent')
  expect(test.service.posts.map((post) => post.centerId)).toEqual(['101'])
})

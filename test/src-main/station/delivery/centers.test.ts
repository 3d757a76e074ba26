import { describe, expect, it } from 'vitest'
import { failureFromAnswer } from '../../../../src-main/station/service/failures.ts'
import type { Center } from '../../../../src-shared/case.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { addWaiting, someBytes, stateOf } from '../../../tools/outbox-with.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import {
  askedCount,
  calibrate,
  deliveryWith,
  markCenters,
  onEachList,
  outcomesOf,
  sending,
  type TestDelivery,
} from './delivery-with.ts'
import { answered, LOST, type PostPlan } from './scripted-service.ts'

const TAKEN: PostPlan = { kind: 'taken' }
const UNCHANGED = failureOf('centerNotChanged')

const centersOfPosts = ({ service }: TestDelivery) => service.posts.map((post) => post.centerId)
const current = (centerId: string, isCurrent: boolean | null = true): Center => ({
  centerId,
  name: null,
  isCurrent,
})
const refuse =
  (centerId: string, failure = UNCHANGED) =>
  ({ service }: TestDelivery): void =>
    void service.centerRefusals.set(centerId, failure)

describe('a case of a center', () => {
  it('arrives under its own center, whatever is set and whatever order they came in', async () => {
    const { test } = await sending(
      { centerId: '103', cases: 0 },
      ({ service }) => (service.firstCenter = '999'),
    )
    const centers = ['101', '102', '101', '103', '102', '101', '102', '102']
    for (const centerId of centers) addWaiting(test, { centerId, fields: { history_number: centerId } })
    await test.clock.turn(MINUTE)
    expect(test.outbox.countSubmissions().sent).toBe(centers.length)
    for (const post of test.service.posts) expect(post.field('history_number')).toBe(post.centerId)
  })

  it.each(['between the setting and the first byte', 'for the post itself'])(
    'does not leave under a token that was taken %s',
    async (when) => {
      const { test, id } = await sending({ centerId: '101', turnMs: HOUR }, (made) => {
        made.service.firstCenter = '999'
        let renewals = 2
        const renew = (): void => {
          if (renewals-- > 0) made.service.renewToken()
        }
        const { listCases, postCase } = made.service
        if (when.startsWith('for'))
          made.service.postCase = (options) => {
            renew()
            return postCase(options)
          }
        else
          made.service.listCases = async (signal) => {
            const list = await listCases(signal)
            renew()
            return list
          }
      })
      expect(centersOfPosts(test)).toEqual(['101'])
      expect(stateOf(test, id)).toBe('sent')
      if (when.startsWith('for')) {
        expect(outcomesOf(test, id)).toEqual(['unsent', 'unsent', 'delivered'])
        expect(test.outbox.attemptsOf(id)[0]?.handed_over_bytes).toBe(0)
      }
    },
  )

  it('has no list for its baseline that was read under a new token, and so under another center', async () => {
    let foreign = ''
    const { test } = await sending({ centerId: '101' }, (made) => {
      made.service.firstCenter = '999'
      foreign = made.service.addCase({}, '999')
      onEachList(made, (number) => {
        if (number === 1) made.service.renewToken()
      })
    })
    const { baseUrl, clientId } = test.service.identity
    const known_position = test.outbox.knownPosition()
    const attempt = {
      base_url: baseUrl,
      client_id: clientId,
      center_id: '101',
      known_position,
    }
    expect(test.outbox.wasKnownBefore(attempt, foreign)).toBe(false)
  })

  it('may get the id that a case of another center has', async () => {
    const { test } = await sending({ centerId: '101', cases: 0, plan: { kind: 'taken', caseId: '5' } })
    const ids = ['101', '102'].map((centerId) => addWaiting(test, { centerId }))
    await test.clock.turn(MINUTE)
    expect(ids.map((id) => test.outbox.rowOf(id))).toMatchObject([
      { state: 'sent', case_id: '5' },
      { state: 'sent', case_id: '5' },
    ])
  })

  it('that was made while the station had none is not sent under the one that was set since', async () => {
    const options = { centerId: '101', delivery: { concurrency: 1 }, turnMs: MINUTE }
    const { test, id } = await sending(options, (made) => {
      made.service.firstCenter = 'home'
      addWaiting(made, { centerId: null })
    })
    expect(stateOf(test, id)).toBe('sent')
    expect(centersOfPosts(test)).toEqual(['101'])
  })
})

describe('a center that cannot be set', () => {
  it('delays only its own cases, of which none is tried, and goes on once it can be set', async () => {
    const { test, id: bad } = await sending(
      { cases: 1, waiting: { centerId: '404' }, turnMs: HOUR },
      (made) => {
        refuse('404', failureOf('centerNotChanged', { serviceSaid: 'unknown center' }))(made)
        addWaiting(made, { centerId: '101' })
      },
    )
    expect(centersOfPosts(test)).toEqual(['101'])
    expect(test.outbox.submissionOf(bad)).toMatchObject({
      state: 'waiting',
      failure: { kind: 'centerNotChanged', serviceSaid: 'unknown center' },
      attempts: 0,
    })
    // Not asked for in circles.
    expect(askedCount(test, 'center 404')).toBeLessThan(150)
    test.service.centerRefusals.clear()
    await test.clock.turn(30 * MINUTE)
    expect(stateOf(test, bad)).toBe('sent')
    expect(centersOfPosts(test).at(-1)).toBe('404')
  })

  it('because this client may not use it (403) stops no other center', async () => {
    const body = Buffer.from('{"error":"not yours"}')
    const forbidden = { status: 403, headers: {}, body, isComplete: true }
    const options = { centerId: '101', waiting: { centerId: '102' }, turnMs: 10 * MINUTE }
    const {
      test,
      id: bad,
      delivery,
    } = await sending(options, (made) => {
      // What the real client makes of such an answer to change-center, under a token that is new.
      refuse('102', failureFromAnswer('center', forbidden, made.clock.now()))(made)
      addWaiting(made, { centerId: '101' })
    })
    expect([centersOfPosts(test), stateOf(test, bad)]).toEqual([['101'], 'waiting'])
    expect(delivery.serviceStatus().health).toBe('reachable')
  })

  it('does not hold the breaker open if it is the one of the settings', async () => {
    const options = { centerId: '404', waiting: { centerId: '101' }, cases: 2, turnMs: HOUR }
    const plan = [answered(503), TAKEN]
    const { test, ids } = await sending({ ...options, delivery: { concurrency: 1 }, plan }, refuse('404'))
    expect(outcomesOf(test, ids[0] ?? '')).toEqual(['unknown'])
    expect(stateOf(test, ids[1] ?? '')).toBe('sent')
  })

  it('is not asked for in circles by what was lost under it', async () => {
    const { test, id } = await sending({ waiting: { centerId: '102' }, plan: answered(502) })
    expect(stateOf(test, id)).toBe('unconfirmed')
    refuse('102')(test)
    test.service.renewToken()
    await test.clock.turn(HOUR)
    expect(askedCount(test, 'center 102')).toBeLessThan(1_900)
  })

  it('does not stop the lookups of other centers', async () => {
    const { test } = await sending({ cases: 0, plan: LOST })
    test.service.shows = 'nothing'
    const ids = ['102', '101'].map((centerId) => addWaiting(test, { centerId }))
    await test.clock.settle()
    test.service.shows = 'reference'
    refuse('102')(test)
    await test.clock.turn(5 * MINUTE)
    expect(ids.map((id) => stateOf(test, id))).toEqual(['unconfirmed', 'sent'])
  })

  it('is named as unknown at its first refusal, if the list of centers lacks it', async () => {
    const { test, id } = await sending({ centerId: '999', turnMs: SECOND }, (made) => {
      made.service.centersShown = () => [current('101', null)]
      refuse('999', failureOf('serviceRefused'))(made)
    })
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'waiting',
      failure: {
        kind: 'centerNotChanged',
        message: expect.stringContaining('no longer knows this case’s center') as string,
      },
    })
  })

  it.each<[string, readonly Center[]]>([
    ['it is still in the list', [current('999', null)]],
    ['the list is empty', []],
  ])('is not named as unknown if %s', async (_name, centers) => {
    const { test, id } = await sending({ centerId: '999', turnMs: HOUR }, (made) => {
      made.service.centersShown = () => centers
      refuse('999', failureOf('serviceRefused'))(made)
    })
    expect(test.outbox.submissionOf(id)?.failure?.message).toBe(UNCHANGED.message)
  })
})

describe('the mark of the current center', () => {
  /** A delivery under 101 to a service that marks its center, which is known. */
  const marked = async (options: Parameters<typeof sending>[0] = {}) => {
    const opened = await sending({ centerId: '101', cases: 0, ...options }, (test) => markCenters(test))
    opened.delivery.learnCenters([current('101')])
    return opened
  }

  it('is not asked for if no list has ever shown one', async () => {
    const { test, delivery } = await sending({ centerId: '101', cases: 0 })
    delivery.learnCenters([current('101', null)])
    addWaiting(test, { centerId: '101' })
    await test.clock.turn(MINUTE)
    expect(test.service.posts).toHaveLength(1)
    expect(askedCount(test, 'centers')).toBe(0)
  })

  it('once known, is read before and after each case, also after a restart', async () => {
    const folder = temporaryFolder()
    const first = await marked({ folder })
    await first.delivery.close()
    first.test.close()
    const { test } = await sending({ centerId: '101', folder, turnMs: SECOND }, (made) => markCenters(made))
    const asked = test.service.asked.filter((what) => what === 'centers' || what === 'post')
    const post = asked.indexOf('post')
    expect(asked.slice(0, post)).toContain('centers')
    expect(asked.slice(post + 1)).toContain('centers')
    expect(test.outbox.openAlarms()).toEqual([])
  })

  it('lets nothing leave if a switch was accepted and not made', async () => {
    const { test } = await marked()
    test.service.firstCenter = '102'
    // Says yes, and stays as it was.
    test.service.changeCenter = () => Promise.resolve(succeed(null))
    const id = addWaiting(test, { centerId: '101' })
    await test.clock.turn(10 * MINUTE)
    expect([test.service.posts, outcomesOf(test, id)]).toEqual([[], []])
    expect(test.outbox.submissionOf(id)).toMatchObject({
      state: 'waiting',
      failure: {
        kind: 'centerNotChanged',
        message: expect.stringContaining('Another center is current') as string,
      },
    })
  })

  it('lets nothing leave if another client has switched since, and the center is set again', async () => {
    const { test } = await marked()
    addWaiting(test, { centerId: '101' })
    await test.clock.turn(SECOND)
    test.service.center = '102'
    const second = addWaiting(test, { centerId: '101' })
    await test.clock.turn(30 * MINUTE)
    expect(centersOfPosts(test)).toEqual(['101', '101'])
    expect(outcomesOf(test, second)).toEqual(['delivered'])
    expect(test.outbox.openAlarms()).toEqual([])
  })

  it('that shows another one right after a case is an alarm and evidence', async () => {
    const { test } = await marked()
    test.service.plan = () => {
      // Another workstation, between our mark and the arrival.
      test.service.center = '102'
      return TAKEN
    }
    const id = addWaiting(test, { centerId: '101' })
    await test.clock.settle()
    const unsure = { kind: 'centerUnsure', caseIds: ['100'] }
    expect(test.outbox.detailsOf(id)?.evidence[0]).toMatchObject(unsure)
    const alarm = { kind: 'centerSwitched', submissionId: id, caseIds: ['100'] }
    expect(test.outbox.openAlarms()).toMatchObject([alarm])
    expect(test.alarms).toEqual([id])
  })

  it('stops a list that was read under another center from being a baseline or an absence', async () => {
    const { test } = await marked({ plan: LOST, delivery: { resendWhenProvenAbsent: true } })
    calibrate(test, '101')
    const id = addWaiting(test, { centerId: '101' })
    await test.clock.settle()
    expect(stateOf(test, id)).toBe('unconfirmed')
    // Another client wins every time a list is read.
    onEachList(test, () => void (test.service.center = '102'))
    await test.clock.turn(3 * HOUR)
    expect(test.service.posts).toHaveLength(1)
    expect(test.outbox.detailsOf(id)?.evidence.map(({ kind }) => kind)).not.toContain('absent')
    expect(stateOf(test, id)).toBe('unconfirmed')
  })
})

describe('a question under a center', () => {
  const opened = async () => {
    const { test, delivery } = await sending({ centerId: '101', cases: 0 })
    test.service.firstCenter = '999'
    return { test, delivery }
  }
  const shown = (test: TestDelivery) => Promise.resolve(succeed(test.service.center))

  it('is asked again under the center set again if a new token came in its middle', async () => {
    const { test, delivery } = await opened()
    let count = 0
    const answer = await delivery.ask('101', () => {
      count += 1
      if (count === 1) test.service.renewToken()
      return shown(test)
    })
    expect([answer, count]).toEqual([succeed('101'), 2])
  })

  it('is answered from no other center, however often the token changes', async () => {
    const { test, delivery } = await opened()
    const answer = await delivery.ask('101', () => {
      test.service.renewToken()
      return shown(test)
    })
    expect(answer.ok && answer.value).not.toBe('999')
  })

  it('is asked again if another client switched the center meanwhile, and answered from no other', async () => {
    const { test, delivery } = await opened()
    markCenters(test)
    delivery.learnCenters([current('101')])
    let switches = 1
    const ask = (): ReturnType<typeof delivery.ask> =>
      delivery.ask('101', () => {
        if (switches-- > 0) test.service.center = '102'
        return shown(test)
      })
    expect(await ask()).toEqual(succeed('101'))
    switches = 9
    expect(await ask()).toMatchObject({ ok: false, failure: { kind: 'centerNotChanged' } })
  })

  it('under none is not asked if this station has one: it would be unclear whose answer it is', async () => {
    const { test, delivery } = await opened()
    const answer = await delivery.ask(null, () => expect.unreachable())
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'centerNotChanged' } })
    expect(await delivery.askAnywhere((client) => client.listCenters())).toMatchObject({ ok: true })
    test.settings = { ...test.settings, centerId: null }
    expect(await delivery.ask(null, (client) => client.listCases())).toMatchObject({ ok: true })
  })
})

/** Another client with our credentials signs in: by the worst case this silently resets the center. */
describe('a task that signs in separately', () => {
  it('waits for the cases of a center, and those behind it have the center set again', async () => {
    const test = deliveryWith({ centerId: '101' })
    const first = addWaiting(test, { centerId: '101', images: [{ bytes: someBytes(600_000) }] })
    const { postCase } = test.service
    const line = Promise.withResolvers<void>()
    test.service.postCase = async (options) => {
      // The line is slow in the middle of the body.
      const slowly = async function* (): AsyncGenerator<Uint8Array> {
        for await (const piece of options.body.stream()) {
          yield piece
          await line.promise
        }
      }
      return postCase({ ...options, body: { ...options.body, stream: slowly } })
    }
    const delivery = test.open()
    await test.clock.settle()
    const states: (string | null)[] = []
    const task = delivery.runExclusive(async () => {
      states.push(stateOf(test, first))
      test.service.center = '999'
      await test.clock.settle()
      states.push(stateOf(test, second))
      return succeed('done')
    })
    const second = addWaiting(test, { centerId: '101' })
    await test.clock.turn(MINUTE)
    expect(states).toEqual([])
    line.resolve()
    await test.clock.turn(MINUTE)
    expect(await task).toEqual(succeed('done'))
    expect(states).toEqual(['sent', 'waiting'])
    expect([first, second].map((id) => outcomesOf(test, id))).toEqual([['delivered'], ['delivered']])
    expect(centersOfPosts(test)).toEqual(['101', '101'])
  })

  it('lets the others go on if it fails or throws, with the center set again', async () => {
    const { test, delivery } = await sending({ centerId: '101' })
    const refused = fail(failureOf('offline'))
    expect(await delivery.runExclusive(() => Promise.resolve(refused))).toEqual(refused)
    const throwing = delivery.runExclusive(() => {
      test.service.center = '999'
      return Promise.reject(new Error('a bug'))
    })
    await expect(throwing).rejects.toThrow('a bug')
    addWaiting(test, { centerId: '101' })
    await test.clock.settle()
    expect(centersOfPosts(test)).toEqual(['101', '101'])
  })
})

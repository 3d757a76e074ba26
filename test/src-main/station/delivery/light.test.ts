/** What the screens show of the service, from what was heard of it last. */
import { describe, expect, it } from 'vitest'
import {
  type Breaker,
  createHealth,
  isProbeDue,
  type LastHeard,
  lightOf,
  nextAskAt,
  tripBreaker,
} from '../../../../src-main/station/delivery/breaker.ts'
import { heardFrom } from '../../../../src-main/station/service/failures.ts'
import type { Heard, RawAnswer } from '../../../../src-main/station/service/client.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, type FailureKind, failureOf, succeed } from '../../../../src-shared/failure.ts'
import { openService } from '../service/client-with.ts'
import type { Answer } from '../service/loopback.ts'
import { ManualClock } from '../service/manual-clock.ts'
import { askedCount, deliveryWith, sending } from './delivery-with.ts'

const NOW = 100 * HOUR
const CLOSED: Breaker = { kind: 'closed', since: 0, troubles: 0 }
const open = (kind: FailureKind, at: number): Breaker =>
  tripBreaker(CLOSED, failureOf(kind), { baseMs: 5_000, random: 0.5, now: at })
const good = (at: number): LastHeard => ({ at, failure: null })
const bad = (kind: FailureKind, at: number): LastHeard => ({ at, failure: failureOf(kind) })

describe('the light', () => {
  it.each<[string, Breaker, LastHeard | null, string, FailureKind | null]>([
    ['nothing was heard yet', CLOSED, null, 'unknown', null],
    ['an answer of now', CLOSED, good(NOW), 'reachable', null],
    ['an answer of nearly ten minutes ago', CLOSED, good(NOW - 10 * MINUTE + 1), 'reachable', null],
    ['an answer of ten minutes ago', CLOSED, good(NOW - 10 * MINUTE), 'unknown', null],
    ['an answer of tomorrow, by a clock that was set back', CLOSED, good(NOW + 24 * HOUR), 'unknown', null],
    ['a refused token', CLOSED, bad('signedOut', NOW), 'trouble', 'signedOut'],
    ['a defect there', CLOSED, bad('notAnswering', NOW), 'trouble', 'notAnswering'],
    ['a foreign page', CLOSED, bad('wrongAddress', NOW), 'trouble', 'wrongAddress'],
    ['trouble, and then no answer for an hour', CLOSED, bad('offline', NOW - HOUR), 'trouble', 'offline'],
    ['sending that stopped', open('offline', NOW), good(NOW - 1), 'trouble', 'offline'],
    ['an answer since a line was lost', open('offline', NOW - 9), good(NOW), 'reachable', null],
    ['an answer since a sign-in was refused', open('signedOut', NOW - 9), good(NOW), 'reachable', null],
    ['an answer since a case got none', open('notAnswering', NOW - 9), good(NOW), 'trouble', 'notAnswering'],
    ['an old answer since a line was lost', open('offline', 1), good(2), 'trouble', 'offline'],
  ])('after %s', (_name, breaker, heard, health, kind) => {
    const light = lightOf(breaker, heard, NOW)
    expect([light.health, light.failure?.kind ?? null]).toEqual([health, kind])
  })

  it.each<[string, Breaker, LastHeard | null, number | null]>([
    ['at once at the start', CLOSED, null, NOW],
    ['five minutes after an answer', CLOSED, good(NOW - MINUTE), NOW + 4 * MINUTE],
    ['at once after trouble with one question', CLOSED, bad('notAnswering', NOW), NOW],
    ['at once by a clock that was set back', CLOSED, good(NOW + HOUR), NOW],
    ['not while probes ask', open('offline', NOW), good(NOW), null],
  ])('is renewed %s', (_name, breaker, heard, at) => {
    expect(nextAskAt(breaker, heard, NOW)).toBe(at)
  })
})

const answer = (status: number, body: unknown, type = 'application/json'): RawAnswer => ({
  status,
  headers: { 'content-type': type },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  isComplete: true,
})
const PAGE = '<!doctype html><html><title>Sign in to the network</title></html>'

it.each<[string, Parameters<typeof heardFrom>[0], ReturnType<typeof answer>, FailureKind | null | undefined]>(
  [
    ['a list', 'cases', answer(200, []), null],
    ['no list', 'cases', answer(204, ''), null],
    ['a refusal of one question', 'case', answer(404, { error: 'no such case' }), null],
    ['a refusal under 200', 'centers', answer(200, { success: false, content: 'not allowed' }), null],
    ['a report', 'report', answer(200, '%PDF-1.4', 'application/pdf'), null],
    ['no report yet', 'report', answer(404, { success: false }), null],
    ['a report that is a page', 'report', answer(200, PAGE, 'text/html'), undefined],
    ['a page in place of a list', 'cases', answer(200, PAGE, 'text/html'), 'wrongAddress'],
    ['another page', 'centers', answer(404, PAGE, 'text/html'), 'wrongAddress'],
    ['a refused token', 'cases', answer(401, { error: 'expired' }), 'signedOut'],
    [
      'a refused token under 200',
      'cases',
      answer(200, { success: false, content: 'Invalid token' }),
      'signedOut',
    ],
    ['a defect', 'report', answer(500, 'oops', 'text/plain'), 'notAnswering'],
    ['maintenance', 'centers', answer(503, { error: 'later' }), 'notAnswering'],
    ['too many questions', 'cases', answer(429, {}), 'throttled'],
    ['something unreadable', 'cases', answer(200, '{"cases":', 'application/json'), undefined],
  ],
)('%s says of the service what it says', (_name, endpoint, heard, kind) => {
  const failure = heardFrom(endpoint, succeed(heard), NOW)
  expect(failure === undefined ? undefined : (failure?.kind ?? null)).toBe(kind)
})

it.each<[FailureKind, boolean]>([
  ['offline', true],
  ['notTrusted', true],
  ['interrupted', false],
])('a request that failed as %s says something of the service: %s', (kind, isHeard) => {
  expect(heardFrom('cases', fail(failureOf(kind)), NOW)?.kind).toBe(isHeard ? kind : undefined)
})

describe('a refused sign-in', () => {
  const refused = { failure: failureOf('signedOut', { status: 401 }), isSignIn: true }
  const healthAt = (clock: ManualClock) => createHealth({ clock, baseMs: () => 5_000, random: () => 0.5 })

  it('stops sending at once and is not repeated for an hour, whatever else fails meanwhile', () => {
    const clock = new ManualClock()
    const health = healthAt(clock)
    health.noteHeard(refused)
    const until = clock.now() + HOUR
    expect(health.status()).toMatchObject({ health: 'trouble', failure: refused.failure, nextTryAt: until })
    clock.advance(MINUTE)
    health.noteTrouble(failureOf('offline'))
    health.probeNow('station')
    expect(health.status()).toMatchObject({ failure: { kind: 'signedOut' }, nextTryAt: until })
  })

  it.each<[string, (health: ReturnType<typeof healthAt>) => void]>([
    ['a person asks', (health) => health.probeNow('person')],
    ['a call with a token is answered', (health) => health.noteHeard({ failure: null, isSignIn: false })],
  ])('is repeated at once if %s', (_name, act) => {
    const clock = new ManualClock()
    const health = healthAt(clock)
    health.noteHeard(refused)
    clock.advance(MINUTE)
    act(health)
    expect(isProbeDue(health.breaker(), clock.now())).toBe(true)
  })

  it.each<[string, Answer, boolean]>([
    ['by 401', { status: 401, json: { error: 'invalid_client' } }, true],
    ['by 400', { status: 400, json: { error: 'invalid_client' } }, true],
    ['under 200', { json: { success: false, content: 'Wrong secret' } }, true],
    ['by a page of a network', { text: PAGE, headers: { 'content-type': 'text/html' } }, false],
    ['by a defect', { status: 500 }, false],
    ['for a while', { status: 429 }, false],
  ])('is heard %s: by the service itself %s', async (_name, answered, isSignIn) => {
    const { client } = await openService(
      () => ({ json: [] }),
      () => answered,
    )
    const heard: Heard[] = []
    client.onHeard((one) => heard.push(one))
    await client.listCases()
    expect(heard.some((one) => one.isSignIn)).toBe(isSignIn)
    expect(heard.every(({ failure }) => failure !== null)).toBe(true)
  })

  it('is none if the token is taken and the question answered', async () => {
    const { client } = await openService(() => ({ json: [] }))
    const heard: Heard[] = []
    client.onHeard((one) => heard.push(one))
    await client.listCases()
    expect(heard).toEqual([{ failure: null, isSignIn: false }])
  })
})

describe('an idle station', () => {
  it('asks the service at the start and every five minutes, for its centers', async () => {
    const test = deliveryWith()
    const delivery = test.open()
    await test.clock.turn(SECOND)
    expect([delivery.serviceStatus().health, test.service.asked]).toEqual(['unknown', []])
    await test.clock.turn(2 * SECOND)
    expect([delivery.serviceStatus().health, test.service.asked]).toEqual(['reachable', ['centers']])
    await test.clock.turn(HOUR)
    expect(askedCount(test, 'centers')).toBe(13)
    expect(new Set(test.service.asked)).toEqual(new Set(['centers']))
    expect(delivery.serviceStatus().health).toBe('reachable')
  })

  it.each<[FailureKind]>([['signedOut'], ['offline'], ['notAnswering'], ['wrongAddress']])(
    'shows within seconds that it is %s, and that it no longer is',
    async (kind) => {
      const test = deliveryWith()
      test.service.trouble = failureOf(kind)
      const delivery = test.open()
      await test.clock.turn(5 * SECOND)
      expect(delivery.serviceStatus()).toMatchObject({ health: 'trouble', failure: { kind } })
      test.service.trouble = null
      delivery.retryNow('person')
      await test.clock.turn(SECOND)
      expect(delivery.serviceStatus()).toMatchObject({ health: 'reachable', failure: null })
    },
  )

  it('asks for the list of cases if there is no list of centers', async () => {
    const test = deliveryWith()
    test.service.listCenters = () => Promise.resolve(fail(failureOf('answerUnreadable')))
    const delivery = test.open()
    await test.clock.turn(5 * SECOND)
    expect([delivery.serviceStatus().health, test.service.asked]).toEqual(['reachable', ['list']])
  })

  it('does not stop sending because one report is broken, and says so no longer than a question takes', async () => {
    const { test, delivery } = await sending({ turnMs: MINUTE })
    const getReport = () => delivery.askAnywhere((client) => client.getReport('100'))
    test.service.reportAnswer = () => fail(failureOf('notAnswering', { status: 500 }))
    await getReport()
    await test.clock.turn(MINUTE)
    expect(delivery.serviceStatus()).toMatchObject({ health: 'reachable', nextTryAt: null })
  })
})

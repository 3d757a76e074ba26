/** Every fault of a real service: the state that is true, its failure, and what is shown of the service. */
import { expect, it, onTestFinished } from 'vitest'
import { modeOf } from '../../../../src-main/station/status.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import type { Failure, FailureKind } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import { htmlAnswer, jsonAnswer } from '../../../practice-service/answers.ts'
import * as faults from '../../../practice-service/faults.ts'
import type { Fault } from '../../../practice-service/faults.ts'
import type { Endpoint } from '../../../practice-service/journal.ts'
import { openPracticeService } from '../../../practice-service/practice-service.ts'
import { addWaiting, openTestOutbox, someBytes } from '../../../tools/outbox-with.ts'
import { openRealDelivery } from './real-delivery.ts'

/** More than the buffers of a connection on this machine hold; and something that they take at once. */
const LARGE = 64 * 1_024 * 1_024
const SMALL = 100_000

type End = readonly [SubmissionState, FailureKind | null, 'reachable' | 'trouble', string]
const SENT: End = ['sent', null, 'reachable', 'running']
const UNKNOWN: End = ['unconfirmed', 'outcomeUnknown', 'trouble', 'running']
const INTERRUPTED: End = ['waiting', 'interrupted', 'trouble', 'running']
const REFUSED: End = ['refused', 'serviceRefused', 'reachable', 'running']
const WRONG_ADDRESS: End = ['waiting', 'wrongAddress', 'trouble', 'running']
const SIGNED_OUT: End = ['waiting', 'signedOut', 'trouble', 'signedOut']
const NO_CENTER: End = ['waiting', 'centerNotChanged', 'reachable', 'running']
const THROTTLED: End = ['waiting', 'throttled', 'trouble', 'running']

type More = {
  readonly endpoint?: Endpoint
  readonly centerId?: string
  readonly isGone?: boolean
  /** Nothing happens before the clock has been turned so far: the other side is silent. */
  readonly turnMs?: number
  /** What its own message must state beside the text of its kind. */
  readonly states?: RegExp
}
const SIGN_IN: More = { endpoint: 'POST /authorize' }
const NETWORK: More = { ...SIGN_IN, states: /network wants its own sign-in/ }

const ROWS: readonly [name: string, fault: Fault | null, end: End, more?: More][] = [
  ['no fault at all', null, SENT],
  ['connection refused', null, ['waiting', 'notAnswering', 'trouble', 'running'], { isGone: true }],
  ['reset before the body', faults.resetBeforeBody(), INTERRUPTED],
  ['reset amid the body', faults.resetAmidBody(1_000_000), INTERRUPTED],
  ['reset after the body', faults.resetAfterBody(), UNKNOWN],
  ['answer swallowed', faults.swallowAnswer(), UNKNOWN],
  ['answer cut', faults.cutAnswer(), UNKNOWN],
  ['hangs amid the body', faults.hang('body', 1_000_000), INTERRUPTED, { turnMs: 6 * MINUTE }],
  ['hangs after the body', faults.hang('read'), UNKNOWN, { turnMs: 11 * MINUTE }],
  ['500 in HTML after the body', faults.answerStatus(500, 'html'), UNKNOWN],
  ['502 in JSON, and stored', faults.answerStatus(502, 'json', 'done'), UNKNOWN],
  ['200 in HTML after the body', faults.answerStatus(200, 'html'), UNKNOWN],
  ['200 garbage', faults.answerStatus(200, 'garbage', 'done'), UNKNOWN],
  ['200 without an id', faults.succeedWithoutId(200), UNKNOWN],
  ['204 without an id', faults.succeedWithoutId(204), UNKNOWN],
  ['a redirect after the body', faults.redirectTo('/elsewhere', 302, 'read'), UNKNOWN],
  ['400 in JSON', faults.answerStatus(400, 'json'), REFUSED],
  ['422 in JSON', faults.answerStatus(422, 'json'), REFUSED],
  ['200 with success:false', faults.failInEnvelope('history_number is required'), REFUSED],
  ['413 amid the body', faults.refuseAsTooLarge(1_000_000), ['refused', 'tooLarge', 'reachable', 'running']],
  ['403 for this case only', faults.answerStatus(403, 'html'), REFUSED, { states: /Check at the service/ }],
  ['429 with Retry-After', faults.askToWait(429, 120), THROTTLED],
  ['429 for a day', faults.askToWait(429, 86_400), THROTTLED, { states: /24 hours.*Try now/ }],
  ['tokens that expire with the case', faults.expireTokens(), SENT],
  ['a sign-in that is refused', faults.answerStatus(401, 'json'), SIGNED_OUT, SIGN_IN],
  ['a captive portal: 200 in HTML for the sign-in', faults.answerStatus(200, 'html'), WRONG_ADDRESS, SIGN_IN],
  [
    'a captive portal: 302',
    faults.redirectTo('https://portal.example/', 302, 'head'),
    WRONG_ADDRESS,
    SIGN_IN,
  ],
  ['a captive portal: 511', faults.answerStatus(511, 'html'), WRONG_ADDRESS, NETWORK],
  ['a center that is refused', null, NO_CENTER, { centerId: '999' }],
]

async function openService() {
  const service = await openPracticeService({ answerDelayMs: 0 })
  onTestFinished(() => service.close())
  return service
}

it.each(ROWS)(
  '%s',
  async (
    _name,
    fault,
    [state, kind, health, mode],
    { endpoint = 'POST /cases', centerId = null, isGone, turnMs, states = /\w/ } = {},
  ) => {
    const service = await openService()
    if (fault) service.faults.add(endpoint, fault, { times: endpoint === 'POST /cases' ? 1 : 'always' })
    if (isGone === true) await service.goAway()
    const test = openTestOutbox()
    const isLarge = kind === 'interrupted' || kind === 'tooLarge'
    const id = addWaiting(test, { centerId, images: [{ bytes: someBytes(isLarge ? LARGE : SMALL) }] })
    const { delivery, clock } = openRealDelivery(test, service, centerId)
    onTestFinished(() => delivery.close())
    const failure = (): Failure | null =>
      test.outbox.submissionOf(id)?.failure ?? delivery.serviceStatus().failure
    if (turnMs !== undefined) {
      const phase = (): unknown => test.outbox.attemptsOf(id).at(-1)?.phase
      const silentAt = state === 'unconfirmed' ? 'handedOver' : 'sending'
      await expect.poll(phase, { timeout: 20_000 }).toBe(silentAt)
      const isOpen = (): boolean => test.outbox.attemptsOf(id)[0]?.outcome === null
      // A busy machine still fills its buffers: the clock is turned until the silence was noticed, and no further.
      for (let turns = 0; turns < 40 && isOpen(); turns += 1) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        if (isOpen()) clock.advance(turnMs)
      }
    }
    const end = (): unknown => [test.outbox.rowOf(id)?.state, failure()?.kind ?? null]
    await expect.poll(end, { timeout: 20_000 }).toEqual([state, kind])
    const shown = modeOf('running', null, delivery.serviceStatus())
    const shownMode = shown.kind === 'paused' ? shown.why : shown.kind
    expect([delivery.serviceStatus().health, shownMode]).toEqual([health, mode])
    if (kind !== null) expect(failure()?.message).toMatch(states)
  },
  40_000,
)

it.each([
  ['a path of its own', '/v2/cases/', 308],
  ['another host', 'https://new.example/cases', 301],
  ['a sign-in', 'https://portal.example/login', 302],
] as const)('nothing is posted to a service whose list leads to %s', async (_name, location, status) => {
  const service = await openService()
  for (const endpoint of ['GET /cases', 'POST /cases'] as const)
    service.faults.add(endpoint, faults.redirectTo(location, status, 'read'), { times: 'always' })
  const test = openTestOutbox()
  const ids = [addWaiting(test), addWaiting(test)]
  const { delivery, clock } = openRealDelivery(test, service)
  onTestFinished(() => delivery.close())
  const failure = () => delivery.serviceStatus().failure
  await expect.poll(() => failure()?.kind, { timeout: 20_000 }).toBe('wrongAddress')
  clock.advance(10 * MINUTE)
  await expect
    .poll(() => failure()?.message)
    .toMatch(/^The service (?:moved|redirects).*(?:v2|example).*Settings/)
  expect(ids.map((id) => [test.outbox.rowOf(id)?.state, test.outbox.attemptsOf(id).length])).toEqual([
    ['waiting', 0],
    ['waiting', 0],
  ])
})

it.each([
  ['before its body has left', 'head', 'refused', /^The service moved to https:\/\/new\.example;/],
  ['after its body', 'read', 'unconfirmed', /never confirmed/],
] as const)(
  'a redirect of a post alone (%s) names the address that the service has moved to',
  async (_name, moment, state, message) => {
    const service = await openService()
    service.faults.add('POST /cases', faults.redirectTo('https://new.example/cases', 307, moment))
    const test = openTestOutbox()
    const id = addWaiting(test, { images: [{ bytes: someBytes(LARGE) }] })
    const { delivery } = openRealDelivery(test, service)
    onTestFinished(() => delivery.close())
    await expect.poll(() => test.outbox.rowOf(id)?.state, { timeout: 20_000 }).toBe(state)
    expect(test.outbox.submissionOf(id)?.failure?.message).toMatch(message)
    if (state === 'unconfirmed')
      expect(delivery.serviceStatus().failure?.message).toMatch(/^The service moved to/)
  },
)

it('a firewall that answers with a success is named in its own words, and the case is looked up', async () => {
  const service = await openService()
  const page = htmlAnswer(200, 'Request Rejected. Your support ID is: 112435')
  service.faults.add('POST /cases', { name: 'wall', moment: 'read', act: { kind: 'answer', answer: page } })
  const test = openTestOutbox()
  const id = addWaiting(test)
  const { delivery, clock } = openRealDelivery(test, service)
  onTestFinished(() => delivery.close())
  await expect.poll(() => test.outbox.rowOf(id)?.state, { timeout: 20_000 }).toBe('unconfirmed')
  const { failure } = test.outbox.submissionOf(id) ?? {}
  expect(failure).toMatchObject({
    kind: 'outcomeUnknown',
    message: expect.stringMatching(/support ID is: 112435/),
  })
  const keys = (): unknown[] => test.outbox.detailsOf(id)?.evidence.map(({ wording }) => wording?.key) ?? []
  for (let turns = 0; turns < 40 && keys().length === 0; turns += 1) {
    clock.advance(MINUTE)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect(keys()).toContain('sending:lookup.answeredInstead')
})

const MARKER = 'MARKER-7741'

it.each([
  ['a refusal', 400],
  ['a defect', 500],
  ['a success without an id', 200],
])('what the service states in %s is stored for people and is in no log', async (_name, status) => {
  const service = await openService()
  const answer = jsonAnswer(status, { message: `${MARKER} Muster, Maria`, detail: MARKER })
  service.faults.add('POST /cases', { name: 'marked', moment: 'read', act: { kind: 'answer', answer } })
  service.faults.add('GET /cases/{id}', faults.failInEnvelope(MARKER), { times: 'always' })
  const test = openTestOutbox()
  const id = addWaiting(test)
  const { delivery, logger } = openRealDelivery(test, service)
  onTestFinished(() => delivery.close())
  const last = () => test.outbox.attemptsOf(id).at(-1)
  await expect.poll(() => last()?.outcome ?? null, { timeout: 10_000 }).not.toBeNull()
  const text = expect.stringContaining(MARKER) as string
  expect(test.outbox.answerOf(last()?.id ?? '')).toMatchObject({ status, text })
  expect(logger.lines.length).toBeGreaterThan(0)
  const logs = JSON.stringify([logger.lines, test.outbox.listAudit({ limit: 100 })])
  expect(logs).not.toContain(MARKER)
})

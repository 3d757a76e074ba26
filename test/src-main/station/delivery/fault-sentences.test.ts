/** Every fault has its sentence: what happened, what it means for the case, what to do next; and the state that is true. */
import { expect, it, onTestFinished } from 'vitest'
import { modeOf } from '../../../../src-main/station/status.ts'
import { MINUTE } from '../../../../src-shared/durations.ts'
import { type Failure, type FailureKind } from '../../../../src-shared/failure.ts'
import type { SubmissionState } from '../../../../src-shared/states.ts'
import type { Endpoint } from '../../../practice-service/front-door.ts'
import * as faults from '../../../practice-service/faults.ts'
import type { Fault } from '../../../practice-service/faults.ts'
import { openPracticeService, type PracticeService } from '../../../practice-service/practice-service.ts'
import { addWaiting, openTestOutbox, someBytes } from '../../../tools/outbox-with.ts'
import { openRealDelivery } from './real-delivery.ts'

type Mode = 'running' | 'signedOut'
type Row = {
  readonly name: string
  readonly endpoint?: Endpoint
  readonly fault?: Fault
  readonly arrange?: (service: PracticeService) => Promise<void> | void
  /** Nothing happens before the clock has been turned so far: the other side is silent. */
  readonly turnMs?: number
  readonly centerId?: string
  readonly expected: readonly [SubmissionState, FailureKind | null, 'unknown' | 'reachable' | 'trouble', Mode]
  /** What the sentence must say: that it is kept or was not sent, and what comes next. */
  readonly says: RegExp
}

const CASES: Endpoint = 'POST /cases'
/** More than the buffers of a connection on this machine hold; and something that they take at once. */
const LARGE = 64 * 1_024 * 1_024
const SMALL = 100_000
const KEPT = /kept|not sent|Nothing was sent|nothing was sent/
const REFUSED = /not taken|refused/
/** The station goes on by itself, or a person is told what to do. */
const NEXT =
  /again by itself|by themselves|Read|Send|Check|Ask|ask|open the case|sign in|send again|Try now|go on when|Split|split|there is nothing to do/
const LOOKED = /not send it again by itself.*open the case/
const UNKNOWN = { expected: ['unconfirmed', 'outcomeUnknown', 'trouble', 'running'] as const, says: LOOKED }

function isLarge(fault: Fault | undefined): boolean {
  return fault?.moment === 'body' || fault?.moment === 'head'
}

const ROWS: readonly Row[] = [
  { name: 'no fault at all', expected: ['sent', null, 'reachable', 'running'], says: /^$/ },
  {
    name: 'connection refused',
    arrange: (service) => service.goAway(),
    expected: ['waiting', 'notAnswering', 'trouble', 'running'],
    says: KEPT,
  },
  {
    name: 'reset before the body',
    endpoint: CASES,
    fault: faults.resetBeforeBody(),
    expected: ['waiting', 'interrupted', 'trouble', 'running'],
    says: KEPT,
  },
  {
    name: 'reset amid the body',
    endpoint: CASES,
    fault: faults.resetAmidBody(1_000_000),
    expected: ['waiting', 'interrupted', 'trouble', 'running'],
    says: KEPT,
  },
  { name: 'reset after the body', endpoint: CASES, fault: faults.resetAfterBody(), ...UNKNOWN },
  { name: 'answer swallowed', endpoint: CASES, fault: faults.swallowAnswer(), ...UNKNOWN },
  { name: 'answer cut', endpoint: CASES, fault: faults.cutAnswer(), ...UNKNOWN },
  {
    name: 'hangs amid the body',
    endpoint: CASES,
    fault: faults.hang('body', 1_000_000),
    turnMs: 6 * MINUTE,
    expected: ['waiting', 'interrupted', 'trouble', 'running'],
    says: KEPT,
  },
  {
    name: 'hangs after the body',
    endpoint: CASES,
    fault: faults.hang('read'),
    turnMs: 11 * MINUTE,
    ...UNKNOWN,
  },
  {
    name: '500 in HTML after the body',
    endpoint: CASES,
    fault: faults.answerStatus(500, 'html'),
    ...UNKNOWN,
  },
  {
    name: '502 in JSON, and stored',
    endpoint: CASES,
    fault: faults.answerStatus(502, 'json', 'done'),
    ...UNKNOWN,
  },
  {
    name: '200 in HTML after the body',
    endpoint: CASES,
    fault: faults.answerStatus(200, 'html'),
    ...UNKNOWN,
  },
  { name: '200 garbage', endpoint: CASES, fault: faults.answerStatus(200, 'garbage', 'done'), ...UNKNOWN },
  { name: '200 without an id', endpoint: CASES, fault: faults.succeedWithoutId(200), ...UNKNOWN },
  { name: '204 without an id', endpoint: CASES, fault: faults.succeedWithoutId(204), ...UNKNOWN },
  {
    name: 'a redirect after the body',
    endpoint: CASES,
    fault: faults.redirectTo('/elsewhere', 302, 'read'),
    ...UNKNOWN,
  },
  {
    name: '400 in JSON',
    endpoint: CASES,
    fault: faults.answerStatus(400, 'json'),
    expected: ['refused', 'serviceRefused', 'reachable', 'running'],
    says: REFUSED,
  },
  {
    name: '422 in JSON',
    endpoint: CASES,
    fault: faults.answerStatus(422, 'json'),
    expected: ['refused', 'serviceRefused', 'reachable', 'running'],
    says: REFUSED,
  },
  {
    name: '200 with success:false',
    endpoint: CASES,
    fault: faults.failInEnvelope('history_number is required'),
    expected: ['refused', 'serviceRefused', 'reachable', 'running'],
    says: REFUSED,
  },
  {
    name: '413 amid the body',
    endpoint: CASES,
    fault: faults.refuseAsTooLarge(1_000_000),
    expected: ['refused', 'tooLarge', 'reachable', 'running'],
    says: REFUSED,
  },
  {
    name: '403 for this case only',
    endpoint: CASES,
    fault: faults.answerStatus(403, 'html'),
    expected: ['refused', 'serviceRefused', 'reachable', 'running'],
    says: /on the way.*Check at the service whether the case is there/,
  },
  {
    name: '404 for this case only',
    endpoint: CASES,
    fault: faults.answerStatus(404, 'html'),
    expected: ['refused', 'serviceRefused', 'reachable', 'running'],
    says: /on the way.*Check at the service whether the case is there/,
  },
  {
    name: '429 with Retry-After',
    endpoint: CASES,
    fault: faults.askToWait(429, 120),
    expected: ['waiting', 'throttled', 'trouble', 'running'],
    says: KEPT,
  },
  {
    name: '429 with Retry-After of a day',
    endpoint: CASES,
    fault: faults.askToWait(429, 86_400),
    expected: ['waiting', 'throttled', 'trouble', 'running'],
    says: /24 hours.*kept.*Try now/,
  },
  {
    name: 'tokens that expire with the case',
    endpoint: CASES,
    fault: faults.expireTokens(),
    expected: ['sent', null, 'reachable', 'running'],
    says: /^$/,
  },
  {
    name: 'a sign-in that is refused',
    endpoint: 'POST /authorize',
    fault: faults.answerStatus(401, 'json'),
    expected: ['waiting', 'signedOut', 'trouble', 'signedOut'],
    says: /kept.*Settings/,
  },
  {
    name: 'a captive portal: 200 in HTML for the sign-in',
    endpoint: 'POST /authorize',
    fault: faults.answerStatus(200, 'html'),
    expected: ['waiting', 'wrongAddress', 'trouble', 'running'],
    says: /nothing was sent.*Settings/,
  },
  {
    name: 'a captive portal: 302 for the sign-in',
    endpoint: 'POST /authorize',
    fault: faults.redirectTo('https://portal.example/', 302, 'head'),
    expected: ['waiting', 'wrongAddress', 'trouble', 'running'],
    says: /nothing was sent.*Settings/,
  },
  {
    name: 'a captive portal: 511 for the sign-in',
    endpoint: 'POST /authorize',
    fault: faults.answerStatus(511, 'html'),
    expected: ['waiting', 'wrongAddress', 'trouble', 'running'],
    says: /kept; sign in to the network/,
  },
  {
    name: 'a center that is refused',
    centerId: '999',
    expected: ['waiting', 'centerNotChanged', 'unknown', 'running'],
    says: /not sent.*again by itself/,
  },
]

it.each(ROWS)(
  '$name',
  async ({ endpoint, fault, arrange, turnMs, centerId, expected, says }) => {
    const service = await openPracticeService({ answerDelayMs: 0 })
    onTestFinished(() => service.close())
    const times = endpoint === CASES ? 1 : ('always' as const)
    if (endpoint && fault) service.faults.add(endpoint, fault, { times })
    await arrange?.(service)
    const test = openTestOutbox()
    const id = addWaiting(test, {
      centerId: centerId ?? null,
      images: [{ bytes: someBytes(isLarge(fault) ? LARGE : SMALL) }],
    })
    const { delivery, clock } = openRealDelivery(test, service, centerId ?? null)
    onTestFinished(() => delivery.close())
    const end = (): unknown => [test.outbox.submissions.row(id)?.state, failureOf()?.kind ?? null]
    const failureOf = (): Failure | null =>
      test.outbox.submissions.get(id)?.failure ?? delivery.serviceStatus().failure
    const [state, kind, health, mode] = expected
    if (turnMs !== undefined) {
      const phase = (): unknown => test.outbox.attempts.of(id).at(-1)?.phase
      const silentAt = state === 'unconfirmed' ? 'handedOver' : 'sending'
      await expect.poll(phase, { timeout: 20_000 }).toBe(silentAt)
      // A busy machine still fills its buffers: the clock is turned until the silence was noticed.
      for (let turns = 0; turns < 40 && test.outbox.submissions.row(id)?.state === 'sending'; turns += 1) {
        await new Promise((resolve) => setTimeout(resolve, 250))
        clock.advance(turnMs)
      }
    }
    await expect.poll(end, { timeout: 20_000 }).toEqual([state, kind])
    expect(delivery.serviceStatus().health).toBe(health)
    const shown = modeOf('running', null, delivery.serviceStatus())
    expect(shown.kind === 'paused' ? shown.why : shown.kind).toBe(mode)
    const failure = failureOf()
    expect(failure?.message ?? '').toMatch(says)
    if (failure === null || kind === null) return
    // The title says what happened; the message says what it means and what comes next, and ends as a sentence.
    expect(failure.message).toMatch(NEXT)
    expect(failure.message).toMatch(/\.\)?$/)
  },
  40_000,
)

import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../../../../src-main/station/delivery/outcome.ts'
import type { RawAnswer } from '../../../../src-main/station/service/client.ts'
import { StoppedError } from '../../../../src-main/station/service/http.ts'
import { evidenceOf } from '../../../../src-main/station/service/post-case.ts'
import { failureOf } from '../../../../src-shared/failure.ts'

const REQUEST_BYTES = 1_000
const NOW = 5_000

function answer(status: number, body: unknown = '', headers: Record<string, string> = {}): RawAnswer {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers, body: Buffer.from(text), isComplete: true }
}

const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' })
const cut = (status: number): RawAnswer => ({ ...answer(status, '{"id'), isComplete: false })

/** What it comes to when every byte was handed over, and when the last one was not. */
type Case = [what: string, answer: RawAnswer | null, through: string, held: string, error?: Error]

const TABLE: Case[] = [
  ['no answer, the line broke', null, 'unknown', 'unsent', broken],
  ['no answer in time', null, 'unknown', 'unsent', new StoppedError('timeOver')],
  ['stopped by us', null, 'unknown', 'unsent', new StoppedError('cancelled')],
  // An id before the end of the body is no receipt for the images that had not come yet.
  ['201 with an id', answer(201, { id: 7 }), 'delivered 7', 'unknown'],
  ['200 with an id as content', answer(200, { success: true, content: '8812' }), 'delivered 8812', 'unknown'],
  ['200 without an id', answer(200, { success: true }), 'unknown', 'unsent'],
  ['200 with nothing', answer(200), 'unknown', 'unsent'],
  ['200 with a page', answer(200, '<!doctype html><p>hello'), 'unknown', 'unsent'],
  ['200 cut in the middle', cut(200), 'unknown', 'unsent', broken],
  ['200 that says no', answer(200, { success: false, content: 'No number' }), 'refused', 'refused'],
  ['302', answer(302), 'unknown', 'refused doubtful'],
  ['308', answer(308), 'unknown', 'refused doubtful'],
  ['400', answer(400, { error: 'visit_date' }), 'refused', 'refused'],
  ...[401, 403, 404, 405, 407].map((status): Case => [
    String(status),
    answer(status),
    'refused doubtful',
    'refused doubtful',
  ]),
  // A proxy that lost its patience with a slow line: the request was not whole for it, and is no refusal of the case.
  ['408', answer(408), 'unknown', 'unsent'],
  ['425', answer(425), 'unknown', 'unsent'],
  ['413', answer(413), 'refused', 'refused'],
  ['415', answer(415), 'refused', 'refused'],
  ['422', answer(422, { errors: { od_iop: ['too high'] } }), 'refused', 'refused'],
  ['422 cut in the middle', cut(422), 'refused', 'refused', broken],
  ['429', answer(429, '', { 'retry-after': '7' }), 'unsent', 'unsent'],
  ['500', answer(500, 'oops'), 'unknown', 'unsent'],
  ['500 that names an id', answer(500, { id: 7 }), 'unknown', 'unsent'],
  ['502', answer(502), 'unknown', 'unsent'],
  ['503 with Retry-After', answer(503, '', { 'retry-after': '7' }), 'unknown', 'unsent'],
  ['504', answer(504), 'unknown', 'unsent'],
]

function found(response: RawAnswer | null, handedOverBytes: number, error: Error | null = null) {
  const trace = { answer: response, error, handedOverBytes, requestBytes: REQUEST_BYTES }
  return outcomeOf(evidenceOf(trace, { now: () => NOW }))
}

function shortly(outcome: ReturnType<typeof outcomeOf>): string {
  if (outcome.outcome === 'delivered') return `delivered ${outcome.caseId}`
  return outcome.outcome === 'refused' && outcome.isDoubtful ? 'refused doubtful' : outcome.outcome
}

describe('the outcome of an attempt', () => {
  it.each(TABLE)('after %s', (_what, response, through, held, error) => {
    const whole = found(response, REQUEST_BYTES, error)
    expect(shortly(whole)).toBe(through)
    expect(shortly(found(response, REQUEST_BYTES - 1, error))).toBe(held)
    if (whole.outcome !== 'delivered') expect(whole.failure.requestBytes).toBe(REQUEST_BYTES)
  })

  it('is unsent if nothing was handed over and no answer came', () => {
    const unsent = { outcome: 'unsent', next: 'afterPause', failure: { kind: 'notAnswering' } }
    expect(found(null, 0, broken)).toMatchObject(unsent)
  })

  it('that is unknown has its own message and the text of the service', () => {
    const failure = { kind: 'outcomeUnknown', status: 502, serviceSaid: 'bad gateway' }
    expect(found(answer(502, { message: 'bad gateway' }), REQUEST_BYTES)).toMatchObject({ failure })
  })

  it('of a no that was cut off before its end is no refusal', () => {
    const evidence = {
      requestBytes: REQUEST_BYTES,
      answer: { ...answer(200, { success: false }), isComplete: false },
      caseId: null,
      failure: failureOf('serviceRefused'),
      saysTokenEnded: false,
    }
    expect(outcomeOf({ ...evidence, handedOverBytes: REQUEST_BYTES }).outcome).toBe('unknown')
    expect(outcomeOf({ ...evidence, handedOverBytes: 1 }).outcome).toBe('unsent')
  })

  it('that was throttled has the time that the service asked for', () => {
    const failure = { kind: 'throttled', notBefore: NOW + 7_000 }
    expect(found(answer(429, '', { 'retry-after': '7' }), 10)).toMatchObject({ failure })
  })
})

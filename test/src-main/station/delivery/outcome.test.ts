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

type Case = {
  readonly what: string
  readonly answer: RawAnswer | null
  readonly error?: Error
  /** What it comes to when every byte was handed over, and when the last one was not. */
  readonly through: string
  readonly held: string
}

const TABLE: readonly Case[] = [
  { what: 'no answer, the line broke', answer: null, error: broken, through: 'unknown', held: 'unsent' },
  {
    what: 'no answer in time',
    answer: null,
    error: new StoppedError('timeOver'),
    through: 'unknown',
    held: 'unsent',
  },
  {
    what: 'stopped by us',
    answer: null,
    error: new StoppedError('cancelled'),
    through: 'unknown',
    held: 'unsent',
  },
  // An id before the end of the body is no receipt for the images that had not come yet.
  { what: '201 with an id', answer: answer(201, { id: 7 }), through: 'delivered 7', held: 'unknown' },
  {
    what: '200 with an id as content',
    answer: answer(200, { success: true, content: '8812' }),
    through: 'delivered 8812',
    held: 'unknown',
  },
  { what: '200 without an id', answer: answer(200, { success: true }), through: 'unknown', held: 'unsent' },
  { what: '200 with nothing', answer: answer(200), through: 'unknown', held: 'unsent' },
  {
    what: '200 with a page',
    answer: answer(200, '<!doctype html><p>hello'),
    through: 'unknown',
    held: 'unsent',
  },
  { what: '200 cut in the middle', answer: cut(200), error: broken, through: 'unknown', held: 'unsent' },
  {
    what: '200 that says no',
    answer: answer(200, { success: false, content: 'The history number is missing' }),
    through: 'refused',
    held: 'refused',
  },
  { what: '302', answer: answer(302), through: 'unknown', held: 'refused doubtful' },
  { what: '308', answer: answer(308), through: 'unknown', held: 'refused doubtful' },
  { what: '400', answer: answer(400, { error: 'visit_date' }), through: 'refused', held: 'refused' },
  { what: '401', answer: answer(401), through: 'refused doubtful', held: 'refused doubtful' },
  { what: '403', answer: answer(403), through: 'refused doubtful', held: 'refused doubtful' },
  { what: '404', answer: answer(404), through: 'refused doubtful', held: 'refused doubtful' },
  { what: '405', answer: answer(405), through: 'refused doubtful', held: 'refused doubtful' },
  { what: '407', answer: answer(407), through: 'refused doubtful', held: 'refused doubtful' },
  // A proxy that lost its patience with a slow line: the request was not whole for it, and is no refusal of the case.
  { what: '408', answer: answer(408), through: 'unknown', held: 'unsent' },
  { what: '425', answer: answer(425), through: 'unknown', held: 'unsent' },
  { what: '413', answer: answer(413), through: 'refused', held: 'refused' },
  { what: '415', answer: answer(415), through: 'refused', held: 'refused' },
  {
    what: '422',
    answer: answer(422, { errors: { od_iop: ['too high'] } }),
    through: 'refused',
    held: 'refused',
  },
  { what: '422 cut in the middle', answer: cut(422), error: broken, through: 'refused', held: 'refused' },
  { what: '429', answer: answer(429, '', { 'retry-after': '7' }), through: 'unsent', held: 'unsent' },
  { what: '500', answer: answer(500, 'oops'), through: 'unknown', held: 'unsent' },
  { what: '500 that names an id', answer: answer(500, { id: 7 }), through: 'unknown', held: 'unsent' },
  { what: '502', answer: answer(502), through: 'unknown', held: 'unsent' },
  {
    what: '503 with Retry-After',
    answer: answer(503, '', { 'retry-after': '7' }),
    through: 'unknown',
    held: 'unsent',
  },
  { what: '504', answer: answer(504), through: 'unknown', held: 'unsent' },
]

function judged(one: Case, handedOverBytes: number): ReturnType<typeof outcomeOf> {
  const trace = { answer: one.answer, error: one.error ?? null, handedOverBytes, requestBytes: REQUEST_BYTES }
  return outcomeOf(evidenceOf(trace, { now: () => NOW }))
}

function inWords(found: ReturnType<typeof outcomeOf>): string {
  if (found.outcome === 'delivered') return `delivered ${found.caseId}`
  return found.outcome === 'refused' && found.isDoubtful ? 'refused doubtful' : found.outcome
}

describe('the outcome of an attempt', () => {
  it.each(TABLE)('after all bytes and $what: $through', (one) => {
    expect(inWords(judged(one, REQUEST_BYTES))).toBe(one.through)
  })

  it.each(TABLE)('with the last byte held back and $what: $held', (one) => {
    expect(inWords(judged(one, REQUEST_BYTES - 1))).toBe(one.held)
  })

  it('is unsent where nothing was handed over and no answer came', () => {
    const found = outcomeOf(
      evidenceOf(
        { answer: null, error: broken, handedOverBytes: 0, requestBytes: REQUEST_BYTES },
        { now: () => NOW },
      ),
    )
    expect(found).toMatchObject({ outcome: 'unsent', next: 'afterPause', failure: { kind: 'notAnswering' } })
  })

  it.each(TABLE.filter(({ through }) => !through.startsWith('delivered')))(
    'of $what names the size of the request',
    (one) => {
      expect(judged(one, REQUEST_BYTES)).toMatchObject({ failure: { requestBytes: REQUEST_BYTES } })
    },
  )

  it('that is unknown says so in its own words and keeps those of the service', () => {
    const one = { what: '', answer: answer(502, { message: 'bad gateway' }), through: '', held: '' }
    expect(judged(one, REQUEST_BYTES)).toMatchObject({
      failure: { kind: 'outcomeUnknown', status: 502, serviceSaid: 'bad gateway' },
    })
  })

  it('of a no that was cut off before its end is no refusal', () => {
    const said = { ...answer(200, { success: false }), isComplete: false }
    const evidence = {
      requestBytes: REQUEST_BYTES,
      answer: said,
      caseId: null,
      failure: failureOf('serviceRefused'),
      saysTokenEnded: false,
    }
    expect(outcomeOf({ ...evidence, handedOverBytes: REQUEST_BYTES }).outcome).toBe('unknown')
    expect(outcomeOf({ ...evidence, handedOverBytes: 1 }).outcome).toBe('unsent')
  })

  it('that was throttled keeps the time that the service asked for', () => {
    const one = { what: '', answer: answer(429, '', { 'retry-after': '7' }), through: '', held: '' }
    expect(judged(one, 10)).toMatchObject({ failure: { kind: 'throttled', notBefore: NOW + 7_000 } })
  })
})

import { describe, expect, it } from 'vitest'
import {
  clockDifference,
  createClockWatch,
  createTokens,
  type IssuedToken,
  readToken,
} from '../../../../src-main/station/service/exchange.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { ManualClock as TurningClock } from '../../../tools/manual-clock.ts'
import { fc } from '../../../tools/property.ts'
import { openService } from './client-with.ts'
import { anyBytes, bytesOf } from './hostile-json.ts'
import { ManualClock } from './manual-clock.ts'

function setUp(lifetimeMs: number | null) {
  const clock = new ManualClock()
  let takes = 0
  let isRefusing = false
  const gate: { wait: Promise<void> } = { wait: Promise.resolve() }
  const take = async (): Promise<Result<IssuedToken>> => {
    const token = `t${++takes}`
    await gate.wait
    if (isRefusing) return fail(failureOf('signedOut'))
    return succeed({ token, expiresAt: lifetimeMs === null ? null : clock.now() + lifetimeMs })
  }
  const tokens = createTokens({ take, clock })
  const held = async (forMs = 0): Promise<string> => {
    const token = await tokens.acquire({ forMs })
    return token.ok ? token.value.value : token.failure.kind
  }
  return {
    clock,
    tokens,
    held,
    gate,
    takes: () => takes,
    refuse: (refusing: boolean) => (isRefusing = refusing),
  }
}

describe('createTokens', () => {
  it('keeps a token until shortly before its end', async () => {
    const { clock, held } = setUp(HOUR)
    expect(await held()).toBe('t1')
    clock.advance(HOUR - MINUTE - 1)
    expect(await held()).toBe('t1')
    clock.advance(1)
    expect(await held()).toBe('t2')
  })

  it('uses most of a short life', async () => {
    const { clock, held } = setUp(10_000)
    await held()
    clock.advance(8_999)
    expect(await held()).toBe('t1')
    clock.advance(1)
    expect(await held()).toBe('t2')
  })

  it('does not plan ahead with tokens that live for minutes', async () => {
    const { clock, held } = setUp(5 * MINUTE)
    await held()
    clock.advance(4 * MINUTE)
    expect(await held(HOUR)).toBe('t1')
  })

  it('keeps a token without an end for ever', async () => {
    const { clock, held } = setUp(null)
    await held()
    clock.advance(1_000 * HOUR)
    expect(await held()).toBe('t1')
  })

  it('takes a new one if the old would not hold for the wish, but not for a wish that none could fulfil', async () => {
    const { clock, held } = setUp(HOUR)
    await held()
    clock.advance(45 * MINUTE)
    expect(await held(10 * MINUTE)).toBe('t1')
    expect(await held(20 * MINUTE)).toBe('t2')
    clock.advance(MINUTE)
    expect(await held(100 * HOUR)).toBe('t2')
  })

  it('takes one for all who ask at once', async () => {
    const { held, takes, tokens } = setUp(HOUR)
    expect(await Promise.all([held(), held(), held()])).toEqual(['t1', 't1', 't1'])
    expect([takes(), tokens.number()]).toEqual([1, 1])
  })

  it('replaces a refused token once, however many were refused with it', async () => {
    const { held, takes, tokens } = setUp(HOUR)
    await held()
    const replaced = await Promise.all([tokens.replace(1), tokens.replace(1)])
    expect(replaced.map((token) => token.ok && token.value.number)).toEqual([2, 2])
    expect(await tokens.replace(1)).toMatchObject({ ok: true, value: { number: 2 } })
    expect(takes()).toBe(2)
  })

  it('counts no token that was refused, and tries again', async () => {
    const { held, tokens, refuse } = setUp(HOUR)
    refuse(true)
    expect(await held()).toBe('signedOut')
    expect(tokens.number()).toBe(0)
    refuse(false)
    expect(await held()).toBe('t2')
    expect(tokens.number()).toBe(1)
  })

  it('lets one stop waiting without taking the token from the others', async () => {
    const { held, tokens, gate, takes } = setUp(HOUR)
    const { promise, resolve } = Promise.withResolvers<void>()
    gate.wait = promise
    const impatient = new AbortController()
    const first = tokens.acquire({ signal: impatient.signal })
    const second = held()
    impatient.abort()
    expect(await first).toMatchObject({ ok: false, failure: { kind: 'interrupted' } })
    resolve()
    expect(await second).toBe('t1')
    expect(takes()).toBe(1)
  })
})

const NOW = Date.UTC(2026, 10, 20)
const read = (json: unknown): unknown => readToken(bytesOf(json), NOW)

describe('readToken', () => {
  it.each<[string, unknown, string, number | null]>([
    [
      'access_token and expires_in',
      { access_token: 't1', token_type: 'Bearer', expires_in: 3600 },
      't1',
      3_600_000,
    ],
    ['expires_in as text', { access_token: 't1', expires_in: '60' }, 't1', 60_000],
    ['token', { token: 't1' }, 't1', null],
    ['token inside data', { data: { token: 't1', expires_in: 60 } }, 't1', 60_000],
    ['access_token inside content', { success: true, content: { access_token: 't1' } }, 't1', null],
    ['access_token inside token', { token: { access_token: 't1' }, expires_in: 60 }, 't1', 60_000],
    ['a text inside content', { success: true, content: 't1' }, 't1', null],
    ['token inside result', { result: { token: 't1' } }, 't1', null],
    ['a bare JSON text', '"t1"', 't1', null],
    ['a bare token', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.', null],
    ['epoch seconds', { token: 't1', expires: NOW / 1_000 + 90 }, 't1', 90_000],
    ['epoch seconds as text', { token: 't1', expires: String(NOW / 1_000 + 90) }, 't1', 90_000],
    ['epoch milliseconds', { token: 't1', expires: NOW + 90_000 }, 't1', 90_000],
    ['an ISO date', { token: 't1', expires: '2026-11-20T01:00:00Z' }, 't1', 3_600_000],
    ['an end in the past', { token: 't1', expires: '2020-01-01T00:00:00Z' }, 't1', null],
    ['no life at all', { token: 't1', expires_in: 0 }, 't1', null],
    ['an end that is no date', { token: 't1', expires: 'never' }, 't1', null],
    ['a prefix', { token: 'Bearer t1' }, 't1', null],
    ['an endless life', { token: 't1', expires_in: 1e300 }, 't1', 365 * 86_400_000],
  ])('reads %s', (_name, json, token, lifetimeMs) => {
    expect(read(json)).toEqual({ token, expiresAt: lifetimeMs === null ? null : NOW + lifetimeMs })
  })

  it.each<[string, unknown]>([
    ['an error', { error: 'invalid_client', error_description: 'Unknown client' }],
    ['success:false', { success: false, content: 'invalid-client' }],
    ['success:false beside a token', { success: false, token: 't1' }],
    ['a sentence', '"invalid client"'],
    ['a page', '<html><body>Sign in</body></html>'],
    ['nothing', ''],
    ['null', null],
    ['a token that would break the header', { token: 't1\r\nX-Evil: 1' }],
    ['a giant', { token: 'x'.repeat(20_000) }],
    ['a number', { token: 5 }],
    ['a prototype', '{"__proto__":{"token":"t1"}}'],
  ])('finds no token in %s', (_name, json) => {
    expect(read(json)).toBeNull()
  })

  it('never throws, and what it reads can stand in a header', () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const token = readToken(bytes, NOW)
        if (token !== null) expect(token.token).toMatch(/^[\x21-\x7e]+$/)
      }),
    )
  })
})

const NINE = Date.UTC(2026, 10, 20, 9)
const dated = (at: number): Record<string, string> => ({ date: new Date(at).toUTCString() })

describe('the clock of this computer', () => {
  const watched = () => {
    const clock = new TurningClock({ now: NINE })
    const watch = createClockWatch(clock, () => undefined)
    return { clock, watch, agree: () => watch.note(dated(clock.now()), clock.now(), clock.now()) }
  }

  it('is known as right only after several answers of this session', () => {
    const { watch, agree } = watched()
    const kinds = [watch.reading().kind]
    for (let count = 0; count < 3; count += 1) {
      agree()
      kinds.push(watch.reading().kind)
    }
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown', 'right'])
  })

  it('stays right while no one sets it, and is unknown once someone has, until answers agree again', async () => {
    const { clock, watch, agree } = watched()
    for (let count = 0; count < 3; count += 1) agree()
    await clock.turn(3 * DAY)
    expect(watch.reading().kind).toBe('right')
    clock.set(3 * 365 * DAY)
    expect(watch.reading().kind).toBe('unknown')
    for (const kind of ['unknown', 'unknown', 'right']) {
      agree()
      expect(watch.reading().kind).toBe(kind)
    }
    clock.set(-365 * DAY)
    expect(watch.reading().kind).toBe('unknown')
  })
})

describe('the difference of two clocks', () => {
  it.each<
    [name: string, headers: Record<string, string>, sentAt: number, receivedAt: number, ms: number | null]
  >([
    ['is none within the way there and back', dated(NINE), NINE - 200, NINE + 900, 0],
    ['is none for an answer that took long', dated(NINE), NINE - 9 * MINUTE, NINE + MINUTE, 0],
    ['is what is left of it', dated(NINE), NINE + 10 * MINUTE, NINE + 11 * MINUTE, 10 * MINUTE - SECOND],
    ['is negative where ours is behind', dated(NINE), NINE - DAY, NINE - DAY + SECOND, -DAY + SECOND],
    ['is unknown without a date', {}, NINE, NINE, null],
    ['is unknown of what is no date', { date: 'soon' }, NINE, NINE, null],
    ['is unknown of an answer that was kept on the way', { ...dated(NINE), age: '600' }, NINE, NINE, null],
  ])('%s', (_name, headers, sentAt, receivedAt, ms) => {
    expect(clockDifference(headers, sentAt, receivedAt)).toBe(ms)
  })

  it('is reported after several answers, with the least of them, and is gone with the first that agrees', () => {
    let changes = 0
    const watch = createClockWatch(new TurningClock(), () => (changes += 1))
    const note = (aheadMs: number): void => watch.note(dated(NINE), NINE + aheadMs, NINE + aheadMs)
    note(DAY)
    note(9 * MINUTE)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
    note(7 * MINUTE)
    expect(watch.reading()).toEqual({ kind: 'wrong', differenceMs: 7 * MINUTE - SECOND })
    note(0)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
    expect(changes).toBe(2)
  })

  it('that is now ahead and now behind is a service with two clocks', () => {
    const watch = createClockWatch(new TurningClock(), () => undefined)
    for (const aheadMs of [DAY, -DAY, DAY, -DAY]) watch.note(dated(NINE), NINE + aheadMs, NINE + aheadMs)
    expect(watch.reading()).toEqual({ kind: 'unknown' })
  })
})

it('is found in the answers of a service, and stops nothing', async () => {
  const service = await openService(() => ({ json: [] }))
  // The clock of the test is in 2026, the server's is the machine's.
  for (let count = 0; count < 3; count += 1)
    expect(await service.client.listCases()).toMatchObject({ ok: true })
  const difference = service.clock.now() - Date.now()
  const found = service.client.clockReading()
  if (Math.abs(difference) < 6 * MINUTE) expect(found).not.toHaveProperty('differenceMs')
  else {
    expect(found.kind).toBe('wrong')
    expect(Math.abs((found.kind === 'wrong' ? found.differenceMs : 0) - difference)).toBeLessThan(10 * SECOND)
  }
})

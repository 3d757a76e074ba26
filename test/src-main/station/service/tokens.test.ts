import { describe, expect, it } from 'vitest'
import { createTokens, type IssuedToken, readToken } from '../../../../src-main/station/service/exchange.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { fc } from '../../../tools/property.ts'
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

  it('takes a new one where the old would not hold for the wish, but not for a wish that none could fulfil', async () => {
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

import { describe, expect, it } from 'vitest'
import { createTokens, type IssuedToken } from '../../../../src-main/station/service/tokens.ts'
import { HOUR, MINUTE } from '../../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../../src-shared/failure.ts'
import { ManualClock } from './manual-clock.ts'

function setUp(lifeMs: number | null) {
  const clock = new ManualClock()
  let takes = 0
  let isRefusing = false
  const gate: { wait: Promise<void> } = { wait: Promise.resolve() }
  const take = async (): Promise<Result<IssuedToken>> => {
    const token = `t${++takes}`
    await gate.wait
    if (isRefusing) return fail(failureOf('signedOut'))
    return succeed({ token, expiresAt: lifeMs === null ? null : clock.now() + lifeMs })
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

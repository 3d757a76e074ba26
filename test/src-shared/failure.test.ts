import { describe, expect, it } from 'vitest'
import {
  FAILURE_KINDS,
  FAILURE_TEXTS,
  failureOf,
  failureSchema,
  RESOLVERS,
} from '../../src-shared/failure.ts'

describe.each(FAILURE_KINDS)('the failure %s', (kind) => {
  it('has a title, whole sentences and somebody who mends it', () => {
    const { title, message, resolvedBy: mendedBy } = FAILURE_TEXTS[kind]
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(message).toMatch(/^[A-Z].*\.$/)
    expect(RESOLVERS).toContain(mendedBy)
    expect(failureSchema.parse(failureOf(kind))).toEqual({ kind, message })
  })
})

it('takes a more exact sentence and facts over its own words', () => {
  expect(failureOf('tooLarge', { message: 'Too large.', status: 413, requestBytes: 9 })).toEqual({
    kind: 'tooLarge',
    message: 'Too large.',
    status: 413,
    requestBytes: 9,
  })
})

it.each([
  { kind: 'unheardOf', message: 'x' },
  { kind: 'offline' },
  { kind: 'offline', message: 'x', status: 1.5 },
  { kind: 'offline', message: 'x', serviceSaid: 'y'.repeat(2_001) },
])('is not %j', (value) => {
  expect(failureSchema.safeParse(value).success).toBe(false)
})

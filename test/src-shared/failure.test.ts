import { describe, expect, it } from 'vitest'
import { failureKindSchema, failureOf, failureSchema } from '../../src-shared/failure.ts'
import texts from '../../src-shared/texts/en/failure.json' with { type: 'json' }

describe.each(failureKindSchema.options)('the failure %s', (kind) => {
  it('has a title and whole sentences', () => {
    const { title, message } = texts[kind]
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(message).toMatch(/^[A-Z].*\.$/)
    const wording = { key: `failure:${kind}.message` }
    expect(failureSchema.parse(failureOf(kind))).toEqual({ kind, message, wording })
  })
})

it('takes a more exact message and facts over its own words', () => {
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

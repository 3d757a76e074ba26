import { describe, expect, it } from 'vitest'
import { nameVisibility, nextCheckMs, type Presence } from '../../../src-renderer/privacy/names.tsx'
import { MINUTE } from '../../../src-shared/durations.ts'

const here: Presence = { wish: 'show', lastInputAt: 1_000, hideAfterMs: 5 * MINUTE }

describe('names', () => {
  it.each([
    { what: 'just touched', presence: here, after: 0, shown: 'shown', next: 5 * MINUTE },
    { what: 'nearly', presence: here, after: 5 * MINUTE - 1, shown: 'shown', next: 1 },
    { what: 'long enough', presence: here, after: 5 * MINUTE, shown: 'hiddenWhileIdle', next: null },
    { what: 'a clock set back', presence: here, after: -60 * MINUTE, shown: 'shown', next: 5 * MINUTE },
    {
      what: 'never by themselves',
      presence: { ...here, hideAfterMs: null },
      after: 60 * MINUTE,
      shown: 'shown',
      next: null,
    },
    {
      what: 'by hand, whoever is there',
      presence: { ...here, wish: 'hide' },
      after: 0,
      shown: 'hiddenByHand',
      next: null,
    },
    {
      what: 'by hand, and nobody there',
      presence: { ...here, wish: 'hide' },
      after: 9 * MINUTE,
      shown: 'hiddenByHand',
      next: null,
    },
  ] as const)('$what: $shown', ({ presence, after, shown, next }) => {
    expect(nameVisibility(presence, 1_000 + after)).toBe(shown)
    expect(nextCheckMs(presence, 1_000 + after)).toBe(next)
  })
})

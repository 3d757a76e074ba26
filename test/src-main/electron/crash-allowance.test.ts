import { expect, it } from 'vitest'
import { createRateLimit } from '../../../src-main/electron/crash-history.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

it('allows three in any five minutes', () => {
  const clock = new ManualClock()
  const mayReload = createRateLimit(clock, { most: 3, withinMs: 300_000 })
  const asked = [0, 1_000, 60_000, 1_000, 200_000, 38_000, 1_000].map((laterMs) => {
    clock.advance(laterMs)
    return mayReload()
  })
  // The first one is five minutes old at the sixth question, and the second one a second later.
  expect(asked).toEqual([true, true, true, false, false, true, true])
})

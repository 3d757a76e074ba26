import { expect, it } from 'vitest'
import { retryDelayMs } from '../../../src-renderer/link/link.ts'

it('grows from a blink to three seconds and no further', () => {
  expect([0, 1, 2, 3, 4, 50].map(retryDelayMs)).toEqual([250, 500, 1_000, 2_000, 3_000, 3_000])
})

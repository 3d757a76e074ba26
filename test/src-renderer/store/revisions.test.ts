import { expect, it } from 'vitest'
import { compareRevision } from '../../../src-renderer/store/store.ts'

it.each([
  [null, 7, 'next'],
  [7, 8, 'next'],
  [7, 9, 'gap'],
  [7, 7, 'old'],
  [7, 3, 'old'],
] as const)('after revision %s, revision %d is %s', (last, revision, step) => {
  expect(compareRevision(last, revision)).toBe(step)
})

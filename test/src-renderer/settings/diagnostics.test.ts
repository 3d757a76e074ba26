import { describe, expect, it } from 'vitest'
import { splitAtMatches, stepMatch } from '../../../src-renderer/settings/diagnostics.tsx'

describe('the pieces of a text', () => {
  it.each([
    ['one two one', 'one', ['[0:one]', ' two ', '[1:one]']],
    ['One ONE', 'one', ['[0:One]', ' ', '[1:ONE]']],
    ['aaaa', 'aa', ['[0:aa]', '[1:aa]']],
    ['nothing of it', 'zebra', ['nothing of it']],
    ['nothing asked', '  ', ['nothing asked']],
    ['a.c abc', 'a.c', ['[0:a.c]', ' abc']],
    // The small form of this letter is two letters long.
    ['\u0130stanbul here', 'here', ['\u0130stanbul ', '[0:here]']],
  ])('%o searched for %o', (text, terms, expected) => {
    const pieces = splitAtMatches(text, terms)
    expect(
      pieces.map((piece) => (piece.match === null ? piece.text : `[${piece.match}:${piece.text}]`)),
    ).toEqual(expected)
    expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  })

  it('marks no more places than a screen can hold', () => {
    const pieces = splitAtMatches('a'.repeat(10_000), 'a')
    expect(pieces).toHaveLength(2_001)
    expect(pieces.at(-1)?.text).toHaveLength(8_000)
  })
})

it.each([
  [0, 3, 1, 1],
  [2, 3, 1, 0],
  [0, 3, -1, 2],
  [0, 0, 1, 0],
] as const)('steps from index %i of %i by %i to %i', (index, count, by, next) => {
  expect(stepMatch(index, count, by)).toBe(next)
})

/** What holds for every pattern and every path. */
import { describe, expect, it } from 'vitest'
import { ignoredTermOf, readByProfile } from '../../../../../src-main/station/intake/profile/profile.ts'
import { PATTERN_PARTS, patternProblem } from '../../../../../src-shared/profile-pattern.ts'
import { type Profile, profileSchema } from '../../../../../src-shared/profile.ts'
import { fc, runs } from '../../../../tools/property.ts'

function profileWith(pattern: string, more: object = {}): Profile {
  return profileSchema.parse({ id: 'own', title: 'Own', patterns: [pattern], ...more })
}

describe('for every pattern', () => {
  it('a history number is whole if it is read at all', () => {
    // Separators that also stand inside of values: then there may be several readings, and none may be chosen.
    const piece = fc.constantFrom('1', '22', 'a', '-', '_', '.', ' ', 'OD', '20260602', '/')
    const part = fc.constantFrom(
      ...'{historyNumber} {any} {unique} {view} {name} {number} [-{any}]'.split(' '),
    )
    const separator = fc.constantFrom('-', '_', '.', ' ', '/')
    const pattern = fc
      .array(fc.tuple(part, separator), { minLength: 1, maxLength: 5 })
      .map((pairs) => pairs.flat().slice(0, -1).join(''))
      .filter((text) => patternProblem(text) === null && text.split('{historyNumber}').length === 2)
    fc.assert(
      fc.property(pattern, fc.array(piece, { maxLength: 12 }), (text, pieces) => {
        const path = pieces.join('')
        const value = readByProfile(profileWith(text), `${path}.jpg`)?.historyNumber?.value
        if (value === undefined) return
        const others = readingsByForce(text, path).filter((other) => other !== value)
        expect(others).toEqual([])
      }),
      { numRuns: runs(2_000) },
    )
  })

  it('no path makes it throw', () => {
    // As many between the parts as there are parts.
    const pieces = [
      ...PATTERN_PARTS.map((part) => `{${part}}`),
      ...'_/]x_/]x_/]x'.split(''),
      '[-',
      '[-',
      '[-',
    ]
    const anyPattern = fc
      .array(fc.constantFrom(...pieces), { maxLength: 12 })
      .map((pieces) => pieces.join(''))
      .filter((pattern) => patternProblem(pattern) === null)
    const anyPath = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom('/', '_', '-', '.', '1', '2', '0', 'O', 'D', '\u0301', '\ud800'),
        maxLength: 60,
      }),
    )
    fc.assert(
      fc.property(anyPattern, anyPath, fc.string({ minLength: 1, maxLength: 5 }), (pattern, path, term) => {
        const profile = profileWith(pattern, { leaveAlone: [term], eyeWords: { right: [term] } })
        readByProfile(profile, path)
        ignoredTermOf(profile, path)
      }),
      { numRuns: runs(1_000) },
    )
  })
})

/** Every history number of any reading, found by trying all cuts with one plain regular expression for each. */
function readingsByForce(pattern: string, path: string): readonly string[] {
  const free = ['_', '.'].filter((mark) => !pattern.replaceAll(/\{\w+\}/g, '').includes(mark)).join('')
  const underscore = free.includes('_') ? '_' : ''
  const shapes: Record<string, string> = {
    any: '[^/]{1,255}',
    unique: `[\\p{L}\\p{N}.\\-${underscore}]*[\\p{L}\\p{N}]`,
    view: `[\\p{L}\\p{N}\\- ${underscore}]*[\\p{L}\\p{N}]`,
    name: `\\p{L}(?:[\\p{L}'.\\- _]*[\\p{L}.])?`,
    number: '(?<!\\d)\\d+(?!\\d)',
  }
  const found = new Set<string>()
  for (let start = 0; start < path.length; start += 1) {
    for (let end = start + 1; end <= path.length; end += 1) {
      const value = path.slice(start, end)
      if (!new RegExp(`^[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\-${free}]*[\\p{L}\\p{N}])?$`, 'u').test(value))
        continue
      if (!/\d/.test(value)) continue
      const source = pattern
        .replaceAll('.', String.raw`\.`)
        .replaceAll('[', '(?:')
        .replaceAll(']', ')?')
        .replace('{historyNumber}', `(?<=^.{${start}})(?:.{${end - start}})`)
        .replaceAll(/\{([a-z]+)\}/g, (_, part: string) => shapes[part] ?? '(?!)')
      if (new RegExp(`(?:^|/)${source}$`, 'iu').test(path)) found.add(value)
    }
  }
  return [...found]
}

describe('the time it takes', () => {
  const part20 = Array.from({ length: 20 }, () => '{any}').join('-')
  it.each([
    ['one long name', `{historyNumber}-${part20}`, '-'.repeat(4_000)],
    ['names as long as they can be', `{historyNumber}-${part20}`, `${'1-'.repeat(127)}/`.repeat(15)],
    [
      'many folders',
      `{historyNumber}/${Array.from({ length: 20 }, () => '{any}').join('/')}`,
      '1a/'.repeat(1_333),
    ],
    ['nearly a fit', `${part20}-{eye}`, `${'a-'.repeat(126)}9/`.repeat(15) + 'a-'.repeat(126)],
    ['sections', `{historyNumber}${'[-{any}]'.repeat(20)}`, `x/${'1-'.repeat(127)}`],
    ['dates', Array.from({ length: 20 }, () => '{date}').join('-'), '20260602-'.repeat(444)],
  ])('is bounded: %s', (_, pattern, path) => {
    const profile = profileWith(pattern)
    readByProfile(profile, path)
    const start = performance.now()
    readByProfile(profile, path)
    // Thousands of times more than this where ways multiply; a busy machine makes no such difference.
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

import { fc, runs } from '../tools/property.ts'
import { describe, expect, it } from 'vitest'
import { PATTERN_PARTS, patternProblem } from '../../src-shared/profile-pattern.ts'
import { profileById, profileSchema, SHIPPED_PROFILES } from '../../src-shared/profile.ts'

it.each([
  '{historyNumber}_/{historyNumber}_Retina_{eye}_{date}_{time}',
  '{historyNumber}/{historyNumber}_{eye}{number}',
  '{historyNumber}{date:YYYYMMDD}_{time:HHMMSS}{eye}',
  '{historyNumber}_{date:YYYYMMDD}{number}',
  '{date:YYYY/MM/DD}/{historyNumber}[_{eye}[_{number}]]',
  '{lastName}[, {firstName}]_{historyNumber}',
  '{time:H.MM.SS.mmm_AM}',
  'Fotos de {name}/{any}',
  '{historyNumber}_{dateTime:DDMMYYYYHHMM}',
])('a pattern that can be used: %s', (pattern) => {
  expect(patternProblem(pattern)).toBeNull()
})

describe('what is wrong with a pattern', () => {
  it.each([
    ['', /empty/],
    ['{historyNumber}_{eyes}', /no part \{eyes\}.*\{eye\}/s],
    ['{historyNumber}_{Eye}', /Write \{eye\}/],
    ['{}', /no part \{\}/],
    ['{historyNumber}_{eye', /\{ is not closed/],
    ['{historyNumber', /\{ is not closed/],
    ['historyNumber}', /\} has no \{/],
    ['{historyNumber}[_{eye}', /\[ is not closed/],
    ['{historyNumber}_{eye}]', /\] has no \[/],
    ['{historyNumber}[]', /brackets \[ \] are empty/],
    ['{lastName}{firstName}', /nothing between \{lastName\} and \{firstName\}/],
    ['{lastName}[{firstName}]', /nothing between/],
    ['{lastName}[_][{firstName}]', /nothing between/],
    ['{historyNumber}[_{any}]{eye}', /nothing between/],
    ['{date}{time:HHMMSS}', /nothing between \{date\} and \{time\}/],
    ['{date}{time}', /how a date is written/],
    ['{historyNumber}{number}', /nothing between/],
    ['{historyNumber}_{date:DDMM}', /“DDMM” does not say how the date is written/],
    ['{historyNumber}_{date:DDMMYYYYHH}', /does not say/],
    ['{historyNumber}_{date:DDDMYYYY}', /does not say/],
    ['{historyNumber}_{time:SS}', /how the time is written/],
    ['{historyNumber}_{dateTime:YYYYMMDD}', /does not say/],
    ['{historyNumber}_{eye:OD}', /takes nothing after a colon/],
    ['{any}', /reads nothing/],
    ['IMG_{number}', /reads nothing/],
    ['[{historyNumber}]', /All of this pattern may be absent/],
    ['[{historyNumber}_][{date}]', /All of this pattern may be absent/],
    ['{historyNumber}\\{any}', /Write \/ between folders/],
    ['{historyNumber}_*', /\{any\}/],
    ['/{historyNumber}', /folders in front may be anything/],
    ['{historyNumber}/', /ends with a folder/],
    ['{historyNumber}//{any}', /side by side/],
    ['{historyNumber}.jpg', /Leave out the extension \.jpg/],
  ])('%s', (pattern, message) => {
    expect(patternProblem(pattern)?.message).toMatch(message)
  })

  it('is returned, and never thrown, whatever is typed', () => {
    const piece = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', '/', '_', ':', ...PATTERN_PARTS.map((part) => `{${part}}`)),
      fc.string({ unit: 'binary', maxLength: 5 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const problem = patternProblem(pieces.join(''))
        expect(problem === null || /[.}]$/.test(problem.message)).toBe(true)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

describe('a profile', () => {
  it('is refused with the message about its pattern', () => {
    const parsed = profileSchema.safeParse({
      id: 'own',
      title: 'Own',
      patterns: ['{historyNumber}', '{eyes}'],
    })
    expect(parsed.error?.issues).toMatchObject([
      { path: ['patterns', 1], message: expect.stringMatching('no part {eyes}') },
    ])
  })

  it('gives no term to both eyes', () => {
    const own = { id: 'own', title: 'Own' }
    expect(profileSchema.safeParse({ ...own, eyeWords: { right: ['D'], left: ['I'] } }).success).toBe(true)
    expect(profileSchema.safeParse({ ...own, eyeWords: { right: ['Ojo'], left: ['ojo'] } }).success).toBe(
      false,
    )
  })
})

describe('the shipped profiles', () => {
  it('have ids of their own', () => {
    const ids = SHIPPED_PROFILES.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).not.toContain('auto')
  })

  it('are found by id, after those of the clinic', () => {
    const own = profileSchema.parse({ id: 'eidon', title: 'Ours' })
    expect(profileById('eidon', [])?.title).toMatch('EIDON')
    expect(profileById('eidon', [own])).toBe(own)
    expect(profileById('auto', [{ ...own, id: 'auto' }])).toBeNull()
    expect(profileById('none', [own])).toBeNull()
  })
})

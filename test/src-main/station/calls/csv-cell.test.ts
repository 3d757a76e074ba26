import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { csvLine, escapeFormula } from '../../../../src-main/station/calls/csv-export.ts'
import { fc, runs } from '../../../tools/property.ts'

/** Written apart from the guard on purpose: what a spreadsheet takes for the beginning of a formula. */
const STARTERS = ['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠', '﹢', '﹣', '﹦', '﹫', '−']
const IN_FRONT = ['', ' ', '"', "'", ' "', '\u00a0', '\u200b', '\u0000', '\ufeff', '\u3000', '\n', '\u202e ']

function beginsFormula(cell: string): boolean {
  if (cell.startsWith("'")) return false
  const bare = /[^\s"'\p{Z}\p{C}]/u.exec(cell)?.[0] ?? ''
  return STARTERS.includes(bare) || /^[\t\r\n]/.test(cell)
}

/** Texts out of the letters that matter, together with any other. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...STARTERS, ...IN_FRONT, ';', '|', ',', '\r\n', 'cmd|x!A1'),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

describe('a cell', () => {
  it.each(STARTERS.flatMap((starter) => IN_FRONT.map((front) => [JSON.stringify(front + starter)])))(
    'that begins with %s is words',
    (text) => {
      const cell = JSON.parse(text) as string
      expect(escapeFormula(`${cell}SUM(A1)`)).toBe(`'${escapeFormula(`${cell}SUM(A1)`).slice(1)}`)
      expect(beginsFormula(escapeFormula(`${cell}SUM(A1)`))).toBe(false)
    },
  )

  it('of ordinary words and numbers stays as it is', () => {
    for (const text of ['', 'H-00017', 'Ready to check', '12', 'a=b', '{"from":"review"}', '¿Ya?'])
      expect(escapeFormula(text)).toBe(text)
  })

  it('begins no formula for a program that was told of another separator', () => {
    expect(escapeFormula('a;=1+1|@x\n+2')).toBe("a;'=1+1|'@x\n'+2")
  })

  it('of any text begins no formula, and parses back to what was written', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 9 }), (cells) => {
        const line = csvLine(cells)
        const [parsed] = parse(line, { relax_column_count: true, record_delimiter: '\r\n' })
        expect(parsed).toEqual(cells.map(escapeFormula))
        expect(parsed?.some(beginsFormula)).toBe(false)
        // Nothing is lost but what was put in front.
        expect(
          cells.every((cell) => escapeFormula(cell).replaceAll("'", '') === cell.replaceAll("'", '')),
        ).toBe(true)
        for (const piece of line.split(/[;|\t\r\n]/).slice(1)) expect(beginsFormula(piece)).toBe(false)
      }),
      { numRuns: runs(2_000) },
    )
  })
})

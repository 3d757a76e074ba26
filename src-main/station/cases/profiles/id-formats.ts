/** The closed set of forms that the patients' numbers of a folder have. Pure. */
import type { IdFormat } from '../../../../src-shared/confirmed-profile.ts'
import { shapeOf } from '../meaning/numbers.ts'
import { carriesCheck, commonCheck } from './check-digits.ts'

const LETTER = /\p{L}/u

/** Fewer ids of a form do not show which of its letters are always the same. */
const MIN_IDS_FOR_LETTERS = 3

/** The formats of these ids as they are spelled, the most frequent first. */
export function formatsOf(ids: readonly string[]): readonly IdFormat[] {
  const different = [...new Set(ids.map((id) => id.normalize('NFC').toLowerCase()))]
  const byShape = Map.groupBy(different, shapeOf)
  const prefix = commonPrefix(different)
  return [...byShape]
    .toSorted(([, some], [, others]) => others.length - some.length)
    .map(([shape, alike]) => ({ shape: withSameLetters(shape, alike, prefix), check: commonCheck(alike) }))
}

/** The letters with which all ids begin. */
function commonPrefix(ids: readonly string[]): string {
  const [first = ''] = ids
  if (ids.length < MIN_IDS_FOR_LETTERS) return ''
  const letters = /^\p{L}*/u.exec(first)?.[0] ?? ''
  return ids.every((id) => id.startsWith(letters)) ? letters : ''
}

function withSameLetters(shape: string, ids: readonly string[], prefix: string): string {
  const spelled = ids.map((id) => Array.from(id))
  const isEnough = ids.length >= MIN_IDS_FOR_LETTERS
  return Array.from(shape, (symbol, index) => {
    const letter = spelled[0]?.[index]
    if (symbol !== 'A' || letter === undefined) return symbol
    if (index < prefix.length) return letter
    return isEnough && spelled.every((other) => other[index] === letter) ? letter : symbol
  }).join('')
}

/** A form of number in this many approved visits is no slip. */
const MIN_VISITS_OF_FORM = 3

/** The formats of the ids of approved visits; of a form that too few of them have, only if none has enough. */
export function formatsOfVisits(
  ids: readonly { readonly id: string; readonly caseId: string }[],
): readonly IdFormat[] {
  const visitsOf = Map.groupBy(ids, ({ id }) => shapeOf(id.normalize('NFC').toLowerCase()))
  const frequent = [...visitsOf.values()].filter(
    (alike) => new Set(alike.map(({ caseId }) => caseId)).size >= MIN_VISITS_OF_FORM,
  )
  return formatsOf((frequent.length > 0 ? frequent.flat() : ids).map(({ id }) => id))
}

const COMPILED = new WeakMap<IdFormat, RegExp>()

function patternOf(format: IdFormat): RegExp {
  const known = COMPILED.get(format)
  if (known) return known
  const source = Array.from(format.shape, (symbol) => {
    if (symbol === '9') return String.raw`\d`
    if (symbol === 'A') return String.raw`\p{L}`
    return LETTER.test(symbol) ? symbol : `\\u{${symbol.codePointAt(0)?.toString(16) ?? ''}}`
  }).join('')
  const made = new RegExp(source, 'iuy')
  COMPILED.set(format, made)
  return made
}

/** The ends of the ids of these formats that begin at a position. */
export function idEnds(formats: readonly IdFormat[], text: string, start: number): readonly number[] {
  const ends = formats.flatMap((format) => {
    const pattern = patternOf(format)
    pattern.lastIndex = start
    const found = pattern.exec(text)?.[0]
    if (found === undefined || (format.check !== null && !carriesCheck(format.check, found))) return []
    return [start + found.length]
  })
  return [...new Set(ends)]
}

/** Which tokens of a name make one number, and how it may be read. Pure. */
import { digitsIn } from '../meaning/numbers.ts'
import type { Token } from './tokens.ts'
import { isIdLabel } from '../meaning/vocabulary.ts'

/** What else a path says that decides whether digits are a time or a counter. */
export type Surroundings = {
  /** A file set of DICOM or of a camera's card, whose names are counters. */
  readonly isFileSet: boolean
  readonly inFolder: boolean
  /** The folder around the file states a number and a day: what is short in the file's name counts. */
  readonly isOfVisitFolder: boolean
  readonly hasDayFolder: boolean
  readonly hasOtherEye: boolean
}

/** The joints inside one number; `_` separates fields. */
function isInner(joint: string): boolean {
  return joint === '-' || joint === '.' || joint === ' ' || joint === "'" || joint === '/' || joint === '–'
}

export type Chain = { readonly from: number; readonly to: number }

/** Numbers and single letters that follow one another inside a field, with a prefix of capitals or a year. */
export function chainsOf(tokens: readonly Token[], hasOtherEye: boolean): Chain[] {
  const chains: Chain[] = []
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index]
    const isEye = token?.kind === 'eye' || token?.kind === 'letter'
    if (isEye && !hasOtherEye) continue
    if (!isPrefix(tokens, index) && !isDigits(token)) continue
    let to = index
    while (to + 1 < tokens.length && joins(tokens, index, to + 1)) to += 1
    if (tokens.slice(index, to + 1).some((each) => isDigits(each))) chains.push({ from: index, to })
    index = to
  }
  return chains
}

function isDigits(token: Token | undefined): boolean {
  return token?.kind === 'number' || token?.kind === 'sequence'
}

/** So many capitals are part of the number wherever they stand, and so many if no hyphen separates fields. */
const MAX_PREFIX = 4
const MAX_BOUND_PREFIX = 8

/** HC-004512, X-2210292-L, R-229, OS-1231417, AIREADI-12345, 2026-41207: what stands directly in front of a number. */
export function isPrefix(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || next?.kind !== 'number' || next.joint !== '-') return false
  // 678436-OS-003: between hyphens an eye is an eye.
  if (token.kind === 'letter' || token.kind === 'eye') return at === 0
  if (token.kind === 'year') return at === 0 && /^\d+$/.test(next.text)
  if (token.kind === 'initial') return true
  if (token.text !== token.text.toUpperCase()) return false
  if (token.kind === 'term') return isIdLabel(token.folded) && token.text.length <= MAX_PREFIX
  // LOPEZ-ANA-771020: no prefix has one of its own.
  if (token.kind !== 'text' || (at > 0 && token.joint === '-')) return false
  // LOPEZ-771020-OD: here hyphens separate fields.
  const isBound = tokens.every(
    ({ joint }, other) => joint !== '-' || (other > at && isWithin(tokens, at, other)),
  )
  return token.text.length <= (isBound ? MAX_BOUND_PREFIX : MAX_PREFIX)
}

/** True if nothing but digits stands between the two. */
function isWithin(tokens: readonly Token[], at: number, other: number): boolean {
  return tokens.slice(at + 1, other + 1).every((token) => isDigits(token))
}

function joins(tokens: readonly Token[], from: number, at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (before === undefined || token === undefined || !isInner(token.joint)) return false
  // A letter ends a number, unless it begins it: 4009147-R-082549 is a number, an eye and a time.
  if (at - 1 > from && !isDigits(before) && before.kind !== 'year') return false
  if (isDigits(token)) {
    // `OD 1`, `HC 004512`: behind a space only digits continue digits.
    return token.joint !== ' ' || (isDigits(before) && /^\d+$/.test(token.text) && /\d$/.test(before.text))
  }
  // 677-741-2026 and 240165-1993 end like a year.
  if (token.kind === 'year') return token.joint !== '.' && /^\d+$/.test(before.text)
  const isLetter = token.kind === 'initial' || token.kind === 'letter'
  return isLetter && at > from && /^[a-z]$/i.test(token.text) && isDigits(before)
}

/** `core`: without what differs between the images of one patient. */
type Spelling = { readonly readings: readonly string[]; readonly core: string }

/** How a chain may be read: whole, without a counter or an eye at its end, without an eye or a year in front. */
export function spellingOf(
  name: string,
  tokens: readonly Token[],
  { from, to }: Chain,
  around: Surroundings,
): Spelling {
  const text = (first: number, last: number): string => {
    const [start, end] = [tokens[first], tokens[last]]
    return start && end ? name.slice(start.at, end.at + end.text.length) : ''
  }
  const kind = tokens[from]?.kind
  // R-605-K and L-605-K beside another eye are two numbers: with a letter at its end, the one in front is the number's.
  const last = tokens[to]?.kind
  const isLettered = around.hasOtherEye && to > from + 1 && (last === 'letter' || last === 'initial')
  const hasEyeInFront = (kind === 'eye' || kind === 'letter') && !isLettered
  const firsts = hasEyeInFront || kind === 'year' ? [from, from + 1] : [from]
  const cut =
    digitsIn(text(firsts.at(-1) ?? from, to - 1)) >= MIN_DIGITS ? cutOf(tokens, { from, to }, around) : 'none'
  const readings = firsts.flatMap((first) => [
    text(first, to),
    ...(cut === 'none' ? [] : [text(first, to - 1)]),
  ])
  const start = hasEyeInFront ? from + 1 : from
  return { readings: [...new Set(readings)], core: text(start, cut === 'counter' ? to - 1 : to) }
}

/**
 * What the last group of a chain may be beside a part of the number: a counter or an eye, which differs between the
 * images of one patient; something else, or nothing. Nothing that may belong to the number is cut off.
 */
function cutOf(
  tokens: readonly Token[],
  { from, to }: Chain,
  { inFolder, hasOtherEye }: Surroundings,
): 'counter' | 'other' | 'none' {
  const [before, token] = [tokens[to - 1], tokens[to]]
  if (token === undefined || before === undefined || to === from) return 'none'
  // With another eye in the path, the letter is the number's own.
  if (token.kind === 'letter') return hasOtherEye ? 'none' : 'counter'
  const groups = tokens.slice(from, to + 1).filter((each) => isDigits(each) || each.kind === 'year')
  if (token.kind === 'year') return groups.length > 2 || before.text.length === YEAR_TAILED ? 'none' : 'other'
  if (!/^\d{1,3}$/.test(token.text) || (token.joint === '.' && token.text.length === 3)) return 'none'
  const isOfOneStyle = groups.slice(1).every(({ joint }) => joint === token.joint)
  // 82-34-56, 529.982.247-25 and 105-10-0989-3 are numbers of several groups; 612 345 001 may count.
  if (groups.length > 2 && (isOfOneStyle || token.joint !== ' '))
    return groups.length === 3 && token.text.startsWith('0') ? 'other' : 'none'
  if (inFolder) return 'other'
  // 41207-25 may be the number of a year.
  const isInside = to < tokens.length - 1
  return isInside && token.joint === '-' && token.text.length > 1 ? 'other' : 'counter'
}

/** Six digits and a year: a number of a birth date in Norwegian and other fashions. */
const YEAR_TAILED = 6

export const MIN_DIGITS = 3

/** The numbers of a path that may be a patient's, taken whole. Which of them is the patient's is decided later. Pure. */
import { isClock, isTimestamp, partsOfPath, remembered, type Token, tokensOf } from './tokens.ts'
import { isCountingTerm, isIdLabel, isPlaceholder, isPlaceholderText } from './vocabulary.ts'

/**
 * A number as a name spells it, and what else it could be.
 *
 * `readings` holds every possible spelling, the longest first: `59870621-L` is an id with its check letter, or the id
 * `59870621` and a left eye; `004512 1` is an id of two groups, or an id and a counter.
 */
export type NumberInPath = {
  readonly readings: readonly string[]
  /** What the readings have in common, folded: equal for all images of one patient, whatever the tail means. */
  readonly core: string
  readonly source: 'fileName' | 'folderName'
  /**
   * - `clear`  it looks like a patient number
   * - `weak`   it may as well be a time, a counter or a code: it needs a second image or a folder that says the same
   */
  readonly standing: 'clear' | 'weak'
}

/** Ids are compared without case, and with every other character. */
export function foldId(id: string): string {
  return id.normalize('NFC').trim().toLowerCase().replaceAll('’', "'")
}

/** Letters and digits alone: `105-10-0001-2` and `105100001 2` are spellings of one id. */
export function bareId(id: string): string {
  return foldId(id).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/** `H-00017` has the shape `a-00000`: letters become one letter, digits one digit. */
export function shapeOf(id: string): string {
  return foldId(id).replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '0')
}

/** True if the ids differ by one digit lost, doubled, changed, or two exchanged, or only by leading zeros. */
export function isNearlySame(one: string, other: string): boolean {
  const [a, b] = [bareId(one), bareId(other)].toSorted((x, y) => x.length - y.length)
  if (a === undefined || b === undefined || a === b || a.length < MIN_NEAR) return false
  if (a.replace(/^0+/, '') === b.replace(/^0+/, '')) return true
  if (b.length - a.length > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const rest = a.length - start - end
  if (b.length > a.length) return rest === 0
  return rest <= 1 || (rest === 2 && a[start] === b[start + 1] && a[start + 1] === b[start])
}

const MIN_NEAR = 4

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * True if these digits are the time at which a picture was taken: HHMMSS with or without fractions, seconds or
 * milliseconds of the day or since 1970. `instants` are ms since 1970: of the camera, and of the file.
 */
export function isTimeOf(digits: string, instants: readonly number[]): boolean {
  if (!/^\d{4,17}$/.test(digits)) return false
  return instants.some((instant) => {
    const date = new Date(instant)
    const midnight = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
    const clock = /^(\d\d)(\d\d)(\d\d)/.exec(digits)
    const inDay = instant - midnight
    const clockMs = clock
      ? ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3])) * 1_000
      : null
    const isNear = (reading: number, expected: number): boolean => Math.abs(reading - expected) <= 2 * MINUTE
    if (isNear(Number(digits), instant) || isNear(Number(digits) * 1_000, instant)) return true
    if (clockMs !== null && isNear(clockMs, inDay)) return true
    // So few digits hit by chance: they must be the very second.
    return [1, 1_000].some((unit) => Math.abs(Number(digits) * unit - inDay) <= SECOND)
  })
}

/** The joints inside one number; `_` separates fields. */
function isInner(joint: string): boolean {
  return joint === '-' || joint === '.' || joint === ' ' || joint === "'" || joint === '/' || joint === '–'
}

type Chain = { readonly from: number; readonly to: number }

/** Numbers and single letters that follow one another inside a field, with a short prefix in capitals. */
function chainsOf(tokens: readonly Token[], hasOtherEye: boolean): Chain[] {
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

const MAX_PREFIX = 4

/** HC-004512, X-2210292-L, R-229, OS-1231417: letters directly in front of a number. */
function isPrefix(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined || next?.kind !== 'number' || next.joint !== '-') return false
  // 678436-OS-003: between hyphens an eye is an eye.
  if (token.kind === 'letter' || token.kind === 'eye') return at === 0
  if (token.kind === 'initial') return true
  const isCapitals = token.text === token.text.toUpperCase() && token.text.length <= MAX_PREFIX
  return isCapitals && (token.kind === 'text' || (token.kind === 'term' && isIdLabel(token.folded)))
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

/** The end of the chain, of at most three digits or one letter, may count or name an eye; so may its beginning. */
function readingsOf(
  name: string,
  tokens: readonly Token[],
  { from, to }: Chain,
  hasOtherEye: boolean,
): string[] {
  const text = (first: number, last: number): string => {
    const [start, end] = [tokens[first], tokens[last]]
    return start && end ? name.slice(start.at, end.at + end.text.length) : ''
  }
  const isEye = tokens[from]?.kind === 'eye' || tokens[from]?.kind === 'letter'
  const readings: string[] = []
  for (const first of isEye ? [from, from + 1] : [from]) {
    // A number of four groups or more is spelled as one: 105-10-0989-3.
    const isLong = to - first >= 3
    for (let last = to; last >= first; last -= 1) {
      const reading = text(first, last)
      if (digitsIn(reading) >= MIN_DIGITS || last === to) readings.push(reading)
      const token = tokens[last]
      if (token === undefined || isLong || !isTail(token, reading, hasOtherEye)) break
    }
  }
  return [...new Set(readings)]
}

function isTail(token: Token, reading: string, hasOtherEye: boolean): boolean {
  if (token.kind === 'year') return !/^(\d{3}[- ]\d{3}|\d{6})[- ]\d{4}$/.test(reading)
  if (/^\d{1,3}$/.test(token.text)) return token.joint !== '.' || token.text.length < 3
  // With another eye in the path, the letter is the number's own; behind a space it is a field of its own otherwise.
  return token.kind === 'letter' && !hasOtherEye
}

const MIN_DIGITS = 3

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length
}

/** What else a path says that decides whether digits are a time or a counter. */
type Surroundings = { readonly isFileSet: boolean; readonly inFolder: boolean }

function standingOf(
  tokens: readonly Token[],
  chain: Chain,
  around: Surroundings,
): NumberInPath['standing'] | null {
  const first = tokens[chain.from]
  if (first === undefined) return null
  const text = chain.from === chain.to ? first.text : ''
  const before = tokens[chain.from - 1]
  if (before && isCounted(before, first)) return null
  if (chain.from !== chain.to) {
    const digits = tokens.slice(chain.from, chain.to + 1).map((token) => digitsIn(token.text))
    const total = digits.reduce((sum, count) => sum + count, 0)
    return total > MIN_DIGITS ? 'clear' : total === MIN_DIGITS ? 'weak' : null
  }
  if (isTimestamp(text)) return null
  if (around.isFileSet && (!around.inFolder || /^\d{1,4}$/.test(text))) return null
  const earlier = tokens.slice(0, chain.from)
  const follows = earlier.some(({ kind }) =>
    ['date', 'eye', 'letter', 'term', 'number', 'year'].includes(kind),
  )
  if (/^\d+$/.test(text)) {
    const isTime = isClock(text) && isOpeningHour(text)
    if (isClock(text) && earlier.some((token) => token.kind === 'date' && !token.hasTime)) return null
    if (isTime && earlier.some(({ kind }) => kind === 'eye' || kind === 'letter')) return null
    if (/^(00\d{1,2}|000\d{2})$/.test(text)) return null
    if (tokens.length === 1 && !around.inFolder && /^0{4,}\d{1,4}$/.test(text)) return null
    if (text.length <= 4 && follows) return null
    if (/^00\d{3}$/.test(text) && !around.inFolder) return 'weak'
    if (text.length <= 2) return isLeadingBesideEye(tokens, chain.from) ? 'weak' : null
    // A time follows its date, and no name.
    const isBesideMore = tokens.some(
      ({ kind }, index) => kind === 'date' || (kind === 'text' && index < chain.from),
    )
    return isTime && !around.inFolder && !isBesideMore ? 'weak' : 'clear'
  }
  // The random end of a name: 133a, a81f.
  const isLast = chain.to === tokens.length - 1 && chain.from > 0
  if (isLast && follows && /^(?=.*[a-f])(?=.*\d)[0-9a-f]{4,8}$/.test(text)) return null
  // One letter and few digits are a counter of a camera as often as an id.
  if (/^\p{L}\d{3,4}$/u.test(text)) return 'weak'
  return /^[a-z]\d{7}$/i.test(text) && !around.inFolder && tokens.length === 1 ? null : 'clear'
}

/** Retinas are photographed by day: 004512 is no time unless a date precedes it. */
function isOpeningHour(clock: string): boolean {
  const hour = Number(clock.slice(0, 2))
  return hour >= 6 && hour <= 21
}

/** 10_left.jpeg: the subjects of published image sets. */
function isLeadingBesideEye(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  return at === 0 && next !== undefined && (next.kind === 'eye' || next.kind === 'letter')
}

/** IMG_0012, Sala 101, acc 778812: a word in front says what is counted. A label of ids counts nothing. */
function isCounted(before: Token, first: Token): boolean {
  if (before.kind === 'counter' || first.joint === '(') return true
  if (before.kind !== 'term' || isIdLabel(before.folded)) return false
  return isCountingTerm(before.folded)
}

/** Every number of a path that may be a patient's, the file's first, then from the nearest folder outwards. */
export const numbersIn = remembered(readNumbers)

function readNumbers(relativePath: string): readonly NumberInPath[] {
  const { folders, stem } = partsOfPath(relativePath)
  const names = [stem, ...folders.toReversed()]
  const tokens = names.map(tokensOf)
  const eyes = new Set(
    tokens.flatMap((each) =>
      each.flatMap((token, at) =>
        token.kind === 'eye' || token.kind === 'letter' ? [`${token.folded} ${at}`] : [],
      ),
    ),
  ).size
  const isFileSet = folders.some((name) => /^(dcim|dicom|\d{3}[a-z]{5})$/i.test(name))
  const found = names.flatMap((name, depth): NumberInPath[] => {
    const own = tokens[depth] ?? []
    const around = { isFileSet: isFileSet && own.length === 1, inFolder: depth > 0 }
    const source = depth === 0 ? ('fileName' as const) : ('folderName' as const)
    return chainsOf(own, eyes > 1).flatMap((chain) => {
      const standing = standingOf(own, chain, around)
      const readings = readingsOf(name, own, chain, eyes > 1).filter((reading) => !isPlaceholder(reading))
      const shortest = readings.at(-1)
      if (standing === null || shortest === undefined) return []
      return [{ readings, core: bareId(shortest), source, standing }]
    })
  })
  // Beside UNKNOWN or WARD322, no other number is the patient's for sure.
  const isNameless = tokens
    .flat()
    .some((token) =>
      token.kind === 'number'
        ? isPlaceholder(token.text)
        : token.kind === 'text' && isPlaceholderText(token.folded),
    )
  if (isNameless) return found.map((number) => ({ ...number, standing: 'weak' as const }))
  // 2026/11/20 is a date in three folders.
  return isDatedByFolders(folders) ? found.filter(({ readings }) => digitsIn(readings[0] ?? '') > 4) : found
}

function isDatedByFolders(folders: readonly string[]): boolean {
  return folders.some((name, at) => /^20\d\d$/.test(name) && /^\d\d$/.test(folders[at + 1] ?? ''))
}

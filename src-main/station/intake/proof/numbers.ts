/** The numbers of a path that may be a patient's, taken whole. Which of them is the patient's is decided later. Pure. */
import {
  type Chain,
  chainsOf,
  digitsIn,
  isPrefix,
  MIN_DIGITS,
  spellingOf,
  type Surroundings,
} from './chains.ts'
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
  /** Its letters and digits without a counter at its end, folded: equal for all images of one patient. */
  readonly core: string
  readonly source: 'fileName' | 'folderName'
  /**
   * - `clear`    it looks like a patient number
   * - `weak`     it may as well be a counter or a code: it needs a second image or a folder that says the same
   * - `time`     weak, and most likely a time, by what is beside it: it doubts no other number
   * - `counted`  a word says that it counts something else, or its end is not clear: it gives nothing, but it may doubt
   * - `dated`    digits that spell a day or a year: they give nothing, but if it is no day of the patient, they may doubt
   */
  readonly standing: 'clear' | 'weak' | 'time' | 'counted' | 'dated'
}

/** Ids are compared without case, and with every other character. */
export function foldId(id: string): string {
  if (/^[\x20-\x7e]*$/.test(id)) return id.trim().toLowerCase()
  return id.normalize('NFC').trim().toLowerCase().replaceAll('’', "'")
}

/** The same id, however it is capitalised. */
export function isSameId(one: string, other: string): boolean {
  return foldId(one) === foldId(other)
}

/** Letters and digits alone: `105-10-0001-2` and `105100001 2` are spellings of one id. */
export function bareId(id: string): string {
  return foldId(id).replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * An id with one sign for whatever separates its digits: `12-345` for `12 345` and `12_345`. Beside a letter a separator
 * parts nothing that is not parted without it: `H-00017` is `H00017`.
 */
export function spellingOfId(id: string): string {
  return foldId(id)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$|(?<=\p{L})-|-(?=\p{L})/gu, '')
}

/**
 * Two stated ids: `other` if they differ, or if their separators are at other places (`12-345`, `123-45`); `unsure` if
 * only one of them has separators (`12-345`, `12345`).
 */
export function compareIds(one: string, other: string): 'same' | 'unsure' | 'other' {
  if (bareId(one) !== bareId(other)) return 'other'
  const spellings = [spellingOfId(one), spellingOfId(other)]
  if (spellings[0] === spellings[1]) return 'same'
  return spellings.every((spelling) => spelling.includes('-')) ? 'other' : 'unsure'
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

/** HHMMSS, with fractions of the second, or a digit that counts the images of one second. */
const CLOCK = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)\d{0,3}$/

/**
 * True if these digits are the time at which a picture was taken: HHMMSS with or without fractions, seconds or
 * milliseconds of the day or since 1970. `instants` are ms since 1970: of the camera, and of the file.
 */
export function isTimeOf(digits: string, instants: readonly number[]): boolean {
  if (!/^\d{4,17}$/.test(digits)) return false
  const clock = CLOCK.exec(digits)
  return instants.some((instant) => {
    const inDay = msOfDay(instant)
    const clockMs = clock
      ? ((Number(clock[1]) * 60 + Number(clock[2])) * 60 + Number(clock[3])) * 1_000
      : null
    if (isNear(Number(digits), instant) || isNear(Number(digits) * 1_000, instant)) return true
    if (clockMs !== null && isNear(clockMs, inDay)) return true
    // So few digits hit by chance: they must be the very second.
    return [1, 1_000].some((unit) => Math.abs(Number(digits) * unit - inDay) <= SECOND)
  })
}

function isNear(reading: number, expected: number): boolean {
  return Math.abs(reading - expected) <= 2 * MINUTE
}

const offsets = new Map<number, number>()

/** Milliseconds since local midnight. */
function msOfDay(instant: number): number {
  const hour = Math.floor(instant / (60 * MINUTE))
  let midnight = offsets.get(hour)
  if (midnight === undefined) {
    const date = new Date(instant)
    midnight = new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
    if (offsets.size > 1_000) offsets.clear()
    offsets.set(hour, midnight)
  }
  return instant - midnight
}

function standingOf(
  tokens: readonly Token[],
  chain: Chain,
  around: Surroundings,
): NumberInPath['standing'] | null {
  const first = tokens[chain.from]
  if (first === undefined) return null
  const groups = tokens.slice(chain.from, chain.to + 1)
  const whole = groups.map(({ text }) => text).join('')
  const digits = digitsIn(whole)
  if (isCounted(tokens, chain, digits)) return isLongCount(whole) ? 'counted' : null
  if (groups.length > 1) {
    if (digits > MIN_DIGITS || (around.inFolder && isPrefix(tokens, chain.from))) return 'clear'
    return digits === MIN_DIGITS ? 'weak' : null
  }
  return /^\d+$/.test(first.text)
    ? standingOfDigits(tokens, chain.from, around)
    : standingOfCode(tokens, chain.from, around)
}

/** 17-20261120-38902-00-F-OD: hyphens on all sides separate fields, and it is not clear which are of the number. */
function isAmongFields(tokens: readonly Token[], { from, to }: Chain): boolean {
  return (
    from > 0 &&
    to - from > 1 &&
    isBehindHyphen(tokens[from]) &&
    isBehindHyphen(tokens[to + 1]) &&
    tokens[to]?.kind === 'initial'
  )
}

function isBehindHyphen(token: Token | undefined): boolean {
  return token?.joint.startsWith('-') === true
}

function followsSomething(tokens: readonly Token[], at: number): boolean {
  return tokens
    .slice(0, at)
    .some(({ kind }) => ['date', 'eye', 'letter', 'term', 'counter', 'number', 'year'].includes(kind))
}

function standingOfDigits(
  tokens: readonly Token[],
  at: number,
  around: Surroundings,
): NumberInPath['standing'] | null {
  const text = tokens[at]?.text ?? ''
  const { inFolder } = around
  if (isTimestamp(text)) return null
  if (around.isFileSet && (!inFolder || text.length <= 4)) return null
  if (tokens.length === 1 && !inFolder && text.length >= MIN_DRAWN) return 'weak'
  const earlier = tokens.slice(0, at)
  const isTime = isClock(text) && isOpeningHour(text)
  if (isClock(text) && earlier.some((token) => token.kind === 'date' && !token.hasTime)) return null
  // A time follows its date: OD-150131-2026-03-04 holds none.
  const isBeforeDate = tokens.slice(at + 1).some(({ kind }) => kind === 'date')
  const isBehindEye = earlier.some(({ kind }) => kind === 'eye' || kind === 'letter')
  if (isClock(text) && (isTime || around.hasDayFolder) && isBehindEye && !isBeforeDate) return null
  if (/^(00\d{1,2}|000\d{2})$/.test(text)) return null
  const isPadded = /^0{4,}\d{1,4}$/.test(text)
  if (isPadded && !inFolder && (tokens.length === 1 || earlier.some(({ kind }) => kind === 'number')))
    return null
  if (text.length <= 4 && (followsSomething(tokens, at) || (!inFolder && around.isOfVisitFolder))) return null
  if (/^00\d{3}$/.test(text) && !inFolder) return 'weak'
  if (text.length <= 2) return isLeadingBesideEye(tokens, at) ? 'weak' : null
  // Behind a date with its time, five digits are a fraction as often as a number.
  if (text.length <= 5 && earlier.some((token) => token.kind === 'date' && token.hasTime)) return 'weak'
  // A time follows its date, and no name.
  const isBesideMore = tokens.some(({ kind }, index) => kind === 'date' || (kind === 'text' && index < at))
  if (!isTime || inFolder || isBesideMore) return 'clear'
  return around.hasDayFolder ? 'time' : 'weak'
}

/** So many digits, and nothing else, are drawn by a program as often as given to a patient. */
const MIN_DRAWN = 12

function standingOfCode(
  tokens: readonly Token[],
  at: number,
  { inFolder, isFileSet }: Surroundings,
): NumberInPath['standing'] | null {
  const text = tokens[at]?.text ?? ''
  if (isFileSet && (!inFolder || MEDIA_NAME.test(text))) return null
  // The random end of a name: 133a, a81f.
  const isLast = at === tokens.length - 1 && at > 0
  if (isLast && followsSomething(tokens, at) && /^(?=.*[a-f])(?=.*\d)[0-9a-f]{4,8}$/.test(text)) return null
  // One letter and few digits are a counter of a camera as often as an id, but not beside a name.
  if (/^\p{L}\d{3,4}$/u.test(text))
    return inFolder && tokens.some(({ kind }) => kind === 'text') ? 'clear' : 'weak'
  return /^[a-z]\d{7}$/i.test(text) && !inFolder && tokens.length === 1 ? null : 'clear'
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
function isCounted(tokens: readonly Token[], { from }: Chain, digits: number): boolean {
  const [label, before, first] = [tokens[from - 2], tokens[from - 1], tokens[from]]
  if (before === undefined || first === undefined) return false
  if (first.joint === '(') return digits <= 4
  if (before.kind !== 'term' || isIdLabel(before.folded)) return false
  // Pat-Nr 771020
  const isOfLabel =
    label !== undefined && isIdLabel(label.folded) && /^(nr|no|num|number|n)$/.test(before.folded)
  return isCountingTerm(before.folded) && !isOfLabel
}

/** So many digits may be a number of an exam or of a patient, whatever word is in front; not a counter, not a day. */
function isLongCount(digits: string): boolean {
  return /^(?!00|(19|20)\d\d(0[1-9]|1[0-2])[0-3]\d)\d{6,12}$/.test(digits) && !isTimestamp(digits)
}

/** Every number of a path that may be a patient's, the file's first, then from the nearest folder outwards. */
export const numbersIn = remembered((path) =>
  everyNumberIn(path).filter(({ standing }) => standing !== 'counted' && standing !== 'dated'),
)

/** These, and what is counted or spells a day: it may doubt a stated number. */
export const everyNumberIn = remembered(readNumbers)

/** PAT00001/STD00001/SER00001/IMG00001: names of a DICOM medium. */
const MEDIA_NAME = /^(pat?|std|stu?|study|ser?|series|img?|image|obj)0\d{3,7}$/i

function isFileSetPath(names: readonly string[]): boolean {
  return (
    names.slice(1).some((name) => /^(dcim|dicom|\d{3}[a-z]{5})$/i.test(name)) ||
    names.filter((name) => MEDIA_NAME.test(name)).length > 1
  )
}

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
  const hasOtherEye = eyes > 1
  const isFileSet = isFileSetPath(names)
  const beside = tokens[1] ?? []
  const isOfVisitFolder =
    beside.some(({ kind }) => kind === 'date') &&
    chainsOf(beside, false).some(({ from, to }) => to > from || (beside[from]?.text.length ?? 0) > 4)
  const hasDayFolder = tokens.slice(1).some((each) => each.some(({ kind }) => kind === 'date'))
  const found = names.flatMap((name, depth): NumberInPath[] => {
    const own = tokens[depth] ?? []
    const around: Surroundings = {
      isFileSet: isFileSet && own.length === 1,
      inFolder: depth > 0,
      isOfVisitFolder,
      hasDayFolder,
      hasOtherEye,
    }
    const source = depth === 0 ? ('fileName' as const) : ('folderName' as const)
    const chains = chainsOf(own, hasOtherEye)
    const hasUnclearFields = chains.some((chain) => isAmongFields(own, chain))
    const ofChains = chains.flatMap((chain): NumberInPath[] => {
      const standing = standingOf(own, chain, around)
      const spelling = spellingOf(name, own, chain, around)
      if (standing === null || spelling.readings.some(isPlaceholder)) return []
      const standingHere = hasUnclearFields ? 'counted' : standing
      return [{ readings: spelling.readings, core: bareId(spelling.core), source, standing: standingHere }]
    })
    // retina612004
    const ofCounters = own.flatMap(({ kind, text }): NumberInPath[] => {
      const digits = /^\p{L}+(\d+)$/u.exec(text)?.[1] ?? ''
      if (kind !== 'counter' || !isLongCount(digits)) return []
      return [{ readings: [digits], core: digits, source, standing: 'counted' }]
    })
    const ofDates = own.flatMap(({ kind, text }, at): NumberInPath[] =>
      (kind === 'date' && /^\d{8}$/.test(text)) ||
      (kind === 'year' && chains.every(({ from, to }) => at < from || at > to))
        ? [{ readings: [text], core: text, source, standing: 'dated' }]
        : [],
    )
    return [...ofChains, ...ofCounters, ...ofDates]
  })
  // Beside UNKNOWN or WARD322, no other number is the patient's for sure.
  const isNameless = tokens
    .flat()
    .some((token) =>
      token.kind === 'number'
        ? isPlaceholder(token.text)
        : token.kind === 'text' && isPlaceholderText(token.folded),
    )
  const settled = settledByOthers(found)
  if (isNameless)
    return settled.map((number) =>
      number.standing === 'clear' ? { ...number, standing: 'weak' as const } : number,
    )
  // 2026/11/20 is a date in three folders.
  return isDatedByFolders(folders)
    ? settled.filter(({ readings }) => digitsIn(readings[0] ?? '') > 4)
    : settled
}

/** A number with several readings, one of which another number of the path spells: it is that one. */
function settledByOthers(numbers: readonly NumberInPath[]): readonly NumberInPath[] {
  if (numbers.every(({ readings }) => readings.length === 1)) return numbers
  return numbers.map((number) => {
    if (number.readings.length === 1) return number
    const shared = number.readings.find((reading) =>
      numbers.some(
        (other) => other !== number && other.readings.some((one) => foldId(one) === foldId(reading)),
      ),
    )
    return shared === undefined ? number : { ...number, readings: [shared], core: bareId(shared) }
  })
}

function isDatedByFolders(folders: readonly string[]): boolean {
  return folders.some((name, at) => /^20\d\d$/.test(name) && /^\d\d$/.test(folders[at + 1] ?? ''))
}

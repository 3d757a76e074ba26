/** The numbers of a path that may be a patient's, taken whole. Which of them is the patient's is decided later. Pure. */
import { bareId, digitsIn, foldId, isCountOfDay, isIdle, isTimeOf } from '../meaning/numbers.ts'
import { type Chain, chainsOf, isPrefix, MIN_DIGITS, spellingOf, type Surroundings } from './chains.ts'
import { isClock, isTimestamp, partsOfPath, remembered, type Token, tokensOf } from './tokens.ts'
import { isCountingTerm, isIdLabel, isMeasure, isPlaceholderText } from '../meaning/vocabulary.ts'

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
   * - `idle`     777777, 260260: it gives nothing, and doubts only a stated number that is one digit off
   */
  readonly standing: 'clear' | 'weak' | 'time' | 'counted' | 'dated' | 'idle'
  /** Of digits that spell a day: all that they may mean. */
  readonly days?: readonly string[]
  /** A day is in front of it, or names a folder of its file: then it may count the seconds of that day. */
  readonly followsDay: boolean
}

export function isTimeOfPicture(
  { readings, followsDay }: NumberInPath,
  instants: readonly number[],
): boolean {
  return readings.some(
    (reading) => isTimeOf(reading, instants) || (followsDay && isCountOfDay(reading, instants)),
  )
}

/** Sizes and fields of view have so many digits. */
const MAX_MEASURED = 4

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
  // 200 um, 45_deg
  if (digits <= MAX_MEASURED && isMeasure(`${whole}${tokens[chain.to + 1]?.text ?? ''}`)) return null
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
  everyNumberIn(path).filter(({ standing }) => !['counted', 'dated', 'idle'].includes(standing)),
)

/** These, and what is counted, idle or spells a day: it may doubt a stated number. */
export const everyNumberIn = remembered(readNumbers)

/** PAT00001/STD00001/SER00001/IMG00001: names of a DICOM medium. */
const MEDIA_NAME = /^(pat?|std|stu?|study|ser?|series|img?|image|obj)0\d{3,7}$/i

function readNumbers(relativePath: string): readonly NumberInPath[] {
  const { folders, names } = partsOfPath(relativePath)
  const tokens = names.map(tokensOf)
  const eyes = new Set(
    tokens.flatMap((each) =>
      each.flatMap((token, at) =>
        token.kind === 'eye' || token.kind === 'letter' ? [`${token.folded} ${at}`] : [],
      ),
    ),
  ).size
  const hasOtherEye = eyes > 1
  const isFileSet =
    names.slice(1).some((name) => /^(dcim|dicom|\d{3}[a-z]{5})$/i.test(name)) ||
    names.filter((name) => MEDIA_NAME.test(name)).length > 1
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
    /** What is the same of every number that begins at this token. */
    const here = (at: number) => {
      const isBehindDay = own.slice(0, at).some(({ kind }) => kind === 'date')
      return { source, followsDay: isBehindDay || (depth === 0 && hasDayFolder) }
    }
    const chains = chainsOf(own, hasOtherEye)
    const hasUnclearFields = chains.some((chain) => isAmongFields(own, chain))
    const ofChains = chains.flatMap((chain): NumberInPath[] => {
      const alone = standingOf(own, chain, around)
      const { readings, core } = spellingOf(name, own, chain, around)
      if (alone === null) return []
      const standing = readings.some(isIdle) ? 'idle' : hasUnclearFields ? 'counted' : alone
      return [{ ...here(chain.from), readings, core: bareId(core), standing }]
    })
    // retina612004
    const ofCounters = own.flatMap(({ kind, text }, at): NumberInPath[] => {
      const digits = /^\p{L}+(\d+)$/u.exec(text)?.[1] ?? ''
      if (kind !== 'counter' || !isLongCount(digits)) return []
      return [{ ...here(at), readings: [digits], core: digits, standing: 'counted' }]
    })
    const ofDates = own.flatMap((token, at): NumberInPath[] => {
      const { kind, text } = token
      const dated = { ...here(at), readings: [text], core: text, standing: 'dated' } as const
      if (kind === 'date') return /^\d{8}$/.test(text) ? [{ ...dated, days: token.days }] : []
      const before = own[at - 1]
      // IMG_2001: a counter that has reached a year.
      const isCounter = before?.kind === 'term' && isCountingTerm(before.folded)
      const isOfChain = chains.some(({ from, to }) => from <= at && at <= to)
      return kind === 'year' && !isCounter && !isOfChain ? [dated] : []
    })
    return [...ofChains, ...ofCounters, ...ofDates]
  })
  // Beside UNKNOWN or WARD322, no other number is the patient's for sure.
  const isNameless = tokens
    .flat()
    .some((token) =>
      token.kind === 'number' ? isIdle(token.text) : token.kind === 'text' && isPlaceholderText(token.folded),
    )
  const settled = settledByOthers(found)
  if (isNameless)
    return settled.map((number) =>
      number.standing === 'clear' ? { ...number, standing: 'weak' as const } : number,
    )
  // 2026/11/20 is a date in three folders.
  const isDated = folders.some((name, at) => /^20\d\d$/.test(name) && /^\d\d$/.test(folders[at + 1] ?? ''))
  return isDated ? settled.filter(({ readings }) => digitsIn(readings[0] ?? '') > 4) : settled
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

/**
 * The parts of a pattern: how each can be spelled, what the spelling means, and the value that several spellings
 * agree on. Pure.
 */
import {
  isMoment,
  type MomentPart,
  type Pattern,
  type PatternPart,
} from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { foldPath, type Stated, type StatedEye } from '../evidence.ts'
import { calendarDay, clockTime, type DateOrder, readDay } from '../meaning/dates.ts'
import { eyeOfLetter, eyeStatedBy } from '../meaning/eyes.ts'
import type { PatternMatch, Span } from './pattern.ts'

/** `date` as YYYY-MM-DD, `time` as HH:MM:SS, each null if the part lacks it. */
type Moment = { readonly date: string | null; readonly time: string | null }

/** A spelling of a date or a time up to `end`; without a moment if it is invalid in this order. */
type MomentFound = { readonly end: number; readonly moment: Moment | null }

type Groups = Readonly<Record<string, string | undefined>>

const DATE_SHAPES = [/\d{8}(?!\d)/y, /\d{6}(?!\d)/y, /\d{1,4}([-._ ])\d{1,2}\1\d{1,4}(?!\d)/y]

/** A following mark belongs to the time: dropping it would shift the time by twelve hours. */
const TWELVE_HOURS = String.raw`(?:[ _.-]?(?<mark>[ap])\.?m\.?(?![\p{L}\p{N}]))?`

const TIME_SHAPES = [
  String.raw`(?<hour>\d\d)(?<minute>\d\d)(?<second>\d\d)(?:\d{3})?(?!\d)`,
  String.raw`(?<hour>\d{1,2})[-.:h](?<minute>\d\d)[-.:m](?<second>\d\d)(?:s|[.,]\d{1,6})?(?!\d)`,
].map((shape) => new RegExp(shape + TWELVE_HOURS, 'iuy'))

const COMPACT = /(\d{8})(\d{6})(?:\d{3})?(?!\d)/y

const BETWEEN = /[T _.-]{1,3}/iy

const BUILT_IN: Readonly<
  Record<MomentPart, (text: string, start: number, order: DateOrder) => readonly MomentFound[]>
> = { date: datesAt, time: timesAt, dateTime: dateTimesAt }

function datesAt(text: string, start: number, order: DateOrder): readonly MomentFound[] {
  const spellings = DATE_SHAPES.flatMap((shape) => execAt(shape, text, start)?.[0] ?? [])
  return spellings.map((spelling) => {
    const date = dayOfVisit(spelling, order)
    return { end: start + spelling.length, moment: date === null ? null : { date, time: null } }
  })
}

function timesAt(text: string, start: number): readonly MomentFound[] {
  return TIME_SHAPES.flatMap((shape): MomentFound[] => {
    const match = execAt(shape, text, start)
    if (match === null) return []
    const time = timeOf(match.groups ?? {})
    return [{ end: start + match[0].length, moment: time === null ? null : { date: null, time } }]
  })
}

function dateTimesAt(text: string, start: number, order: DateOrder): readonly MomentFound[] {
  const compact = execAt(COMPACT, text, start)
  if (compact) {
    const date = dayOfVisit(compact[1] ?? '', order)
    const time = timesAt(compact[2] ?? '', 0)[0]?.moment?.time ?? null
    return [{ end: start + compact[0].length, moment: bothOf(date, time) }]
  }
  return datesAt(text, start, order).flatMap((day) => {
    const between = execAt(BETWEEN, text, day.end)?.[0]
    if (between === undefined) return []
    return timesAt(text, day.end + between.length).map(({ end, moment }) => ({
      end,
      moment: bothOf(day.moment?.date ?? null, moment?.time ?? null),
    }))
  })
}

function bothOf(date: string | null, time: string | null): Moment | null {
  return date === null || time === null ? null : { date, time }
}

/** Nothing is guessed: a date in an order other than the profile's is not read. */
function dayOfVisit(spelling: string, order: DateOrder): string | null {
  const read = readDay(spelling, order, 'visit')
  return read.kind === 'day' ? read.day : null
}

/** Two-digit years only if a format identifies them: 14-02-25 could be read as 2014. */
function dateOf({ year = '', month = '', day = '' }: Groups): string | null {
  return calendarDay(year.length === 2 ? `20${year}` : year, month, day, 'visit')
}

function timeOf({ hour = '', minute = '', second = '00', mark }: Groups): string | null {
  return clockTime(hour, minute, second, mark?.charAt(0))
}

function execAt(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position
  return pattern.exec(text)
}

/** `readable`: only meaningful spellings; `shape`: also lookalikes, in order to report what is wrong. */
export type Reading = 'readable' | 'shape'

/** Lower case, composed. Terms of the profile take precedence over the common ones. */
type EyeTerms = ReadonlyMap<string, StatedEye>

export function eyeTermsOf({ eyeWords }: Profile): EyeTerms {
  return new Map([
    ...eyeWords.right.map((term) => [foldPath(term), 'right'] as const),
    ...eyeWords.left.map((term) => [foldPath(term), 'left'] as const),
  ])
}

/** The eye that a word at an eye position states: a person defined that position, so single letters count. */
export function eyeOf(term: string, own: EyeTerms): StatedEye | null {
  return own.get(foldPath(term)) ?? eyeOfLetter(term) ?? eyeStatedBy(term)
}

/** The date and time of a spelling found as a part; null if there is none. */
export function momentOf(part: PatternPart, text: string, profile: Profile): Moment | null {
  const { name } = part
  if (!isMoment(name)) return null
  return (
    momentsAt({ ...part, name }, text, 0, profile.dateOrder).find(({ end }) => end === text.length)?.moment ??
    null
  )
}

/** Dates and times that can begin at a position, the longest first. */
function momentsAt(
  { name, format }: PatternPart & { readonly name: MomentPart },
  text: string,
  start: number,
  order: DateOrder,
): readonly MomentFound[] {
  if (format === null) return BUILT_IN[name](text, start, order)
  const match = execAt(new RegExp(format.source, 'iuy'), text, start)
  if (match === null) return []
  const groups = match.groups ?? {}
  const date = groups['year'] === undefined ? null : dateOf(groups)
  const time = groups['hour'] === undefined ? null : timeOf(groups)
  const isReadable = (name === 'time' || date !== null) && (name === 'date' || time !== null)
  return [{ end: start + match[0].length, moment: isReadable ? { date, time } : null }]
}

/** Folders such as 100CANON and 101EOS5D, which cameras create and count (DCF, JEITA CP-3461). */
const CAMERA_FOLDER = /^\d{3}([a-z]{5}|eos\w{2})$/i

/** Without a digit it is something else: a folder such as DCIM, an eye, a person. */
export function isLikeHistoryNumber(text: string): boolean {
  return /\d/.test(text) && !CAMERA_FOLDER.test(text)
}

/** The possible ends of a part, the best first. */
export type PartSpellings = (
  part: PatternPart,
  text: string,
  start: number,
  reading: Reading,
) => readonly number[]

/** The spellings of the parts of one pattern. */
export function spellingsOf(profile: Profile, pattern: Pattern): PartSpellings {
  const own = eyeTermsOf(profile)
  const shapes = runShapesOf(pattern)
  return (part, text, start, reading) => {
    const { name } = part
    if (isMoment(name))
      return momentsAt({ ...part, name }, text, start, profile.dateOrder)
        .filter(({ moment }) => reading === 'shape' || moment !== null)
        .map(({ end }) => end)
    if (name === 'eye') return eyeEnds(text, start, reading, own)
    const ends = endsOfRun(text, start, shapes[name])
    if (name === 'historyNumber' && reading === 'readable')
      return ends.filter((end) => isLikeHistoryNumber(text.slice(start, end)))
    return name === 'firstName' || name === 'any' ? ends.toReversed() : ends
  }
}

type RunPart = 'historyNumber' | 'lastName' | 'firstName' | 'name' | 'view' | 'number' | 'unique' | 'any'

/** `run`: the allowed characters and their maximum number. `last`: the allowed last character. */
type RunShape = { readonly run: RegExp; readonly last: RegExp }

const ANYTHING = /.$/su

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]$/u

function runShapesOf({ steps }: Pattern): Readonly<Record<RunPart, RunShape>> {
  const literals = steps.map((step) => (step.kind === 'literal' ? step.text : '')).join('')
  // Characters written in the pattern separate; others may belong to a part.
  const free = ['_', '.'].filter((mark) => !literals.includes(mark)).join('')
  const underscore = free.includes('_') ? '_' : ''
  const name = String.raw`\p{L}\p{M}'’´${'`'}.\- ${underscore}`
  const nameEnd = /[\p{L}\p{M}.]$/u
  return {
    historyNumber: shape(String.raw`(?=[\p{L}\p{N}])[\p{L}\p{M}\p{N}\-${free}]{1,64}`, LETTER_OR_DIGIT),
    lastName: shape(String.raw`(?=[\p{L}'’])[${name}]{1,100}`, nameEnd),
    firstName: shape(String.raw`(?=[\p{L}'’])[${name}]{1,100}`, nameEnd),
    name: shape(String.raw`(?=[\p{L}'’])[${name},^_]{1,200}`, nameEnd),
    view: shape(String.raw`[\p{L}\p{M}\p{N}\- ${underscore}]{1,64}`, LETTER_OR_DIGIT),
    number: shape(String.raw`\d{1,20}`, /\d$/u),
    unique: shape(String.raw`[\p{L}\p{M}\p{N}.\-${underscore}]{1,128}`, LETTER_OR_DIGIT),
    any: shape('[^/]{1,255}', ANYTHING),
  }
}

function shape(run: string, last: RegExp): RunShape {
  return { run: new RegExp(run, 'uy'), last }
}

/** The end of the whole run, and those before it; the longest first. */
function endsOfRun(text: string, start: number, { run, last }: RunShape): readonly number[] {
  const whole = execAt(run, text, start)?.[0] ?? null
  if (whole === null) return []
  const ends: number[] = []
  for (let length = whole.length; length > 0; length -= 1) {
    // Two code units, since some letters consist of two.
    if (last.test(whole.slice(Math.max(0, length - 2), length))) ends.push(start + length)
  }
  return ends
}

const LETTERS = /[\p{L}\p{M}]{1,40}/uy

function eyeEnds(text: string, start: number, reading: Reading, own: EyeTerms): readonly number[] {
  const letters = execAt(LETTERS, text, start)?.[0] ?? ''
  const lengths = new Set<number>()
  for (let length = letters.length; length > 0; length -= 1)
    if (eyeOf(letters.slice(0, length), own) !== null) lengths.add(length)
  for (const term of own.keys())
    if (foldPath(text.slice(start, start + term.length)) === term) lengths.add(term.length)
  if (reading === 'shape' && letters !== '') lengths.add(letters.length)
  return [...lengths].map((length) => start + length).toSorted((one, other) => other - one)
}

/** One spelling of a part in a path. */
export type FoundPart = {
  readonly part: PatternPart
  /** The position of the part in its pattern: two spellings at one position are two readings of one name. */
  readonly step: number
  readonly text: string
  readonly source: 'folderName' | 'fileName'
}

/** The parts in the preferred reading, in order. */
export function preferredParts(pattern: Pattern, text: string, match: PatternMatch): readonly FoundPart[] {
  return [...match.preferred].flatMap(([step, span]) => foundAt(pattern, text, step, span))
}

/** All spellings of these parts in any reading, in order. */
export function possibleParts(
  pattern: Pattern,
  text: string,
  match: PatternMatch,
  names: readonly PatternPart['name'][],
): readonly FoundPart[] {
  return pattern.steps.flatMap((step, index) => {
    if (step.kind !== 'part' || !names.includes(step.name)) return []
    return match.spansOf(index).flatMap((span) => foundAt(pattern, text, index, span))
  })
}

function foundAt(pattern: Pattern, text: string, index: number, { start, end }: Span): readonly FoundPart[] {
  const part = pattern.steps[index]
  if (part?.kind !== 'part') return []
  const source = text.indexOf('/', end) === -1 ? 'fileName' : 'folderName'
  return [{ part, step: index, text: text.slice(start, end), source }]
}

/** What to say of an unclear path, without any word of the name itself. */
export type Problems = {
  readonly unreadable: Wording
  readonly ambiguous: Wording
  readonly disagreeing: Wording
}

type Settled<Value> = { readonly value: Stated<Value> | null; readonly unclear: Wording | null }

/** `meaning` is null for a meaningless spelling. The first spelling is taken if all mean the same. */
export function settle<Value>(
  found: readonly FoundPart[],
  meaning: (found: FoundPart) => Value | null,
  isSame: (one: Value, other: Value) => boolean,
  problems: Problems,
): Settled<Value> {
  const statements = found.map((each) => ({ ...each, value: meaning(each) }))
  const [first] = statements
  if (first === undefined) return { value: null, unclear: null }
  const { value, source } = first
  if (value === null || statements.some((other) => other.value === null))
    return { value: null, unclear: problems.unreadable }
  const others = statements.filter((other) => other.value === null || !isSame(value, other.value))
  if (others.length === 0) return { value: { value, source }, unclear: null }
  const isOneStep = new Set(statements.map(({ step }) => step)).size < statements.length
  return { value: null, unclear: isOneStep ? problems.ambiguous : problems.disagreeing }
}

/** What is wrong with the readings of a part; `values` may name the order that the profile expects. */
export function problemsOf(what: 'historyNumber' | 'eye' | 'date', values?: Wording['values']): Problems {
  return {
    unreadable: wordingOf(`intake:profile.${what}.unreadable`, values),
    ambiguous: wordingOf(`intake:profile.${what}.ambiguous`),
    disagreeing: wordingOf(`intake:profile.${what}.disagreeing`),
  }
}

/**
 * Reads paths by strict profiles: the whole path, every part typed, exactly one reading. Pure; no path makes it throw
 * or take long.
 */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import {
  type ConfirmedProfile,
  EXTENSION_CLASSES,
  type ExtensionClass,
  type StrictPart,
} from '../../../../src-shared/confirmed-profile.ts'
import { foldId } from '../meaning/numbers.ts'
import { nameKey, plainName } from '../meaning/persons.ts'
import { idEnds } from './id-formats.ts'
import { momentEnds, readDay, readTime } from './moments.ts'
import { matchPattern, sameLengthLower, type Span, type Step } from './pattern.ts'

/** A value with its place in the path (in the composed form, NFC). */
export type Spelled<Value> = {
  readonly value: Value
  readonly source: 'folderName' | 'fileName'
  readonly span: Span
}

/** What a strict profile reads. Null: the pattern lacks the part. */
export type StrictReading = {
  readonly historyNumber: Spelled<string>
  /** `YYYY-MM-DD`. */
  readonly visitDate: Spelled<string> | null
  readonly eye: Spelled<StatedEye> | null
  readonly lastName: Spelled<string> | null
  readonly firstName: Spelled<string> | null
  /** Everything that stands where names stand, in order, for comparison without order. */
  readonly name: Spelled<string> | null
  /** `HH:MM:SS` on the camera's clock; of several, the one nearest to the end of the path. */
  readonly time: Spelled<string> | null
}

/** `several`: the path has two readings, or states two values for one thing, such as two numbers. */
export type StrictResult =
  | { readonly kind: 'one'; readonly reading: StrictReading }
  | { readonly kind: 'none' }
  | { readonly kind: 'several' }

type ReadingPart = Exclude<StrictPart, { kind: 'text' }>

/** `index`: in the profile's list of parts. */
type StrictStep = { readonly kind: 'part'; readonly part: ReadingPart; readonly index: number }

const MAX_NAME = 255

const NONE = { kind: 'none' } as const
const SEVERAL = { kind: 'several' } as const

export function readConfirmed(
  profile: Pick<ConfirmedProfile, 'parts' | 'extensions'>,
  path: string,
): StrictResult {
  const cut = cutByStrict(profile, path)
  return cut.kind === 'one' ? readingOf(cut.path, cut.cells) : cut
}

/** One part of a path with the text that stands there. */
export type Cell<Part = ReadingPart> = {
  readonly part: Part
  /** In the profile's list of parts. */
  readonly index: number
  readonly text: string
  readonly span: Span
}

type Cut =
  | { readonly kind: 'one'; readonly path: string; readonly cells: readonly Cell[] }
  | typeof NONE
  | typeof SEVERAL

/** Cuts a path into the parts of a profile, if it can be cut in exactly one way. */
export function cutByStrict(
  { parts, extensions }: Pick<ConfirmedProfile, 'parts' | 'extensions'>,
  path: string,
): Cut {
  const { stem, extension } = splitExtension(path.normalize('NFC'))
  if (extension === null || !extensions.includes(extension)) return NONE
  const names = stem.split('/')
  if (names.length !== namesIn(parts) || names.some((name) => name.length > MAX_NAME)) return NONE
  const steps = stepsOf(parts)
  const match = matchPattern(steps, stem, remembered(stem))
  if (match === null) return NONE
  const cells: Cell[] = []
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'part') continue
    // No step can be skipped: if each part has one text, there is one reading.
    const [span, ...others] = match.spansOf(at)
    if (span === undefined || others.length > 0) return SEVERAL
    cells.push({ part: step.part, index: step.index, text: stem.slice(span.start, span.end), span })
  }
  return { kind: 'one', path: stem, cells }
}

/** Only text holds the slashes between names. */
function namesIn(parts: readonly StrictPart[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.split('/').length - 1 : 0), 1)
}

const STEPS = new WeakMap<readonly StrictPart[], readonly Step<StrictStep>[]>()

function stepsOf(parts: readonly StrictPart[]): readonly Step<StrictStep>[] {
  const known = STEPS.get(parts)
  if (known) return known
  const made = parts.map((part, index): Step<StrictStep> =>
    part.kind === 'text'
      ? { kind: 'literal', text: part.text.normalize('NFC') }
      : { kind: 'part', part, index },
  )
  STEPS.set(parts, made)
  return made
}

/** An extension does not begin with a digit: that is the end of a UID. Null: no kind of image. */
export function splitExtension(path: string): {
  readonly stem: string
  readonly extension: ExtensionClass | null
} {
  const found = /\.([a-z][a-z\d]{0,4})$/i.exec(path)
  if (found === null) return { stem: path, extension: 'none' }
  const written = found[1]?.toLowerCase() ?? ''
  const known = Object.entries(EXTENSION_CLASSES).find(([, endings]) =>
    endings.some((ending) => ending === written),
  )
  return { stem: path.slice(0, found.index), extension: (known?.[0] as ExtensionClass | undefined) ?? null }
}

/** The ends of each part at each position, found once. */
function remembered(text: string): (step: StrictStep, start: number) => readonly number[] {
  const lower = sameLengthLower(text)
  const known = new Map<StrictStep, Map<number, readonly number[]>>()
  return (step, start) => {
    const ofStep = known.get(step) ?? new Map<number, readonly number[]>()
    known.set(step, ofStep)
    const ends = ofStep.get(start) ?? endsOf(step.part, text, lower, start)
    ofStep.set(start, ends)
    return ends
  }
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}/iy

const RUNS = { hex: /[0-9a-f]+/iy, digits: /\d+/y, counter: /\d{1,3}/y } as const

function endsOf(part: ReadingPart, text: string, lower: string, start: number): readonly number[] {
  switch (part.kind) {
    case 'id':
      return idEnds(part.formats, text, start)
    case 'date':
      return momentEnds(
        text,
        start,
        part.format,
        (spelling) => readDay(spelling, part.format, part.of) !== null,
      )
    case 'time':
      return momentEnds(text, start, part.format, (spelling) => readTime(spelling, part.format) !== null)
    case 'eye':
      return termEnds([...part.right, ...part.left], lower, start)
    case 'view':
      return termEnds(part.terms, lower, start)
    case 'unique': {
      if (part.form === 'uuid')
        return runFrom(UUID, text, start) === 0 ? [] : [start + runFrom(UUID, text, start)]
      const run = runFrom(RUNS[part.form], text, start)
      return part.lengths.filter((length) => length <= run).map((length) => start + length)
    }
    case 'counter': {
      const run = Math.min(runFrom(RUNS.counter, text, start), part.maxDigits)
      return Array.from({ length: run }, (_, index) => start + index + 1)
    }
    case 'name':
      return nameEnds(text, start, part.joint)
  }
}

function runFrom(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.[0].length ?? 0
}

function termEnds(terms: readonly string[], lower: string, start: number): readonly number[] {
  const ends = terms.flatMap((term) => {
    const spelled = sameLengthLower(term.normalize('NFC'))
    return lower.startsWith(spelled, start) ? [start + spelled.length] : []
  })
  return [...new Set(ends)]
}

const NAME_RUNS = {
  plain: /(?=[\p{L}'’])[\p{L}\p{M}'’´`.\- ]{1,120}/uy,
  underscored: /(?=[\p{L}'’])[\p{L}\p{M}'’´`.\- _]{1,120}/uy,
} as const

function nameEnds(text: string, start: number, joint: '_' | null): readonly number[] {
  const run = runFrom(joint === null ? NAME_RUNS.plain : NAME_RUNS.underscored, text, start)
  const ends: number[] = []
  for (let end = start + 1; end <= start + run; end += 1)
    // Two code units, since some letters consist of two.
    if (/[\p{L}\p{M}.]$/u.test(text.slice(Math.max(start, end - 2), end))) ends.push(end)
  return ends
}

function readingOf(path: string, cells: readonly Cell[]): StrictResult {
  const stated = <Value>({ span }: Cell, value: Value): Spelled<Value> => ({
    value,
    source: path.indexOf('/', span.end) === -1 ? 'fileName' : 'folderName',
    span,
  })
  const historyNumber = agreed(
    cells.flatMap((cell) => (cell.part.kind === 'id' ? [stated(cell, numberOf(cell.part, cell.text))] : [])),
    foldId,
  )
  const visitDate = visitDateOf(cells, stated)
  const eye = agreed(
    cells.flatMap((cell) => (cell.part.kind === 'eye' ? [stated(cell, eyeOf(cell.part, cell.text))] : [])),
    String,
  )
  const names = cells.flatMap((cell) =>
    cell.part.kind === 'name' ? [{ of: cell.part.of, spelled: stated(cell, plainName(cell.text)) }] : [],
  )
  const namesOf = (of: 'last' | 'first'): Agreed<string> =>
    agreed(
      names.flatMap((name) => (name.of === of ? [name.spelled] : [])),
      nameKey,
    )
  const [lastName, firstName] = [namesOf('last'), namesOf('first')]
  const whole = agreed(
    names.flatMap(({ of, spelled }) => (of === 'both' || of === 'unchecked' ? [spelled] : [])),
    nameKey,
  )
  const found = [historyNumber, visitDate, eye, lastName, firstName, whole]
  if (found.includes('differ')) return SEVERAL
  const number = valueOf(historyNumber)
  if (number === null) return NONE
  const times = cells.flatMap((cell) =>
    cell.part.kind === 'time' ? [stated(cell, readTime(cell.text, cell.part.format) ?? '')] : [],
  )
  const reading = {
    historyNumber: number,
    visitDate: valueOf(visitDate),
    eye: valueOf(eye),
    lastName: valueOf(lastName),
    firstName: valueOf(firstName),
    name: valueOf(whole) ?? joinedNames(valueOf(lastName), valueOf(firstName)),
    time: times.at(-1) ?? null,
  }
  return { kind: 'one', reading }
}

type Agreed<Value> = Spelled<Value> | null | 'differ'

/** The first of these statements if all mean the same. */
function agreed<Value>(
  statements: readonly Spelled<Value>[],
  meaning: (value: Value) => string,
): Agreed<Value> {
  const [first] = statements
  if (first === undefined) return null
  return statements.every((other) => meaning(other.value) === meaning(first.value)) ? first : 'differ'
}

function valueOf<Value>(found: Agreed<Value>): Spelled<Value> | null {
  return found === 'differ' ? null : found
}

function joinedNames(last: Spelled<string> | null, first: Spelled<string> | null): Spelled<string> | null {
  if (last === null || first === null) return last ?? first
  return { ...last, value: `${last.value} ${first.value}` }
}

/** Padding is no part of the number. */
function numberOf({ padTo }: Extract<ReadingPart, { kind: 'id' }>, text: string): string {
  return padTo === null ? text : text.replace(/^0+(?=\d)/, '')
}

function eyeOf({ right }: Extract<ReadingPart, { kind: 'eye' }>, text: string): StatedEye {
  const spelled = sameLengthLower(text)
  return right.some((term) => sameLengthLower(term.normalize('NFC')) === spelled) ? 'right' : 'left'
}

/** Years, months and days of all folders and of the file; parts that contradict one another are two readings. */
function visitDateOf(
  cells: readonly Cell[],
  stated: <Value>(cell: Cell, value: Value) => Spelled<Value>,
): Agreed<string> {
  const found = cells.flatMap((cell) => {
    const { part, text } = cell
    const day = part.kind === 'date' && part.of === 'visit' ? readDay(text, part.format, 'visit') : null
    return day === null ? [] : [{ cell, day }]
  })
  const groups = (['year', 'month', 'day'] as const).map((group) => [
    ...new Set(found.flatMap(({ day }) => day[group] ?? [])),
  ])
  if (groups.some((values) => values.length > 1)) return 'differ'
  const [year, month, day] = groups.flat()
  const last = found.at(-1)
  // In order, so a missing one leaves fewer than three.
  if (year === undefined || month === undefined || day === undefined || last === undefined) return null
  const date = `${year}-${month}-${day}`
  return isRealDay(date) ? stated(last.cell, date) : 'differ'
}

function isRealDay(date: string): boolean {
  return readDay(date, 'YYYY-MM-DD', 'visit') !== null
}

/** `proven`: one confirmed profile reads the path, or several alike. `disputed`: they do not agree about it. */
export type FolderReading =
  | { readonly kind: 'proven'; readonly reading: StrictReading; readonly profileId: string }
  | { readonly kind: 'disputed'; readonly profileIds: readonly string[] }
  | { readonly kind: 'none' }

/** What the profiles of a folder say of a path; the caller leaves out those that do not prove this file. */
export function readByConfirmed(profiles: readonly ConfirmedProfile[], path: string): FolderReading {
  const matching = profiles.flatMap((profile) => {
    const result = readConfirmed(profile, path)
    return result.kind === 'none' ? [] : [{ id: profile.id, result }]
  })
  const [first] = matching
  if (first === undefined) return NONE
  const isAlike = matching.every(
    ({ result }) =>
      result.kind === 'one' &&
      first.result.kind === 'one' &&
      meaningOf(result.reading) === meaningOf(first.result.reading),
  )
  if (!isAlike || first.result.kind !== 'one')
    return { kind: 'disputed', profileIds: matching.map(({ id }) => id) }
  return { kind: 'proven', reading: first.result.reading, profileId: first.id }
}

function meaningOf({ historyNumber, visitDate, eye, name }: StrictReading): string {
  const who = [foldId(historyNumber.value), nameKey(name?.value ?? '')]
  return JSON.stringify([...who, visitDate?.value, eye?.value])
}

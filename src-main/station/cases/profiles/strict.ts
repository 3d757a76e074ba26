/**
 * Reads paths by strict profiles: the whole path, every part typed, exactly one reading; no path makes it throw or take
 * long. And what a person's confirmation of a profile is worth: for which files, and at which station.
 */
import { hash } from 'node:crypto'
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import {
  type Confirmation,
  type ConfirmedProfile,
  confirmedProfileSchema,
  EXTENSION_CLASSES,
  type ExtensionClass,
  type StrictPart,
} from '../../../../src-shared/confirmed-profile.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import { calendarDay } from '../meaning/dates.ts'
import { foldId } from '../meaning/numbers.ts'
import { nameKey, plainName } from '../meaning/persons.ts'
import type { CaseReads } from '../visits/reads.ts'
import { type DayParts, idEnds, readDay, readTime } from './formats.ts'

export type Spelled<Value> = { readonly value: Value; readonly source: 'folderName' | 'fileName' }

/** What a strict profile reads. Null: the pattern lacks the part. */
export type StrictReading = {
  readonly historyNumber: Spelled<string>
  /** `YYYY-MM-DD`. */
  readonly visitDate: Spelled<string> | null
  readonly eye: Spelled<StatedEye> | null
  readonly lastName: string | null
  readonly firstName: string | null
  /** Everything that stands where names stand, in order, for comparison without order. */
  readonly name: string | null
  /** `HH:MM:SS` on the camera's clock; of several, the one nearest to the end of the path. */
  readonly time: string | null
}

/** `several`: the path has two readings, or states two values for one thing, such as two numbers. */
export type StrictResult =
  | { readonly kind: 'one'; readonly reading: StrictReading }
  | { readonly kind: 'none' }
  | { readonly kind: 'several' }

/** A profile without its name and its confirmation. */
export type Pattern = Pick<ConfirmedProfile, 'parts' | 'extensions'>

type ReadingPart = Exclude<StrictPart, { kind: 'text' }>

const MAX_NAME = 255

const NONE = { kind: 'none' } as const
const SEVERAL = { kind: 'several' } as const

/** What a profile reads in a path, if the whole of it can be read in exactly one way. */
export function readConfirmed({ parts, extensions }: Pattern, path: string): StrictResult {
  const { stem, extension } = splitExtension(path.normalize('NFC'))
  if (extension === null || !extensions.includes(extension)) return NONE
  if (stem.split('/').some((name) => name.length > MAX_NAME)) return NONE
  const [cut, ...others] = cutsOf(parts, stem)
  if (cut === undefined) return NONE
  return others.length > 0 ? SEVERAL : readingOf(cut)
}

/** One part of a path with the text that stands there. */
type Cell = {
  readonly part: ReadingPart
  readonly text: string
  readonly source: Spelled<unknown>['source']
}

/** The ways to cut a text into these parts; of several, two. Each part is cut once from a position, which bounds the time. */
function cutsOf(parts: readonly StrictPart[], text: string): readonly (readonly Cell[])[] {
  const lower = sameLengthLower(text)
  const known = new Map<string, readonly (readonly Cell[])[]>()
  const cutsFrom = (index: number, start: number): readonly (readonly Cell[])[] => {
    const part = parts[index]
    if (part === undefined) return start === text.length ? [[]] : []
    if (part.kind === 'text') {
      const [end] = termEnds([part.text], lower, start)
      return end === undefined ? [] : cutsFrom(index + 1, end)
    }
    const key = `${index} ${start}`
    const before = known.get(key)
    if (before) return before
    const cuts: (readonly Cell[])[] = []
    for (const end of endsOf(part, text, lower, start)) {
      const source = text.includes('/', end) ? 'folderName' : 'fileName'
      const cell: Cell = { part, text: text.slice(start, end), source }
      cuts.push(...cutsFrom(index + 1, end).map((rest) => [cell, ...rest]))
      if (cuts.length > 1) break
    }
    known.set(key, cuts)
    return cuts
  }
  return cutsFrom(0, 0)
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

/** Lower case character by character, except for the few (İ) that would grow, so that positions stay valid. */
export function sameLengthLower(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text.toLowerCase()
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  }).join('')
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}/iy

const RUNS = { hex: /[0-9a-f]+/iy, digits: /\d+/y, counter: /\d{1,3}/y } as const

function endsOf(part: ReadingPart, text: string, lower: string, start: number): readonly number[] {
  switch (part.kind) {
    case 'id':
      return idEnds(part.formats, text, start)
    case 'date':
    case 'time': {
      // A format has few lengths: a day and a month of one letter may each have two digits.
      const lengths = Array.from({ length: part.format.length + 2 }, (_, index) => index + 1)
      const ends = lengths.map((length) => start + length).filter((end) => end <= text.length)
      return ends.filter((end) => momentIn(part, text.slice(start, end)) !== null)
    }
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

function momentIn(part: Extract<ReadingPart, { kind: 'date' | 'time' }>, text: string) {
  return part.kind === 'date' ? readDay(text, part.format, part.of) : readTime(text, part.format)
}

function readingOf(cells: readonly Cell[]): StrictResult {
  const stated = <Value>(valueIn: (cell: Cell) => Value | null): readonly Spelled<Value>[] =>
    cells.flatMap((cell) => {
      const value = valueIn(cell)
      return value === null ? [] : [{ value, source: cell.source }]
    })
  const numbers = stated(numberIn)
  const eyes = stated(eyeIn)
  const days = stated(({ part, text }) =>
    part.kind === 'date' && part.of === 'visit' ? readDay(text, part.format, 'visit') : null,
  )
  const times = stated(({ part, text }) => (part.kind === 'time' ? readTime(text, part.format) : null))
  const namesOf = (...of: readonly NameOf[]): readonly Spelled<string>[] =>
    stated(({ part, text }) => (part.kind === 'name' && of.includes(part.of) ? plainName(text) : null))
  const names = [namesOf('last'), namesOf('first'), namesOf('both', 'unchecked')] as const
  const day = wholeDay(days.map(({ value }) => value))
  if (!areAlike(numbers, foldId) || !areAlike(eyes, String) || day === 'differ') return SEVERAL
  if (!names.every((alike) => areAlike(alike, nameKey))) return SEVERAL
  const [historyNumber] = numbers
  const last = days.at(-1)
  if (historyNumber === undefined) return NONE
  const [lastName = null, firstName = null, whole = null] = names.map(([first]) => first?.value)
  const inOrder = [lastName, firstName].filter((name) => name !== null).join(' ')
  const reading: StrictReading = {
    historyNumber,
    visitDate: day === null || last === undefined ? null : { ...last, value: day },
    eye: eyes[0] ?? null,
    lastName,
    firstName,
    name: whole ?? (inOrder || null),
    time: times.at(-1)?.value ?? null,
  }
  return { kind: 'one', reading }
}

type NameOf = Extract<ReadingPart, { kind: 'name' }>['of']

function areAlike<Value>(stated: readonly Spelled<Value>[], meaning: (value: Value) => string): boolean {
  return new Set(stated.map(({ value }) => meaning(value))).size <= 1
}

/** Padding is no part of the number. */
function numberIn({ part, text }: Cell): string | null {
  if (part.kind !== 'id') return null
  return part.padTo === null ? text : text.replace(/^0+(?=\d)/, '')
}

function eyeIn({ part, text }: Cell): StatedEye | null {
  if (part.kind !== 'eye') return null
  const spelled = sameLengthLower(text)
  return part.right.some((term) => sameLengthLower(term.normalize('NFC')) === spelled) ? 'right' : 'left'
}

/** Years, months and days of all folders and of the file; parts that contradict one another are two readings. */
function wholeDay(days: readonly DayParts[]): string | null {
  const groups = (['year', 'month', 'day'] as const).map((group) => [
    ...new Set(days.flatMap((day) => day[group] ?? [])),
  ])
  if (groups.some(({ length }) => length > 1)) return 'differ'
  const [year, month, day] = groups.flat()
  // In order, so a missing one leaves fewer than three.
  if (year === undefined || month === undefined || day === undefined) return null
  return calendarDay(year, month, day, 'visit') ?? 'differ'
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
  const who = [foldId(historyNumber.value), nameKey(name ?? '')]
  return JSON.stringify([...who, visitDate?.value, eye?.value])
}

/**
 * The SHA-256 of what a person confirmed: patterns, formats and lists, lower-case hexadecimal. Absent and null are the same,
 * so that an option of a later program does not change it.
 */
export function digestOf(profile: Pattern): string {
  const known = digests.get(profile)
  if (known !== undefined) return known
  const { parts, extensions } = patternSchema.parse(profile)
  const text = JSON.stringify([parts, extensions], (_key, value: unknown) => value ?? undefined)
  const digest = hash('sha256', text)
  digests.set(profile, digest)
  return digest
}

/** So its parts have their keys in one order, however a profile was written. */
const patternSchema = confirmedProfileSchema.pick({ parts: true, extensions: true })

/** Profiles are never changed in place, and each picture asks again. */
const digests = new WeakMap<Pattern, string>()

/** The profile as a person with these initials confirms it at this station; `now` in epoch milliseconds. */
export function confirm(
  profile: ConfirmedProfile,
  { by, now, station }: { readonly by: string; readonly now: number; readonly station: string },
): ConfirmedProfile {
  return {
    ...profile,
    confirmed: { by, at: new Date(now).toISOString(), digest: digestOf(profile), station },
  }
}

/** The confirmation if it is of exactly this profile; null if there is none, or the profile was changed since. */
export function confirmationOf(profile: ConfirmedProfile): Confirmation | null {
  const { confirmed } = profile
  return confirmed !== null && confirmed.digest === digestOf(profile) ? confirmed : null
}

/** Does the profile prove a file first seen at this instant, in epoch milliseconds? Older files were not meant by it. */
export function provesFile(profile: ConfirmedProfile, firstSeenAt: number): boolean {
  const confirmed = confirmationOf(profile)
  return confirmed !== null && firstSeenAt > Date.parse(confirmed.at)
}

/** How many visits a person looks at before a profile of another station, or of an unknown one, is believed. */
const FIRST_REVIEWS = 5

/** How many visits that this profile proves a person still looks at. */
export function firstReviewsLeft(
  outbox: Pick<CaseReads, 'readFact' | 'countApprovedBy'>,
  folder: Pick<FolderSettings, 'path'>,
  { id, confirmed }: Pick<ConfirmedProfile, 'id' | 'confirmed'>,
): number {
  const isOfHere = confirmed?.station === (outbox.readFact('stationId') ?? '')
  if (isOfHere) return 0
  return FIRST_REVIEWS - Math.min(FIRST_REVIEWS, outbox.countApprovedBy(folder.path, id, FIRST_REVIEWS))
}

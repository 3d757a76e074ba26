/** Reads the path of a file by the patterns of a profile. Pure; no path makes it throw or take long. */
import {
  type MomentFormat,
  parsePattern,
  type Pattern,
  type PatternPartName,
} from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import { foldPath, type Stated, type StatedEye } from '../evidence.ts'
import { isVisitYear } from '../meaning/dates.ts'
import { isSameId } from '../meaning/numbers.ts'
import { type NameOrder, type PersonName, plainName, splitName } from '../meaning/persons.ts'
import { tokensOf } from '../proof/tokens.ts'
import {
  eyeOf,
  eyeTermsOf,
  type FoundPart,
  isLikeHistoryNumber,
  momentOf,
  type PartSpellings,
  possibleParts,
  preferredParts,
  problemsOf,
  type Reading,
  settle,
  spellingsOf,
} from './parts.ts'
import { type EndsOf, matchPattern, type PatternMatch } from './pattern.ts'

type NamesInPath = Pick<ProfileReading, 'lastName' | 'firstName' | 'unclear'>

/** What a profile reads in a path. Null: the pattern lacks the part, or it is unclear, as `unclear` says. */
export type ProfileReading = {
  /** As it is spelled; the folder's spelling if folder and file name agree. */
  readonly historyNumber: Stated<string> | null
  readonly lastName: Stated<string> | null
  readonly firstName: Stated<string> | null
  /** `YYYY-MM-DD`. */
  readonly visitDate: Stated<string> | null
  /** `HH:MM:SS` on the camera's clock; of several, the one nearest to the end of the path. */
  readonly time: string | null
  readonly eye: Stated<StatedEye> | null
  /** The matching pattern locates the eye: no other word of the path states one, even if that position is empty. */
  readonly isEyePlaced: boolean
  /** What the profile expects and the name lacks, or states ambiguously. */
  readonly unclear: readonly Wording[]
}

const MAX_NAME = 255

/**
 * The path is relative to the watched folder, with `/`. The first matching pattern reads it; one whose dates, eyes
 * and history number are readable precedes one that matches in shape only. Null: no pattern matches.
 */
export function readByProfile(profile: Profile, relativePath: string): ProfileReading | null {
  const names = pathSegments(relativePath)
  for (const reading of ['readable', 'shape'] as const) {
    for (const each of compiled(profile)) {
      const fitted = fit(each, names, reading)
      if (fitted) return readingOf(profile, each.pattern, fitted)
    }
  }
  return null
}

/** The described end of a path, and the place of each part in it, if the path has one reading. */
export type PartsInPath = {
  readonly text: string
  readonly parts: readonly { readonly name: PatternPartName; readonly start: number; readonly end: number }[]
}

/** The places of the parts by the first pattern that can read the path in exactly one way; null if none can. */
export function partsByProfile(profile: Profile, relativePath: string): PartsInPath | null {
  const names = pathSegments(relativePath)
  for (const each of compiled(profile)) {
    const fitted = fit(each, names, 'readable')
    if (fitted === null) continue
    const { steps } = each.pattern
    const isClear = steps.every(
      (step, index) => step.kind !== 'part' || fitted.match.spansOf(index).length < 2,
    )
    if (!isClear) continue
    const parts = [...fitted.match.preferred].flatMap(([index, span]) => {
      const step = steps[index]
      return step?.kind === 'part' ? [{ name: step.name, ...span }] : []
    })
    // The pattern may describe fewer names than it could: what precedes its first part is cut like any folder.
    const start = fitted.match.start
    return {
      text: fitted.text.slice(start),
      parts: parts.map((part) => ({ ...part, start: part.start - start, end: part.end - start })),
    }
  }
  return null
}

/**
 * The term of the profile because of which this file is ignored, or null. A term counts as a whole word in the file
 * name, or as a whole folder name: a patient's folder is not ignored for a part of a name.
 */
export function ignoredTermOf(profile: Profile, relativePath: string): string | null {
  const names = pathSegments(relativePath).map(foldPath)
  const file = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  return (
    profile.leaveAlone.find((term) => {
      const wanted = foldPath(term)
      return holdsWhole(file, wanted) || folders.includes(wanted)
    }) ?? null
  )
}

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u

function holdsWhole(name: string, term: string): boolean {
  for (let at = name.indexOf(term); at !== -1; at = name.indexOf(term, at + 1)) {
    const [before, after] = [name[at - 1] ?? '', name[at + term.length] ?? '']
    if (!LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after)) return true
  }
  return false
}

/**
 * Folders and file, composed, without the extension. An extension does not begin with a digit: that is the end of a
 * UID, or a fraction.
 */
function pathSegments(relativePath: string): readonly string[] {
  const names = relativePath.normalize('NFC').split('/')
  return [...names.slice(0, -1), (names.at(-1) ?? '').replace(/\.[a-z][a-z\d]{0,4}$/i, '')]
}

type Compiled = { readonly pattern: Pattern; readonly spellings: PartSpellings }

const COMPILED = new WeakMap<Profile, readonly Compiled[]>()

function compiled(profile: Profile): readonly Compiled[] {
  const known = COMPILED.get(profile)
  if (known) return known
  const made = profile.patterns.flatMap((text): Compiled[] => {
    const parsed = parsePattern(text)
    if (parsed.kind === 'problem') return []
    return [{ pattern: parsed.pattern, spellings: spellingsOf(profile, parsed.pattern) }]
  })
  COMPILED.set(profile, made)
  return made
}

type Fit = { readonly text: string; readonly match: PatternMatch }

function fit({ pattern, spellings }: Compiled, names: readonly string[], reading: Reading): Fit | null {
  const described = names.slice(-pattern.maxNames)
  if (described.some((name) => name.length > MAX_NAME)) return null
  const text = described.join('/')
  const starts = [0, ...[...text.matchAll(/\//g)].map(({ index }) => index + 1)]
  const ends = remembered((part, start) => spellings(part, text, start, reading))
  const match = matchPattern(pattern.steps, text, starts, ends)
  return match && { text, match }
}

/** Matches each kind of part once at each position, however often the pattern contains it. */
function remembered(endsOf: EndsOf): EndsOf {
  const known = new Map<PatternPartName | MomentFormat, Map<number, readonly number[]>>()
  return (part, start) => {
    const kind = part.format ?? part.name
    const ofKind = known.get(kind) ?? new Map<number, readonly number[]>()
    known.set(kind, ofKind)
    const ends = ofKind.get(start) ?? endsOf(part, start)
    ofKind.set(start, ends)
    return ends
  }
}

function readingOf(profile: Profile, pattern: Pattern, { text, match }: Fit): ProfileReading {
  const possible = (...names: PatternPartName[]): readonly FoundPart[] =>
    possibleParts(pattern, text, match, names)
  const preferred = preferredParts(pattern, text, match)
  const own = eyeTermsOf(profile)
  const visitDate = settle(
    possible('date', 'dateTime'),
    ({ part, text }) => momentOf(part, text, profile)?.date ?? null,
    Object.is,
    problemsOf('date', { order: wordingOf(`intake:profile.order.${profile.dateOrder}`) }),
  )
  const historyNumber = settle(
    possible('historyNumber'),
    // The folder of a day contains many patients. If the visit date is elsewhere, it is no such folder.
    ({ text }) => (isLikeHistoryNumber(text) && (visitDate.value !== null || !isDay(text)) ? text : null),
    isSameId,
    problemsOf('historyNumber'),
  )
  const eye = settle(possible('eye'), ({ text }) => eyeOf(text, own), Object.is, problemsOf('eye'))
  const { lastName, firstName, unclear } = namesInPath(preferred, profile)
  return {
    historyNumber: historyNumber.value,
    lastName,
    firstName,
    visitDate: visitDate.value,
    time: preferred.flatMap(({ part, text }) => momentOf(part, text, profile)?.time ?? []).at(-1) ?? null,
    eye: eye.value,
    isEyePlaced: pattern.steps.some((step) => step.kind === 'part' && step.name === 'eye'),
    unclear: [historyNumber.unclear, visitDate.unclear, eye.unclear, ...unclear].filter(
      (problem) => problem !== null,
    ),
  }
}

function namesInPath(found: readonly FoundPart[], { nameOrder }: Profile): NamesInPath {
  const settled = (which: 'lastName' | 'firstName'): ReturnType<typeof settle<string>> => {
    const meaning = ({ part, text }: FoundPart): string | null =>
      part.name === 'name' ? namesIn(text, nameOrder)[which] : plainName(text)
    // A single word is one name; the other is then not stated, which is no problem.
    const stating = found.filter(
      (each) => (each.part.name === which || each.part.name === 'name') && meaning(each) !== null,
    )
    const differ = wordingOf(`intake:profile.${which}sDiffer`)
    const problems = { unreadable: differ, ambiguous: differ, disagreeing: differ }
    return settle(stating, meaning, (one, other) => foldPath(one) === foldPath(other), problems)
  }
  const last = settled('lastName')
  const first = settled('firstName')
  return {
    lastName: last.value,
    firstName: first.value,
    unclear: [last.unclear, first.unclear].filter((problem) => problem !== null),
  }
}

/** Of more than two words one is the first name and the rest the last name; a single word is the name that comes first. */
function namesIn(text: string, order: NameOrder): PersonName {
  const names = splitName(text, order)
  if (names !== null) return names
  const terms = plainName(text).split(' ')
  const first = order === 'firstLast' ? terms.slice(0, 1) : terms.slice(1).slice(-1)
  const last = order === 'firstLast' ? terms.slice(1) : terms.slice(0, Math.max(1, terms.length - 1))
  return { lastName: last.join(' ') || null, firstName: first.join(' ') || null }
}

function isDay(text: string): boolean {
  const [date] = tokensOf(text)
  return (
    date?.kind === 'date' && date.text === text && date.value !== null && isVisitYear(date.value.slice(0, 4))
  )
}

/** Reads the path of a file by the patterns of a profile. Pure; no path makes it throw or take long. */
import type { MomentFormat } from '../../../../src-shared/pattern-format.ts'
import { parsePattern, type PatternPartName, type Pattern } from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { dateAt } from '../name-dates.ts'
import { isSameId } from '../name-reading.ts'
import type { Stated } from '../recognition.ts'
import { matchPattern, type EndsOf, type PatternMatch } from './match-pattern.ts'
import { namesInPath } from './names-in-path.ts'
import {
  eyeOf,
  eyeTermsOf,
  folded,
  isLikeHistoryNumber,
  momentOf,
  spellingsOf,
  type PartSpellings,
  type Reading,
  type StatedEye,
} from './part-spellings.ts'
import { possibleParts, preferredParts, settle, type FoundPart } from './settle-parts.ts'
import { OF_EYE, OF_HISTORY_NUMBER, sentencesOfDate } from './unclear-sentences.ts'

/** What a profile reads in a path. Null: the pattern has no such part, or it is unclear, and then a sentence says so. */
export type ProfileReading = {
  /** As it is spelled; of a folder and a file name that agree, the folder's. */
  readonly historyNumber: Stated<string> | null
  readonly lastName: Stated<string> | null
  readonly firstName: Stated<string> | null
  /** `YYYY-MM-DD`. */
  readonly visitDate: Stated<string> | null
  /** `HH:MM:SS` by the clock of the camera; of several, the one nearest to the end of the path. */
  readonly time: string | null
  readonly eye: Stated<StatedEye> | null
  /** The pattern that fits says where the eye stands: no other word of the path states one, also where none stands there. */
  readonly isEyePlaced: boolean
  readonly view: string | null
  /** Sentences for a person: what the profile expects and the name does not hold, or holds in two ways. */
  readonly unclear: readonly string[]
  /** Folder and file name state the same history number. */
  readonly isIdentityRepeated: boolean
}

/** No file system has longer names. */
const MAX_NAME = 255

/**
 * The path is relative to the watched folder, with `/`. The first pattern that fits reads it; one whose dates, eyes and
 * history number can be read goes before one that fits in shape only. Null: no pattern fits.
 */
export function readByProfile(profile: Profile, relativePath: string): ProfileReading | null {
  const names = namesOf(relativePath)
  for (const reading of ['readable', 'shape'] as const) {
    for (const each of compiled(profile)) {
      const place = fit(each, names, reading)
      if (place) return readingOf(profile, each.pattern, place)
    }
  }
  return null
}

/**
 * The word of the profile because of which this file is left alone, or null. A word counts where it stands whole in the
 * name of the file, or is all of a folder's name: a patient's folder is not left alone because of a part of a name.
 */
export function ignoredTermOf(profile: Profile, relativePath: string): string | null {
  const names = namesOf(relativePath).map(folded)
  const file = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  return (
    profile.leaveAlone.find((word) => {
      const wanted = folded(word)
      return holdsWhole(file, wanted) || folders.includes(wanted)
    }) ?? null
  )
}

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u

function holdsWhole(name: string, word: string): boolean {
  for (let at = name.indexOf(word); at !== -1; at = name.indexOf(word, at + 1)) {
    const [before, after] = [name[at - 1] ?? '', name[at + word.length] ?? '']
    if (!LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after)) return true
  }
  return false
}

/** Folders and file, composed, without the extension. What begins with a digit is none: the end of a UID, a fraction. */
function namesOf(relativePath: string): readonly string[] {
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
    if (parsed.kind === 'trouble') return []
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
  const ends = remembered((part, start) => spellings.endsOf(part, text, start, reading))
  const match = matchPattern(pattern.steps, text, starts, ends)
  return match && { text, match }
}

/** Each kind of part is looked for once at each position, however often the pattern holds it. */
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
    sentencesOfDate(profile),
  )
  const numbers = possible('historyNumber')
  const historyNumber = settle(
    numbers,
    // The folder of a day holds many patients. Where the visit date stands elsewhere, it is no such folder.
    ({ text }) => (isLikeHistoryNumber(text) && (visitDate.value !== null || !isDay(text)) ? text : null),
    isSameId,
    OF_HISTORY_NUMBER,
  )
  const eye = settle(possible('eye'), ({ text }) => eyeOf(text, own), Object.is, OF_EYE)
  const { lastName, firstName, unclear } = namesInPath(preferred, profile)
  return {
    historyNumber: historyNumber.value,
    lastName,
    firstName,
    visitDate: visitDate.value,
    time: preferred.flatMap(({ part, text }) => momentOf(part, text, profile)?.time ?? []).at(-1) ?? null,
    eye: eye.value,
    isEyePlaced: pattern.steps.some((step) => step.kind === 'part' && step.name === 'eye'),
    view: preferred.find(({ part }) => part.name === 'view')?.text ?? null,
    unclear: [historyNumber.unclear, visitDate.unclear, eye.unclear, ...unclear].filter(
      (sentence) => sentence !== null,
    ),
    isIdentityRepeated:
      historyNumber.value !== null && new Set(numbers.map(({ source }) => source)).size === 2,
  }
}

function isDay(text: string): boolean {
  const date = dateAt(text, 0)
  return date?.kind === 'date' && date.length === text.length
}

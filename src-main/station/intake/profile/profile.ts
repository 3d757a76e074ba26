/** Reads the path of a file by the patterns of a profile. Pure; no path makes it throw or take long. */
import {
  type MomentFormat,
  parsePattern,
  type Pattern,
  type PatternPart,
  type PatternPartName,
  type PatternStep,
} from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import type { Stated, StatedEye } from '../evidence.ts'
import { dateAt, isSameId } from '../names/names.ts'
import {
  eyeOf,
  eyeTermsOf,
  folded,
  type FoundPart,
  isLikeHistoryNumber,
  momentOf,
  type PartSpellings,
  possibleParts,
  preferredParts,
  type Problems,
  problemsOf,
  problemsOfDate,
  type Reading,
  settle,
  spellingsOf,
} from './parts.ts'

/** A range in the text, the end excluded. */
export type Span = { readonly start: number; readonly end: number }

/** The possible ends of a part that begins at `start`, the best first. */
type EndsOf = (part: PatternPart, start: number) => readonly number[]

export type PatternMatch = {
  /** The greedy reading, which takes sections and the best ends if possible: by the index of the step, in order. */
  readonly preferred: ReadonlyMap<number, Span>
  /** The spans of the part at this step in any reading, one for each text; two already mean uncertainty. */
  readonly spansOf: (index: number) => readonly Span[]
}

/** For a text that can be split in thousands of ways: enough to include different meanings. */
const MAX_TEXTS = 50

type MatchState = { readonly step: number; readonly position: number }

/** Null if the steps do not cover the whole text from one of these starts. */
function matchPattern(
  steps: readonly PatternStep[],
  text: string,
  starts: readonly number[],
  endsOf: EndsOf,
): PatternMatch | null {
  const lower = sameLengthLower(text)
  const literals = steps.map((step) => (step.kind === 'literal' ? sameLengthLower(step.text) : null))
  const canStandAt = (step: number, position: number): boolean => {
    if (step === steps.length) return position === text.length
    const literal = literals[step] ?? null
    return literal === null || lower.startsWith(literal, position)
  }
  const movesFrom = ({ step: index, position }: MatchState): readonly MatchState[] => {
    const step = steps[index]
    const next = index + 1
    if (step === undefined) return []
    if (step.kind === 'part')
      return endsOf(step, position)
        .filter((end) => canStandAt(next, end))
        .map((end) => ({ step: next, position: end }))
    if (step.kind === 'literal')
      return canStandAt(index, position) ? [{ step: next, position: position + step.text.length }] : []
    return [
      { step: next, position },
      { step: step.until, position },
    ]
  }
  const live = liveStates(steps.length, text.length, starts, movesFrom)
  const isLive = ({ step, position }: MatchState): boolean => live[step]?.has(position) ?? false
  const first = starts.find((position) => isLive({ step: 0, position }))
  if (first === undefined) return null
  return {
    preferred: preferredFrom({ step: 0, position: first }, steps, (state) => movesFrom(state).find(isLive)),
    spansOf: (index) => {
      const found = new Map<string, Span>()
      for (const start of live[index] ?? []) {
        for (const next of movesFrom({ step: index, position: start })) {
          const spelling = text.slice(start, next.position)
          if (isLive(next) && !found.has(spelling)) found.set(spelling, { start, end: next.position })
          if (found.size === MAX_TEXTS) return [...found.values()]
        }
      }
      return [...found.values()]
    },
  }
}

/** For each step, the positions on a path from a start to the end of the text. */
function liveStates(
  stepCount: number,
  textLength: number,
  starts: readonly number[],
  movesFrom: (state: MatchState) => readonly MatchState[],
): readonly ReadonlySet<number>[] {
  const reached = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  for (const start of starts) reached[0]?.add(start)
  // Moves lead only to later steps: one pass forward finds all states, one pass back those that reach the end.
  for (const [step, positions] of reached.entries())
    for (const position of positions)
      for (const next of movesFrom({ step, position })) reached[next.step]?.add(next.position)
  const live = Array.from({ length: stepCount + 1 }, () => new Set<number>())
  if (!reached[stepCount]?.has(textLength)) return live
  live[stepCount]?.add(textLength)
  for (let step = stepCount - 1; step >= 0; step -= 1)
    for (const position of reached[step] ?? [])
      if (movesFrom({ step, position }).some((next) => live[next.step]?.has(next.position)))
        live[step]?.add(position)
  return live
}

function preferredFrom(
  first: MatchState,
  steps: readonly PatternStep[],
  bestMove: (state: MatchState) => MatchState | undefined,
): ReadonlyMap<number, Span> {
  const spans = new Map<number, Span>()
  let state: MatchState | undefined = first
  while (state !== undefined) {
    const next = bestMove(state)
    if (next && steps[state.step]?.kind === 'part')
      spans.set(state.step, { start: state.position, end: next.position })
    state = next
  }
  return spans
}

/** Lower case character by character, except for the few (İ) that would grow, so that positions stay valid. */
function sameLengthLower(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase()
    return lower.length === letter.length ? lower : letter
  }).join('')
}

type NamesInPath = {
  readonly lastName: Stated<string> | null
  readonly firstName: Stated<string> | null
  readonly unclear: readonly Wording[]
}

function problemsOfName(which: 'firstName' | 'lastName'): Problems {
  const differ = wordingOf(`intake:profile.${which}sDiffer`)
  return { unreadable: differ, ambiguous: differ, disagreeing: differ }
}

/**
 * The values that a profile reads in a path. Null: the pattern lacks the part, or it is unclear, and then `unclear` says so.
 */
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
  readonly view: string | null
  /** What the profile expects and the name lacks, or states ambiguously. */
  readonly unclear: readonly Wording[]
  /** Folder and file name state the same history number. */
  readonly isIdentityRepeated: boolean
}

/** No file system has longer names. */
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

/**
 * The term of the profile because of which this file is ignored, or null. A term counts as a whole word in the file
 * name, or as a whole folder name: a patient's folder is not ignored for a part of a name.
 */
export function ignoredTermOf(profile: Profile, relativePath: string): string | null {
  const names = pathSegments(relativePath).map(folded)
  const file = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  return (
    profile.leaveAlone.find((term) => {
      const wanted = folded(term)
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
  const ends = remembered((part, start) => spellings.endsOf(part, text, start, reading))
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
    problemsOfDate(profile),
  )
  const numbers = possible('historyNumber')
  const historyNumber = settle(
    numbers,
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
    view: preferred.find(({ part }) => part.name === 'view')?.text ?? null,
    unclear: [historyNumber.unclear, visitDate.unclear, eye.unclear, ...unclear].filter(
      (problem) => problem !== null,
    ),
    isIdentityRepeated:
      historyNumber.value !== null && new Set(numbers.map(({ source }) => source)).size === 2,
  }
}

/** The patient's names. `found` are the parts of the preferred reading. */
function namesInPath(found: readonly FoundPart[], { nameOrder }: Profile): NamesInPath {
  const settled = (which: 'lastName' | 'firstName'): ReturnType<typeof settle<string>> => {
    const meaning = ({ part, text }: FoundPart): string | null =>
      part.name === 'name' ? splitName(text, nameOrder)[which] : plain(text)
    // A single word is one name; the other is then not stated, which is no problem.
    const stating = found.filter(
      (each) => (each.part.name === which || each.part.name === 'name') && meaning(each) !== null,
    )
    return settle(stating, meaning, (one, other) => folded(one) === folded(other), problemsOfName(which))
  }
  const last = settled('lastName')
  const first = settled('firstName')
  return {
    lastName: last.value,
    firstName: first.value,
    unclear: [last.unclear, first.unclear].filter((problem) => problem !== null),
  }
}

function plain(text: string): string {
  return text.replaceAll(/[_\s]+/gu, ' ').trim()
}

/**
 * Both names in one part. A comma always ends the last name; `^` (DICOM) and spaces separate names in the order of
 * the profile. Of more than two words one is the first name and the rest the last name; a single word is the name
 * that comes first.
 */
function splitName(
  text: string,
  order: Profile['nameOrder'],
): { readonly lastName: string | null; readonly firstName: string | null } {
  const [before = '', after] = text.split(text.includes('^') ? '^' : ',').map(plain)
  if (after !== undefined) {
    const isLastFirst = order === 'lastFirst' || !text.includes('^')
    return isLastFirst ? namesOf(before, after) : namesOf(after, before)
  }
  const terms = before.split(' ')
  if (terms.length === 1) return order === 'lastFirst' ? namesOf(before, '') : namesOf('', before)
  if (order === 'lastFirst') return namesOf(terms.slice(0, -1).join(' '), terms.at(-1) ?? '')
  return namesOf(terms.slice(1).join(' '), terms[0] ?? '')
}

function namesOf(
  lastName: string,
  firstName: string,
): { readonly lastName: string | null; readonly firstName: string | null } {
  return {
    lastName: lastName === '' ? null : lastName,
    firstName: firstName === '' ? null : firstName,
  }
}

function isDay(text: string): boolean {
  const date = dateAt(text, 0)
  return date?.kind === 'date' && date.length === text.length
}

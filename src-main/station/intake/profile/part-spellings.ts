/** What each part of a pattern can be spelled as, and what the spelling means. Pure. */
import type { Eye } from '../../../../src-shared/eye.ts'
import { isMoment, type Pattern, type PatternPart } from '../../../../src-shared/profile-pattern.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { eyeLetterOf, eyeTermOf } from '../name-words.ts'
import { momentsAt, type Moment } from './read-moment.ts'

export type StatedEye = Exclude<Eye, 'unknown'>

/** `readable`: only spellings that mean something; `shape`: also what merely looks like the part, to say what is wrong. */
export type Reading = 'readable' | 'shape'

/** In lower case, composed. Words of the profile stand in front of those that everybody knows. */
export type EyeTerms = ReadonlyMap<string, StatedEye>

export function eyeTermsOf({ eyeWords }: Profile): EyeTerms {
  return new Map([
    ...eyeWords.right.map((word) => [folded(word), 'right'] as const),
    ...eyeWords.left.map((word) => [folded(word), 'left'] as const),
  ])
}

/** The eye that a word at the position of an eye states: a person has named that position, so single letters count. */
export function eyeOf(word: string, own: EyeTerms): StatedEye | null {
  return own.get(folded(word)) ?? eyeLetterOf(word) ?? eyeTermOf(word)?.eye ?? null
}

/** The date and time of a spelling that was found as a part; null where it is none. */
export function momentOf(part: PatternPart, text: string, profile: Profile): Moment | null {
  const { name } = part
  if (!isMoment(name)) return null
  return (
    momentsAt({ ...part, name }, text, 0, profile.dateOrder).find(({ end }) => end === text.length)?.moment ??
    null
  )
}

/** Folders such as 100CANON and 101EOS5D, which cameras make and count (DCF, JEITA CP-3461). */
const CAMERA_FOLDER = /^\d{3}([a-z]{5}|eos\w{2})$/i

/** Without a digit it is the name of something else: of a folder such as DCIM, of an eye, of a person. */
export function isLikeHistoryNumber(text: string): boolean {
  return /\d/.test(text) && !CAMERA_FOLDER.test(text)
}

export type PartSpellings = {
  /** Where the part can end, the best end first. */
  readonly endsOf: (part: PatternPart, text: string, start: number, reading: Reading) => readonly number[]
}

/** The spellings of the parts of one pattern. */
export function spellingsOf(profile: Profile, pattern: Pattern): PartSpellings {
  const own = eyeTermsOf(profile)
  const words = wordShapesOf(pattern)
  return {
    endsOf: (part, text, start, reading) => {
      const { name } = part
      if (isMoment(name))
        return momentsAt({ ...part, name }, text, start, profile.dateOrder)
          .filter(({ moment }) => reading === 'shape' || moment !== null)
          .map(({ end }) => end)
      if (name === 'eye') return eyeEnds(text, start, reading, own)
      const ends = endsOfRun(text, start, words[name])
      if (name === 'historyNumber' && reading === 'readable')
        return ends.filter((end) => isLikeHistoryNumber(text.slice(start, end)))
      return name === 'firstName' || name === 'any' ? ends.toReversed() : ends
    },
  }
}

type WordPart = 'historyNumber' | 'lastName' | 'firstName' | 'name' | 'view' | 'number' | 'unique' | 'any'
/** `run`: the characters that it holds, and how many at most. `last`: what it can end with. */
type WordShape = { readonly run: RegExp; readonly last: RegExp }

const ANYTHING = /.$/su
const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]$/u

function wordShapesOf({ steps }: Pattern): Readonly<Record<WordPart, WordShape>> {
  const literals = steps.map((step) => (step.kind === 'literal' ? step.text : '')).join('')
  // What the pattern writes itself separates; what it does not may belong to a part.
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

function shape(run: string, last: RegExp): WordShape {
  return { run: new RegExp(run, 'uy'), last }
}

/** The end of the whole run, and those before it; the longest first. */
function endsOfRun(text: string, start: number, { run, last }: WordShape): readonly number[] {
  const whole = matchAt(run, text, start)
  if (whole === null) return []
  const ends: number[] = []
  for (let length = whole.length; length > 0; length -= 1) {
    // Two units, since some letters are made of two.
    if (last.test(whole.slice(Math.max(0, length - 2), length))) ends.push(start + length)
  }
  return ends
}

const LETTERS = /[\p{L}\p{M}]{1,40}/uy

function eyeEnds(text: string, start: number, reading: Reading, own: EyeTerms): readonly number[] {
  const letters = matchAt(LETTERS, text, start) ?? ''
  const lengths = new Set<number>()
  for (let length = letters.length; length > 0; length -= 1)
    if (eyeOf(letters.slice(0, length), own) !== null) lengths.add(length)
  for (const word of own.keys())
    if (folded(text.slice(start, start + word.length)) === word) lengths.add(word.length)
  if (reading === 'shape' && letters !== '') lengths.add(letters.length)
  return [...lengths].map((length) => start + length).toSorted((one, other) => other - one)
}

/** Composed and in lower case. */
export function folded(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function matchAt(pattern: RegExp, text: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(text)?.[0] ?? null
}

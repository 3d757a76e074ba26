/** Splits the name of a file or folder into whole words and says what each can be. Pure; one name at a time. */
import type { Eye } from '../../../src-shared/eye.ts'
import { dateAt } from './name-dates.ts'
import {
  eyeLetterOf,
  eyeTermOf,
  isCameraModel,
  isCountingTerm,
  isImagingTerm,
  isStorageTerm,
} from './name-words.ts'

/** `text` is the token as it is spelled. */
export type NameToken = { readonly text: string } & (
  | { readonly kind: 'date'; readonly date: string; readonly hasTime: boolean }
  /** A date that cannot be read without guessing, or the year alone. */
  | { readonly kind: 'otherDate' }
  /** Made by a program to be unlike any other: UUID, UID, hash; also a time with dots. */
  | { readonly kind: 'unique' }
  | { readonly kind: 'eye'; readonly eye: Exclude<Eye, 'unknown'>; readonly isSurname: boolean }
  /** A single R or L, which states an eye only beside its counterpart. */
  | { readonly kind: 'letter'; readonly eye: Exclude<Eye, 'unknown'> }
  /** A word of imaging or storage, or the model of a camera. */
  | { readonly kind: 'word' }
  /** A word behind which a number counts. */
  | { readonly kind: 'counting' }
  /** A counter of a camera. */
  | { readonly kind: 'counter' }
  /** One or two digits. */
  | { readonly kind: 'sequence' }
  /** What could be an id: at least three digits, letters before or behind, dashes inside. */
  | { readonly kind: 'number' }
  /** Everything else: names of people, mostly. */
  | { readonly kind: 'text' }
)

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/iuy
/** UIDs (2.25.297…), and times such as 3.00.05.120. */
const DOTTED = /\d+(\.\d+){2,}(?![\p{L}\p{N}])/uy
const WORD = /[\p{L}\p{M}\p{N}]+/uy

const MIN_ID_DIGITS = 3
/** H-00017, AIREADI-1353: a prefix of letters, no longer than this. */
const MAX_PREFIX_LETTERS = 8

/** The tokens of a name without its extension, in order. */
export function tokensOf(name: string): readonly NameToken[] {
  const tokens: NameToken[] = []
  /** Words that dashes join: only together do they show what they are. */
  let joined: string[] = []
  const endJoined = (): void => {
    tokens.push(...tokensOfJoined(joined))
    joined = []
  }
  let position = 0
  while (position < name.length) {
    const whole = wholeTokenAt(name, position)
    if (whole) {
      endJoined()
      tokens.push(whole)
      position += whole.text.length
      continue
    }
    const word = matchAt(WORD, name, position)
    if (word !== null) joined.push(word)
    position += word?.length ?? 1
    const isJoint = name[position] === '-' && matchAt(WORD, name, position + 1) !== null
    if (word !== null && isJoint) position += 1
    else endJoined()
  }
  endJoined()
  return tokens
}

/** A token that may hold separators itself. */
function wholeTokenAt(name: string, position: number): NameToken | null {
  const found = dateAt(name, position)
  const text = name.slice(position, position + (found?.length ?? 0))
  if (found?.kind === 'date') return { kind: 'date', text, date: found.date, hasTime: found.hasTime }
  if (found) return { kind: 'otherDate', text }
  const unique = matchAt(UUID, name, position) ?? matchAt(DOTTED, name, position)
  return unique === null ? null : { kind: 'unique', text: unique }
}

function matchAt(pattern: RegExp, name: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(name)?.[0] ?? null
}

/** Words joined by dashes are one id (105-10-0001-2), or words with an id among them (HC-004512-OD-0-visible-1). */
function tokensOfJoined(words: readonly string[]): NameToken[] {
  if (words.length === 0) return []
  if (words.length > 1 && isCameraModel(words.join('-'))) return [{ kind: 'word', text: words.join('-') }]
  const marker = words.findIndex((word, index) => isMarker(word, index, words))
  if (marker === -1)
    return isIdOfWords(words) ? [{ kind: 'number', text: words.join('-') }] : words.flatMap(tokensOfWord)
  return [
    ...tokensOfJoined(words.slice(0, marker)),
    ...tokensOfWord(words[marker] ?? ''),
    ...tokensOfJoined(words.slice(marker + 1)),
  ]
}

/** A word that is no part of an id, whatever stands beside it. R-00017 is an id, 00017-R-1 holds a letter. */
function isMarker(word: string, index: number, words: readonly string[]): boolean {
  if (eyeTermOf(word) !== null || isImagingTerm(word) || isCountingTerm(word) || isStorageTerm(word))
    return true
  const isPrefix = index === 0 && digitsIn(words[1] ?? '') >= MIN_ID_DIGITS
  return eyeLetterOf(word) !== null && !isPrefix
}

function isIdOfWords(words: readonly string[]): boolean {
  if (words.length < 2 || digitsIn(words.join('')) < MIN_ID_DIGITS) return false
  return words.every((word, index) => {
    if (/\d/.test(word)) return /^[\da-z]+$/i.test(word)
    const isPrefix = index === 0 && word.length <= MAX_PREFIX_LETTERS
    const isCheckLetter = index === words.length - 1 && word.length === 1
    return isPrefix || isCheckLetter
  })
}

function tokensOfWord(word: string): NameToken[] {
  const pieces = piecesOfCamel(word)
  return pieces === null ? [tokenOfWord(word)] : pieces.map(tokenOfWord)
}

/** FundusOD and RightEye are two words each; a name such as CarlOS is not taken apart, because Carl is no word of ours. */
function piecesOfCamel(word: string): string[] | null {
  const pieces = word.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  return pieces.length > 1 && pieces.every(isOurWord) ? pieces : null
}

function isOurWord(word: string): boolean {
  return eyeTermOf(word) !== null || isImagingTerm(word) || isCountingTerm(word)
}

function tokenOfWord(text: string): NameToken {
  const eye = eyeTermOf(text)
  if (eye) return { kind: 'eye', text, ...eye }
  const letterEye = eyeLetterOf(text)
  if (letterEye) return { kind: 'letter', text, eye: letterEye }
  if (isCountingTerm(text)) return { kind: 'counting', text }
  if (isImagingTerm(text) || isStorageTerm(text) || isCameraModel(text)) return { kind: 'word', text }
  if (isCounter(text)) return { kind: 'counter', text }
  if (/^\d{1,2}$/.test(text)) return { kind: 'sequence', text }
  if (/^(19|20)\d\d$/.test(text)) return { kind: 'otherDate', text }
  if (isHash(text)) return { kind: 'unique', text }
  const isNumber = digitsIn(text) >= MIN_ID_DIGITS && /^[a-z]{0,8}\d+[a-z]{0,2}$/i.test(text)
  return { kind: isNumber ? 'number' : 'text', text }
}

/**
 * DSC0001, image12, and the names of the DCF standard (JEITA CP-3461): folders such as 100CANON, files such as
 * DS000DGS of fundus cameras with a camera back.
 */
function isCounter(text: string): boolean {
  const word = /^(\p{L}+)\d+$/u.exec(text)?.[1]
  if (word !== undefined && (isCountingTerm(word) || isImagingTerm(word))) return true
  return /^\d{3}([a-z]{5}|eos\w{2})$/i.test(text) || /^ds\d{3}[a-z]{3}$/i.test(text)
}

/** Letters and digits of base 16 in no order; a prefix of letters and then digits is an id. */
function isHash(text: string): boolean {
  return (
    /^[0-9a-f]{8,}$/i.test(text) &&
    /[a-f]/i.test(text) &&
    /\d/.test(text) &&
    !/^[a-z]{1,4}\d+[a-z]?$/i.test(text) &&
    !/^\d+[a-z]$/i.test(text)
  )
}

function digitsIn(text: string): number {
  return text.replaceAll(/\D/g, '').length
}

/** Splits the names of folders and files into tokens, classifies each by its own letters, and says which folders hold one visit. Pure. */
import { dateInName, isVisitYear } from '../meaning/dates.ts'
import {
  type EyeTerm,
  eyeTermOf,
  foldTerm,
  isCountingTerm,
  isDevice,
  isGeneralTerm,
  isImagingTerm,
  isStorageTerm,
  UNIT,
} from '../meaning/vocabulary.ts'

/** What a token is on its own; its neighbours decide what it means. */
export type TokenKind =
  /** Year first, `value` is `YYYY-MM-DD`; or an order that is not clear, then `value` is null. `days`: what it may mean. */
  | {
      readonly kind: 'date'
      readonly value: string | null
      readonly days: readonly string[]
      readonly hasTime: boolean
    }
  | { readonly kind: 'year' }
  | { readonly kind: 'time' }
  /** A UUID, a UID, a hash: unique for each file. */
  | { readonly kind: 'unique' }
  | { readonly kind: 'eye'; readonly term: EyeTerm }
  /** A single R or L, with up to two digits. */
  | { readonly kind: 'letter' }
  /** A number, or letters and digits with at least three digits: an id, or something that looks like one. */
  | { readonly kind: 'number' }
  /** One or two digits. */
  | { readonly kind: 'sequence' }
  /** IMG_0012 in one word, and names of the DCF standard. */
  | { readonly kind: 'counter' }
  /** A word that says nothing about a person. */
  | { readonly kind: 'term' }
  | { readonly kind: 'initial' }
  /** Everything else: mostly names of people. */
  | { readonly kind: 'text' }

export type Token = TokenKind & {
  readonly text: string
  readonly folded: string
  readonly at: number
  /** What is between the token before and this one; empty at the beginning and inside a compound. */
  readonly joint: string
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/iuy

/** UIDs (2.25.297…), and times such as 3.00.05.120. */
const DOTTED = /\d+(?:\.\d+){2,}(?![\p{L}\p{N}])/uy

/** 10h05, 09:41, 08-17-11. */
const PLAIN_TIME =
  /(?:[01]\d|2[0-3])-[0-5]\d-[0-5]\d(?![\p{L}\p{N}-])|(?:[01]?\d|2[0-3])[:hH][0-5]\d(?:[:mM][0-5]\d)?(?![\p{L}\p{N}])/uy

/** 45deg, 3.2mm, 1.5x, 2576x1958, ISO400, as one: no part of it is of a number beside it. */
const MEASURE = new RegExp(
  String.raw`(?:\d{1,4}(?:[.,]\d{1,3})?${UNIT}|\d{1,2}[.,]\d{1,2}[x×]|\d{2,5}[x×]\d{2,5}(?:px)?|iso[ _-]?\d{2,5})(?![\p{L}\p{N}])`,
  'iuy',
)

/** Letters and digits; an apostrophe between letters belongs to the word (O'DELL). */
const RUN = /[\p{L}\p{M}\p{N}]+(?:['’ʼ`](?=\p{L})[\p{L}\p{M}\p{N}]+)*/uy

/** A visit is read again with each file that arrives: so many names are not read again. */
const MOST_REMEMBERED = 4_096

/** Remembers what a pure reading of a name came to. */
export function remembered<Reading>(
  read: (name: string) => Reading,
  most = MOST_REMEMBERED,
): (name: string) => Reading {
  const known = new Map<string, Reading>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    if (known.size >= most) known.clear()
    const reading = read(name)
    known.set(name, reading)
    return reading
  }
}

/** The tokens of a name without its extension, in order. */
export const tokensOf = remembered(readTokens)

function readTokens(name: string): readonly Token[] {
  const tokens: Token[] = []
  let end = 0
  let position = 0
  const add = (kind: TokenKind, text: string, at: number): void => {
    tokens.push({ ...kind, text, folded: foldTerm(text), at, joint: name.slice(end, at) })
    end = at + text.length
  }
  while (position < name.length) {
    const whole = wholeAt(name, position)
    if (whole) {
      add(whole.kind, whole.text, position)
      position = end
      continue
    }
    const term = matchAt(RUN, name, position)
    if (term === null) {
      position += 1
      continue
    }
    for (const [piece, at] of piecesOf(term, position)) add(kindOf(piece), piece, at)
    position += term.length
  }
  return tokens
}

type Whole = { readonly kind: TokenKind; readonly text: string }

/** A birth date and four digits: Swedish and Finnish numbers, which are no date with a time. */
const DATED_NUMBER = /(?<year>(?:19|20)\d\d)\d{4}[-+](?<rest>\d{4}|\d{3}[A-Z\d])(?![\p{L}\p{N}])/uy

function isDatedNumber(name: string, position: number): boolean {
  DATED_NUMBER.lastIndex = position
  const { year, rest } = DATED_NUMBER.exec(name)?.groups ?? {}
  if (year === undefined || rest === undefined) return false
  return !isVisitYear(year) || !isClock(`${rest}00`)
}

function wholeAt(name: string, position: number): Whole | null {
  const unique = matchAt(UUID, name, position)
  if (unique !== null) return { kind: { kind: 'unique' }, text: unique }
  if (isDatedNumber(name, position)) return null
  const measure = matchAt(MEASURE, name, position)
  if (measure !== null) return { kind: { kind: 'term' }, text: measure }
  const date = dateInName(name, position)
  if (date) return { kind: { kind: 'date', ...date }, text: date.text }
  const dotted = matchAt(DOTTED, name, position)
  if (dotted !== null && isUid(dotted)) return { kind: { kind: 'unique' }, text: dotted }
  if (dotted !== null && DOTTED_TIME.test(dotted)) return { kind: { kind: 'time' }, text: dotted }
  const time = matchAt(PLAIN_TIME, name, position)
  return time === null ? null : { kind: { kind: 'time' }, text: time }
}

const DOTTED_TIME = /^([01]?\d|2[0-3])\.[0-5]\d\.[0-5]\d(\.\d{1,6})?$/

/** A UID is long or has many parts, and its roots are 0, 1 and 2 (2.25.297…, 1.3.6.1.4.1). */
function isUid(dotted: string): boolean {
  return (
    /^[0-2]\./.test(dotted) && (dotted.length > 14 || /^(2\.25\.\d{4,}|[12]\.\d+(\.\d+){3,})$/.test(dotted))
  )
}

function matchAt(pattern: RegExp, name: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(name)?.[0] ?? null
}

/** FundusOD, RightEye and OD1 are compounds of known words; CarlOS is not, because Carl is no such word. */
function piecesOf(term: string, at: number): [string, number][] {
  // RET755OD: an eye in capitals behind a number.
  const glued = /^([A-Z]*\d{2,})(OD|OS)$/.exec(term)
  const pieces = glued ? glued.slice(1) : term.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  const isCompound =
    glued !== null ||
    (pieces.length > 1 &&
      pieces.every((piece) => eyeTermOf(bare(piece)) !== null || isGeneralTerm(bare(piece))))
  if (!isCompound) return [[term, at]]
  let start = at
  return pieces.map((piece): [string, number] => {
    const from = start
    start += piece.length
    return [piece, from]
  })
}

/** Without the one or two digits that count: OD1, left2. */
function bare(text: string): string {
  return foldTerm(text).replace(/\d{1,2}$/, '')
}

function kindOf(text: string): TokenKind {
  const folded = foldTerm(text)
  const term = eyeTermOf(bare(text))
  if (term) return { kind: 'eye', term }
  if (/^[rl]\d{0,2}$/.test(folded)) return { kind: 'letter' }
  if (/^\d{1,2}$/.test(text)) return { kind: 'sequence' }
  if (/^(19\d\d|20[0-4]\d)$/.test(text)) return { kind: 'year' }
  if (isCounter(folded)) return { kind: 'counter' }
  if (isHash(text)) return { kind: 'unique' }
  if (/^\p{L}$/u.test(text)) return { kind: 'initial' }
  if (isGeneralTerm(folded) || isDevice(folded) || isGeneralTerm(bare(text))) return { kind: 'term' }
  const digits = text.replaceAll(/\D/g, '').length
  if (digits >= 3 && /^[\p{L}\p{N}]+$/u.test(text)) return { kind: 'number' }
  return { kind: 'text' }
}

/**
 * DSC0001, image12, and the names of the DCF standard (JEITA CP-3461): folders such as 100CANON, files such as
 * DS000DGS of cameras with a camera back, one letter with seven digits.
 */
function isCounter(folded: string): boolean {
  const term = /^(\p{L}+)\d+$/u.exec(folded)?.[1]
  if (term !== undefined && (isCountingTerm(term) || isImagingTerm(term))) return true
  return /^\d{3}([a-z]{5}|eos\w{2})$/.test(folded) || /^ds\d{3}[a-z]{3}$/.test(folded)
}

/** 3f2a9c1: six or seven signs that change at least four times between digits and small letters; no clinic numbers so. */
const SHORT_HASH = /^(?=[0-9a-f]{6,7}$)(?:[a-f]*\d+[a-f]+){2}\d+|^(?=[0-9a-f]{6,7}$)[a-f]+(?:\d+[a-f]+){2}/

/** Hexadecimal letters and digits in mixed order, eight or more; letters in front of digits are an id. */
function isHash(text: string): boolean {
  if (SHORT_HASH.test(text)) return true
  return (
    /^[0-9a-f]{8,}$/i.test(text) &&
    /[a-f]/i.test(text) &&
    /\d/.test(text) &&
    !/^[a-z]{1,4}\d+[a-z]?$/i.test(text) &&
    !/^\d+[a-z]$/i.test(text)
  )
}

/** True if these digits could be a time of day: HHMMSS, with milliseconds or without. */
export function isClock(digits: string): boolean {
  return /^([01]\d|2[0-3])[0-5]\d[0-5]\d(\d{3})?$/.test(digits)
}

/** True for seconds or milliseconds since 1970 that lie between 2001 and 2099; ten digits may be a patient number. */
export function isTimestamp(digits: string): boolean {
  return /^\d{13}$/.test(digits) && Number(digits) > 978_307_200_000 && Number(digits) < 4_070_908_800_000
}

/** Folders and stem of a path, composed; `names`: the stem, then the folders outwards. A ZIP is a folder without its extension. */
export const partsOfPath = remembered((relativePath) => {
  const parts = relativePath
    .normalize('NFC')
    .replaceAll(/\.zip\//gi, '/')
    .split('/')
  // An extension does not begin with a digit: that is the end of a UID, or a fraction.
  const stem = (parts.at(-1) ?? '').replace(/\.[a-z][a-z\d]{0,4}$/i, '')
  const folders: readonly string[] = parts.slice(0, -1)
  const names: readonly string[] = [stem, ...folders.toReversed()]
  return { folders, stem, names }
})

/**
 * The nearest folder that may be of one visit: folders that only divide it (`OD`, `FOP`) are skipped. Null if it is a
 * container, which holds the files of many: the watched folder itself, `inbox`, a day, DCIM.
 */
export const folderOfVisit = remembered((relativePath): string | null => {
  const { folders } = partsOfPath(relativePath)
  let end = folders.length
  while (end > 0 && isDivision(folders[end - 1] ?? '')) end -= 1
  const name = folders[end - 1]
  return name === undefined || isContainer(name) ? null : folders.slice(0, end).join('/')
})

/** A folder that only divides one visit, by eye or by kind of image. */
export function isDivision(name: string): boolean {
  const tokens = tokensOf(name)
  if (tokens.length === 0) return false
  return tokens.every(
    ({ kind, folded }) =>
      kind === 'eye' || kind === 'letter' || (isImagingTerm(folded) && !isStorageTerm(folded)),
  )
}

/** A folder that names a place, a store or a day, and no patient. */
export function isContainer(name: string): boolean {
  return tokensOf(name).every((token) => {
    switch (token.kind) {
      case 'date':
        return !token.hasTime
      case 'year':
      case 'counter':
      case 'sequence':
      case 'term':
        return true
      case 'number':
        // Sala 101, ward 12
        return /^\d{1,4}$/.test(token.text)
      default:
        return false
    }
  })
}

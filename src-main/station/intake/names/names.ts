/** Splits the name of a folder or file into words and reads what it states about patient and visit. Pure. */
import { isCalendarDate } from '../../../../src-shared/fields.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'

type StatedEye = Exclude<Eye, 'unknown'>

function terms(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

function oneOf(text: string): (term: string) => boolean {
  const known = terms(text)
  return (term) => known.has(term.toLowerCase())
}

type EyeTerm = { readonly eye: StatedEye; readonly isSurname: boolean }

/** Terms that state an eye, and mean nothing else in a file name. OI is the Spanish OS. */
const FIRM_TERMS = {
  right: terms('od right righteye righteyes dextra dextro dextrum'),
  left: terms('os oi left lefteye lefteyes sinistra sinistro sinistrum'),
}

/** Also names of people (Le, Re, Izquierdo, Droit): they count only if no neighbor looks like a name. */
const SURNAME_TERMS = {
  right: terms('re derecho derecha direito direita destro destra droit droite'),
  left: terms('le izquierdo izquierda esquerdo esquerda gauche'),
}

/** The eye that a whole word states, optionally followed by one or two digits (OD1); null for all other words. */
export function eyeTermOf(term: string): EyeTerm | null {
  const bare = term.toLowerCase().replace(/\d{1,2}$/, '')
  for (const eye of ['right', 'left'] as const) {
    if (FIRM_TERMS[eye].has(bare)) return { eye, isSurname: false }
    if (SURNAME_TERMS[eye].has(bare)) return { eye, isSurname: true }
  }
  return null
}

/** The eye that a single R or L would state (also r1, l2); null for all other words. Never D or I. */
export function eyeLetterOf(term: string): StatedEye | null {
  const letter = /^([rl])\d{0,2}$/i.exec(term)?.[1]?.toLowerCase()
  if (letter === undefined) return null
  return letter === 'r' ? 'right' : 'left'
}

/** Imaging terms: what was photographed, how, with which device. */
const isImagingTerm = oneOf(`
  retina retinal retinography retinografia retinografía fundus fundusphoto fop fondo ojo ojos eye eyes olho olhos oeil oculus
  color colour col rgb cfp redfree red free green blue ir infrared af faf fa ffa icg angio visible mono bw
  macula macular mácula disc disk disco optic optico óptico nerve nervio papila papilla fovea posterior anterior pole polo segment
  central centre centered centred nasal temporal superior inferior upper lower periphery peripheral mosaic montage panorama panoramic
  wide widefield stereo field view capture captura snapshot still primary frame final raw orig original copy copia
  ou ao both ambos am pm jpeg jpg png tif tiff report reports informe informes oct slo mydriatic nonmyd undilated dilated
`)

/** Terms that count something other than patients: a number after them is not an id. */
const isCountingTerm = oneOf(`
  img image images imagen imagenes imágenes dsc dscn dscf dscp mg mvi pic pics pict picture pictures photo photos foto fotos
  cimg imag sam gopr hpim case caso visit visita exam examen session study estudio series serie folder carpeta batch lote
  export exports exported backup set group grupo test sample demo center centre centro clinic clinica clínica room sala site
  camera camara cámara device day dia día week month no nr num page scan file archivo new nuevo temp wa pxl vid screenshot
`)

/** Storage locations of cameras and programs, unrelated to a patient. */
const isStorageTerm = oneOf(`
  dcim dicom misc export exports exported backup images image imagenes imágenes pictures photos fotos photo files archivos
  data datos output retcamoutput fop outbox upload uploads camera camara cámara
`)

/** Particles of surnames: the next word is a name, whatever else it could mean. */
export const isNameParticle = oneOf('van von der den de del della da di dos das du la el al ter ten bin ibn')

/** Camera models; their numbers are not ids. */
const CAMERA_MODEL =
  /^(trc-?nw\d*[a-z]*|nw\d{1,3}[a-z]*|cr-?\d[a-z]*|cx-?\d|afc-?\d{3}|visucam-?\d*|clarus-?\d*|vx-?\d{1,2}|drs(plus)?|eidon|maestro-?\d?|triton|3nethra\w*|aurora|visuscout-?\d*|dri|imagenet-?\d*|retcam\d*)$/i

const CLOCK = String.raw`(?:([01]\d|2[0-3])[0-5]\d[0-5]\d(?:\d{3})?|([01]\d|2[0-3])[-.:hH][0-5]\d(?:[-.:mM][0-5]\d(?:[.,]\d{1,6})?)?)`

const TIME_BEHIND = String.raw`(?<time>[T _-]{0,3}${CLOCK})?`

const YEAR_FIRST = new RegExp(
  String.raw`(?<year>\d{4})(?<mark>[-._]?)(?<month>\d\d)\k<mark>(?<day>\d\d)${TIME_BEHIND}(?!\d)`,
  'y',
)

const YEAR_LAST = new RegExp(
  String.raw`(?<one>\d{1,2})(?<mark>[-._/])(?<two>\d{1,2})\k<mark>(?:19|20)\d\d${TIME_BEHIND}(?!\d)`,
  'y',
)

const YEAR_LAST_COMPACT = /(?<one>\d\d)(?<two>\d\d)20\d\d(?!\d)/y

/** Retinal cameras wrote no files in earlier years; an older date is a birth date. */
const FIRST_VISIT_YEAR = 2_000

/** The date that begins at a position of a name, or null. The position must not be inside a number or a word. */
export function dateAt(name: string, position: number): NameDate | null {
  return yearFirstAt(name, position) ?? yearLastAt(name, position)
}

type NameDate = Extract<NameToken, { readonly kind: 'date' | 'otherDate' }>

function yearFirstAt(name: string, position: number): NameDate | null {
  YEAR_FIRST.lastIndex = position
  const match = YEAR_FIRST.exec(name)
  const { year, month, day, time } = match?.groups ?? {}
  if (!match || year === undefined) return null
  const date = `${year}-${month}-${day}`
  if (!isCalendarDate(date) || Number(year) < 1_900 || Number(year) > 2_099) return null
  const [text] = match
  if (Number(year) < FIRST_VISIT_YEAR) return { kind: 'otherDate', text }
  return { kind: 'date', text, date, hasTime: time !== undefined }
}

function yearLastAt(name: string, position: number): NameDate | null {
  for (const pattern of [YEAR_LAST, YEAR_LAST_COMPACT]) {
    pattern.lastIndex = position
    const match = pattern.exec(name)
    if (match && isDayAndMonth(Number(match.groups?.one), Number(match.groups?.two))) {
      return { kind: 'otherDate', text: match[0] }
    }
  }
  return null
}

function isDayAndMonth(one: number, two: number): boolean {
  return Math.min(one, two) >= 1 && Math.min(one, two) <= 12 && Math.max(one, two) <= 31
}

/** True if these digits could be a time of day: HHMMSS, with milliseconds or without. */
function isClock(digits: string): boolean {
  return /^([01]\d|2[0-3])[0-5]\d[0-5]\d(\d{3})?$/.test(digits)
}

/** `text` is the token as it is spelled. */
export type NameToken = { readonly text: string } &
  /** Year first, so that nothing is guessed: `YYYY-MM-DD`. */
  (
    | { readonly kind: 'date'; readonly date: string; readonly hasTime: boolean }
    /** A date with ambiguous day and month, or with the year of a birth; or a year alone. */
    | { readonly kind: 'otherDate' }
    /** Generated to be unique: UUID, UID, hash; also a time with dots. */
    | { readonly kind: 'unique' }
    | { readonly kind: 'eye'; readonly eye: Exclude<Eye, 'unknown'>; readonly isSurname: boolean }
    /** A single R or L, which states an eye only beside its counterpart. */
    | { readonly kind: 'letter'; readonly eye: Exclude<Eye, 'unknown'> }
    /** A term of imaging or storage, or a camera model. */
    | { readonly kind: 'word' }
    | { readonly kind: 'counting' }
    | { readonly kind: 'counter' }
    | { readonly kind: 'sequence' }
    /** A possible id: at least three digits, letters before or after, dashes inside. */
    | { readonly kind: 'number' }
    /** Everything else, mostly names of people. */
    | { readonly kind: 'text' }
  )

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/iuy

/** UIDs (2.25.297…), and times such as 3.00.05.120. */
const DOTTED = /\d+(\.\d+){2,}(?![\p{L}\p{N}])/uy

const TERM = /[\p{L}\p{M}\p{N}]+/uy

const MIN_ID_DIGITS = 3

/** H-00017, AIREADI-1353: the maximum length of a letter prefix. */
const MAX_PREFIX_LETTERS = 8

/** The tokens of a name without its extension, in order. */
export function tokensOf(name: string): readonly NameToken[] {
  const tokens: NameToken[] = []
  /** Words joined by dashes, which are classified together. */
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
    const term = matchAt(TERM, name, position)
    if (term !== null) joined.push(term)
    position += term?.length ?? 1
    const isJoint = name[position] === '-' && matchAt(TERM, name, position + 1) !== null
    if (term !== null && isJoint) position += 1
    else endJoined()
  }
  endJoined()
  return tokens
}

function wholeTokenAt(name: string, position: number): NameToken | null {
  const found = dateAt(name, position)
  if (found) return found
  const unique = matchAt(UUID, name, position) ?? matchAt(DOTTED, name, position)
  return unique === null ? null : { kind: 'unique', text: unique }
}

function matchAt(pattern: RegExp, name: string, position: number): string | null {
  pattern.lastIndex = position
  return pattern.exec(name)?.[0] ?? null
}

/** Words joined by dashes are one id (105-10-0001-2), or words with an id among them (HC-004512-OD-0-visible-1). */
function tokensOfJoined(terms: readonly string[]): NameToken[] {
  if (terms.length === 0) return []
  if (terms.length > 1 && CAMERA_MODEL.test(terms.join('-'))) return [{ kind: 'word', text: terms.join('-') }]
  const marker = terms.findIndex((term, index) => isMarker(term, index, terms))
  if (marker === -1)
    return isIdOfTerms(terms) ? [{ kind: 'number', text: terms.join('-') }] : terms.flatMap(tokensOfTerm)
  return [
    ...tokensOfJoined(terms.slice(0, marker)),
    ...tokensOfTerm(terms[marker] ?? ''),
    ...tokensOfJoined(terms.slice(marker + 1)),
  ]
}

/** A word that is never part of an id. R-00017 is an id, 00017-R-1 contains a letter. */
function isMarker(term: string, index: number, terms: readonly string[]): boolean {
  if (eyeTermOf(term) !== null || isImagingTerm(term) || isCountingTerm(term) || isStorageTerm(term))
    return true
  const isPrefix = index === 0 && digitsIn(terms[1] ?? '') >= MIN_ID_DIGITS
  return eyeLetterOf(term) !== null && !isPrefix
}

function isIdOfTerms(terms: readonly string[]): boolean {
  if (terms.length < 2 || digitsIn(terms.join('')) < MIN_ID_DIGITS) return false
  return terms.every((term, index) => {
    if (/\d/.test(term)) return /^[\da-z]+$/i.test(term)
    const isPrefix = index === 0 && term.length <= MAX_PREFIX_LETTERS
    const isCheckLetter = index === terms.length - 1 && term.length === 1
    return isPrefix || isCheckLetter
  })
}

function tokensOfTerm(term: string): NameToken[] {
  const pieces = piecesOfCamel(term)
  return pieces === null ? [tokenOfTerm(term)] : pieces.map(tokenOfTerm)
}

/** FundusOD and RightEye are two words each; CarlOS is not split, because Carl is not in the vocabulary. */
function piecesOfCamel(term: string): string[] | null {
  const pieces = term.split(/(?<=\p{Ll})(?=\p{Lu})/u)
  return pieces.length > 1 && pieces.every(isKnownTerm) ? pieces : null
}

function isKnownTerm(term: string): boolean {
  return eyeTermOf(term) !== null || isImagingTerm(term) || isCountingTerm(term)
}

function tokenOfTerm(text: string): NameToken {
  const eye = eyeTermOf(text)
  if (eye) return { kind: 'eye', text, ...eye }
  const letterEye = eyeLetterOf(text)
  if (letterEye) return { kind: 'letter', text, eye: letterEye }
  if (isCountingTerm(text)) return { kind: 'counting', text }
  if (isImagingTerm(text) || isStorageTerm(text) || CAMERA_MODEL.test(text)) return { kind: 'word', text }
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
  const term = /^(\p{L}+)\d+$/u.exec(text)?.[1]
  if (term !== undefined && (isCountingTerm(term) || isImagingTerm(term))) return true
  return /^\d{3}([a-z]{5}|eos\w{2})$/i.test(text) || /^ds\d{3}[a-z]{3}$/i.test(text)
}

/** Hexadecimal letters and digits in mixed order; letters followed by digits are an id. */
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

export type NameReading = {
  readonly tokens: readonly NameToken[]
  /** Possible patient ids as spelled. Several if the name does not show which one is. */
  readonly ids: readonly string[]
  /** `YYYY-MM-DD`, if the name states exactly one. */
  readonly date: string | null
  /** With a time, it does not name a whole day. */
  readonly hasTime: boolean
  /** The digits of an ambiguous date. */
  readonly otherDate: string | null
  /** True if its date is the day of an export, not of a visit. */
  readonly isExport: boolean
}

/** Reads a name without its extension. */
export function readName(name: string): NameReading {
  const tokens = tokensOf(name)
  const ids = tokens.filter((_token, index) => isId(tokens, index)).map((token) => token.text)
  const dates = new Set(tokens.flatMap((token) => (token.kind === 'date' ? [token.date] : [])))
  const [date] = dates
  const otherDate = tokens.find((token) => token.kind === 'otherDate' && token.text.length > 4)
  return {
    tokens,
    ids: [...new Set(ids)],
    date: dates.size === 1 && date !== undefined ? date : null,
    hasTime: tokens.some((token) => token.kind === 'date' && token.hasTime),
    otherDate: otherDate?.text.replaceAll(/\D/g, '') ?? null,
    isExport: tokens.some((token) => /^(exports?|exported|backup)$/i.test(token.text)),
  }
}

/** True if a word that could state an eye is part of a person's name here: Van Os, Le Anh, Izquierdo García. */
function isNamePart(tokens: readonly NameToken[], index: number): boolean {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (token?.kind !== 'eye') return false
  if (after?.kind === 'text' || (before?.kind === 'text' && isNameParticle(before.text))) return true
  return token.isSurname && before?.kind === 'text'
}

/** True if a number is an id here, false if it counts something. */
function isId(tokens: readonly NameToken[], at: number): boolean {
  const token = tokens[at]
  const before = tokens.slice(0, at).filter((_token, index) => !isNamePart(tokens, index))
  if (token?.kind !== 'number' || before.at(-1)?.kind === 'counting') return false
  const { text } = token
  if (!/^\d+$/.test(text)) return true
  // 0012 and 00012 are camera counters.
  if (/^(00\d{1,2}|000\d{2})$/.test(text)) return false
  const has = (...kinds: readonly NameToken['kind'][]): boolean =>
    before.some(({ kind }) => kinds.includes(kind))
  if (text.length <= 4 && has('date', 'otherDate', 'eye', 'letter', 'word', 'number')) return false
  if (text.length <= 6 && has('eye')) return false
  if (isClock(text) && has('date', 'otherDate')) return false
  // Sala 101, ClinicaSur-101
  return text.length > 3 || !has('text')
}

/** True if a folder only names a storage location or a day, but no patient. */
export function isContainer({ tokens, hasTime }: NameReading): boolean {
  if (hasTime) return false
  return tokens.every((token) => {
    if (token.kind === 'date' || token.kind === 'otherDate' || token.kind === 'counter') return true
    return isStorageTerm(token.text)
  })
}

/** True if a folder only divides one visit, by eye or by kind of image. */
export function isDivision({ tokens }: NameReading): boolean {
  return (
    tokens.length > 0 && tokens.every(({ kind }) => kind === 'eye' || kind === 'letter' || kind === 'word')
  )
}

/** The shape of an id: letters become one letter, digits one digit; a leading zero is distinguished. */
export function shapeOf(id: string): string {
  const plain = id.toLowerCase()
  const shape = plain.replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '9')
  return plain.startsWith('0') ? `0${shape}` : shape
}

/** The same id, ignoring case. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The same id except for dashes: neither certain nor a contradiction. */
export function isAlikeId(one: string, other: string): boolean {
  return isSameId(one.replaceAll('-', ''), other.replaceAll('-', ''))
}

/** What one name, of a folder or of a file, says about patient and visit. Pure. */
import { isClock } from './name-dates.ts'
import { tokensOf, type NameToken } from './name-tokens.ts'
import { isNameParticle, isStorageTerm } from './name-words.ts'

export type NameReading = {
  readonly tokens: readonly NameToken[]
  /** What could be the patient's id, as it is spelled. Several where the name does not show which of them is. */
  readonly ids: readonly string[]
  /** `YYYY-MM-DD`, where the name says exactly one. */
  readonly date: string | null
  /** With the time, it is not the name of a whole day. */
  readonly hasTime: boolean
  /** How a date is spelled that cannot be read without guessing, digits only. */
  readonly otherDate: string | null
  /** Says that its date is the day of an export, not of a visit. */
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

/** Is a word that could state an eye a part of a person's name here: Van Os, Le Anh, Izquierdo García? */
function isNamePart(tokens: readonly NameToken[], index: number): boolean {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]]
  if (token?.kind !== 'eye') return false
  if (after?.kind === 'text' || (before?.kind === 'text' && isNameParticle(before.text))) return true
  return token.isSurname && before?.kind === 'text'
}

/** Is a number an id here, or does it count something? */
function isId(tokens: readonly NameToken[], at: number): boolean {
  const token = tokens[at]
  const before = tokens.slice(0, at).filter((_token, index) => !isNamePart(tokens, index))
  if (token?.kind !== 'number' || before.at(-1)?.kind === 'counting') return false
  const { text } = token
  if (!/^\d+$/.test(text)) return true
  // 0012 and 00012 are how cameras count.
  if (/^(00\d{1,2}|000\d{2})$/.test(text)) return false
  const has = (...kinds: readonly NameToken['kind'][]): boolean =>
    before.some(({ kind }) => kinds.includes(kind))
  if (text.length <= 4 && has('date', 'otherDate', 'eye', 'letter', 'word', 'number')) return false
  if (text.length <= 6 && has('eye')) return false
  if (isClock(text) && has('date', 'otherDate')) return false
  // Room 101, ClinicaSur-101
  return text.length > 3 || !has('text')
}

/** Does a folder only say where things are stored, or on which day, and nothing about whose they are? */
export function isContainer({ tokens, hasTime }: NameReading): boolean {
  if (hasTime) return false
  return tokens.every((token) => {
    if (token.kind === 'date' || token.kind === 'otherDate' || token.kind === 'counter') return true
    return isStorageTerm(token.text)
  })
}

/** Does a folder only divide one visit: by eye, or by kind of image? */
export function isDivision({ tokens }: NameReading): boolean {
  return (
    tokens.length > 0 && tokens.every(({ kind }) => kind === 'eye' || kind === 'letter' || kind === 'word')
  )
}

/** Two ids are written alike where letters stand for letters and digits for digits; a leading zero is a mark of its own. */
export function shapeOf(id: string): string {
  const plain = id.toLowerCase()
  const shape = plain.replaceAll(/\p{L}/gu, 'a').replaceAll(/\d/g, '9')
  return plain.startsWith('0') ? `0${shape}` : shape
}

/** The same id to the letter, but for case. */
export function isSameId(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** The same id but for dashes: not enough to be sure of, and no contradiction. */
export function isAlikeId(one: string, other: string): boolean {
  return isSameId(one.replaceAll('-', ''), other.replaceAll('-', ''))
}

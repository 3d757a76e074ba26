/** The numbers under which clinics of many countries know their patients; all are drawn, and no person has one. */
import type { Draw } from './draw.ts'

/** How one clinic numbers its patients: each call draws the next number and its other spellings. */
export type Numbering = (draw: Draw) => { readonly id: string; readonly aliases: readonly string[] }

const bare = (id: string): ReturnType<Numbering> => ({ id, aliases: [] })

export const digits =
  (count: number): Numbering =>
  (draw) => {
    // Eight digits that may be a day would be a trap of their own.
    for (;;) {
      const id = draw.digits(count)
      if (count !== 8 || !/^(?:19|20)/.test(id)) return bare(id)
    }
  }

/** Longer than a time or a short date, so that a reader cannot mistake one for the other. */
export const longNumbers = (draw: Draw): Numbering => digits(draw.style([7, 8]))

/** Numbers of six to eight digits, one length for each clinic: what a reader takes for a patient number at once. */
export const plainNumbers = (draw: Draw): Numbering => digits(draw.style([6, 7, 8]))

/** `HC-004512`, `MRN393466`, `P238309`: a label or a prefix before the digits. */
export function prefixed(draw: Draw): Numbering {
  const prefix = draw.style(['HC-', 'MRN', 'P', 'H-', 'AB', 'NHC'])
  const count = draw.style([5, 6, 7])
  return (draw) => {
    const number = draw.digits(count)
    return { id: prefix + number, aliases: prefix === 'MRN' || prefix === 'NHC' ? [number] : [] }
  }
}

/** Ten digits with a check digit modulo 11, written 943 476 5919 (datadictionary.nhs.uk, "NHS NUMBER"). */
export const nhs =
  (separator: string): Numbering =>
  (draw) => {
    for (;;) {
      const body = draw.digits(9)
      let sum = 0
      for (let at = 0; at < 9; at += 1) sum += Number(body[at]) * (10 - at)
      const check = (11 - (sum % 11)) % 11
      if (check === 10) continue
      const [a, b, c] = [body.slice(0, 3), body.slice(3, 6), body.slice(6) + String(check)]
      return { id: `${a}${separator}${b}${separator}${c}`, aliases: [a + b + c] }
    }
  }

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

function birthDigits(draw: Draw, order: 'dmy' | 'ymd', centuries: 2 | 4 = 2): string {
  const [day, month] = [twoDigits(draw.int(1, 28)), twoDigits(draw.int(1, 12))]
  const year = String(draw.int(1931, 1998)).slice(4 - centuries)
  return order === 'dmy' ? day + month + year : year + month + day
}

/** Fødselsnummer: birth date and five digits, written `130669 77165` (skatteetaten.no). */
export const norwegian =
  (separator: string): Numbering =>
  (draw) => {
    const [date, rest] = [birthDigits(draw, 'dmy'), draw.digits(5)]
    return { id: date + separator + rest, aliases: [date + rest] }
  }

/** Personnummer: `19570311-1234` or `570311-1234` (skatteverket.se). */
export const swedish =
  (centuries: 2 | 4): Numbering =>
  (draw) => {
    const [date, rest] = [birthDigits(draw, 'ymd', centuries), draw.digits(4)]
    return { id: `${date}-${rest}`, aliases: [date + rest] }
  }

/** CPR: `110357-1234`; since 2007 without a valid check digit (cpr.dk). */
export const danish: Numbering = (draw) => {
  const [date, rest] = [birthDigits(draw, 'dmy'), draw.digits(4)]
  return { id: `${date}-${rest}`, aliases: [date + rest] }
}

const NIF_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** NIF `59870621L` and NIE `X2210292L`, with or without hyphens; R and L are among the check letters (interior.gob.es). */
export const spanish =
  (kind: 'nif' | 'nie', separator: string): Numbering =>
  (draw) => {
    const body = draw.digits(kind === 'nif' ? 8 : 7)
    const first = kind === 'nif' ? '' : draw.pick(['X', 'Y', 'Z'])
    const number = Number(kind === 'nif' ? body : 'XYZ'.indexOf(first) + body)
    const check = NIF_LETTERS[number % 23]!
    const start = kind === 'nif' ? body : first + separator + body
    return { id: start + separator + check, aliases: [first + body + check] }
  }

/** `105-10-0989-3`: groups with hyphens, the last one a digit of its own. */
export const hyphenated: Numbering = (draw) =>
  bare(`${draw.digits(3)}-${draw.digits(2)}-${draw.digits(4)}-${draw.int(1, 9)}`)

/** `12.345.678`, a Chilean or Brazilian way to write a number. */
export const dotted: Numbering = (draw) => {
  const [a, b, c] = [draw.digits(2), draw.digits(3), draw.digits(3)]
  return { id: `${a}.${b}.${c}`, aliases: [a + b + c] }
}

/** `R-229-L`, `R-229-R`: letters at the end that are no eye. */
export const lettered: Numbering = (draw) =>
  bare(`${draw.pick(['R', 'L', 'K'])}-${draw.digits(3)}-${draw.pick(['L', 'R', 'D', 'B'])}`)

/** The clinic's patients in order: 98, 99, 100, …; each number may be longer than the last. */
export function running(draw: Draw): Numbering {
  let next = draw.style([95, 987, 9_993, 99_992]) + draw.int(0, 4)
  return () => bare(String(next++))
}

/** A running number padded to a fixed width: `004512`. Stated without its zeroes it is a different text. */
export function padded(draw: Draw): Numbering {
  const width = draw.style([6, 7, 8])
  return (draw) => bare(draw.digits(draw.int(3, 4)).padStart(width, '0'))
}

/** A hexadecimal number that happens to hold digits only now and then. */
export const hexadecimal: Numbering = (draw) => bare(draw.hex(8))

/** Polish PESEL: eleven digits that begin with the birth date (gov.pl). */
export const polish: Numbering = (draw) => bare(birthDigits(draw, 'ymd') + draw.digits(5))

/** The letters of the months. */
const BIRTH_MONTHS = 'A B C D E H L M P R S T'.split(' ')

/** Italian fiscal code: sixteen letters and digits (agenziaentrate.gov.it). */
export const italian: Numbering = (draw) =>
  bare(
    `${draw.letters(6)}${draw.int(31, 98)}${draw.pick(BIRTH_MONTHS)}${twoDigits(draw.int(1, 28))}${draw.letters(1)}${draw.digits(3)}${draw.letters(1)}`,
  )

/**
 * The reference identifies a submission at the service. It is one block that a person can read over the telephone:
 * `FC`, eight Crockford base32 characters and a check character of the same alphabet, such as `FC7K3M9QXAW`.
 */
import { z } from 'zod'

/** Crockford's alphabet leaves out I, L, O and U, which are taken for 1, 1, 0 and V. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BODY_LENGTH = 8

/** x⁵ + x⁴ + x³ + x + 1, irreducible: the 32 characters are the elements of the field GF(32). */
const FIELD_POLYNOMIAL = 0b111011

/** Multiplies by x in that field. */
function timesX(element: number): number {
  const shifted = element << 1
  return shifted & 0b100000 ? shifted ^ FIELD_POLYNOMIAL : shifted
}

/**
 * The body as a polynomial, evaluated at x. Every position has a distinct non-zero weight, so each wrong character and
 * each transposition of neighbours is detected.
 */
function checkCharacter(body: string): string {
  let value = 0
  for (let index = body.length - 1; index >= 0; index -= 1)
    value = timesX(value) ^ ALPHABET.indexOf(body.charAt(index))
  return ALPHABET.charAt(value)
}

/** Makes a reference from at least eight random bytes. */
export function referenceOf(randomBytes: Uint8Array): string {
  let body = ''
  for (let index = 0; index < BODY_LENGTH; index += 1) body += ALPHABET.charAt((randomBytes[index] ?? 0) % 32)
  return `FC${body}${checkCharacter(body)}`
}

export function isReference(text: string): boolean {
  if (!/^FC[0-9A-HJKMNP-TV-Z]{9}$/.test(text)) return false
  const body = text.slice(2, 2 + BODY_LENGTH)
  return text.at(-1) === checkCharacter(body)
}

/** In groups of four, as it is read out: `FC7K 3M9Q XAW`. Nothing that looks for references in a text takes this for one. */
export function inGroups(text: string): string {
  return text.replaceAll(/.{4}(?=.)/gu, '$& ')
}

export const referenceSchema = z.string().refine(isReference, 'a reference such as FC7K3M9QXAW')

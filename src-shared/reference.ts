/**
 * The reference marks a submission at the service. It is one block that a person can read over the telephone:
 * `FC`, eight Crockford base32 characters and a check character of the same alphabet, such as `FC7K3M9QXAW`.
 */
import { z } from 'zod'

/** Crockford's alphabet leaves out I, L, O and U, which are taken for 1, 1, 0 and V. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const BODY_LENGTH = 8

function checkCharacter(body: string): string {
  // 31 is the largest prime below 32: weights by position catch a wrong and two exchanged characters.
  let sum = 0
  for (let index = 0; index < body.length; index += 1)
    sum += ALPHABET.indexOf(body.charAt(index)) * (index + 1)
  return ALPHABET.charAt(sum % 31)
}

/** Makes a reference of at least eight random bytes. */
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

export const referenceSchema = z.string().refine(isReference, 'a reference such as FC7K3M9QXAW')

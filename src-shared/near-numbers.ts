/** Numbers of patients that are easily taken for one another. Pure. */
import { z } from 'zod'
import { type Fields, fieldsSchema } from './fields.ts'

/** Another patient of the same visit day, whose number nearly is that of a case; null if there is none. */
export const neighbourSchema = fieldsSchema.extend({ history_number: z.string() }).nullable()

export type Neighbour = NonNullable<z.infer<typeof neighbourSchema>>

/** Shorter numbers all resemble one another. */
const LEAST_LENGTH = 4

/** In shorter numbers two other characters are no slip but the next patients of the day, unless they changed places. */
const LEAST_LENGTH_OF_TWO = 8

/**
 * The positions of the characters, counted from zero, by which a number differs from another, whatever their case: one is
 * another or is there in only one of them, two changed places, or two are others in long numbers. Null if they differ by more, or not at all.
 */
export function nearMarks(number: string, other: string): readonly number[] | null {
  const a = Array.from(number, (char) => char.toLowerCase())
  const b = Array.from(other, (char) => char.toLowerCase())
  if (Math.min(a.length, b.length) < LEAST_LENGTH) return null
  if (a.length === b.length) {
    const others = a.flatMap((char, at) => (char === b[at] ? [] : [at]))
    const [one = 0, two = 0] = others
    const areTwoNear = a.length >= LEAST_LENGTH_OF_TWO || (a[one] === b[two] && a[two] === b[one])
    return others.length === 1 || (others.length === 2 && areTwoNear) ? others : null
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  const at = long.findIndex((char, index) => char !== short[index])
  if (long.toSpliced(at, 1).join('') !== short.join('')) return null
  return long === a ? [at] : []
}

/** The words of a name in any order, without case and marks. */
function nameOf({ first_name, last_name }: Pick<Fields, 'first_name' | 'last_name'>): string {
  const text = [first_name, last_name].join(' ').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).toSorted().join(' ')
}

/** Is the number nearly another patient's, by all that is known of both? One name is one person with two numbers. */
export function isNeighbour(fields: Fields, other: Neighbour): boolean {
  const name = nameOf(fields)
  return (
    nearMarks(fields.history_number ?? '', other.history_number) !== null &&
    (name === '' || name !== nameOf(other))
  )
}

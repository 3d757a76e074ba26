/** Eyes as data files write them beside a name or a value, where nothing but an eye can stand. */
import type { StatedEye } from '../eye-statements.ts'
import { eyeTermOf } from '../name-words.ts'

/** Words that are clear in a column of eyes, but not in a file's name. Never D or I, which are two languages' letters. */
const MORE_TERMS: ReadonlyMap<string, StatedEye> = new Map([
  ['r', 'right'],
  ['l', 'left'],
  ['rechts', 'right'],
  ['rechtes', 'right'],
  ['links', 'left'],
  ['linkes', 'left'],
  ['og', 'left'],
])

/** The eye that one word states (OD, OI, R, left, derecho); null for all others. */
export function eyeOfTerm(word: string): StatedEye | null {
  const small = word.toLowerCase()
  if (/\d/.test(small)) return null
  return MORE_TERMS.get(small) ?? eyeTermOf(small)?.eye ?? null
}

/** `both` where a value states both eyes, `wrong` where it states none that we know, null where it says nothing. */
export function eyeOfValue(value: unknown): StatedEye | 'both' | 'wrong' | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'string') return 'wrong'
  const words = value
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[\s._-]+/)
    .filter((word) => word !== '' && !/^(eye|ojo|auge|oeil|olho)$/.test(word))
  const [word, ...others] = words
  if (word === undefined || /^(unknown|xx|n\/a)$/.test(word)) return null
  if (others.length > 0) return 'wrong'
  if (/^(ou|ao|both|ambos|beide|b)$/.test(word)) return 'both'
  return eyeOfTerm(word) ?? 'wrong'
}

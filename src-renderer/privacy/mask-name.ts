/** What stands in place of a name that is hidden. Pure. */
import type { Fields } from '../../src-shared/fields.ts'

const DOTS = '\u2022\u2022\u2022'

/** `Example, Ana` as `E•••, A•••`: enough to tell two rows apart, and as long for every name. */
export function maskName(name: string): string {
  return name.replace(/([\p{L}\p{N}]\p{M}*)[^\s,]*/gu, `$1${DOTS}`)
}

const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Shorter ones stand by chance in too many words. */
const SHORTEST = 3

/** A text in which the patient's own names may stand, such as the name of a file; every other word stays. */
export function maskWithin(text: string, { first_name, last_name }: Fields): string {
  const names = new Set(
    folded([first_name, last_name].join(' '))
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length >= SHORTEST),
  )
  if (names.size === 0) return text
  return text
    .normalize('NFC')
    .replace(/\p{L}[\p{L}\p{M}]*/gu, (word) =>
      [...names].some((name) => folded(word).includes(name)) ? `${word.slice(0, 1)}${DOTS}` : word,
    )
}

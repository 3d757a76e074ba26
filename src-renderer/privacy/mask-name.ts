/** What stands in place of a name that is hidden. Pure. */
import type { Fields } from '../../src-shared/fields.ts'

const DOTS = '\u2022\u2022\u2022'

/** `Example, Ana` as `E•••, A•••`: enough to tell two rows apart, and as long for every name. */
export function maskName(name: string): string {
  return name.replace(/([\p{L}\p{N}]\p{M}*)[^\s,]*/gu, `$1${DOTS}`)
}

const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Shorter ones stand by chance in too many words: they count only as words of their own. */
const MIN_LENGTH = 3

/** A text in which the patient's own names may stand, such as the name of a file; every other word stays. */
export function maskNameIn(text: string, { first_name, last_name }: Fields): string {
  const whole = foldText([first_name, last_name].join(' '))
  const names = whole.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length >= MIN_LENGTH)
  const shortNames = whole.split(/[\s,]+/).filter((word) => word !== '' && word.length < MIN_LENGTH)
  if (names.length + shortNames.length === 0) return text
  const isName = (word: string): boolean =>
    shortNames.includes(word) || names.some((name) => word.includes(name))
  return text
    .normalize('NFC')
    .replace(/\p{L}[\p{L}\p{M}]*/gu, (word) => (isName(foldText(word)) ? `${word.slice(0, 1)}${DOTS}` : word))
}

/** Words that cameras, folders and formats put into the names of files. */
const FILE_NAME_TERMS: ReadonlySet<string> = new Set(
  'od os oi ou img image dsc dcim fundus macula disc left right jpg jpeg png tif tiff bmp dcm'.split(' '),
)

/** Each word but those that are known to be no name: for texts of which nobody knows who stands in them. */
export function maskText(text: string, allowed: ReadonlySet<string> = new Set()): string {
  return text
    .normalize('NFC')
    .replace(/\p{L}[\p{L}\p{M}]+/gu, (word) =>
      allowed.has(word.toLowerCase()) ? word : `${word.slice(0, 1)}${DOTS}`,
    )
}

/** Files are often called by the patient, and not always as the case spells it. Numbers and eyes stay. */
export function maskFileName(fileName: string): string {
  return maskText(fileName, FILE_NAME_TERMS)
}

/** Files that a folder's settings leave alone by their names, such as infrared images. Pure. */
import type { FolderReading } from '../../../../src-shared/folder-settings.ts'
import { foldPath } from '../meaning/sources.ts'

/**
 * The term of the settings because of which this file is ignored, or null. A term counts as a whole word in the file
 * name, or as a whole folder name: a patient's folder is not ignored for a part of a name.
 */
export function ignoredTermOf(
  { leaveAlone }: Pick<FolderReading, 'leaveAlone'>,
  relativePath: string,
): string | null {
  const names = foldPath(relativePath)
    .replace(/\.[a-z][a-z\d]{0,4}$/, '')
    .split('/')
  const file = names.at(-1) ?? ''
  const folders = names.slice(0, -1)
  return (
    leaveAlone.find((term) => {
      const wanted = foldPath(term)
      return holdsWhole(file, wanted) || folders.includes(wanted)
    }) ?? null
  )
}

const LETTER_OR_DIGIT = /[\p{L}\p{M}\p{N}]/u

function holdsWhole(name: string, term: string): boolean {
  for (let at = name.indexOf(term); at !== -1; at = name.indexOf(term, at + 1)) {
    const [before, after] = [name[at - 1] ?? '', name[at + term.length] ?? '']
    if (!LETTER_OR_DIGIT.test(before) && !LETTER_OR_DIGIT.test(after)) return true
  }
  return false
}

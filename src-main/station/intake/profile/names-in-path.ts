/** The patient's names in a path. Pure. */
import type { Profile } from '../../../../src-shared/profile.ts'
import type { Stated } from '../recognition.ts'
import { folded } from './part-spellings.ts'
import { settle, type FoundPart, type Sentences } from './settle-parts.ts'

export type NamesInPath = {
  readonly lastName: Stated<string> | null
  readonly firstName: Stated<string> | null
  readonly unclear: readonly string[]
}

const OF_LAST_NAME = sentencesOf('last')
const OF_FIRST_NAME = sentencesOf('first')

/** `found` are the parts of the reading that is preferred. */
export function namesInPath(found: readonly FoundPart[], { nameOrder }: Profile): NamesInPath {
  const settled = (
    which: 'lastName' | 'firstName',
    sentences: Sentences,
  ): ReturnType<typeof settle<string>> => {
    const meaning = ({ part, text }: FoundPart): string | null =>
      part.name === 'name' ? splitName(text, nameOrder)[which] : plain(text)
    // A single word is one name; the other is not stated then, which is no trouble.
    const stating = found.filter(
      (each) => (each.part.name === which || each.part.name === 'name') && meaning(each) !== null,
    )
    return settle(stating, meaning, (one, other) => folded(one) === folded(other), sentences)
  }
  const last = settled('lastName', OF_LAST_NAME)
  const first = settled('firstName', OF_FIRST_NAME)
  return {
    lastName: last.value,
    firstName: first.value,
    unclear: [last.unclear, first.unclear].filter((sentence) => sentence !== null),
  }
}

/**
 * Both names in one. A comma ends the last name everywhere; `^` (DICOM) and spaces stand between names in the order of
 * the profile. Of more than two words the first name is one, the last name all others; one word is the name that
 * stands first.
 */
export function splitName(
  text: string,
  order: Profile['nameOrder'],
): { readonly lastName: string | null; readonly firstName: string | null } {
  const [before = '', after] = text.split(text.includes('^') ? '^' : ',').map(plain)
  if (after !== undefined) {
    const isLastFirst = order === 'lastFirst' || !text.includes('^')
    return isLastFirst ? namesOf(before, after) : namesOf(after, before)
  }
  const words = before.split(' ')
  if (words.length === 1) return order === 'lastFirst' ? namesOf(before, '') : namesOf('', before)
  if (order === 'lastFirst') return namesOf(words.slice(0, -1).join(' '), words.at(-1) ?? '')
  return namesOf(words.slice(1).join(' '), words[0] ?? '')
}

function namesOf(
  lastName: string,
  firstName: string,
): { readonly lastName: string | null; readonly firstName: string | null } {
  return {
    lastName: lastName === '' ? null : lastName,
    firstName: firstName === '' ? null : firstName,
  }
}

function plain(text: string): string {
  return text.replaceAll(/[_\s]+/gu, ' ').trim()
}

function sentencesOf(which: 'first' | 'last'): Sentences {
  const differ = `The ${which} name stands twice in the path and differs: check whose images these are.`
  return { unreadable: differ, ambiguous: differ, disagreeing: differ }
}

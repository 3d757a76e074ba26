/** Persons' names: one reader for all sources. Splits them, folds them, and says whether two may be of one person. Pure. */
import type { Fields } from '../../../../src-shared/fields.ts'
import { remembered } from '../names/tokens.ts'
import { foldTerm, isParticle } from './vocabulary.ts'
import { isIdle } from './numbers.ts'

/** What a source says about a person; parts that it does not state are null. */
export type Person = {
  readonly lastName: string | null
  readonly firstName: string | null
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null
  /** `M`, `F` or another letter of the source. */
  readonly sex: string | null
  /** The same name in other letters, or an earlier one, as the source itself states it. */
  readonly spellings?: readonly string[]
}

export type PersonPart = 'name' | 'birthDate' | 'sex'

/** Which part of a name comes first if nothing but their order parts them. */
export type NameOrder = 'lastFirst' | 'firstLast'

export type PersonName = Pick<Person, 'lastName' | 'firstName'>

/**
 * Last and first name in one text. Of the groups of a DICOM name, separated by `=`, the first non-empty one is taken; its
 * parts are family, given and middle name, prefix and suffix, separated by `^` (PS3.5 6.2.1.1). A comma always ends the
 * last name. Two words are in the given order. Null if the end of a name is not clear.
 */
export function splitName(text: string, order: NameOrder): PersonName | null {
  const group = text.split('=').find((one) => one.replaceAll('^', '').trim() !== '') ?? ''
  const isParted = group.includes('^')
  const isByComma = !isParted && group.includes(',')
  const parts = group.split(isParted ? '^' : isByComma ? ',' : /[_\s]+/).map(plainName)
  const names = isParted || isByComma ? parts : parts.filter((part) => part !== '')
  if (isByComma ? names.slice(2).some((part) => part !== '') : !isParted && names.length > 2) return null
  const [one = '', two = '', middle = ''] = names
  if (two === '' && !isParted && !isByComma) return null
  const [last, first] = order === 'lastFirst' || isByComma || two === '' ? [one, two] : [two, one]
  return {
    lastName: last || null,
    firstName: [first, middle].filter((part) => part !== '').join(' ') || null,
  }
}

export function isNameField(field: string): boolean {
  return field === 'last_name' || field === 'first_name'
}

/** A name without the spaces, underscores and padding around and inside it. */
export function plainName(text: string): string {
  return text.replaceAll(/[_\s\0]+/gu, ' ').trim()
}

/** The words of a name, folded, without particles; empty if it is no name (`ANONYMOUS`). */
export function nameTerms(...names: readonly (string | null)[]): readonly string[] {
  return termsOfName(names.flatMap((name) => name ?? []).join('\n'))
}

const termsOfName = remembered((name) => {
  const folded = foldTerm(name)
    .replaceAll(/['’ʼ`´]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
  const terms = folded.filter((term) => term !== '' && !isParticle(term))
  return terms.every((term) => isIdle(term) || /^\d+$/.test(term)) ? [] : terms
})

/** The same words in any order. */
export function isSameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other)
}

/** A name without the order, case and marks of its words. */
export function nameKey(name: string): string {
  return nameTerms(name).toSorted().join(' ')
}

/**
 * True if two names may be of one person: every word of the shorter one is a word of the other, its beginning, or its
 * initial. A name without words contradicts none.
 */
export function mayBeOneName(one: readonly string[], other: readonly string[]): boolean {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one]
  if (few.length === 0) return true
  const left = [...many]
  const matches = few.filter((term) => {
    const at = left.findIndex((candidate) => isSameTerm(term, candidate))
    if (at === -1) return false
    left.splice(at, 1)
    return true
  })
  // An initial alone identifies little, but it contradicts nothing.
  return matches.length === few.length
}

/** Cameras cut names at eight letters and more. */
const MIN_CUT = 8

/** What makes another name of one: Valentin and Valentina, Emmanuel and Emmanuelle are two people. */
const ENDING = /^\p{L}?[aeiouy]$/u

/** True if two words may be one: the same in any script, cut off by a camera, or an initial. Another ending is another name. */
export function isSameTerm(one: string, other: string): boolean {
  if (one === other) return true
  const spell = isLatin(one) === isLatin(other) ? plainTerm : soundOf
  const [short, long] = [spell(one), spell(other)].toSorted((a, b) => a.length - b.length)
  if (short === undefined || long === undefined) return false
  if (short === long) return true
  if (!long.startsWith(short)) return false
  // MAXIMILI, and initials.
  return short.length === 1 || (short.length >= MIN_CUT && !ENDING.test(long.slice(short.length)))
}

/** MUELLER is Müller, and JOERGENSEN is Jørgensen; Joe is not Jo. */
function plainTerm(term: string): string {
  return term.replaceAll(/([aou])e(?=\p{L})/gu, '$1')
}

export function isLatin(term: string): boolean {
  return /^[\p{Script=Latin}\p{M}]+$/u.test(term)
}

/** Cyrillic and Greek letters without marks, each with what passports write for it (ICAO 9303-3, ISO 843). */
const LATIN: ReadonlyMap<string, string> = new Map(
  `аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ыy ьЬ ъЬ эe юiu яia іi єie ґg
   αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo`
    .split(/\s+/)
    .map((pair) => [pair.charAt(0), pair.slice(1).replace('Ь', '')]),
)

/** A word as it sounds in whatever letters: Щербаков is Shcherbakov, Юлия is Yulia and Julia. */
function soundOf(term: string): string {
  return Array.from(term.replaceAll('ου', 'ou'), (letter) => LATIN.get(letter) ?? letter)
    .join('')
    .replaceAll('ou', 'u')
    .replaceAll(/shch|sch|sh/g, 's')
    .replaceAll(/t?ch|kh|x(?!$)/g, 'h')
    .replaceAll(/t[sz]/g, 'c')
    .replaceAll(/zh/g, 'i')
    .replaceAll(/[jy]/g, 'i')
    .replaceAll('w', 'v')
    .replaceAll(/i+(?=[aeou])/g, '')
    .replaceAll(/(.)\1+/g, '$1')
}

/** Beginnings of surnames that are joined to the rest in one source and apart in another. */
const JOINED = /^(o|d|l|mc|mac|al|el|san|st|de|di|du|le|la|van|von|ben|abu)$/

/** True if a word is several words of a name in one, ODELLRAY, or the rest of one: Dell of O'Dell. Ana is none of Mariana. */
export function isPartOfName(term: string, name: readonly string[]): boolean {
  const isRest = name.some(
    (known) => known.endsWith(term) && JOINED.test(known.slice(0, known.length - term.length)),
  )
  if (isRest) return true
  const twice = [...name, ...name]
  return name.some((_known, from) => {
    let joined = ''
    for (const known of twice.slice(from, from + name.length)) {
      joined += known
      if (joined === term) return true
    }
    return false
  })
}

/** What contradicts: two names, birth dates or sexes. Null if these may be one person. */
export function contradictionOf(one: Person, other: Person): PersonPart | null {
  if (!spellingsOf(one).some((ours) => spellingsOf(other).some((theirs) => mayBeOneName(ours, theirs))))
    return 'name'
  if (one.birthDate !== null && other.birthDate !== null && one.birthDate !== other.birthDate)
    return 'birthDate'
  const [sex, otherSex] = [sexOf(one.sex), sexOf(other.sex)]
  return sex !== null && otherSex !== null && sex !== otherSex ? 'sex' : null
}

/** True if birth dates or sexes contradict one another, whatever the names are: no answer holds for both. */
export function isAcross(one: Person, other: Person): boolean {
  const nameless = { lastName: null, firstName: null }
  return contradictionOf({ ...one, ...nameless }, { ...other, ...nameless }) !== null
}

export function spellingsOf({ lastName, firstName, spellings = [] }: Person): readonly (readonly string[])[] {
  return [nameTerms(lastName, firstName), ...spellings.map((spelling) => nameTerms(spelling))]
}

/** The person of a record, or of the attributes of a file. */
export function personIn({
  fields,
  birthDate,
  stated,
}: Pick<Person, 'birthDate'> & {
  readonly fields: Fields
  readonly stated?: { readonly spellings: readonly string[] }
}): Person {
  const { last_name: lastName = null, first_name: firstName = null, gender } = fields
  const sex = gender === undefined ? null : gender === 1 ? 'F' : 'M'
  const { spellings = [] } = stated ?? {}
  return { lastName, firstName, birthDate, sex, ...(spellings.length > 0 && { spellings }) }
}

/** A person as it is shown, and remembered: what is stated, in this order. */
export function labelOf({ lastName, firstName, birthDate, sex }: Person): string {
  return [lastName, firstName, birthDate, sex].filter((part) => part !== null).join(' ')
}

/** O and U state no sex that another source could contradict. */
function sexOf(sex: string | null): 'm' | 'f' | null {
  const letter = sex?.trim().toLowerCase().charAt(0) ?? ''
  return letter === 'm' ? 'm' : letter === 'f' || letter === 'w' ? 'f' : null
}

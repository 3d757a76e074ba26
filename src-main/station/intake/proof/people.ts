/** Compares people: names folded, without order, with initials; birth dates; sexes. Pure. */
import type { ContentFacts, Sidecar } from '../evidence.ts'
import { partsOfPath, remembered, type Token, tokensOf } from './tokens.ts'
import { foldTerm, isParticle, isPlaceholder } from './vocabulary.ts'

/** What a source says about a person; parts that it does not state are null. */
export type Person = {
  readonly lastName: string | null
  readonly firstName: string | null
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null
  /** `M`, `F` or another letter of the source. */
  readonly sex: string | null
}

export type PersonPart = 'name' | 'birthDate' | 'sex'

/** The words of a name, folded, without particles; empty if it is no name (`ANONYMOUS`). */
export function nameTerms(...names: readonly (string | null)[]): readonly string[] {
  return termsOfName(names.flatMap((name) => name ?? []).join('\n'))
}

const termsOfName = remembered((name) => {
  const folded = foldTerm(name)
    .replaceAll(/['’ʼ`]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
  const terms = folded.filter((term) => term !== '' && !isParticle(term))
  return terms.length > 0 && terms.every((term) => isPlaceholder(term)) ? [] : terms
})

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

/** Cameras cut names at eight letters and more; Luis and Luisa are two people. */
const MIN_CUT = 8

/** True if two words of names may be one: the same, a beginning that a camera cut off, or an initial. */
export function isSameTerm(one: string, other: string): boolean {
  if (one === other) return true
  const [short, long] = [plainTerm(one), plainTerm(other)].toSorted((a, b) => a.length - b.length)
  if (short === undefined || long === undefined) return false
  if (short === long) return true
  // MAXIMILIA, and initials.
  return (short.length === 1 || short.length >= MIN_CUT) && long.startsWith(short)
}

/** MUELLER is Müller, and JOERGENSEN is Jørgensen. */
function plainTerm(term: string): string {
  return term.replaceAll(/([aou])e/g, '$1')
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
  const [ours, theirs] = [nameTerms(one.lastName, one.firstName), nameTerms(other.lastName, other.firstName)]
  if (!mayBeOneName(ours, theirs)) return 'name'
  if (one.birthDate !== null && other.birthDate !== null && one.birthDate !== other.birthDate)
    return 'birthDate'
  const [sex, otherSex] = [sexOf(one.sex), sexOf(other.sex)]
  return sex !== null && otherSex !== null && sex !== otherSex ? 'sex' : null
}

/** The person of a record, or of the attributes of a file. */
export function personIn({
  fields,
  birthDate,
}: Pick<Sidecar | ContentFacts, 'fields' | 'birthDate'>): Person {
  const { last_name: lastName = null, first_name: firstName = null, gender } = fields
  return { lastName, firstName, birthDate, sex: gender === undefined ? null : gender === 1 ? 'F' : 'M' }
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

/** The words of a path that may be a person's name, folded. */
export const nameTermsInPath = remembered((path) => readTerms(path, true))

/** These, and the words behind the eye: most likely they name the view, `OD_Makula`. */
export const termsInPath = remembered((path) => readTerms(path, false))

function readTerms(relativePath: string, isWithoutViews: boolean): readonly string[] {
  const { folders, stem } = partsOfPath(relativePath)
  const inFolders = folders.flatMap((name) => termsOf(tokensOf(name), () => true))
  const tokens = tokensOf(stem)
  const inFile = termsOf(tokens, (at) => !isWithoutViews || !isBehindEye(tokens, at))
  return [...new Set([...inFolders, ...inFile])].filter((term) => term.length > 1 && !/\d/.test(term))
}

function termsOf(tokens: readonly Token[], isOfPerson: (at: number) => boolean): readonly string[] {
  return tokens.flatMap((token, at) =>
    token.kind === 'text' && isOfPerson(at) && !isRandomEnd(tokens, at) ? nameTerms(token.text) : [],
  )
}

/** Behind the eye, and in front of no number. */
function isBehindEye(tokens: readonly Token[], at: number): boolean {
  return tokens.slice(0, at).some(isEye) && !tokens.slice(at).some(({ kind }) => kind === 'number')
}

function isEye({ kind, folded }: Token): boolean {
  return (kind === 'eye' && !isParticle(folded)) || kind === 'letter'
}

/** The random end of a name behind everything else: `OD_Color_ebcd`. */
function isRandomEnd(tokens: readonly Token[], at: number): boolean {
  const [before, token] = [tokens[at - 1], tokens[at]]
  if (token === undefined || before === undefined || at !== tokens.length - 1) return false
  return /^[0-9a-f]{4,8}$/.test(token.text) && ['term', 'eye', 'letter', 'date', 'time'].includes(before.kind)
}

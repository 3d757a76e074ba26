/** The people whom sources and names state beside a number: one person, two, or an unknown name. Pure. */
import { bareId } from '../meaning/numbers.ts'
import {
  contradictionOf,
  isLatin,
  isPartOfName,
  isSameTerm,
  labelOf,
  mayBeOneName,
  nameTerms,
  type Person,
  spellingsOf,
} from '../meaning/persons.ts'
import {
  type FolderMemory,
  type PictureEvidence,
  type Pictures,
  type Statement,
  statementOf,
} from './evidence.ts'
import { isSpellingOf } from './second-numbers.ts'
import { partsOfPath, remembered, type Token, tokensOf } from '../names/tokens.ts'
import { foldTerm, isParticle, isTray } from '../meaning/vocabulary.ts'

/** The words of the names that sources and paths state, folded, without constants of the folder. */
export function termsIn(pictures: Pictures, memory: FolderMemory): readonly string[] {
  const inPaths = pictures.flatMap(({ paths }) => paths.flatMap(nameTermsInPath))
  return [...new Set([...statedTerms(pictures), ...inPaths.filter((term) => !memory.isConstant(term))])]
}

function statedTerms(pictures: readonly Pick<PictureEvidence, 'people'>[]): readonly string[] {
  const terms = pictures.flatMap(({ people }) => people.flatMap(({ value }) => spellingsOf(value).flat()))
  return [...new Set(terms)]
}

/** True if a word of a name is one of the stated name, however it is spelled there. */
function isKnownTerm(term: string, known: readonly string[]): boolean {
  return known.some((name) => isSameTerm(term, name)) || isPartOfName(term, known)
}

/** A word of a name that shares nothing with the stated name, and is no constant of the folder. */
export function unknownTermIn(pictures: Pictures, stated: string, memory: FolderMemory): string | null {
  const known = statedTerms(pictures)
  if (known.length === 0) return null
  const id = bareId(stated)
  for (const { paths, explained, isReadByProfile } of pictures) {
    if (isReadByProfile) continue
    const ofFile = new Set(explained.flatMap((text) => nameTerms(text)))
    const strange = paths
      .flatMap(termsInPath)
      .find(
        (term) =>
          !isKnownTerm(term, known) && !memory.isConstant(term) && !ofFile.has(term) && !id.includes(term),
      )
    if (strange !== undefined) return strange
  }
  return null
}

/** What is learnt and answered about names. */
type NameMemory = Pick<FolderMemory, 'isConstant' | 'areOnePerson'>

const MIN_NAME_LETTERS = 3

/** A name beside the number that shares nothing with the stated one: `2712894_Fischer` is not of Hans Salazar. */
export function otherNameIn(
  pictures: readonly Pick<PictureEvidence, 'paths' | 'people' | 'isReadByProfile'>[],
  stated: string,
  memory: NameMemory,
): readonly Statement<string>[] | null {
  const known = statedTerms(pictures)
  const [person] = pictures.flatMap(({ people }) => people.filter(({ value }) => isNamed(value)))
  if (known.length === 0 || person === undefined) return null
  for (const { paths, isReadByProfile } of pictures)
    for (const path of isReadByProfile ? [] : paths) {
      const { folders, stem } = partsOfPath(path)
      for (const name of [stem, ...folders]) {
        const terms = termsBeside(name, stated).filter((term) => !memory.isConstant(term))
        const isOther =
          terms.length > 0 &&
          terms.every((term) => isComparable(term, known)) &&
          !termsOfName(name).some((term) => isKnownTerm(term, known))
        if (!isOther) continue
        const source = name === stem ? ('fileName' as const) : ('folderName' as const)
        const found = [labelled(person), statementOf(terms.join(' '), source, path)] as const
        if (!memory.areOnePerson(found[0].value, found[1].value)) return found
      }
    }
  return null
}

/** Two people under a number: one who is found through it alone, and another, or a name beside it. It may be mistyped. */
export function otherPersonFound(
  pictures: Pictures,
  number: string,
  found: readonly Statement<Person>[],
  memory: NameMemory,
): readonly Statement<string>[] | null {
  const stated = pictures.flatMap(({ people }) => people)
  const two = differingAmong(found, stated, memory)
  return two?.map(labelled) ?? otherNameIn(withPeople(pictures, found), number, memory)
}

/** The first of these people whom another of them, or of the others, contradicts, and that one. */
function differingAmong(
  people: readonly Statement<Person>[],
  others: readonly Statement<Person>[],
  memory: NameMemory,
): readonly [Statement<Person>, Statement<Person>] | null {
  for (const [at, one] of people.entries()) {
    const other = [...others, ...people.slice(at + 1)].find(
      (rival) =>
        contradictionOf(one.value, rival.value) !== null &&
        !memory.areOnePerson(labelOf(one.value), labelOf(rival.value)),
    )
    if (other !== undefined) return [one, other]
  }
  return null
}

/** The same pictures as if their own sources named these people, too. */
export function withPeople(pictures: Pictures, found: readonly Statement<Person>[]): Pictures {
  return pictures.map((picture) => ({ ...picture, people: [...found, ...picture.people] }))
}

function isNamed({ lastName, firstName }: Person): boolean {
  return nameTerms(lastName, firstName).length > 0
}

/** Ivanov may be Иванов: words of two scripts contradict nothing, they only remain unknown. */
function isComparable(term: string, known: readonly string[]): boolean {
  return known.some((name) => isLatin(name) === isLatin(term))
}

function termsOfName(name: string): readonly string[] {
  return tokensOf(name).flatMap(({ kind, text }) => (kind === 'text' ? nameTerms(text) : []))
}

/** The words of a name that stand next to a spelling of the number. */
function termsBeside(name: string, stated: string): readonly string[] {
  const tokens = tokensOf(name)
  const id = bareId(stated)
  return tokens
    .filter(({ kind, folded }, at) => {
      if (kind !== 'text' || folded.length < MIN_NAME_LETTERS || id.includes(folded)) return false
      return [tokens[at - 1], tokens[at + 1], tokens[at + 2]].some(
        (other) => other?.kind === 'number' && isSpellingOf(other.text, stated),
      )
    })
    .flatMap(({ text }) => nameTerms(text))
}

/** Two people under one number: what names them, and the pictures of each. */
export type TwoPeople = {
  readonly statements: readonly Statement<string>[]
  readonly groups: readonly (readonly string[])[]
}

/** Two people under one number: by the sources that name a person, or by the names of the files. */
export function twoPeopleAmong(pictures: Pictures, memory: NameMemory): TwoPeople | null {
  return twoPeopleStated(pictures, memory) ?? twoPeopleInNames(pictures, memory)
}

function twoPeopleStated(pictures: Pictures, memory: NameMemory): TwoPeople | null {
  const people = [
    ...new Map(
      pictures.flatMap((picture) => picture.people).map((one) => [JSON.stringify(one.value), one]),
    ).values(),
  ]
  const two = differingAmong(people, [], memory)
  if (two === null) return null
  const keyOf = ({ people: [own] }: PictureEvidence): string | null =>
    own === undefined ? null : contradictionOf(two[0].value, own.value) === null ? 'one' : 'other'
  return { statements: two.map(labelled), groups: groupsBy(pictures, keyOf) }
}

function twoPeopleInNames(pictures: Pictures, memory: NameMemory): TwoPeople | null {
  const named = pictures.map((picture) => ({
    picture,
    terms: picture.isReadByProfile
      ? []
      : picture.paths.flatMap(nameTermsInPath).filter((term) => !memory.isConstant(term)),
  }))
  const shared = named.reduce<readonly string[] | null>(
    (common, { terms }) => (common === null ? terms : common.filter((term) => terms.includes(term))),
    null,
  )
  // What all names share is no sign of two people; what is left must not name two.
  const own = named.map(({ picture, terms }) => ({
    picture,
    terms: terms.filter((term) => !shared?.includes(term)),
  }))
  const [first, ...others] = own.filter(({ terms }) => terms.length > 0)
  const other =
    first &&
    others.find(
      ({ terms }) =>
        !mayBeOneName(first.terms, terms) && !memory.areOnePerson(first.terms.join(' '), terms.join(' ')),
    )
  if (!first || !other) return null
  const termsOf = new Map(own.map(({ picture, terms }) => [picture.id, terms]))
  const groups = groupsBy(pictures, ({ id }) => {
    const terms = termsOf.get(id) ?? []
    return terms.length === 0 ? null : mayBeOneName(first.terms, terms) ? 'one' : 'other'
  })
  const statements = [first, other].map(({ picture, terms }) =>
    statementOf(terms.join(' '), 'fileName', picture.paths[0]),
  )
  return { statements, groups }
}

function labelled(statement: Statement<Person>): Statement<string> {
  return { ...statement, value: labelOf(statement.value) }
}

/** These words with what says them first: a source that names a person, or the name in which they stand. */
export function namedBy(
  pictures: readonly Pick<PictureEvidence, 'people' | 'paths'>[],
  terms: readonly string[],
): Statement<string> {
  const value = terms.join(' ')
  const [person] = pictures.flatMap(({ people }) => people.filter((one) => isNamed(one.value)))
  if (person !== undefined) return statementOf(value, person.source, person.where)
  const paths = pictures.flatMap((picture) => picture.paths)
  const where = paths.find((path) => nameTermsInPath(path).some((term) => terms.includes(term))) ?? ''
  const isInFile = nameTermsInPath(partsOfPath(where).stem).some((term) => terms.includes(term))
  return statementOf(value, isInFile ? 'fileName' : 'folderName', where)
}

/** The ids of the pictures, parted by what each states; those that state nothing are one part. */
export function groupsBy(
  pictures: Pictures,
  keyOf: (picture: PictureEvidence) => string | null,
): readonly (readonly string[])[] {
  const groups = Map.groupBy(pictures, (picture) => keyOf(picture) ?? '')
  return [...groups.values()].map((group) => group.map(({ id }) => id))
}

/** The words of a path that may be a person's name, folded. */
export const nameTermsInPath = remembered((path) => readTerms(path, true))

/** These, and the words behind the eye: most likely they name the view, `OD_Makula`. */
const termsInPath = remembered((path) => readTerms(path, false))

function readTerms(relativePath: string, isWithoutViews: boolean): readonly string[] {
  const { folders, stem } = partsOfPath(relativePath)
  const inFolders = folders.flatMap((name, at) =>
    isShelf(name, folders[at + 1] ?? stem) ? [] : termsOf(tokensOf(name), () => true),
  )
  const tokens = tokensOf(stem)
  const inFile = termsOf(tokens, (at) => !isWithoutViews || !isBehindEye(tokens, at))
  return [...new Set([...inFolders, ...inFile])].filter((term) => term.length > 1 && !/\d/.test(term))
}

/** A tray, or a shelf: programs sort names that they draw into folders of two small letters (yh/3f91c0, ab/abc123f.jpg). */
function isShelf(folder: string, below: string): boolean {
  const isOfProgram = /^[a-z]{2}$/.test(folder) && /^(?=.*\d)(?=.*[a-f])[0-9a-f]{6,64}$/.test(below)
  return isOfProgram || isTray(foldTerm(folder))
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

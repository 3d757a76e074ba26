/** The words of names that may name an eye, each with how much it counts beside its neighbours. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import {
  eyeTermOf,
  isArchive,
  isEyeNoun,
  isFieldTerm,
  isNasalOrTemporal,
  isNegation,
  isParticle,
  isPosition,
  isSite,
  isStereo,
  isTitle,
} from '../meaning/vocabulary.ts'
import { partsOfPath, type Token, tokensOf } from './tokens.ts'

/**
 * What a word can give, and what it may doubt.
 *
 * - `firm`       gives the eye, and doubts another one
 * - `ambiguous`  gives it only opposite its counterpart in the same place of another name; doubts another one
 * - `nameLike`   gives it only opposite its counterpart; doubts a stated eye if its name has no better word
 * - `aside`      gives none, being of a position, a stereo pair, a degree or a surname; doubts as `nameLike` does
 */
export type Strength = 'firm' | 'ambiguous' | 'nameLike' | 'aside'

/** A word that may name an eye. */
export type Mention = {
  readonly eye: StatedEye
  readonly strength: Strength
  /** Its position, counted from the front and from the back of its name. */
  readonly slots: readonly string[]
  readonly family: string
  readonly text: string
  /** A firm word of a file name or a whole folder, and not in the slot of a surname or a program: it says the eye alone. */
  readonly isPlain: boolean
  /** Says a side of the picture or one of two views, not OD or OS. */
  readonly isDirection: boolean
  readonly source: 'fileName' | 'folderName'
  readonly where: string
}

/** A name with those of its path: the folder that it lies in, what lies in it, and what all of them have in common. */
type Surroundings = {
  readonly tokens: readonly Token[]
  readonly depth: number
  readonly above: readonly Token[]
  readonly below: readonly Token[]
  readonly hasOtherEye: boolean
  readonly isOfStereoPair: boolean
  /** Words that are the prefix of one number in several names: `OD-771204/OD-771204_3`. */
  readonly prefixes: ReadonlySet<string>
}

/** Every word of a path that may name an eye, the file's own first. */
export function mentionsIn(path: string): readonly Mention[] {
  const names = partsOfPath(path).names.map((name) => withDotted(tokensOf(name)))
  const all = names.flat()
  if (!all.some(isOfEye)) return []
  const common = {
    hasOtherEye: all.some(({ kind }) => kind === 'eye'),
    // 3d and 3d1, and not 3d52, the random end of a name.
    isOfStereoPair: all.some(({ folded }) => isStereo(folded.replace(/(?<=\p{L}{2})\d+$|(?<=^3d)\d$/u, ''))),
    prefixes: repeated(names.flatMap(prefixOf)),
  }
  return names.flatMap((tokens, depth) =>
    mentionsOfName(
      { ...common, tokens, depth, above: names[depth + 1] ?? [], below: names[depth - 1] ?? [] },
      path,
    ),
  )
}

/** O.S. and O.D. are eyes, or initials: one word that needs its counterpart. */
function withDotted(tokens: readonly Token[]): readonly Token[] {
  if (!tokens.some(isDottedEnd)) return tokens
  return tokens.flatMap((token, index): Token[] => {
    if (isDottedEnd(token, index, tokens)) return []
    const end = tokens[index + 1]
    const term = end && isDottedEnd(end, index + 1, tokens) ? eyeTermOf(`o${end.folded}`) : null
    if (end === undefined || term === null) return [token]
    const { at, joint } = token
    const text = `O${end.text.toUpperCase()}`
    return [
      { kind: 'eye', term: { ...term, strength: 'ambiguous' }, text, folded: `o${end.folded}`, at, joint },
    ]
  })
}

function isDottedEnd({ folded, joint }: Token, index: number, tokens: readonly Token[]): boolean {
  return joint === '.' && tokens[index - 1]?.folded === 'o' && eyeTermOf(`o${folded}`)?.family === 'latin'
}

function isOfEye({ kind }: Token): boolean {
  return kind === 'eye' || kind === 'letter'
}

/** The word and the number that a name begins with. */
function prefixOf([first, second]: readonly Token[]): readonly string[] {
  if (first === undefined || second?.kind !== 'number') return []
  return [`${first.folded} ${second.folded}`]
}

function repeated(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.filter((text, index) => texts.indexOf(text) !== index))
}

function mentionsOfName(name: Surroundings, where: string): readonly Mention[] {
  const { tokens, depth } = name
  return tokens.flatMap((token, index): Mention[] => {
    const strength = strengthOf(name, index)
    if (strength === null) return []
    const eye = token.kind === 'eye' ? token.term.eye : token.folded.startsWith('r') ? 'right' : 'left'
    return [
      {
        eye,
        strength,
        slots: [`${depth}<${index}`, `${depth}>${tokens.length - index}`],
        family: token.kind === 'eye' ? token.term.family : 'letter',
        text: token.folded,
        isPlain: strength === 'firm' && (depth === 0 || tokens.length === 1) && !isWhereNamesAre(name, index),
        isDirection: isDirection(token),
        source: depth === 0 ? 'fileName' : 'folderName',
        where,
      },
    ]
  })
}

/** A folder, in front of a number, or behind a name: links/, LINKS_771020, Sol_Left. */
function isWhereNamesAre({ tokens, depth }: Surroundings, index: number): boolean {
  const token = tokens[index]
  if (token === undefined || !isDirection(token)) return false
  if (depth > 0) return true
  return tokens[index - 1]?.kind === 'text' || (index === 0 && tokens[1]?.kind === 'number')
}

/** True for words that are said of pictures, too; OD and OS are of eyes alone. */
function isDirection(token: Token): boolean {
  return token.kind === 'letter' || (token.kind === 'eye' && token.term.family !== 'latin')
}

/** How much an eye word counts beside its neighbours; null if it is no eye at all. */
function strengthOf(name: Surroundings, index: number): Strength | null {
  const { tokens, depth, hasOtherEye } = name
  const token = tokens[index]
  if (token === undefined || !isOfEye(token)) return null
  const neighbours = [tokens[index - 1], tokens[index + 1]]
  const [before, after] = neighbours
  const isBeside = (test: (folded: string) => boolean): boolean =>
    neighbours.some((other) => other !== undefined && test(other.folded))
  if (isBeside(isSite) || (depth > 0 && tokens.some(({ folded }) => isSite(folded)))) return null
  // Van der Berg, De la Cruz
  if (isParticle(token.folded) && isBeside(isParticle)) return null
  // Van Os, no OS possible, Dr Patel OD
  if (name.isOfStereoPair || isBeside(isParticle) || isBeside(isNegation) || isDegree(tokens, index))
    return 'aside'
  const isBesideText = neighbours.some((other) => other?.kind === 'text')
  if (token.kind === 'letter') {
    // 59870621-L/59870621-L_OD: beside another eye, the letter is the number's own.
    const isOfNumber = before?.kind === 'number' && (token.joint === '-' || token.joint === ' ')
    if (isOfNumber && hasOtherEye && /^\p{L}$/u.test(token.text)) return null
    if (isCorner(name, index) || isOfCode(tokens, index)) return 'aside'
    // R229: a letter in front of a number is a prefix as often as an eye.
    return isBesideText && token.folded.length === 1 ? 'nameLike' : 'ambiguous'
  }
  if (token.kind !== 'eye') return null
  if (isBeside(isEyeNoun)) return 'firm'
  if (isDirection(token) && (isCorner(name, index) || isOfField(before, after))) return 'aside'
  if (isDirection(token) && isBeside(isNasalOrTemporal)) return 'ambiguous'
  const isShort = token.folded.replace(/\d+$/, '').length <= 2
  if (token.term.strength === 'ambiguous') return isShort && isBesideText ? 'nameLike' : 'ambiguous'
  // Os and Od are names if they are written as names.
  if (isShort && /^\p{Lu}\p{Ll}/u.test(token.text)) return isBesideText ? 'nameLike' : 'ambiguous'
  if (after?.kind === 'text') return 'ambiguous'
  // Sol_Left_501288
  if (!isShort && before?.kind === 'text' && after?.kind === 'number') return 'ambiguous'
  // 501288_Right_20261120: in the slot of the surname
  const isInMiddle = before?.kind === 'number' && after?.kind === 'date'
  if (isDirection(token) && isInMiddle && /^\p{Lu}\p{Ll}/u.test(token.text)) return 'ambiguous'
  if (isOfNumber(name, index)) return 'ambiguous'
  return depth === 0 || isEyeFolder(name, index) ? 'firm' : 'ambiguous'
}

/** OS-1231417 may be one number: of two names, beside another eye, or with other parts that are joined otherwise. */
function isOfNumber({ tokens, depth, prefixes }: Surroundings, index: number): boolean {
  const after = tokens[index + 1]
  if (index > 0 || after?.kind !== 'number' || after.joint !== '-') return false
  const others = tokens.slice(index + 1)
  return (
    depth > 0 ||
    others.some(isOfEye) ||
    others.some(({ joint }) => joint !== '-') ||
    prefixOf(tokens).some((prefix) => prefixes.has(prefix))
  )
}

/** N-9-R: a letter, few digits and a letter are one code. */
function isOfCode(tokens: readonly Token[], index: number): boolean {
  const [first, digits, token] = tokens.slice(Math.max(index - 2, 0), index + 1)
  return (
    token !== undefined &&
    (first?.kind === 'initial' || first?.kind === 'letter') &&
    digits?.kind === 'sequence' &&
    [digits, token].every(({ joint }) => joint === '-')
  )
}

/** `left field` and `nasal left` are of the picture; `left nasal` may be of the left eye. */
function isOfField(before: Token | undefined, after: Token | undefined): boolean {
  return (
    (after !== undefined && isFieldTerm(after.folded)) ||
    (before !== undefined && isNasalOrTemporal(before.folded))
  )
}

/** The upper left of a picture: a word for a side beside one for a height, or alone in a folder of that height. */
function isCorner({ tokens, above }: Surroundings, index: number): boolean {
  const isAlone = tokens.every(({ kind }, at) => at === index || kind === 'sequence' || kind === 'counter')
  const neighbours = [tokens[index - 1], tokens[index + 1], ...(isAlone ? [above.at(-1)] : [])]
  return neighbours.some(
    (other) => other !== undefined && isPosition(other.folded) && !isNasalOrTemporal(other.folded),
  )
}

/** Dr Patel OD: a title, names, then the degree. */
function isDegree(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.folded !== 'od') return false
  const earlier = tokens.slice(0, index)
  const title = earlier.findLastIndex(({ folded }) => isTitle(folded))
  return title !== -1 && earlier.slice(title + 1).every(({ kind }) => kind === 'text' || kind === 'initial')
}

/**
 * A folder of one eye says nothing else (`OD`, `Right eye`, `OD color 2`), or names the whole visit and then the eye
 * (`H-00017_20261120_OS`). One that holds a folder of a given name alone may be of a surname (Left/Sol).
 */
function isEyeFolder({ tokens, depth, below }: Surroundings, index: number): boolean {
  if (tokens.some(({ folded }) => isArchive(folded))) return false
  if (depth > 1 && below.every(({ kind }) => kind === 'text' || kind === 'initial')) return false
  const has = (...kinds: readonly Token['kind'][]): boolean => tokens.some(({ kind }) => kinds.includes(kind))
  if (!has('date', 'text', 'number')) return true
  const isLast = index === tokens.length - 1
  return isLast && tokens[index - 1]?.kind !== 'text' && has('date') && has('number')
}

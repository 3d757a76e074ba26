/** Which eye each picture of a visit shows: what names can give, what they can doubt, and the verdict. Pure. */
import type { StatedEye } from '../evidence.ts'
import { partsOfPath, type Token, tokensOf } from './tokens.ts'
import { distinctBy, type Statement, type Verdict } from './verdict.ts'
import { isEyeNoun, isParticle, isSite, isPosition, isStereo, isTitle } from './vocabulary.ts'

/** One picture: the paths of all its files, and the eyes that sources other than names state for it. */
export type PictureOfEye = {
  readonly id: string
  readonly paths: readonly string[]
  /** Of DICOM attributes, bound records, confirmed profiles. */
  readonly stated: readonly Statement<StatedEye>[]
  /** A confirmed profile reads the eye of these paths: their words count for nothing else. */
  readonly isReadByProfile: boolean
}

/**
 * A word that may name an eye.
 *
 * - `firm`       gives the eye, and doubts another one
 * - `ambiguous`  gives it only opposite its counterpart in the same place of another name; doubts another one
 * - `nameLike`   gives it only opposite its counterpart; doubts none: most likely it is part of a name
 */
type Mention = {
  readonly eye: StatedEye
  readonly strength: 'firm' | 'ambiguous' | 'nameLike'
  /** Its position, counted from the front and from the back of its name. */
  readonly slots: readonly string[]
  readonly family: string
  readonly text: string
  /** A firm word of a file name, or the whole name of a folder: it says the eye and nothing else. */
  readonly isPlain: boolean
  readonly source: 'fileName' | 'folderName'
  readonly where: string
}

/** The verdict on the eye of each picture, by its id. */
export function verdictsOnEyes(pictures: readonly PictureOfEye[]): ReadonlyMap<string, Verdict<StatedEye>> {
  const mentions = new Map(pictures.map((picture) => [picture.id, mentionsOf(picture)]))
  // A letter that a firm word of its own name contradicts is no counterpart elsewhere.
  const pairs = pairedSlots(
    [...mentions.values()].flatMap((own) => own.filter((mention) => !isContradicted(mention, own))),
  )
  const isGiving = (mention: Mention): boolean =>
    mention.strength === 'firm' || mention.slots.some((slot) => pairs.has(`${mention.family} ${slot}`))
  const statements = new Map(
    pictures.map(({ id, stated }) => {
      const byNames = (mentions.get(id) ?? []).filter(isGiving).map(statementOf)
      return [id, { stated, byNames }]
    }),
  )
  const constants = constantsIn(pictures, mentions, (id, mention) => {
    const { stated = [], byNames = [] } = statements.get(id) ?? {}
    // The other statements: those in another place than the token itself.
    const others = (mentions.get(id) ?? []).filter(
      (other) => isGiving(other) && !other.slots.some((slot) => mention.slots.includes(slot)),
    )
    return stated.length > 0 || byNames.length === 0 ? stated : others.map(statementOf)
  })
  return new Map(
    pictures.map(({ id }) => {
      const { stated = [], byNames = [] } = statements.get(id) ?? {}
      const own = (mentions.get(id) ?? []).filter((mention) => !constants.has(keyOf(mention)))
      const giving = byNames.filter((one) =>
        own.some((mention) => statementKey(mention) === keyOfStatement(one)),
      )
      const doubting = own.filter(({ strength }) => strength !== 'nameLike').map(statementOf)
      return [id, verdictOf(stated, giving, doubting)]
    }),
  )
}

function verdictOf(
  stated: readonly Statement<StatedEye>[],
  byNames: readonly Statement<StatedEye>[],
  doubting: readonly Statement<StatedEye>[],
): Verdict<StatedEye> {
  const giving = [...stated, ...byNames]
  const [first] = giving
  if (first === undefined) {
    const [term] = doubting
    return term
      ? { kind: 'unknown', why: 'loneLetter', about: term.where }
      : { kind: 'unknown', why: 'nothingStated' }
  }
  const all = distinctBy([...giving, ...doubting], (eye) => eye)
  if (all.length > 1) return { kind: 'disputed', statements: all, why: 'sourcesDiffer' }
  if (stated.length > 0) return { kind: 'proven', value: first.value, by: giving }
  return { kind: 'proposed', value: first.value, by: giving, why: 'readFromNames' }
}

function mentionsOf({ paths, isReadByProfile }: PictureOfEye): readonly Mention[] {
  if (isReadByProfile) return []
  return paths.flatMap((path) => {
    const { folders, stem } = partsOfPath(path)
    const names = [stem, ...folders.toReversed()]
    const eyes = names.flatMap((name) => tokensOf(name).filter(({ kind }) => kind === 'eye'))
    return names.flatMap((name, depth) => mentionsIn(name, depth, path, eyes.length > 0))
  })
}

function mentionsIn(name: string, depth: number, where: string, hasOtherEye: boolean): Mention[] {
  const tokens = tokensOf(name)
  // In a stereo pair, the words are the two views of one eye.
  if (tokens.some(({ folded }) => isStereo(folded.replace(/\d+$/, '')))) return []
  return tokens.flatMap((token, index): Mention[] => {
    const strength = strengthOf(tokens, index, depth, hasOtherEye)
    if (strength === null) return []
    const eye = token.kind === 'eye' ? token.term.eye : token.folded.startsWith('r') ? 'right' : 'left'
    return [
      {
        eye,
        strength,
        slots: [`${depth}<${index}`, `${depth}>${tokens.length - index}`],
        family: token.kind === 'eye' ? token.term.family : 'letter',
        text: token.folded,
        isPlain: strength === 'firm' && (depth === 0 || tokens.length === 1),
        source: depth === 0 ? 'fileName' : 'folderName',
        where,
      },
    ]
  })
}

/** How much an eye word counts beside its neighbours; null if it is no eye at all. */
function strengthOf(
  tokens: readonly Token[],
  index: number,
  depth: number,
  hasOtherEye: boolean,
): Mention['strength'] | null {
  const token = tokens[index]
  const [before, after] = [tokens[index - 1], tokens[index + 1]]
  if (token === undefined || (token.kind !== 'eye' && token.kind !== 'letter')) return null
  const isBeside = (test: (folded: string) => boolean): boolean =>
    [before, after].some((other) => other !== undefined && test(other.folded))
  if (isBeside(isPosition) || isBeside(isSiteTerm)) return null
  if (depth > 0 && tokens.some(({ folded }) => isSite(folded))) return null
  // Van Os, rechts der Isar
  if (isBeside(isParticle)) return null
  if (isDegree(tokens, index)) return null
  const isBesideText = before?.kind === 'text' || after?.kind === 'text'
  if (token.kind === 'letter') {
    // 59870621-L/59870621-L_OD: beside another eye, the letter is the number's own.
    const isOfNumber = before?.kind === 'number' && (token.joint === '-' || token.joint === ' ')
    if (isOfNumber && hasOtherEye && /^\p{L}$/u.test(token.text)) return null
    // R229: a letter in front of a number is a prefix as often as an eye.
    if (isBesideText && token.folded.length === 1) return 'nameLike'
    return 'ambiguous'
  }
  const { strength } = token.term
  if (isBeside(isEyeNoun)) return 'firm'
  const isShort = token.folded.replace(/\d+$/, '').length <= 2
  if (strength === 'ambiguous') return isShort && isBesideText ? 'nameLike' : 'ambiguous'
  // Os and Od are names if they are written as names.
  if (isShort && /^\p{Lu}\p{Ll}/u.test(token.text)) return isBesideText ? 'nameLike' : 'ambiguous'
  if (after?.kind === 'text') return 'ambiguous'
  // OS-1231417 may be one number.
  const hasOther = tokens.some(
    (other, at) => at !== index && (other.kind === 'eye' || other.kind === 'letter'),
  )
  if (index === 0 && after?.kind === 'number' && after.joint === '-' && (hasOther || depth > 0))
    return 'ambiguous'
  return depth > 0 && !isEyeFolder(tokens) ? 'ambiguous' : 'firm'
}

function isSiteTerm(folded: string): boolean {
  return isSite(folded) || folded === 'backup'
}

/** Dr Patel OD: a title, names, then the degree. */
function isDegree(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.folded !== 'od') return false
  const earlier = tokens.slice(0, index)
  const title = earlier.findLastIndex(({ folded }) => isTitle(folded))
  return title !== -1 && earlier.slice(title + 1).every(({ kind }) => kind === 'text' || kind === 'initial')
}

/** A folder of one eye says nothing else: `OD`, `Right eye`, `OD color 2`. */
function isEyeFolder(tokens: readonly Token[]): boolean {
  return tokens.every(({ kind }) => kind !== 'date' && kind !== 'text' && kind !== 'number')
}

function isContradicted(mention: Mention, own: readonly Mention[]): boolean {
  return (
    mention.strength !== 'firm' &&
    own.some(
      ({ strength, eye, where }) => strength === 'firm' && where === mention.where && eye !== mention.eye,
    )
  )
}

/** Families and slots in which names of one visit show both eyes. */
function pairedSlots(mentions: readonly Mention[]): ReadonlySet<string> {
  const eyes = new Map<string, Set<StatedEye>>()
  for (const { slots, family, eye } of mentions)
    for (const slot of slots) {
      const key = `${family} ${slot}`
      eyes.set(key, (eyes.get(key) ?? new Set()).add(eye))
    }
  return new Set([...eyes].filter(([, both]) => both.size === 2).map(([key]) => key))
}

/**
 * Ambiguous tokens that stay the same in all names, while other statements of these pictures name both eyes: they say
 * nothing. A firm word that stays the same contradicts.
 */
function constantsIn(
  pictures: readonly PictureOfEye[],
  mentions: ReadonlyMap<string, readonly Mention[]>,
  othersOf: (id: string, mention: Mention) => readonly Statement<StatedEye>[],
): ReadonlySet<string> {
  const eyes = new Map<string, Set<StatedEye>>()
  const textsOf = new Map<string, Set<string>>()
  for (const { id } of pictures)
    for (const mention of mentions.get(id) ?? []) {
      const key = keyOf(mention)
      for (const slot of mention.slots) textsOf.set(slot, (textsOf.get(slot) ?? new Set()).add(mention.text))
      for (const { value } of othersOf(id, mention)) eyes.set(key, (eyes.get(key) ?? new Set()).add(value))
    }
  const isSame = (slot: string): boolean => textsOf.get(slot)?.size === 1
  const all = [...mentions.values()].flat()
  return new Set(
    all
      .filter(
        (mention) => eyes.get(keyOf(mention))?.size === 2 && mention.slots.some(isSame) && !mention.isPlain,
      )
      .map(keyOf),
  )
}

function keyOf({ text, slots }: Mention): string {
  return `${text} ${slots[0] ?? ''}`
}

function statementOf({ eye, source, where }: Mention): Statement<StatedEye> {
  return { value: eye, source, where }
}

function statementKey({ eye, source, where }: Mention): string {
  return `${eye} ${source} ${where}`
}

function keyOfStatement({ value, source, where }: Statement<StatedEye>): string {
  return `${value} ${source} ${where}`
}

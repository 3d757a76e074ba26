/** Which eye each picture of a visit shows: what names can give, what they can doubt, and the verdict. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { type Mention, mentionsIn } from '../names/mentions.ts'
import { distinctBy, type Statement, type Verdict } from './verdict.ts'

/** One picture: the paths of all its files, and the eyes that sources other than names state for it. */
export type PictureOfEye = {
  readonly id: string
  readonly paths: readonly string[]
  /** Of DICOM attributes, bound records, confirmed profiles. */
  readonly stated: readonly Statement<StatedEye>[]
  /** Of records that are not bound to it: they propose and doubt. */
  readonly hints: readonly Statement<StatedEye>[]
  /** Of descriptions in its attributes: they only doubt. */
  readonly doubts: readonly Statement<StatedEye>[]
  /** Its own attributes contradict one another: no other source settles that. */
  readonly isDisputed: boolean
  /** Its name, or the record of its folder, was written over before: hints only doubt. */
  readonly isOverwritten: boolean
  /** A confirmed profile reads the eye of these paths: their words count for nothing else. */
  readonly isReadByProfile: boolean
}

/** The verdict on the eye of each picture, by its id. */
export function verdictsOnEyes(pictures: readonly PictureOfEye[]): ReadonlyMap<string, Verdict<StatedEye>> {
  const mentions = new Map(pictures.map((picture) => [picture.id, mentionsOf(picture)]))
  const pairs = pairedSlots([...mentions.values()])
  const isGiving = (mention: Mention): boolean =>
    mention.strength === 'firm' ||
    (mention.strength !== 'aside' && pairKeysOf(mention).some((key) => pairs.has(key)))
  const views = viewsIn(pictures, mentions)
  const statements = new Map(
    pictures.map(({ id, stated }) => {
      const byNames = (mentions.get(id) ?? []).filter(isGiving).map(statementOf)
      return [id, { stated, byNames }]
    }),
  )
  const constants = constantsIn(pictures, mentions, (id, mention) => {
    const { stated = [] } = statements.get(id) ?? {}
    // The other statements: those in another place than the token itself.
    const others = (mentions.get(id) ?? []).filter(
      (other) => isGiving(other) && !other.slots.some((slot) => mention.slots.includes(slot)),
    )
    return stated.length > 0 ? stated : others.map(statementOf)
  })
  return new Map(
    pictures.map(({ id, hints, doubts, isOverwritten, isDisputed }) => {
      if (isDisputed) return [id, { kind: 'unknown', why: 'sourcesDiffer' }]
      const { stated = [], byNames = [] } = statements.get(id) ?? {}
      const own = (mentions.get(id) ?? []).filter((mention) => !constants.has(keyOf(mention)))
      const giving = byNames.filter((one) =>
        own.some((mention) => statementKey(mention) === keyOfStatement(one)),
      )
      const strong = own.filter((mention) => !isWeak(mention))
      const doubting =
        strong.length > 0 ? strong : own.filter((one) => !pairKeysOf(one).some((key) => views.has(key)))
      const mayGive = isOverwritten ? giving : [...giving, ...hints]
      return [id, verdictOf(stated, mayGive, [...doubting.map(statementOf), ...hints, ...doubts], strong)]
    }),
  )
}

function verdictOf(
  stated: readonly Statement<StatedEye>[],
  proposing: readonly Statement<StatedEye>[],
  doubting: readonly Statement<StatedEye>[],
  mentions: readonly Mention[],
): Verdict<StatedEye> {
  const giving = [...stated, ...proposing]
  const [first] = giving
  if (first === undefined) {
    const [term] = mentions
    return term
      ? { kind: 'unknown', why: 'loneLetter', about: term.where }
      : { kind: 'unknown', why: 'nothingStated' }
  }
  const all = distinctBy([...giving, ...doubting], (eye) => eye)
  if (all.length > 1) return { kind: 'disputed', statements: all, why: 'sourcesDiffer' }
  if (stated.length > 0) return { kind: 'proven', value: first.value, by: giving }
  const isRecord = proposing.every(({ source }) => source === 'sidecar')
  return {
    kind: 'proposed',
    value: first.value,
    by: giving,
    why: isRecord ? 'folderRecord' : 'readFromNames',
  }
}

function mentionsOf({ paths, isReadByProfile }: PictureOfEye): readonly Mention[] {
  return isReadByProfile ? [] : paths.flatMap(mentionsIn)
}

/** Words that give no eye alone, and doubt a stated one only if their names have no better word. */
function isWeak({ strength }: Mention): boolean {
  return strength === 'nameLike' || strength === 'aside'
}

function pairKeysOf({ family, slots }: Mention): readonly string[] {
  return slots.map((slot) => `${family} ${slot}`)
}

/**
 * Families and slots in which names of one visit show both eyes. If a firm word of the same picture contradicts one of
 * them (OD_L), the words of that slot are none: they pair with nothing.
 */
function pairedSlots(visit: readonly (readonly Mention[])[]): ReadonlySet<string> {
  const eyes = new Map<string, Set<StatedEye>>()
  const contradicted = new Set<string>()
  for (const own of visit)
    for (const mention of own.filter(({ strength }) => strength !== 'aside'))
      for (const key of pairKeysOf(mention)) {
        if (isContradicted(mention, own)) contradicted.add(key)
        eyes.set(key, (eyes.get(key) ?? new Set()).add(mention.eye))
      }
  return new Set(
    [...eyes].filter(([key, both]) => both.size === 2 && !contradicted.has(key)).map(([key]) => key),
  )
}

function isContradicted(mention: Mention, own: readonly Mention[]): boolean {
  return (
    mention.strength !== 'firm' && own.some(({ strength, eye }) => strength === 'firm' && eye !== mention.eye)
  )
}

/** Families and slots of two views, or two corners, of one eye that the sources of all their pictures state. */
function viewsIn(
  pictures: readonly PictureOfEye[],
  mentions: ReadonlyMap<string, readonly Mention[]>,
): ReadonlySet<string> {
  const directions = new Map<
    string,
    { readonly named: Set<StatedEye>; readonly stated: Set<StatedEye | null> }
  >()
  for (const { id, stated } of pictures)
    for (const mention of mentions.get(id) ?? []) {
      if (mention.strength !== 'aside' || !mention.isDirection) continue
      for (const key of pairKeysOf(mention)) {
        const so = directions.get(key) ?? { named: new Set(), stated: new Set() }
        so.named.add(mention.eye)
        for (const value of stated.length === 0 ? [null] : stated.map((one) => one.value))
          so.stated.add(value)
        directions.set(key, so)
      }
    }
  return new Set(
    [...directions]
      .filter(([, { named, stated }]) => named.size === 2 && stated.size === 1)
      .map(([key]) => key),
  )
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

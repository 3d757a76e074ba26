/** Which eye each picture of a visit shows: what names can give, what they can doubt, and the verdict. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { type Mention, mentionsIn } from '../names/mentions.ts'
import {
  distinctBy,
  type PictureEvidence,
  type Pictures,
  type Statement,
  type Verdict,
  weighed,
} from './evidence.ts'

type NamedPicture = { readonly picture: PictureEvidence; readonly mentions: readonly Mention[] }

export function verdictsOnEyes(pictures: Pictures): ReadonlyMap<string, Verdict<StatedEye>> {
  const all = pictures.map((picture): NamedPicture => ({
    picture,
    mentions: isReadInNames(picture) ? [] : picture.paths.flatMap(mentionsIn),
  }))
  const pairs = pairedSlots(all)
  // What confirmed names read as no eye is none, unless the names of this visit show both eyes there.
  const named = all.map(({ picture, mentions }) => ({
    picture,
    mentions: picture.isReadByProfile
      ? mentions.filter((mention) => pairKeysOf(mention).some((key) => pairs.has(key)))
      : mentions,
  }))
  const isGiving = (mention: Mention): boolean =>
    mention.strength === 'firm' ||
    (mention.strength !== 'aside' && pairKeysOf(mention).some((key) => pairs.has(key)))
  const views = viewsIn(named)
  const constants = constantsIn(named, isGiving)
  return new Map(
    named.map(({ picture, mentions }) => {
      const { id, eyes, eyeHints, eyeDoubts, isOverwritten, isEyeDisputed } = picture
      if (isEyeDisputed) return [id, { kind: 'unknown', why: 'sourcesDiffer' }]
      const own = mentions.filter((mention) => !constants.has(keyOf(mention)))
      // A constant says nothing alone; beside another word of its name that says the same eye, it counts.
      const giving = mentions
        .filter((one) => isGiving(one) && own.some((other) => isSameStatement(one, other)))
        .map(statementOf)
      const strong = own.filter((mention) => !isWeak(mention))
      const doubting =
        strong.length > 0 ? strong : own.filter((one) => !pairKeysOf(one).some((key) => views.has(key)))
      const mayGive = isOverwritten ? giving : [...giving, ...eyeHints]
      const mayDoubt = [...doubting.map(statementOf), ...eyeHints, ...eyeDoubts]
      return [id, weighed(verdictOf(eyes, mayGive, mayDoubt, strong), [eyes])]
    }),
  )
}

/** Confirmed names that have a part for the eye: it is among the statements. */
function isReadInNames({ isReadByProfile, eyes }: PictureEvidence): boolean {
  return isReadByProfile && eyes.some(({ source }) => source === 'fileName' || source === 'folderName')
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

/** Words that give no eye alone, and doubt a stated one only if their names have no better word. */
function isWeak({ strength }: Mention): boolean {
  return strength === 'nameLike' || strength === 'aside'
}

function pairKeysOf({ family, slots }: Mention): readonly string[] {
  return slots.map((slot) => `${family} ${slot}`)
}

function valuesByKey<Value>(
  entries: readonly (readonly [key: string, value: Value])[],
): ReadonlyMap<string, ReadonlySet<Value>> {
  const byKey = Map.groupBy(entries, ([key]) => key)
  return new Map([...byKey].map(([key, own]) => [key, new Set(own.map(([, value]) => value))]))
}

/**
 * Families and slots in which names of one visit show both eyes. If a firm word of the same picture contradicts one of
 * them (OD_L), the words of that slot are none: they pair with nothing.
 */
function pairedSlots(named: readonly NamedPicture[]): ReadonlySet<string> {
  const naming = named.flatMap(({ mentions }) =>
    mentions.flatMap((mention) =>
      mention.strength === 'aside' ? [] : pairKeysOf(mention).map((key) => ({ key, mention, mentions })),
    ),
  )
  const eyes = valuesByKey(naming.map(({ key, mention }) => [key, mention.eye]))
  const contradicted = new Set(
    naming.flatMap(({ key, mention, mentions }) => (isContradicted(mention, mentions) ? [key] : [])),
  )
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
function viewsIn(named: readonly NamedPicture[]): ReadonlySet<string> {
  const directions = named.flatMap(({ picture: { eyes }, mentions }) =>
    mentions
      .filter(({ strength, isDirection }) => strength === 'aside' && isDirection)
      .flatMap((mention) => pairKeysOf(mention).map((key) => ({ key, eye: mention.eye, eyes }))),
  )
  const inNames = valuesByKey(directions.map(({ key, eye }) => [key, eye]))
  const stated = valuesByKey(
    directions.flatMap(({ key, eyes }) =>
      (eyes.length === 0 ? [null] : eyes.map(({ value }) => value)).map((value) => [key, value] as const),
    ),
  )
  return new Set(
    [...inNames.keys()].filter((key) => inNames.get(key)?.size === 2 && stated.get(key)?.size === 1),
  )
}

/**
 * Ambiguous tokens that stay the same in all names, while other statements of these pictures name both eyes: they say
 * nothing. A firm word that stays the same contradicts.
 */
function constantsIn(
  named: readonly NamedPicture[],
  isGiving: (mention: Mention) => boolean,
): ReadonlySet<string> {
  const all = named.flatMap(({ mentions }) => mentions)
  const texts = valuesByKey(all.flatMap(({ slots, text }) => slots.map((slot) => [slot, text] as const)))
  const eyes = valuesByKey(
    named.flatMap(({ picture, mentions }) =>
      mentions.flatMap((mention) => {
        // The other statements: those in another place than the token itself.
        const others = mentions.filter(
          (other) => isGiving(other) && !other.slots.some((slot) => mention.slots.includes(slot)),
        )
        const stated = picture.eyes.length > 0 ? picture.eyes : others.map(statementOf)
        return stated.map(({ value }) => [keyOf(mention), value] as const)
      }),
    ),
  )
  const isConstant = (mention: Mention): boolean =>
    eyes.get(keyOf(mention))?.size === 2 &&
    mention.slots.some((slot) => texts.get(slot)?.size === 1) &&
    !mention.isPlain
  return new Set(all.filter(isConstant).map(keyOf))
}

function keyOf({ text, slots }: Mention): string {
  return `${text} ${slots[0] ?? ''}`
}

function statementOf({ eye, source, where }: Mention): Statement<StatedEye> {
  return { value: eye, source, where }
}

function isSameStatement(one: Mention, other: Mention): boolean {
  return one.eye === other.eye && one.source === other.source && one.where === other.where
}

/** Reads what states an eye: the one reader of words, letters and values for the two eyes. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { foldTerm, isEyeNoun, isParticle, terms } from '../names/vocabulary.ts'

/**
 * An eye as a word states it.
 *
 * `family` names the pair that it belongs to: `re` is opposite `le`, never opposite `gauche`. `firm` words mean
 * nothing else in a file name; `ambiguous` ones are also names of people, places or codes and need their counterpart.
 */
export type EyeTerm = {
  readonly eye: StatedEye
  readonly family: string
  readonly strength: 'firm' | 'ambiguous'
}

/** Each row: the family, its words for the right eye, those for the left eye, and their strength. */
const EYE_FAMILIES: readonly (readonly [string, string, string, EyeTerm['strength']])[] = [
  ['latin', 'od', 'os', 'firm'],
  ['latin', 'dexter dextra dextrum dextro oculusdexter', 'sinister sinistrum oculussinister', 'firm'],
  ['latin', 'destro destra', 'sinistro sinistra', 'ambiguous'],
  ['english', 'right righteye rteye', 'left lefteye lteye', 'firm'],
  ['english', 'rt rgt', 'lt lft', 'ambiguous'],
  ['german', 'rechts rechtesauge rechterauge rechtsauge', 'links linkesauge linkerauge linksauge', 'firm'],
  ['german', 'rechte rechtes rechter', 'linke linkes linker', 'ambiguous'],
  ['spanish', 'ojoderecho', 'ojoizquierdo', 'firm'],
  ['spanish', 'derecho derecha dcho dcha der', 'izquierdo izquierda izdo izda izq', 'ambiguous'],
  ['french', 'oeildroit', 'oeilgauche', 'firm'],
  ['french', 'droit droite', 'gauche gche', 'ambiguous'],
  ['portuguese', 'olhodireito', 'olhoesquerdo', 'firm'],
  ['portuguese', 'direito direita dir', 'esquerdo esquerda esq', 'ambiguous'],
  ['italian', 'occhiodestro', 'occhiosinistro', 'firm'],
  ['italian', 'dx', 'sx', 'ambiguous'],
  ['italian', 'odx', 'osx', 'firm'],
  ['re', 're', 'le', 'ambiguous'],
  ['ra', 'ra', 'la', 'ambiguous'],
]

/** The left eye in Spanish and Italian (OI, OS), Portuguese (OE) and French (OG); the right one is OD in all. */
const LEFT_OF_OD = terms('oi oe og')

const EYE_TERMS: ReadonlyMap<string, EyeTerm> = new Map(
  EYE_FAMILIES.flatMap(([family, right, left, strength]) => [
    ...[...terms(right)].map((term): [string, EyeTerm] => [term, { eye: 'right', family, strength }]),
    ...[...terms(left)].map((term): [string, EyeTerm] => [term, { eye: 'left', family, strength }]),
  ]),
)

/** The eye that a folded word states; null for every other word. OI, OE and OG stand opposite OD. */
export function eyeTermOf(folded: string): EyeTerm | null {
  if (LEFT_OF_OD.has(folded)) return { eye: 'left', family: 'latin', strength: 'ambiguous' }
  return EYE_TERMS.get(folded) ?? null
}

/** The eye that a whole word states as the value of an eye, with one or two digits behind it or none (OD1). */
export function eyeStatedBy(text: string): StatedEye | null {
  const folded = foldTerm(text).replace(/\d{1,2}$/, '')
  return isParticle(folded) ? null : (eyeTermOf(folded)?.eye ?? null)
}

/** The eye of a single R or L (also r1, l2) as the value of an eye; null for all other words. Never D or I. */
export function eyeOfLetter(text: string): StatedEye | null {
  const letter = /^([rl])\d{0,2}$/i.exec(text)?.[1]?.toLowerCase()
  return letter === undefined ? null : letter === 'r' ? 'right' : 'left'
}

/** The eye that a term of a heading or a value states (OD, OI, R, left, derecho); null for all others. */
export function eyeOfTerm(term: string): StatedEye | null {
  return /\d/.test(term) ? null : (eyeOfLetter(term) ?? eyeStatedBy(term))
}

/** `none`: nothing is stated. `unclear`: two eyes, or what is none. */
export type EyeReading = StatedEye | 'both' | 'unclear' | 'none'

const BOTH = terms('ou ao both b ambos ambas beide bilateral entrambi deux')

const NOTHING = terms('unknown unk xx na none null nan u n/a')

/**
 * The eye that a value states: a word or letter for it, once or several times (`OD (right)`, `R/OD`), with the word for an
 * eye beside it (`ojo derecho`), with dots (`O.D.`). Whatever else the value holds makes it unclear.
 */
export function readEye(value: unknown): EyeReading {
  if (value === null || value === undefined) return 'none'
  if (typeof value !== 'string') return 'unclear'
  const folded = foldTerm(value.normalize('NFKC')).trim()
  if (NOTHING.has(folded)) return 'none'
  const stated = folded
    .replaceAll(/\b(o|r|l)\.\s?([dsiegua])\b\.?/g, '$1$2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((term) => term !== '' && !isEyeNoun(term))
  const found = new Set(stated.map((term) => (BOTH.has(term) ? 'both' : (eyeOfTerm(term) ?? 'unclear'))))
  const [eye, ...others] = found
  if (eye === undefined) return /[\p{L}\p{N}]/u.test(folded) ? 'unclear' : 'none'
  return others.length > 0 ? 'unclear' : eye
}

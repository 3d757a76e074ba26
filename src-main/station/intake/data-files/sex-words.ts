/**
 * Sexes as data files write them. Single letters mean different things in different languages: M is male, or mujer;
 * H is hombre and homme, or hembra; V is varón, or the Dutch vrouw. They are read only where the other letters of the
 * same column and the language of its heading leave one meaning. Pure.
 */
import { GENDER_CODES } from '../../../../src-shared/fields.ts'

const { male, female } = GENDER_CODES
type Sex = typeof male | typeof female

function sexTerms(text: string, sex: Sex): readonly (readonly [string, Sex])[] {
  return text.split(' ').map((word) => [word, sex] as const)
}

const SEX_TERMS: ReadonlyMap<string, Sex> = new Map([
  ...sexTerms(
    'male man masculine hombre varon masculino mannlich maennlich mann homem homme masculin masc maschio',
    male,
  ),
  ...sexTerms(
    'female woman feminine mujer femenino femenina hembra weiblich frau mulher feminino feminina',
    female,
  ),
  ...sexTerms('femme feminin fem femmina f w', female),
])

/** The single letters of one column; words that are whole tell for themselves. */
export type SexLetters = ReadonlySet<string>

/** What a value adds to the letters of its column. */
export function sexLetterOf(value: unknown): string | null {
  const word = termOf(value)
  return word !== null && /^[mhvfw\d]$/.test(word) ? word : null
}

/** The sex that a value states in a column with this heading (plain: `sexo`) and these letters; null where it may be either. */
export function sexOf(value: unknown, plainHeading: string, letters: SexLetters): Sex | null {
  const word = termOf(value)
  if (word === null) return null
  const isSpanish = /^(sexo|sexopaciente|genero)$/.test(plainHeading)
  if (word === 'm') return sexOfM(isSpanish, letters)
  if (word === 'h') return sexOfH(letters)
  if (word === 'v') return sexOfV(isSpanish, letters)
  return SEX_TERMS.get(word) ?? null
}

function termOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return String(value).trim().normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replace(/\.$/, '')
}

function sexOfM(isSpanish: boolean, letters: SexLetters): Sex | null {
  const [hasF, hasH, hasV] = [letters.has('f') || letters.has('w'), letters.has('h'), letters.has('v')]
  if (hasF) return hasH || hasV ? null : male
  if (hasH) return hasV ? null : female
  // M and V are mujer and varón; in Dutch they are man and vrouw, which is the other way round.
  if (hasV) return isSpanish ? female : null
  // Alone under a Spanish heading it may be mujer or masculino.
  return isSpanish ? null : male
}

function sexOfH(letters: SexLetters): Sex | null {
  const [hasF, hasM, hasV] = [letters.has('f'), letters.has('m'), letters.has('v')]
  if (hasV) return hasM || hasF ? null : female
  return hasM !== hasF ? male : null
}

function sexOfV(isSpanish: boolean, letters: SexLetters): Sex | null {
  if (isSpanish) return male
  return letters.has('h') && !letters.has('m') && !letters.has('f') ? male : null
}

/** Names of patients where a data file does not give the last and the first name each in its place. Pure. */
import type { Profile } from '../../../../src-shared/profile.ts'
import { readText, wrong, type DataFileLabel } from '../sidecar-values.ts'
import type { Statement, Statements } from './statement.ts'

export type NameOrder = Profile['nameOrder']

export type PersonNames = {
  readonly lastName: string | null
  readonly firstName: string | null
  /** Why a name was not taken apart. */
  readonly trouble: string | null
}

const NONE: PersonNames = { lastName: null, firstName: null, trouble: null }

/** What names other than plain last and first names say: two surnames, both names in one, `name` and `nombre`. */
export function personNamesOf(
  statements: Statements,
  rules: { readonly where: DataFileLabel; readonly nameOrder: NameOrder },
): PersonNames {
  const has = (field: string): boolean =>
    statements.some(({ meaning }) => meaning.kind === 'field' && meaning.field === field)
  const one = (kind: Statement['meaning']['kind'], position?: 1 | 2): string | null =>
    textOf(statements, kind, position, rules.where)
  const surnames = [one('surname', 1), one('surname', 2)].filter((name) => name !== null)
  const lastName = surnames.length > 0 ? surnames.join(' ') : null
  const full = one('fullName')
  if (full !== null && !has('last_name') && lastName === null) return splitName(full, rules)
  const [alone, first] = [one('nameAlone'), one('firstAlone')]
  if (first !== null) {
    const isBoth = !has('last_name') && lastName === null && /[,^]/.test(first)
    return isBoth ? splitName(first, rules) : { ...NONE, lastName: lastName ?? alone, firstName: first }
  }
  if (alone !== null && !has('last_name') && lastName === null)
    return has('first_name') ? { ...NONE, lastName: alone } : splitName(alone, rules)
  return { ...NONE, lastName }
}

/** The one text of this kind; null where there is none, or different ones. */
function textOf(
  statements: Statements,
  kind: Statement['meaning']['kind'],
  position: 1 | 2 | undefined,
  where: DataFileLabel,
): string | null {
  const texts = statements.flatMap(({ meaning, value }) => {
    if (meaning.kind !== kind || (meaning.kind === 'surname' && meaning.position !== position)) return []
    const read = readText('last_name', value, where)
    return read.kind === 'value' ? [read.value] : []
  })
  return new Set(texts).size === 1 ? (texts[0] ?? null) : null
}

/** A comma always stands behind the last name. Two words stand in the order that the profile says; more are not divided. */
function splitName(
  name: string,
  rules: { readonly where: DataFileLabel; readonly nameOrder: NameOrder },
): PersonNames {
  const byComma = partsOf(name, ',')
  if (byComma) return { ...NONE, lastName: byComma[0], firstName: byComma[1] }
  const two = partsOf(name, '^') ?? partsOf(name.replaceAll(/\s+/g, ' '), ' ')
  if (!two) {
    const { message } = wrong('last_name', '"Last name, first name" where both stand in one', rules.where)
    return { ...NONE, trouble: message }
  }
  const [lastName, firstName] = rules.nameOrder === 'lastFirst' ? two : [two[1], two[0]]
  return { ...NONE, lastName, firstName }
}

function partsOf(name: string, mark: string): readonly [string, string] | null {
  const [one, two, ...others] = name.split(mark).map((part) => part.trim())
  return one && two && others.every((other) => other === '') ? [one, two] : null
}

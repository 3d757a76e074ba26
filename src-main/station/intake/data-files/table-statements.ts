/** What the headings of a table mean, and what each of its rows states. Pure. */
import type { StatedEye } from '../eye-statements.ts'
import { eyeOfValue } from './eye-words.ts'
import { isNothing } from './foreign-values.ts'
import { nameMeaning, plainOf, type Columns, type NameMeaning } from './name-meaning.ts'
import type { Statement, Statements } from './statement.ts'

type Column = NameMeaning & { readonly index: number; readonly plainName: string }

export type TableMeaning = {
  /** What one row states; empty where it states nothing. */
  readonly statementsOf: (cells: readonly string[]) => Statements
  /** Columns that are nothing of a case. */
  readonly ignoredCount: number
  /** Is it a table about cases at all? */
  readonly isAboutCases: boolean
}

/** All details of a case under several names each; more is the same heading again and again. */
const MAX_KNOWN_COLUMNS = 120

/**
 * What the headings of a table mean. What stands in one row belongs together, the eye of a row to its measurements and
 * files. Null where the headings are none that a person or a program would write.
 */
export function tableMeaning(headings: readonly string[], columns: Columns): TableMeaning | null {
  const known = headings.flatMap((heading, index): Column[] => {
    const meaning = nameMeaning(heading, columns)
    return meaning ? [{ ...meaning, index, plainName: plainOf(heading) }] : []
  })
  if (known.length > MAX_KNOWN_COLUMNS) return null
  return {
    statementsOf: (cells) => rowStatements(cells, known),
    ignoredCount: headings.length - known.length,
    isAboutCases: areAboutCases(known),
  }
}

/** One name that only cases have, or files with their eyes. */
export function areAboutCases(names: readonly NameMeaning[]): boolean {
  const kinds = new Set(names.map(({ meaning }) => meaning.kind))
  return names.some(({ tells }) => tells === 'telling') || (kinds.has('eye') && kinds.has('file'))
}

function rowStatements(cells: readonly string[], columns: readonly Column[]): Statements {
  const told = columns.filter(({ index }) => !isNothing(cells[index]))
  const eye = eyeOfRow(told.filter(({ meaning }) => meaning.kind === 'eye').map(({ index }) => cells[index]))
  return told.map((column): Statement => {
    const { meaning, plainName, authority, index } = column
    return { meaning, plainName, authority, value: cells[index], eye: column.eye ?? eye }
  })
}

/** The eye that these values state together; `unclear` where they state two, both, or one that we do not know. */
export function eyeOfRow(values: readonly unknown[]): StatedEye | 'unclear' | null {
  const eyes = new Set(values.map(eyeOfValue).filter((eye) => eye !== null))
  const [eye, ...others] = eyes
  if (eye === undefined) return null
  return others.length > 0 || eye === 'both' || eye === 'wrong' ? 'unclear' : eye
}

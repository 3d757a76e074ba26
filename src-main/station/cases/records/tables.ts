/** The meaning of the headings and rows of a table. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { Table } from '../../../reader/messages.ts'
import { isFileName } from '../meaning/sources.ts'
import { readDay } from '../meaning/dates.ts'
import { readEye } from '../meaning/vocabulary.ts'
import {
  isMeasurement,
  type Meaning,
  type NameMeaning,
  type Names,
  OF_VISIT,
  plainOf,
  type Statement,
  type Statements,
  termsOf,
} from './headings.ts'
import { isNothing } from './values.ts'

type Column = NameMeaning & { readonly index: number; readonly plainName: string }

/** All details of a case under several names each; more columns repeat the same heading. */
const MAX_KNOWN_COLUMNS = 120

/** The eye of a row is that of its measurements and files. Null if no program or person writes such headings. */
export function tableMeaning({ headings, rows, misfits }: Table, names: Names) {
  const known = headings.flatMap((heading, index): Column[] => {
    const meaning = names(heading)
    return meaning ? [{ ...meaning, index, plainName: plainOf(heading) }] : []
  })
  if (known.length > MAX_KNOWN_COLUMNS) return null
  const isShort = (cells: readonly string[]): boolean => cells.length < headings.length
  const whole = rows.filter((cells) => !isShort(cells)).slice(0, MOST_WHOLE_ROWS)
  const held = headings.map((heading, at) =>
    kindsInColumn(
      heading,
      names,
      whole.map((cells) => cells[at]),
    ),
  )
  // A cell left out moves those behind it under other headings.
  const isShifted = (cells: readonly string[]): boolean =>
    isShort(cells) &&
    cells.some((cell, at) => {
      const [kind, kinds] = [kindOfCell(cell), held[at]]
      return kind !== null && kind !== 'other' && kinds && kinds.size > 0 && !kinds.has(kind)
    })
  return {
    /** Of a row that does not fit, only which files it names. */
    statementsOf: (cells: readonly string[]): Statements =>
      misfits.has(cells) ||
      isShifted(cells) ||
      known.some(({ meaning, index }) => NEEDED.includes(meaning) && cells.length <= index)
        ? misfitStatements(cells, known)
        : rowStatements(cells, known),
    isAboutCases: areAboutCases(known),
  }
}

/** So many say what stands under a heading. */
const MOST_WHOLE_ROWS = 50

type CellKind = 'file' | 'eye' | 'day' | 'other'

/** Null for an empty cell. */
function kindOfCell(cell = ''): CellKind | null {
  if (isNothing(cell)) return null
  if (isFileName(cell)) return 'file'
  const eye = readEye(cell)
  if (eye === 'right' || eye === 'left' || eye === 'both') return 'eye'
  return readDay(cell, 'ymd').kind === 'none' ? 'other' : 'day'
}

/** What stands under a heading by its words and in whole rows; nothing if neither says so. */
function kindsInColumn(
  heading: string,
  names: Names,
  cells: readonly (string | undefined)[],
): ReadonlySet<CellKind> {
  const own = names(heading)
  const named = own ? [own] : termsOf(heading).map((term) => names(term))
  const meant = named.flatMap((one) => (one ? kindsOf(one.meaning) : []))
  return new Set([...meant, ...cells.map(kindOfCell).filter((kind) => kind !== null)])
}

/** Names and remarks may be any word. */
function kindsOf(meaning: Meaning): readonly CellKind[] {
  if (meaning === 'eye' || meaning === 'file') return [meaning]
  if (isMeasurement(meaning)) return ['other']
  return /date$/i.test(meaning) ? ['day'] : ['file', 'eye', 'day']
}

/** True if a name occurs only in files about cases, or if there are files with eyes. */
export function areAboutCases(names: readonly Pick<NameMeaning, 'meaning' | 'authority'>[]): boolean {
  const has = (meaning: Meaning): boolean => names.some((one) => one.meaning === meaning)
  return names.some(({ authority }) => authority !== 'common') || (has('eye') && has('file'))
}

/** Who, when and which eye: a row that ends before the cell of such a heading is cut off. */
const NEEDED: readonly Meaning[] = [...OF_VISIT, 'eye', 'nameAlone']

function misfitStatements(cells: readonly string[], columns: readonly Column[]): Statements {
  if (columns.every(({ index }) => isNothing(cells[index]))) return []
  const misfit: Statement = { meaning: 'misfit', plainName: '', value: '', authority: 'common', eye: null }
  return [
    misfit,
    ...cells.filter(isFileName).map((value) => ({ ...misfit, meaning: 'file' as const, value })),
  ]
}

function rowStatements(cells: readonly string[], columns: readonly Column[]): Statements {
  const stated = columns
    .filter(({ index }) => !isNothing(cells[index]))
    .map(({ index, ...column }) => ({ ...column, value: cells[index] }))
  const rowEye = eyeOfRow(stated.filter(({ meaning }) => meaning === 'eye').map(({ value }) => value))
  const isOfOther = stated.some(
    ({ meaning, eye, value }) =>
      (isMeasurement(meaning) && eye === null) || (meaning === 'file' && isFileName(value)),
  )
  return stated.map((one) => ({ ...one, eye: one.eye ?? rowEye, isOfOther }))
}

/** The eye that these values agree on; `unclear` if they state two, both, or an unknown one. */
export function eyeOfRow(values: readonly unknown[]): StatedEye | 'unclear' | null {
  const eyes = new Set(values.map(readEye).filter((eye) => eye !== 'none'))
  const [eye, ...others] = eyes
  if (eye === undefined) return null
  return others.length > 0 || eye === 'both' ? 'unclear' : eye
}

/**
 * Cuts approved paths into cells, so that paths of one naming convention lie on one another: what was approved (number,
 * day) is found in the path, the rest is cut into words, numbers and the text between them. Pure.
 */
import type { ExtensionClass } from '../../../../src-shared/confirmed-profile.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import { tokensOf } from '../names/tokens.ts'
import { isPartial, readTime, spellingsOfDay } from './formats.ts'

import { sameLengthLower } from './strict.ts'

/** A visit as a person approved it. */
export type Approval = {
  readonly caseId: string
  /** The same for visits of one patient, such as the history number. */
  readonly patient: string
  /** `YYYY-MM-DD`. */
  readonly visitDay: string
  /** Paths relative to the watched folder, with the approved eyes; images left out are not among them. */
  readonly files: readonly { readonly path: string; readonly eye: Eye }[]
  readonly historyNumber: string
  readonly lastName: string | null
  readonly firstName: string | null
  /** A person changed what the station had proposed. */
  readonly corrected: boolean
}

type CellRole = 'literal' | 'id' | 'date' | 'time' | 'uuid' | 'name' | 'term'

export type AlignedCell = { readonly role: CellRole; readonly text: string }

/** An approved path with its cells; those of one convention have the same roles and literals. */
export type AlignedPath = {
  readonly approval: Approval
  readonly eye: Eye
  readonly extension: ExtensionClass
  readonly cells: readonly AlignedCell[]
}

/** What may be between the words of one name. Conventions differ, so each is tried. */
export const NAME_JOINTS = {
  tight: /^['’´`.]$/u,
  spaced: /^(?:['’´`.-]|[.,]? )$/u,
  underscored: /^(?:['’´`.\-_]|[.,]? |\._)$/u,
} as const

export type NameJoints = keyof typeof NAME_JOINTS

/** Paths with the same key lie on one another. */
export function keyOf({ cells }: Pick<AlignedPath, 'cells'>): string {
  return cells
    .map(({ role, text }) => (role === 'literal' ? JSON.stringify(text.toLowerCase()) : role))
    .join(' ')
}

/** The cells of a piece of a path, which begins and ends with a folder or a part. */
export function cellsOf(
  text: string,
  approval: Pick<Approval, 'historyNumber' | 'visitDay'>,
): readonly AlignedCell[] {
  const marks = [
    ...idMarks(text, approval.historyNumber),
    ...patternMarks(text, UUID, 'uuid'),
    ...dateMarks(text, approval.visitDay),
    ...patternMarks(text, SPACED_TIME, 'time'),
  ]
  const cells: AlignedCell[] = []
  let position = 0
  const free = marks.filter(
    (mark, index) => !marks.slice(0, index).some((other) => mark.start < other.end && other.start < mark.end),
  )
  for (const { start, end, role } of free.toSorted((one, other) => one.start - other.start)) {
    cells.push(...plainCells(text.slice(position, start)), { role, text: text.slice(start, end) })
    position = end
  }
  return [...cells, ...plainCells(text.slice(position))]
}

type Mark = { readonly start: number; readonly end: number; readonly role: CellRole }

export const UUID = /(?<![\p{L}\p{N}])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\p{L}\p{N}])/giu

/** 3.00.05.120_PM, 12-18-02. Three numbers that are no time of day, such as those of a UID, are none. */
export const SPACED_TIME =
  /(?<![\d.])(?:[01]?\d|2[0-3])(?<between>[.:\-_h])[0-5]\d(?:\k<between>|m)[0-5]\d(?:[.:]\d{3}|s)?(?:[ _.-]?[ap]m)?(?![\p{L}\d]|\.\d)/giu

function patternMarks(text: string, pattern: RegExp, role: CellRole): readonly Mark[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({
    start: index,
    end: index + found.length,
    role,
  }))
}

/** The format of a time with separators, as its spelling shows it: `3.00.05.120_PM` has `H.MM.SS.mmm_AM`. */
export function timeFormatOf(text: string): string | null {
  const found = /^\d{1,2}(.)\d\d(.)\d\d(?:([.:])\d{3}|(s))?(?:([ _.-]?)[ap]m)?$/i.exec(text)
  if (found === null) return null
  const [, first = '', second = '', fraction, seconds = '', beforeMark] = found
  const format = `H${first}MM${second}SS${fraction === undefined ? seconds : `${fraction}mmm`}${beforeMark === undefined ? '' : `${beforeMark}AM`}`
  return readTime(text, format) === null ? null : format
}

export function occurrencesOf(text: string, within: string): readonly number[] {
  if (text === '') return []
  const found: number[] = []
  for (let at = within.indexOf(text); at !== -1; at = within.indexOf(text, at + 1)) found.push(at)
  return found
}

/** Whole, and with zeros before it if a camera fills up numbers. */
function idMarks(text: string, id: string): readonly Mark[] {
  const [wanted, lower] = [sameLengthLower(id.normalize('NFC').trim()), sameLengthLower(text)]
  return occurrencesOf(wanted, lower).flatMap((at): Mark[] => {
    const end = at + wanted.length
    const zeros = /^\d+$/.test(wanted) ? (/0*$/.exec(lower.slice(0, at))?.[0].length ?? 0) : 0
    const start = at - zeros
    const isWhole = !isOneTerm(lower[start - 1], lower[start]) && !isOneTerm(lower[end - 1], lower[end])
    return isWhole ? [{ start, end, role: 'id' }] : []
  })
}

/** Two digits, or two letters: one word goes on from one to the other. */
function isOneTerm(one: string | undefined, other: string | undefined): boolean {
  return [/\d/, /[\p{L}\p{M}]/u].some((kind) => kind.test(one ?? '') && kind.test(other ?? ''))
}

/** The visit day in any format, the longer first. A time may follow without a gap. */
function dateMarks(text: string, day: string): readonly Mark[] {
  const whole = spellingsOfDay(day).filter(({ format }) => !isPartial(format))
  const longestFirst = whole.toSorted((one, other) => other.text.length - one.text.length)
  const marks = longestFirst.flatMap(({ text: spelled }) =>
    occurrencesOf(spelled, text).map((start): Mark => ({ start, end: start + spelled.length, role: 'date' })),
  )
  return [...marks, ...folderDateMarks(text, day)]
}

/** Folders of a year, and of months and days inside one. */
function folderDateMarks(text: string, day: string): readonly Mark[] {
  const marks: Mark[] = []
  const spellings = spellingsOfDay(day).filter(({ format }) => isPartial(format))
  let start = 0
  for (const name of text.split('/')) {
    const end = start + name.length
    const isFile = end === text.length
    const isInYear = marks.at(-1)?.end === start - 1
    const isDate = spellings.some((one) => (isInYear || one.format.length > 2) && one.text === name)
    if (!isFile && isDate) marks.push({ start, end, role: 'date' })
    start = end + 1
  }
  return marks
}

/** Words and numbers, and the text between them. */
export function plainCells(text: string): readonly AlignedCell[] {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+/gu)].map(([found]) => ({
    role: /^[\p{L}\p{M}\p{N}]/u.test(found) ? 'term' : 'literal',
    text: found,
  }))
}

/** Words that could be names become one cell with what is between them. */
export function joinNames(cells: readonly AlignedCell[], joints: NameJoints): readonly AlignedCell[] {
  const joined: AlignedCell[] = []
  for (const cell of cells) {
    const [name, between] = joined.slice(-2)
    if (!isNameTerm(cell)) joined.push(cell)
    else if (name?.role === 'name' && between?.role === 'literal' && NAME_JOINTS[joints].test(between.text))
      joined.splice(-2, 2, { role: 'name', text: name.text + between.text + cell.text })
    else joined.push({ role: 'name', text: cell.text })
  }
  return joined
}

/** A word without digits that means nothing in a camera's names. */
function isNameTerm({ role, text }: AlignedCell): boolean {
  if (role !== 'term' || !/^[\p{L}\p{M}]+$/u.test(text)) return false
  return tokensOf(text).every(({ kind }) => kind === 'text' || kind === 'initial')
}

/**
 * Makes a pattern of one path whose parts a person has marked, and of the files beside it: each that is built alike is
 * taken for a visit that was approved as marked, so that the slots are typed as from approvals. Pure.
 */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { FolderReading } from '../../../../src-shared/folder-settings.ts'
import type { Mark } from '../../../../src-shared/profile-offers.ts'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import { foldPath } from '../meaning/sources.ts'
import { eyeOfTerm } from '../meaning/vocabulary.ts'
import { foldId } from '../meaning/numbers.ts'
import { numbersIn } from '../names/numbers.ts'
import { tokensOf } from '../names/tokens.ts'
import {
  type AlignedCell,
  type AlignedPath,
  type Approval,
  joinNames,
  NAME_JOINTS,
  type NameJoints,
  occurrencesOf,
  plainCells,
  SPACED_TIME,
  timeFormatOf,
  UUID,
} from './align.ts'
import { patternsOf } from './learn.ts'
import { dayFormatsOf, isSameOrder, readDay } from './formats.ts'
import { digestOf, type Pattern, readConfirmed, splitExtension } from './strict.ts'

/** A piece of a path, from one mark of a person to the next; null: text between pieces. */
export type Piece = { readonly text: string; readonly mark: Mark | null }

type Reading = Pick<FolderReading, 'dateOrder' | 'eyeWords'>

/** Days with separators are one piece, and so are times and UUIDs; `OD1` and `20260602101502` are two. */
const PIECE = new RegExp(
  [
    `(?<whole>${UUID.source}|${SPACED_TIME.source})`,
    String.raw`\d{4}([-._ ])\d{1,2}\3\d{1,2}(?!\d)`,
    String.raw`\d{1,2}([-._ ])\d{1,2}\4\d{4}(?!\d)`,
    String.raw`\d{8}(?=\d{6}(?!\d))`,
    String.raw`\p{L}+(?=\d+(?![\p{L}\p{M}\p{N}]))`,
    String.raw`(?<=(?<![\p{L}\p{M}\p{N}])\p{L}+)\d+(?![\p{L}\p{M}\p{N}])`,
    String.raw`[\p{L}\p{M}\p{N}]+`,
  ].join('|'),
  'giu',
)

/** The pieces of a path, marked as the station would read them. */
export function piecesOf(path: string, reading: Reading): readonly Piece[] {
  const { stem } = splitExtension(path.normalize('NFC'))
  const number = numbersIn(stem).find(({ standing }) => standing === 'clear')?.readings[0] ?? ''
  const pieces: Piece[] = []
  let position = 0
  for (const { 0: text, index, groups } of stem.matchAll(PIECE)) {
    if (index > position) pieces.push({ text: stem.slice(position, index), mark: null })
    position = index + text.length
    const isInNumber = occurrencesOf(number, stem).some(
      (start) => start <= index && position <= start + number.length,
    )
    const isWhole = groups?.['whole'] !== undefined
    pieces.push({ text, mark: isWhole ? 'rest' : isInNumber ? 'who' : markOf(text, reading) })
  }
  return position < stem.length ? [...pieces, { text: stem.slice(position), mark: null }] : pieces
}

function markOf(text: string, reading: Reading): Mark {
  const [token, ...others] = tokensOf(text)
  if (others.length > 0 || token === undefined) return dayFormatsOf(text).length > 0 ? 'day' : 'rest'
  if (token.kind === 'date') return 'day'
  return token.kind === 'eye' || eyeInFolder(text, reading) !== null ? 'eye' : 'rest'
}

/** The words of the folder come before those that everybody knows. */
function eyeInFolder(text: string, { eyeWords }: Reading): StatedEye | null {
  const folded = foldPath(text)
  const isOne = (terms: readonly string[]): boolean => terms.some((term) => foldPath(term) === folded)
  if (isOne(eyeWords.right)) return 'right'
  return isOne(eyeWords.left) ? 'left' : eyeOfTerm(text)
}

type Marked = { readonly pattern: Pattern } | { readonly problem: Message }

/** The pattern of these marks that reads the most of the files, or what is wrong with the marks. */
export function patternOfMarks(
  pieces: readonly Piece[],
  path: string,
  files: readonly string[],
  reading: Reading,
): Marked {
  const marked = (mark: Mark): readonly string[] =>
    pieces.flatMap((piece) => (piece.mark === mark ? [piece.text] : []))
  if (marked('who').length === 0) return { problem: worded('call:marks.noNumber') }
  if (marked('eye').some((text) => eyeInFolder(text, reading) === null))
    return { problem: worded('call:marks.noEye') }
  const [day] = marked('day')
  const formats = day === undefined ? [null] : dayFormatsOf(day)
  if (formats.length === 0) return { problem: worded('call:marks.noDay') }
  const paths = [path, ...files.filter((file) => file !== path)]
  const candidates = formats.flatMap((format) =>
    (Object.keys(NAME_JOINTS) as NameJoints[]).flatMap((joints) =>
      patternsOf(pathsAlike(cellsOf(pieces, joints), paths, format, reading), 1).map((pattern) => ({
        pattern,
        format,
      })),
    ),
  )
  const different = new Map(candidates.map((one) => [digestOf(one.pattern), one]))
  const found = [...different.values()]
    .filter(({ pattern }) => readsAsMarked(pattern, path, pieces))
    .map((one) => ({ ...one, count: countRead(one.pattern, paths) }))
  const most = Math.max(...found.map(({ count }) => count))
  const best = found.filter(({ count }) => count === most)
  const [first] = best
  if (first === undefined) return { problem: worded('call:marks.notAlike') }
  const isOneOrder = best.every(({ format }) => isSameOrder(format ?? '', first.format ?? ''))
  const chosen = isOneOrder
    ? first
    : best.find(({ format }) => isSameOrder(format ?? '', reading.dateOrder.toUpperCase()))
  return chosen === undefined ? { problem: worded('call:marks.dayOrder') } : { pattern: chosen.pattern }
}

/** What was marked as an eye may be no mere text, as if all files showed that eye. */
function readsAsMarked(pattern: Pattern, path: string, pieces: readonly Piece[]): boolean {
  const read = readConfirmed(pattern, path)
  const isMarked = (mark: Mark): boolean => pieces.some((piece) => piece.mark === mark)
  return (
    read.kind === 'one' &&
    isMarked('eye') === (read.reading.eye !== null) &&
    isMarked('day') === (read.reading.visitDate !== null)
  )
}

function countRead(pattern: Pattern, paths: readonly string[]): number {
  return paths.filter((path) => readConfirmed(pattern, path).kind === 'one').length
}

/** What a piece of a path is marked as, for the cells of other paths. */
type MarkedCell = AlignedCell & { readonly mark: Mark }

/** The cells of the pieces: a number goes on over what divides it, and names are joined from one mark to the next. */
function cellsOf(pieces: readonly Piece[], joints: NameJoints): readonly MarkedCell[] {
  const cells: MarkedCell[] = []
  let free: AlignedCell[] = []
  const endFree = (): void => {
    cells.push(...joinNames(free, joints).map((cell) => ({ ...cell, mark: 'rest' as const })))
    free = []
  }
  for (const [index, { text, mark }] of pieces.entries()) {
    const isWithinNumber = pieces[index - 1]?.mark === 'who' && pieces[index + 1]?.mark === 'who'
    const before = free.length === 0 ? cells.at(-1) : undefined
    const goesOn =
      before?.mark === 'who' && !text.includes('/') && (mark === 'who' || (mark === null && isWithinNumber))
    if (goesOn) cells[cells.length - 1] = { ...before, text: before.text + text }
    else if (mark === null) free.push({ role: 'literal', text })
    else if (mark === 'rest') {
      const last = free.at(-1)
      // Two pieces of one word that no one has marked are one.
      if (last?.role === 'term') free[free.length - 1] = { role: 'term', text: last.text + text }
      else free.push(...freeCells(text))
    } else {
      endFree()
      cells.push({ role: mark === 'who' ? 'id' : mark === 'day' ? 'date' : 'term', text, mark })
    }
  }
  endFree()
  return cells
}

function freeCells(text: string): readonly AlignedCell[] {
  if (new RegExp(`^(?:${UUID.source})$`, 'iu').test(text)) return [{ role: 'uuid', text }]
  return timeFormatOf(text) === null ? plainCells(text) : [{ role: 'time', text }]
}

/** What takes the place of a cell in paths that are built alike. */
function alike({ role, text, mark }: MarkedCell): string {
  if (role === 'literal') return escaped(text)
  if (role === 'id' || role === 'date')
    return text.replaceAll(/\d+|[\p{L}\p{M}]+|[^\p{L}\p{M}\d]+/gu, (run) =>
      /^\d/.test(run) ? String.raw`\d+` : /^\p{L}/u.test(run) ? String.raw`[\p{L}\p{M}]+` : escaped(run),
    )
  if (role === 'time') return String.raw`\d[\d.:hms_-]*\d[\d.:hms_-]*(?:[ _.-]?[ap]m)?`
  if (role === 'uuid') return UUID.source
  if (role === 'name')
    return String.raw`(?=\p{L})[\p{L}\p{M}'’´${'`'}.\- ${text.includes('_') ? '_' : ''}]{1,120}`
  if (mark === 'eye') return String.raw`[\p{L}\p{M}]+`
  return /^\d+$/.test(text) ? String.raw`\d+` : String.raw`[\p{L}\p{M}\p{N}]+`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** The paths that are built like the marked one, each as an approval of what it states by the marks. */
function pathsAlike(
  cells: readonly MarkedCell[],
  paths: readonly string[],
  format: string | null,
  reading: Reading,
): readonly AlignedPath[] {
  const shape = new RegExp(`^${cells.map((cell) => `(${alike(cell)})`).join('')}$`, 'iu')
  return paths.flatMap((path) => {
    const { stem, extension } = splitExtension(path.normalize('NFC'))
    const texts = shape.exec(stem)?.slice(1)
    if (texts === undefined || extension === null) return []
    const marked = (mark: Mark): readonly string[] => texts.filter((_, index) => cells[index]?.mark === mark)
    const [number = ''] = marked('who')
    const days = new Set(marked('day').map((text) => dayIn(text, format)))
    const eyes = new Set(marked('eye').map((text) => eyeInFolder(text, reading)))
    const isOnePerson = marked('who').every((other) => foldId(other) === foldId(number))
    if (!isOnePerson || days.size > 1 || days.has(null) || eyes.size > 1 || eyes.has(null)) return []
    const [day] = days
    const [eye] = eyes
    const file = { path, eye: eye ?? ('unknown' as const) }
    const approval: Approval = {
      caseId: JSON.stringify([foldId(number), day]),
      patient: foldId(number),
      visitDay: day ?? '',
      files: [file],
      historyNumber: number,
      lastName: null,
      firstName: null,
      corrected: false,
    }
    const ofPath = cells.map(({ role }, index): AlignedCell => ({ role, text: texts[index] ?? '' }))
    return [{ approval, eye: file.eye, extension, cells: ofPath }]
  })
}

function dayIn(text: string, format: string | null): string | null {
  const { year, month, day } = (format === null ? null : readDay(text, format, 'visit')) ?? {}
  return year && month && day ? `${year}-${month}-${day}` : null
}

/** Gives every cell of aligned paths the narrowest type that approved visits show; what has none makes no pattern. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { StrictPart } from '../../../../src-shared/confirmed-profile.ts'
import { eyeOfLetter, eyeStatedBy } from '../meaning/vocabulary.ts'
import { type AlignedCell, type AlignedPath, type Approval, timeFormatOf } from './align.ts'
import { formatsOfVisits, isSameOrder, readDay, readTime, spellingsOfDay } from './formats.ts'
import { bareId } from '../meaning/numbers.ts'
import { isSameName, nameKey } from '../meaning/persons.ts'

/** The texts of one cell in all paths. */
type Column = readonly { readonly text: string; readonly path: AlignedPath }[]

const MAX_SPLITS = 12

/** The parts that paths with one key have, or null. Paths of two kinds with one key (`OD` and `OD1`): see `structureOf`. */
export function partsOf(paths: readonly AlignedPath[]): readonly StrictPart[] | null {
  let rows = paths
  for (let round = 0; round < MAX_SPLITS; round += 1) {
    const split = splitMixed(rows)
    if (split === null) break
    rows = split
  }
  const width = rows[0]?.cells.length ?? 0
  const columns = Array.from({ length: width }, (_, index) => columnAt(rows, index))
  const hasKnownEyes = columns.some((column) => eyesOfTerms(column)?.strength === 'known')
  const parts: StrictPart[] = []
  for (const [index, column] of columns.entries()) {
    const part = typeColumn(column, { rows, columns, index, hasKnownEyes })
    if (part === null) return null
    const last = parts.at(-1)
    if (part.kind === 'text' && last?.kind === 'text')
      parts[parts.length - 1] = { kind: 'text', text: last.text + part.text }
    else parts.push(part)
  }
  return parts
}

/** Kinds of characters in order: `OD1` is `LD`. Paths of one convention have the same in each place. */
export function structureOf({ cells }: Pick<AlignedPath, 'cells'>): string {
  return cells.map(({ role, text }) => (role === 'term' ? kindsIn(text) : role)).join(' ')
}

function runsOf(text: string): readonly string[] {
  return text.match(/\d+|[^\d]+/gu) ?? []
}

function kindsIn(text: string): string {
  return runsOf(text)
    .map((run) => (/^\d/.test(run) ? 'D' : 'L'))
    .join('')
}

function columnAt(rows: readonly AlignedPath[], index: number): Column {
  return rows.map((path) => ({ text: path.cells[index]?.text ?? '', path }))
}

/** `l1` and `r2` are a letter and a number, unless the column holds something generated. */
function splitMixed(rows: readonly AlignedPath[]): readonly AlignedPath[] | null {
  const [first] = rows
  const at = first?.cells.findIndex((cell, index) => {
    if (cell.role !== 'term' || runsOf(cell.text).length < 2) return false
    const column = columnAt(rows, index)
    if (isConstant(column) || hexLength(column) !== null) return false
    return column.every(({ text }) => kindsIn(text) === kindsIn(cell.text))
  })
  if (at === undefined || at === -1) return null
  return rows.map((row) => ({
    ...row,
    cells: row.cells.flatMap((cell, index): readonly AlignedCell[] =>
      index === at ? runsOf(cell.text).map((text) => ({ role: 'term', text })) : [cell],
    ),
  }))
}

type Context = {
  readonly rows: readonly AlignedPath[]
  readonly columns: readonly Column[]
  readonly index: number
  readonly hasKnownEyes: boolean
}

function typeColumn(column: Column, context: Context): StrictPart | null {
  const [first] = column
  const role = first?.path.cells[context.index]?.role
  if (first === undefined || role === undefined) return null
  switch (role) {
    case 'literal':
      return { kind: 'text', text: first.text }
    case 'id':
      return idPart(column)
    case 'date':
      return datePart(column)
    case 'time':
      return timePart(column)
    case 'uuid':
      return { kind: 'unique', form: 'uuid', lengths: [] }
    case 'name':
    case 'term':
      return termPart(column, context)
  }
}

function idPart(column: Column): StrictPart | null {
  const formats = formatsOfVisits(
    column.map(({ text, path }) => ({ id: text, caseId: path.approval.caseId })),
  )
  const isPadded = column.some(({ text, path }) => text.length !== path.approval.historyNumber.trim().length)
  if (!isPadded) return { kind: 'id', formats: [...formats], padTo: null }
  const lengths = new Set(column.map(({ text }) => text.length))
  const [padTo = 0] = lengths
  const isNumber = column.every(({ text }) => /^\d+$/.test(text))
  return isNumber && lengths.size === 1 ? { kind: 'id', formats: [...formats], padTo } : null
}

/** One order of day, month and year must fit all; days up to the 12th alone may fit two, and none is guessed. */
function datePart(column: Column): StrictPart | null {
  const fitting = column
    .map(({ text, path }) =>
      spellingsOfDay(path.approval.visitDay).flatMap((one) => (one.text === text ? [one.format] : [])),
    )
    .reduce((some, others) => some.filter((format) => others.includes(format)))
  const [format] = fitting
  if (format === undefined || !fitting.every((other) => isSameOrder(other, format))) return null
  return { kind: 'date', format, of: 'visit' }
}

function timePart(column: Column): StrictPart | null {
  const formats = new Set(column.map(({ text }) => timeFormatOf(text)))
  const [format = null] = formats
  return formats.size === 1 && format !== null ? { kind: 'time', format } : null
}

function isConstant(column: Column): boolean {
  return new Set(column.map(({ text }) => text.toLowerCase())).size === 1
}

function termPart(column: Column, context: Context): StrictPart | null {
  const [first] = column
  if (first === undefined) return null
  if (isConstant(column)) return constantPart(column, context)
  const isText = column.every(({ text }) => !/\d/.test(text))
  // A name may be a word for an eye, as Le and Izquierdo are.
  if (first.path.cells[context.index]?.role === 'name')
    return (
      namePart(column, context) ?? (isText ? eyePart(column, context) : null) ?? viewPart(column, context)
    )
  const length = hexLength(column)
  if (length !== null) return { kind: 'unique', form: 'hex', lengths: [length] }
  if (column.every(({ text }) => /^\d+$/.test(text))) return digitsPart(column, context)
  if (!isText || eyesOfTerms(column)?.strength === 'contradicted') return null
  return eyePart(column, context) ?? namePart(column, context) ?? viewPart(column, context)
}

function eyePart(column: Column, { hasKnownEyes }: Context): StrictPart | null {
  const eyes = eyesOfTerms(column)
  if (eyes === null || eyes.strength === 'contradicted') return null
  if (eyes.strength === 'learnt' && hasKnownEyes) return null
  return { kind: 'eye', right: [...eyes.right], left: [...eyes.left] }
}

/**
 * Words for the eye, or names of the patients, beside which a person has now and then entered something else: no views, and
 * no proof either. Other words may be among them, as views are written in the slot of an eye.
 */
function isStatedWithSlips(column: Column): boolean {
  const ofEyes = column.filter(({ text }) => EYES.some((eye) => isKnownFor(text.toLowerCase(), eye)))
  const named = column.filter(({ path: { approval } }) => WHOLE_OR_PART.some((of) => nameOf(approval, of)))
  return (
    isNearlyAll(ofEyes, ({ text, path }) => isKnownFor(text.toLowerCase(), path.eye)) ||
    isNearlyAll(named, ({ text, path: { approval } }) =>
      WHOLE_OR_PART.some((of) => isSameName(text, nameOf(approval, of) ?? '')),
    )
  )
}

const EYES = ['right', 'left'] as const

const WHOLE_OR_PART = ['both', 'last', 'first'] as const

function isNearlyAll(rows: Column, test: (row: Column[number]) => boolean): boolean {
  return rows.filter(test).length * 4 > rows.length * 3
}

function viewPart(column: Column, context: Context): StrictPart | null {
  return mayBelongToId(column, context) || isStatedWithSlips(column) ? null : vocabularyPart(column)
}

/** A small number at the end counts images, even if no visit had two yet. */
function constantPart(column: Column, context: Context): StrictPart {
  const { rows, columns, index } = context
  const [{ text } = { text: '' }] = column
  const isLast = columns.slice(index + 1).every((_, at) => rows[0]?.cells[index + 1 + at]?.role === 'literal')
  const isInFile = rows.every(({ cells }) => cells.slice(index).every((cell) => !cell.text.includes('/')))
  const isCounter = /^[1-9]\d?$/.test(text) && isLast && isInFile && !isBesideId(context)
  return isCounter ? { kind: 'counter', maxDigits: 3 } : { kind: 'text', text }
}

/** Hexadecimal, of one length, different in nearly every path. */
function hexLength(column: Column): number | null {
  const lengths = new Set(column.map(({ text }) => text.length))
  const [length = 0] = lengths
  const isHex = column.every(({ text }) => /^[0-9a-f]{4,64}$/i.test(text))
  const hasBoth = [/[a-f]/i, /\d/].every((kind) => column.some(({ text }) => kind.test(text)))
  const isVaried = new Set(column.map(({ text }) => text)).size > column.length / 2
  return isHex && hasBoth && isVaried && lengths.size === 1 ? length : null
}

const OTHER_DATES = ['YYYYMMDD', 'DDMMYYYY', 'MMDDYYYY']

/** A time has more values than this in eight visits; a number of a series need not. */
const MIN_TIMES = 5

const MAX_LENGTHS = 8

function digitsPart(column: Column, context: Context): StrictPart | null {
  const texts = [...new Set(column.map(({ text }) => text))]
  const lengths = [...new Set(texts.map(({ length }) => length))].toSorted((one, other) => one - other)
  const isBehindDate = context.rows.every(({ cells }) => {
    const [before, between] = [cells[context.index - 1], cells[context.index - 2]]
    return before?.role === 'date' || (before?.role === 'literal' && between?.role === 'date')
  })
  const times = ['HHMMSS', 'HHMMSSmmm', ...(isBehindDate ? ['HHMM'] : [])]
  const time = times.find((format) => texts.every((text) => readTime(text, format) !== null))
  if (time !== undefined && texts.length >= MIN_TIMES) return { kind: 'time', format: time }
  const date = OTHER_DATES.find((format) => texts.every((text) => readDay(text, format, 'other') !== null))
  if (date !== undefined && isOfCase(column)) return { kind: 'date', format: date, of: 'other' }
  if (mayBelongToId(column, context) || holdsOtherPatients(column)) return null
  const [longest = 0] = lengths.slice(-1)
  const hasZeros = texts.some((text) => text.length > 1 && text.startsWith('0'))
  if (longest <= 3 && !hasZeros) return { kind: 'counter', maxDigits: 3 }
  return lengths.length > MAX_LENGTHS ? null : { kind: 'unique', form: 'digits', lengths }
}

/** The column has a number of another approved patient: it and the id may change places. */
function holdsOtherPatients(column: Column): boolean {
  const ids = new Set(column.map(({ path }) => bareId(path.approval.historyNumber)))
  return column.some(({ text, path }) => ids.has(text) && text !== bareId(path.approval.historyNumber))
}

type TermEyes = {
  readonly right: readonly string[]
  readonly left: readonly string[]
  /** `contradicted`: words that everybody knows as eyes stand with the other eye. */
  readonly strength: 'known' | 'learnt' | 'contradicted'
}

/** Letters that mean an eye in the languages of the clinics; no other single letter does. */
const EYE_LETTERS: Readonly<Record<StatedEye, readonly string[]>> = {
  right: ['r', 'd'],
  left: ['l', 'i', 'e', 'g', 's'],
}

/** A word that only this folder uses for an eye needs more visits than one that everybody knows. */
const MIN_VISITS = { known: 2, learnt: 5 } as const

/** The eye that each word of a column means, if persons approved both eyes with it, and each word always with one. */
function eyesOfTerms(column: Column): TermEyes | null {
  const rows = column.filter(({ path }) => path.eye !== 'unknown')
  if (rows.some(({ text }) => /\d/.test(text))) return null
  const terms = [...Map.groupBy(rows, ({ text }) => text.toLowerCase())].map(([term, all]) => ({
    term,
    eyes: [...new Set(all.map(({ path }) => path.eye))],
    visits: new Set(all.map(({ path }) => path.approval.caseId)).size,
  }))
  const isKnown = terms.every(({ term, eyes }) => eyes.every((eye) => isKnownFor(term, eye)))
  const isContradicted = terms.some(
    ({ term, eyes }) =>
      term.length > 1 && eyes.some((eye) => isKnownFor(term, eye === 'right' ? 'left' : 'right')),
  )
  const strength = isKnown ? 'known' : 'learnt'
  // A word that hardly any visit has is left out: names with it do not match.
  const termsOf = (eye: StatedEye): readonly string[] =>
    terms.flatMap(({ term, eyes, visits }) =>
      eyes.includes(eye) && visits >= MIN_VISITS[strength] ? [term] : [],
    )
  const [right, left] = [termsOf('right'), termsOf('left')]
  if (isContradicted) return { right, left, strength: 'contradicted' }
  const isMixed = terms.some(({ eyes }) => eyes.length > 1)
  if (isMixed || right.length === 0 || left.length === 0) return null
  if (isKnown) return { right, left, strength }
  const hasLetters = terms.some(({ term }) => term.length < 2)
  return hasLetters || visitsWithBoth(rows) < MIN_VISITS.learnt ? null : { right, left, strength }
}

function visitsWithBoth(rows: Column): number {
  return [...Map.groupBy(rows, ({ path }) => path.approval.caseId).values()].filter(
    (ofVisit) => new Set(ofVisit.map(({ path }) => path.eye)).size > 1,
  ).length
}

function isKnownFor(term: string, eye: string): boolean {
  if (eye !== 'right' && eye !== 'left') return false
  return eyeStatedBy(term) === eye || eyeOfLetter(term) === eye || EYE_LETTERS[eye].includes(term)
}

/** Compared with the approved names, or, if no visit had any, what belongs to the patient and is nearly unique. */
function namePart(column: Column, context: Context): StrictPart | null {
  if (column.some(({ text }) => /[^\p{L}\p{M}'’´`.\-_ ]/u.test(text))) return null
  const joint = column.some(({ text }) => text.includes('_')) ? '_' : null
  const named = column.filter(
    ({ path: { approval } }) => approval.lastName !== null || approval.firstName !== null,
  )
  if (named.length > 0) {
    const of = WHOLE_OR_PART.find((which) =>
      named.every(({ text, path }) => {
        const approved = nameOf(path.approval, which)
        return approved !== null && isSameName(text, approved)
      }),
    )
    return of === undefined ? null : { kind: 'name', of, joint }
  }
  const patients = new Set(column.map(({ path }) => path.approval.patient)).size
  const values = new Set(column.map(({ text }) => nameKey(text))).size
  if (!isOfCase(column) || values <= Math.max(3, patients * 0.6)) return null
  if (isBesideId(context) && column.every(({ text }) => text.length <= 2)) return null
  return { kind: 'name', of: 'unchecked', joint }
}

/** The approved name; of both names, the one that there is. */
function nameOf({ lastName, firstName }: Approval, which: 'both' | 'last' | 'first'): string | null {
  if (which === 'last') return lastName
  if (which === 'first') return firstName
  return lastName === null || firstName === null ? null : `${lastName} ${firstName}`
}

/** Does a column hold one value in each visit? */
function isOfCase(column: Column): boolean {
  return [...Map.groupBy(column, ({ path }) => path.approval.caseId).values()].every(
    (ofCase) => new Set(ofCase.map(({ text }) => text.toLowerCase())).size === 1,
  )
}

const MAX_TERMS = 30

/** Words that come again with other patients; those that come once may be names. */
function vocabularyPart(column: Column): StrictPart | null {
  const byTerm = Map.groupBy(column, ({ text }) => text.toLowerCase())
  const shared = [...byTerm.values()].filter(
    (rows) => new Set(rows.map(({ path }) => path.approval.patient)).size > 1,
  )
  if (byTerm.size > MAX_TERMS || shared.length * 2 < byTerm.size) return null
  return { kind: 'view', terms: [...byTerm.values()].flatMap(([first]) => first?.text ?? []).toSorted() }
}

/** One letter or number beside the id in each visit may be its end, as a check letter: two patients would have one number. */
function mayBelongToId(column: Column, context: Context): boolean {
  return isBesideId(context) && isOfCase(column)
}

function isBesideId({ rows, index }: Context): boolean {
  return rows.some(({ cells }) =>
    [-1, 1].some((step) => {
      const [next, second] = [cells[index + step], cells[index + 2 * step]]
      return next?.role === 'id' || (second?.role === 'id' && /^[-. '’]$/.test(next?.text ?? ''))
    }),
  )
}

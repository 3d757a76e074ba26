/**
 * Visits whose proof is under attack, or plainly holds: photographs with silent names, and what lies beside them. Half of
 * the visits are of the day on which their files arrive; the others are older ones that are exported now, with the time of
 * the photograph or that of the copy on their files.
 */
import { type Convention, type Folder, plain, PROOF, type Style, shiftDay, trap } from './convention.ts'
import {
  drawSpelling,
  type Field,
  type Spelling,
  textsOf,
  toCsv,
  toJson,
  toXml,
  type Tree,
  treeOf,
} from './documents.ts'
import type { Draw } from './draw.ts'
import { dicomHeader, type Statements, statementsOf, uid } from './sources.ts'
import type { DicomElement, DicomHeader, Facts, Shot, TextEncoding, Visit } from './world.ts'

const OLDER = 0.5

type Times = 'of the photograph' | 'of the copy'

/**
 * Half of the visits are older ones. `hasCopies`: their files may carry the time of the copy, so that the day is weak;
 * such visits are days back, because a document of yesterday beside a file of today is an attack of its own.
 */
export function drawDays(
  draw: Draw,
  hasCopies: boolean,
): { examDay: NonNullable<Style['examDay']>; times: Times } {
  const times = hasCopies ? draw.style(['of the photograph', 'of the copy'] as const) : 'of the photograph'
  const [fewest, most] = draw.style([times === 'of the copy' ? [3, 9] : [1, 2], [4, 60], [200, 900]] as const)
  return {
    times,
    examDay: (draw, day) => (draw.chance(OLDER) ? shiftDay(day, -draw.int(fewest, most)) : day),
  }
}

/** The day on which the files of a visit arrive. */
export const arrivalDay = ({ startMs }: Visit): string => new Date(startMs).toISOString().slice(0, 10)

/** Milliseconds from the visit's own day to that on which its files arrive. */
export const ageMs = (visit: Visit): number => Date.parse(arrivalDay(visit)) - Date.parse(visit.day)

/** The time on a file that arrives at `atMs`; if no source proves the day, nothing but this time could state it. */
const fileTime = (visit: Visit, times: Times, facts: Facts, atMs: number): number =>
  times === 'of the copy' && facts.day === 'proof' ? atMs : atMs - ageMs(visit)

/** A day that differs from all times of its files is weak. */
export function withAge(visit: Visit, times: Times, facts: Facts): Facts {
  const isFar = times === 'of the copy' && ageMs(visit) > 0
  return facts.day === 'proof' && isFar ? { ...facts, day: 'weak' } : facts
}

/** Hexadecimal digits that no reader takes for a number: letters and digits change places several times. */
export function hash(draw: Draw, length: number): string {
  for (;;) {
    const text = draw.hex(length)
    if (/[a-f].*\d.*[a-f].*\d.*[a-f]|\d.*[a-f].*\d.*[a-f].*\d/.test(text)) return text
  }
}

type Naming = (draw: Draw, visit: Visit, shot: Shot) => string

/** Letters that are no eye in any language. */
const COUNTING = 'abcfhjkmnpqtuvwxyz'

const STEMS: readonly Naming[] = [
  (draw) => draw.uuid(),
  (_draw, visit, shot) => `IMG_${String(2_000 + visit.index * 20 + shot.number)}`,
  (_draw, visit, shot) => `Fundus${String(visit.index * 20 + shot.number).padStart(3, '0')}`,
  (_draw, visit, shot) => `scan-${visit.index + 1}-${COUNTING[shot.number - 1]}`,
]
const FOLDERS: readonly ((draw: Draw, visit: Visit) => string)[] = [
  () => '',
  () => 'export/',
  (draw) => `${draw.uuid()}/`,
  (_draw, visit) => `${visit.day}_${visit.ofDay}_${visit.index}/`,
]

/** One photograph that is to be written, with all that is true of it. */
export type At = {
  readonly visit: Visit
  readonly shot: Shot
  readonly folder: Folder
  readonly draw: Draw
  /** `export/` or nothing. */
  readonly above: string
  readonly stem: string
  /** `IMG_2001.jpg` */
  readonly file: string
  readonly states: Statements
  /** All files of the visit, in the order of its shots. */
  readonly files: readonly string[]
}

export type Described = Omit<Style, 'write' | 'facts'> & { readonly facts?: Facts }

/** Writes one photograph with its proof, or says that it has been written. */
type WriteShot = (at: At, put: Put) => void

/** Writes the image, and data files beside it. */
export type Put = {
  /** Facts are those of the convention unless they are stated here. */
  readonly image: (facts?: Partial<Facts>, dicom?: DicomHeader, path?: string) => string
  readonly data: (path: string, text: string, afterMs?: number) => void
}

type Options = Described & {
  readonly extension?: string
  /** Only utf8 if false: for texts whose bytes are the matter. */
  readonly hasEncodings?: boolean
  readonly stems?: readonly Naming[]
  readonly folders?: readonly ((draw: Draw, visit: Visit) => string)[]
}

type Kinds = { readonly plain: typeof plain; readonly trap: typeof trap }
const KINDS: Kinds = { plain, trap }

/** A convention of visits, each shot of which `compose` writes; `compose` draws the clinic's spelling first. */
export function exams(
  kind: 'plain' | 'trap',
  name: string,
  compose: (draw: Draw) => WriteShot,
  optionsOf: Options | ((draw: Draw) => Options) = {},
): Convention {
  return KINDS[kind](
    name,
    (draw) => {
      const {
        extension = '.jpg',
        hasEncodings = true,
        facts: own = PROOF,
        stems = STEMS,
        ...options
      } = typeof optionsOf === 'function' ? optionsOf(draw) : optionsOf
      const stem = draw.style(stems)
      const base = draw.style(options.folders ?? FOLDERS)
      const encoding: TextEncoding = hasEncodings ? draw.style(['utf8', 'utf8 with BOM'] as const) : 'utf8'
      const delay = draw.style([-1_500, 900, 20_000])
      const { examDay, times } = drawDays(draw, kind === 'trap')
      const writeShot = compose(draw)
      return {
        facts: own,
        examDay,
        ...(kind === 'plain' && { oneEyed: 0 }),
        ...options,
        write: (visit, folder) => {
          const above = base(folder.draw, visit)
          const stemsOfVisit = visit.shots.map((shot) => stem(folder.draw, visit, shot))
          const files = stemsOfVisit.map((one) => one + extension)
          for (const [index, shot] of visit.shots.entries()) {
            const [one, file] = [stemsOfVisit[index]!, files[index]!]
            const states = statementsOf(visit, shot.eye)
            const at = { visit, shot, folder, draw: folder.draw, above, stem: one, file, states, files }
            writeShot(at, {
              image: (changed = {}, dicom, path = above + file) => {
                const facts = { ...own, ...changed }
                return folder.picture(visit, shot, path, {
                  facts: withAge(visit, times, facts),
                  mtimeMs: fileTime(visit, times, facts, shot.atMs),
                  ...(dicom !== undefined && { dicom, format: 'dicom' as const }),
                })
              },
              data: (path, text, afterMs = delay) => folder.data(path, text, shot.atMs + afterMs, encoding),
            })
          }
        },
      }
    },
    kind === 'plain' ? { handsFree: 'without profile' } : {},
  )
}

/** What lies beside one image: a tree in JSON or XML, and what a reader knows by it. */
export type Beside = { readonly tree: Tree; readonly facts?: Partial<Facts> }

/** A document beside each image, of its stem; `compose` changes the true one. */
export function besideEach(
  kind: 'plain' | 'trap',
  name: string,
  compose: (draw: Draw, spelling: Spelling) => (at: At, tree: Tree) => Beside,
  options: Options | ((draw: Draw) => Options) = {},
): Convention {
  return exams(
    kind,
    name,
    (draw) => {
      const spelling = drawSpelling(draw)
      const write = drawForm(draw)
      const statesFile = draw.style([true, false])
      const change = compose(draw, spelling)
      return (at, put) => {
        const { tree, facts } = change(at, treeOf(spelling, at.states, statesFile ? at.file : null))
        put.image(facts)
        put.data(`${at.above}${at.stem}.${write.extension}`, write.text(tree))
      }
    },
    options,
  )
}

export type Form = { readonly extension: 'json' | 'xml'; readonly text: (tree: Tree) => string }

const ROOTS = ['Exam', 'Record', 'Study', 'Image', 'Capture'] as const

export function drawForm(draw: Draw): Form {
  const root = draw.style(ROOTS)
  return draw.style<Form>([
    { extension: 'json', text: toJson },
    { extension: 'xml', text: (tree) => toXml(root, tree) },
  ])
}

const DICOM_NAMES: readonly Naming[] = [
  (draw) => uid(draw),
  (draw) => draw.uuid(),
  (draw) => hash(draw, 9).toUpperCase(),
  (_draw, visit, shot) => `image${visit.index * 20 + shot.number}`,
]

/** The header of one file, the facts that it proves, and its path. */
export type Headed = { readonly dicom: DicomHeader; readonly facts?: Partial<Facts>; readonly path?: string }

/** DICOM files with silent names; `compose` changes the true header. */
export function dicomEach(
  kind: 'plain' | 'trap',
  name: string,
  compose: (draw: Draw) => (at: At, header: DicomHeader, study: string) => Headed,
  options: Options | ((draw: Draw) => Options) = {},
): Convention {
  return exams(
    kind,
    name,
    (draw) => {
      const change = compose(draw)
      const studyOf = perVisit((_visit, draw) => uid(draw))
      return (at, put) => {
        const study = studyOf(at.visit, at.draw)
        const { dicom, facts, path } = change(at, dicomHeader(at.draw, at.states, study), study)
        put.image(facts, dicom, path)
      }
    },
    (draw) => ({
      extension: draw.style(['.dcm', '.DCM', '']),
      stems: DICOM_NAMES,
      ...(typeof options === 'function' ? options(draw) : options),
    }),
  )
}

/** A table of a visit's images before it is written: headings and rows of cells, in one order. */
export type Table = { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] }

export type TableStyle = {
  readonly spelling: Spelling
  readonly delimiter: string
  readonly quotes: 'needed' | 'always' | 'never'
}

export type VisitAt = Pick<At, 'visit' | 'draw' | 'files' | 'above'>

const COLUMN_ORDERS: readonly (readonly Field[])[] = [
  ['file', 'id', 'last', 'first', 'birthDate', 'sex', 'day', 'eye'],
  ['id', 'last', 'first', 'sex', 'birthDate', 'day', 'eye', 'file'],
  ['last', 'first', 'id', 'day', 'file', 'eye', 'birthDate', 'sex'],
]

/** A table with a row for each image, in the folder of the visit; `compose` changes the true one, or its text. */
export function tableOfVisit(
  kind: 'plain' | 'trap',
  name: string,
  compose: (
    draw: Draw,
    style: TableStyle,
  ) => (
    at: VisitAt,
    table: Table,
  ) => Table & { readonly text?: string; readonly facts?: readonly Partial<Facts>[] },
  options: Options | ((draw: Draw) => Options) = {},
): Convention {
  return exams(
    kind,
    name,
    (draw) => {
      const spelling = drawSpelling(draw, 'table')
      const style: TableStyle = {
        spelling,
        delimiter: draw.style([';', ',', '\t']),
        quotes: draw.style(['needed', 'always'] as const),
      }
      const order = draw.style(COLUMN_ORDERS)
      const file = draw.style(['export.csv', 'images.csv', 'exam.csv'])
      const change = compose(draw, style)
      let changed: ReturnType<typeof change> = { headings: [], rows: [] }
      return (at, put) => {
        const { visit, shot, files, above } = at
        if (shot.number === 1) {
          const rows = visit.shots.map(({ eye }, index) => {
            const stated = { ...textsOf(spelling, statementsOf(visit, eye)), file: files[index]! }
            return order.map((field) => stated[field] ?? '')
          })
          changed = change(at, { headings: order.map((field) => spelling.names[field]), rows })
        }
        put.image(changed.facts?.[shot.number - 1])
        const { headings, rows, text = toCsv([headings, ...rows], style.delimiter, style.quotes) } = changed
        if (shot.number === visit.shots.length) put.data(above + file, text, 4_000)
      }
    },
    (draw) => ({ folders: TABLE_FOLDERS, ...(typeof options === 'function' ? options(draw) : options) }),
  )
}

/** Each visit has a table of its own. */
const TABLE_FOLDERS: NonNullable<Options['folders']> = [
  (draw) => `${draw.uuid()}/`,
  (_draw, visit) => `${visit.day}_${visit.ofDay}_${visit.index}/`,
  (_draw, visit) => `export/${visit.index + 1}x/`,
]

/** An element of text. */
export const text = (tag: string, vr: string, value: string): DicomElement => ({ tag, vr, value })

/** The header with further elements. */
export const withMore = (header: DicomHeader, ...more: readonly DicomElement[]): DicomHeader => ({
  ...header,
  more: [...(header.more ?? []), ...more],
})

/** The header without these attributes. */
export const without = (header: DicomHeader, ...keys: readonly (keyof DicomHeader)[]): DicomHeader =>
  Object.fromEntries(Object.entries(header).filter(([key]) => keys.every((one) => one !== key)))

/** What a visit keeps for all of its files, drawn with the first. */
export function perVisit<Value>(
  make: (visit: Visit, draw: Draw) => Value,
): (visit: Visit, draw: Draw) => Value {
  const known = new Map<Visit, Value>()
  return (visit, draw) => {
    const value = known.get(visit) ?? make(visit, draw)
    known.set(visit, value)
    return value
  }
}

/** Tables and lists whose proof plainly holds, although their headings and cells are those of real programs. */
import type { Convention } from '../convention.ts'
import {
  drawMeasurement,
  drawSpelling,
  type Field,
  keyOf,
  type Spelling,
  textsOf,
  toCsv,
  toJson,
  treeOf,
} from '../documents.ts'
import type { Draw } from '../draw.ts'
import { exams, hash, perVisit, type Table, tableOfVisit } from '../exams.ts'
import { drawPerson } from '../people.ts'
import { dicomHeader, uid } from '../sources.ts'

/** What a program says of a column, in brackets behind its heading. */
const EXPLAINED: Readonly<Partial<Record<Field, readonly string[]>>> = {
  id: ['(MRN)', '(clinic)', '[text]', '(as on the chart)'],
  day: ['(YYYY-MM-DD)', '[date]', '(local time)', '(date of exam)'],
  eye: ['(OD/OS)', '(R/L)', '[laterality]', '(of this image)'],
  sex: ['(F/M)', '[F, M]'],
  birthDate: ['(YYYY-MM-DD)', '[date]'],
}

/** The table with other headings. */
const renamed = ({ headings, rows }: Table, rename: (heading: string) => string): Table => ({
  headings: headings.map(rename),
  rows,
})

/** Puts columns at a drawn position; each has a heading and a cell for each row. */
function withColumns(
  draw: Draw,
  { headings, rows }: Table,
  columns: readonly { readonly heading: string; readonly cell: (row: number) => string }[],
): Table {
  const at = draw.int(0, headings.length)
  const put = (line: readonly string[], added: readonly string[]): string[] => [
    ...line.slice(0, at),
    ...added,
    ...line.slice(at),
  ]
  return {
    headings: put(
      headings,
      columns.map(({ heading }) => heading),
    ),
    rows: rows.map((row, index) =>
      put(
        row,
        columns.map(({ cell }) => cell(index)),
      ),
    ),
  }
}

const bracketHeadings = tableOfVisit(
  'plain',
  'headings with an explanation in brackets',
  (draw, { spelling }) => {
    const added = new Map<string, string>()
    for (const [field, texts] of Object.entries(EXPLAINED))
      if (draw.style([true, true, false])) added.set(spelling.names[field as Field], draw.style(texts))
    return (_at, table) =>
      renamed(table, (heading) => [heading, ...(added.has(heading) ? [added.get(heading)] : [])].join(' '))
  },
)

/** What is written for a measurement that could not be taken. */
const ODD = [
  'CF',
  'HM',
  'n/a',
  '<5',
  '>21',
  '6/60',
  '?',
  '12*',
  '--',
  'PL',
  '20/40-1',
  'not done',
  'refused',
  '1.2e1',
]

/** One value for each eye of a visit, as a record of it would have. */
const oddMeasurements = tableOfVisit('plain', 'measurements that are no numbers', (draw, { spelling }) => {
  const terms = draw.style([['iop'], ['sphere', 'cylinder', 'axis'], ['pupil', 'iop']] as const)
  return ({ visit, draw }, table) =>
    withColumns(
      draw,
      table,
      terms.map((term) => {
        const value = (): string => (draw.chance(0.6) ? draw.pick(ODD) : String(drawMeasurement(draw, term)))
        const values = { right: value(), left: value() }
        return { heading: keyOf(spelling, term), cell: (row) => values[visit.shots[row]!.eye] }
      }),
    )
})

const bothEyesInColumns = tableOfVisit(
  'plain',
  'columns of both eyes beside the eye of the image',
  (draw, { spelling }) => {
    const measured = draw.style(['iop', 'sphere', 'cdr'] as const)
    const eyes = draw.style([
      ['od', 'os'],
      ['right', 'left'],
      ['re', 'le'],
    ] as const)
    const isBefore = draw.style([true, false])
    return ({ draw }, table) =>
      withColumns(
        draw,
        table,
        eyes.map((eye) => {
          const value = String(drawMeasurement(draw, measured))
          return {
            heading: keyOf(spelling, isBefore ? `${eye} ${measured}` : `${measured} ${eye}`),
            cell: () => value,
          }
        }),
      )
  },
)

/** The last columns are often empty, and some programs then leave out the cells. */
const missingAtEnd = tableOfVisit('plain', 'missing cells at the end of a row', (draw, { spelling }) => {
  const terms = draw.style([
    ['comment', 'report'],
    ['diagnosis', 'remark', 'reader'],
    ['quality', 'note'],
  ] as const)
  return ({ draw }, { headings, rows }) => ({
    headings: [...headings, ...terms.map((term) => keyOf(spelling, term))],
    rows: rows.map((row) => [
      ...row,
      ...terms.slice(0, draw.int(0, terms.length)).map(() => draw.pick(['', 'ok'])),
    ]),
  })
})

/** One column for the whole name, with a comma in quotes or the groups of DICOM. */
const wholeNames = tableOfVisit('plain', 'one column for the whole name', (draw, { spelling, delimiter }) => {
  const form = draw.style([
    (last: string, first: string) => `${last}, ${first}`,
    (last: string, first: string) => `${last}^${first}`,
    (last: string, first: string) => `${last.toUpperCase()}, ${first}`,
  ])
  const heading = keyOf(spelling, draw.style(['patient name', 'name']))
  const { last, first } = spelling.names
  return ({ visit: { person } }, { headings, rows }) => {
    const [atLast, atFirst] = [headings.indexOf(last), headings.indexOf(first)]
    const change = (line: readonly string[], whole: string): string[] =>
      line.flatMap((cell, at) => (at === atLast ? [whole] : at === atFirst ? [] : [cell]))
    const lines = [
      change(headings, heading),
      ...rows.map((row) => change(row, form(person.last, person.first))),
    ]
    return { headings, rows, text: toCsv(lines, delimiter, 'needed') }
  }
})

/** `sep=;` in the first line, which spreadsheets write and hide. */
const separatorLine = tableOfVisit(
  'plain',
  'a table that names its separator first',
  (draw, { delimiter, quotes }) => {
    const ending = draw.style(['\r\n', '\n'])
    return (_at, { headings, rows }) => ({
      headings,
      rows,
      text: `sep=${delimiter}${ending}${toCsv([headings, ...rows], delimiter, quotes)}`,
    })
  },
)

const EXAM_TABLE_NAMES = ['tech', 'room', 'device serial', 'accession number', 'exam id', 'station'] as const

/** Columns with numbers that are no patient's. */
const otherNumbers = tableOfVisit('plain', 'columns of devices and orders', (draw, { spelling }) => {
  const terms = [...new Set([draw.style(EXAM_TABLE_NAMES), draw.style(EXAM_TABLE_NAMES)])]
  const width = draw.style([3, 5, 8])
  return ({ draw }, table) => {
    const values = terms.map(() => draw.digits(width))
    return withColumns(
      draw,
      table,
      terms.map((term, at) => ({ heading: keyOf(spelling, term), cell: () => values[at]! })),
    )
  }
})

/** A row for each stem in a table of the same stem as its image, with rows of the rest of the exam. */
const rowOfOwnStem = exams('plain', 'a table of one row beside each image', (draw) => {
  const spelling = drawSpelling(draw, 'table')
  const delimiter = draw.style([';', ',', '\t'])
  const fields = draw.style([
    ['file', 'id', 'last', 'first', 'day', 'eye'],
    ['id', 'day', 'eye', 'last', 'first', 'birthDate'],
    ['eye', 'day', 'id'],
  ] as const)
  return ({ above, stem, file, states }, put) => {
    put.image()
    const stated = { ...textsOf(spelling, states), file }
    const rows = [fields.map((field) => spelling.names[field]), fields.map((field) => stated[field] ?? '')]
    put.data(`${above}${stem}.csv`, toCsv(rows, delimiter))
  }
})

/** Zeros in front are kept as text, and so they are in the DICOM file beside the table's data. */
const leadingZeros = tableOfVisit(
  'plain',
  'numbers with zeros in front',
  () => (_at, table) => table,
  (draw) => {
    const [width, filled] = draw.style([
      [7, 5],
      [8, 5],
      [10, 7],
    ] as const)
    return { numbering: (draw) => ({ id: draw.digits(filled).padStart(width, '0'), aliases: [] }) }
  },
)

/** DICOM states all, and a list of all patients of the day lies above it, with the right row among them. */
const listBesideDicom = exams(
  'plain',
  'a list of the day’s patients beside DICOM',
  (draw) => {
    const spelling: Spelling = drawSpelling(draw, 'table')
    const delimiter = draw.style([';', ',', '\t'])
    const file = draw.style(['patients.csv', 'list.csv', 'today.csv'])
    const fields = draw.style([
      ['id', 'last', 'first', 'birthDate', 'sex'],
      ['last', 'first', 'birthDate', 'id'],
      ['id', 'last', 'first'],
    ] as const)
    const studyOf = perVisit((_visit, draw) => uid(draw))
    const seen = new Map<string, readonly string[]>()
    return ({ states, shot, draw, visit }, put) => {
      put.image({}, dicomHeader(draw, states, studyOf(visit, draw)))
      const others = [drawPerson(draw, draw.digits(9)), visit.person]
      for (const { id, last, first, birthDate, sex } of others) {
        const stated = textsOf(spelling, { id, last, first, birthDate, sex, day: null, eye: null })
        seen.set(
          id,
          fields.map((field) => stated[field] ?? ''),
        )
      }
      const rows = [fields.map((field) => spelling.names[field]), ...seen.values()]
      if (shot.number === 1) put.data(file, toCsv(rows, delimiter), -60_000)
    }
  },
  (draw) => ({ extension: draw.style(['.dcm', '.DCM']) }),
)

/** One document of the visit that lists its images, each with its eye. */
const manifest = exams(
  'plain',
  'one list of the exam’s images in JSON',
  (draw) => {
    const spelling = drawSpelling(draw)
    const name = draw.style(['exam.json', 'manifest.json', 'export.json'])
    const shape = draw.style(['list of rows', 'rows in a block'] as const)
    const block = keyOf(spelling, draw.style(['images', 'records', 'rows']))
    return ({ above, shot, states, visit, files }, put) => {
      put.image()
      if (shot.number !== visit.shots.length) return
      const rows = {
        list: visit.shots.map(({ eye }, at) => treeOf(spelling, { ...states, eye }, files[at])),
      }
      put.data(above + name, toJson(shape === 'list of rows' ? rows : [[block, rows]]), 5_000)
    }
  },
  {
    folders: [
      (draw) => `${draw.uuid()}/`,
      (_draw, visit) => `${visit.day}/${visit.index}x/`,
      (draw) => `${hash(draw, 9)}x/`,
    ],
  },
)

export const plainTables: readonly Convention[] = [
  bracketHeadings,
  oddMeasurements,
  bothEyesInColumns,
  missingAtEnd,
  wholeNames,
  separatorLine,
  otherNumbers,
  rowOfOwnStem,
  leadingZeros,
  listBesideDicom,
  manifest,
]

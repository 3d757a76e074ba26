/** Tables whose cells have moved or do not fit, and numbers that are none, or not as the clinic writes them. */
import type { Convention } from '../convention.ts'
import { keyOf, withField } from '../documents.ts'
import { Draw, seedOf } from '../draw.ts'
import { besideEach, dicomEach, type TableStyle, tableOfVisit } from '../exams.ts'
import { clock, compactDay } from '../notation.ts'
import { drawPerson } from '../people.ts'
import type { Facts, Person, Shot, Visit } from '../world.ts'

/** A row whose cells have moved proves nothing, and what it seems to say may be another's. */
const MOVED: Facts = { who: 'hidden', day: 'weak', eye: 'hidden' }

const textOf = (lines: readonly (readonly string[])[], delimiter: string): string =>
  lines.map((line) => line.join(delimiter)).join('\r\n') + '\r\n'

/**
 * A table with the columns in an order in which moved cells still look like values: beside the number another number,
 * beside the eye the other eye, beside the day another day.
 */
function treacherous(draw: Draw, { spelling }: TableStyle) {
  const { names, eyes, day } = spelling
  const before = keyOf(spelling, draw.style(['comment', 'patient name', 'address', 'diagnosis', 'iop']))
  const [number, eye, date] = [
    keyOf(spelling, draw.style(['exam id', 'order number', 'room'])),
    keyOf(spelling, draw.style(['dominant eye', 'treated eye', 'fellow eye'])),
    keyOf(spelling, draw.style(['previous exam', 'next appointment', 'last visit'])),
  ]
  const headings = [names.file, before, names.id, number, names.eye, eye, names.day, date]
  const isName = before === keyOf(spelling, 'patient name')
  const free = draw.style(['', 'ok', 'seen today'])
  const row = (visit: Visit, shot: Shot, file: string): string[] => [
    file,
    isName ? `${visit.person.last} ${visit.person.first}` : free,
    visit.person.id,
    String(100_005 + visit.index * 37),
    eyes[shot.eye],
    eyes[shot.eye === 'right' ? 'left' : 'right'],
    day(visit.day),
    day(`${Number(visit.day.slice(0, 4)) - 1}${visit.day.slice(4)}`),
  ]
  return { headings, row }
}

/** How one row is spoilt: a delimiter that no one quoted, a cell that was left out, or one too many. */
type Spoil = (draw: Draw, cells: readonly string[], delimiter: string) => readonly string[]
const SPOILS: Readonly<Record<string, readonly Spoil[]>> = {
  'an unquoted separator': [
    (_draw, [file = '', free = '', ...rest], delimiter) => [
      file,
      free.includes(' ') ? free.replace(' ', `${delimiter} `) : `see Lopez${delimiter} Ana`,
      ...rest,
    ],
    (draw, [file = '', , ...rest], delimiter) => [file, `16${delimiter}${draw.int(1, 9)}`, ...rest],
    (_draw, [file = '', , ...rest], delimiter) => [
      file,
      `dilated${delimiter} Main St. 4${delimiter} 2nd floor`,
      ...rest,
    ],
    (_draw, [file = '', free = '', ...rest], delimiter) => [file, free + delimiter, ...rest],
  ],
  'a cell left out': [
    (_draw, [file = '', , ...rest]) => [file, ...rest],
    (_draw, [file = '', free = '', , ...rest]) => [file, free, ...rest],
    (_draw, cells) => cells.toSpliced(4, 1),
  ],
  'a surplus cell': [
    (draw, cells) => cells.toSpliced(2, 0, draw.digits(7)),
    (_draw, cells) => cells.toSpliced(4, 0, cells[5]!),
    (draw, cells) => cells.toSpliced(6, 0, `20${draw.int(10, 24)}-04-0${draw.int(1, 9)}`),
  ],
  'two cells exchanged': [
    (_draw, cells) => cells.with(2, cells[6]!).with(6, cells[2]!),
    (_draw, cells) => cells.with(4, cells[2]!).with(2, cells[4]!),
    (_draw, cells) => cells.with(6, cells[4]!).with(4, cells[6]!),
  ],
}

function spoilt(name: string): Convention {
  return tableOfVisit(
    'trap',
    `a table with ${name}`,
    (draw, style) => {
      const { headings, row } = treacherous(draw, style)
      const spoil = draw.style(SPOILS[name]!)
      const share = draw.style([0.3, 0.7])
      return ({ visit, files, draw }) => {
        const isSpoilt = visit.shots.map(() => draw.chance(share))
        const rows = visit.shots.map((shot, at) => {
          const cells = row(visit, shot, files[at]!)
          return isSpoilt[at] === true ? spoil(draw, cells, style.delimiter) : cells
        })
        return {
          headings,
          rows,
          // Never quoted: a cell that holds the separator is two.
          text: textOf([headings, ...rows], style.delimiter),
          facts: isSpoilt.map((spoilt) => (spoilt ? MOVED : {})),
        }
      }
    },
    (draw) => {
      const length = draw.style([6, 7])
      return { numbering: (draw) => ({ id: draw.digits(length), aliases: [] }) }
    },
  )
}

/** Two columns of one heading, which differ in some rows. */
const doubledHeading = tableOfVisit('trap', 'two columns of one heading', (draw, { spelling }) => {
  const field = draw.style(['id', 'eye', 'day'] as const)
  const again = draw.style([
    (heading: string) => heading,
    (heading: string) => heading.toUpperCase(),
    (heading: string) => ` ${heading}`,
  ])
  const position = draw.style([0, 3, 9])
  return ({ visit, draw }, { headings, rows }) => {
    const heading = spelling.names[field]
    const isFalse = visit.shots.map(() => draw.chance(0.6))
    const own = headings.indexOf(heading)
    const value = (shot: Shot): string =>
      ({
        id: draw.digits(visit.person.id.length),
        eye: spelling.eyes[shot.eye === 'right' ? 'left' : 'right'],
        day: spelling.day('2025-11-03'),
      })[field]
    return {
      headings: headings.toSpliced(position, 0, again(heading)),
      rows: rows.map((row, at) =>
        row.toSpliced(position, 0, isFalse[at] === true ? value(visit.shots[at]!) : row[own]!),
      ),
      facts: isFalse.map((wrong) => (wrong ? { [field === 'id' ? 'who' : field]: 'disputed' } : {})),
    }
  }
})

/** Two rows of one table are about one image, and differ. */
const doubledRow = tableOfVisit('trap', 'two rows for one image', (draw, { spelling }) => {
  const field = draw.style(['id', 'eye', 'day'] as const)
  return ({ visit, draw }, { headings, rows }) => {
    const isDoubled = visit.shots.map(() => draw.chance(0.5))
    const at = headings.indexOf(spelling.names[field])
    const again = rows.flatMap((row, index) => {
      const { eye } = visit.shots[index]!
      const value = {
        id: drawPerson(draw, draw.digits(visit.person.id.length)).id,
        eye: spelling.eyes[eye === 'right' ? 'left' : 'right'],
        day: spelling.day('2025-10-06'),
      }[field]
      return isDoubled[index] === true ? [row.with(at, value)] : []
    })
    return {
      headings,
      rows: draw.chance(0.5) ? [...rows, ...again] : [...again, ...rows],
      facts: isDoubled.map((is) => (is ? { [field === 'id' ? 'who' : field]: 'disputed' } : {})),
    }
  }
})

/** A cell holds two eyes, two days or two numbers. */
const twoInOneCell = tableOfVisit('trap', 'two values in one cell', (draw, { spelling, delimiter }) => {
  const field = draw.style(['id', 'eye', 'day'] as const)
  const joint = draw.style(['/', ' + ', ' and ', '|', ' & '].filter((one) => one !== delimiter))
  return ({ visit, draw }, { headings, rows }) => {
    const isTwo = visit.shots.map(() => draw.chance(0.6))
    const at = headings.indexOf(spelling.names[field])
    const added = (): string =>
      ({ id: draw.digits(visit.person.id.length), eye: '', day: spelling.day('2025-09-08') })[field]
    return {
      headings,
      rows: rows.map((row, index) => {
        if (isTwo[index] !== true) return row
        const { right, left } = spelling.eyes
        return row.with(at, field === 'eye' ? right + joint + left : row[at]! + joint + added())
      }),
      facts: isTwo.map((is) =>
        is ? { [field === 'id' ? 'who' : field]: field === 'day' ? 'weak' : 'hidden' } : {},
      ),
    }
  }
})

/** What a spreadsheet, a data frame, an interface or a keyboard makes of a number; only some of it can be undone. */
type Wrapping = { readonly write: (id: string) => string; readonly isUndone: boolean }
const fullWidth = (id: string): string =>
  id.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
const WRAPPINGS: readonly Wrapping[] = [
  { write: (id) => `="${id}"`, isUndone: true },
  { write: (id) => `=("${id}")`, isUndone: true },
  { write: (id) => `'${id}`, isUndone: true },
  { write: (id) => `${id}\u00a0`, isUndone: true },
  { write: (id) => `\u200b${id}`, isUndone: true },
  { write: (id) => `\u202a${id}\u202c`, isUndone: true },
  { write: (id) => `${id}^^^HOSP^MR`, isUndone: true },
  { write: (id) => `${id}^^^^PI`, isUndone: true },
  { write: fullWidth, isUndone: true },
  { write: (id) => `"${id}"`, isUndone: true },
  { write: (id) => `${Number(id)}.0`, isUndone: false },
  { write: (id) => Number(id).toExponential(3).replace('e+', 'E+0'), isUndone: false },
  { write: (id) => id.replaceAll(/\B(?=(\d{3})+$)/g, ','), isUndone: false },
  { write: (id) => `${id.slice(0, 3)}\u00ad${id.slice(3)}`, isUndone: false },
  { write: (id) => `${id}?`, isUndone: false },
  { write: (id) => `#${id}#`, isUndone: false },
]

function wrapped(name: string, isUndone: boolean): Convention {
  const wrappings = WRAPPINGS.filter((one) => one.isUndone === isUndone)
  const id = (draw: Draw): string => draw.digits(5).padStart(7, '0')
  const options = {
    numbering: (draw: Draw) => ({ id: id(draw), aliases: [] }),
    facts: { who: isUndone ? 'proof' : 'weak', day: 'proof', eye: 'proof' } as const,
    hasEncodings: false,
  }
  return besideEach(
    'trap',
    name,
    (draw, spelling) => {
      const { write } = draw.style(wrappings)
      return ({ visit }, tree) => ({ tree: withField(tree, spelling.names.id, write(visit.person.id)) })
    },
    options,
  )
}

function wrappedCells(): Convention {
  return tableOfVisit(
    'trap',
    'numbers as office programs keep them',
    (draw, { spelling }) => {
      const { write, isUndone } = draw.style(WRAPPINGS)
      return ({ visit }, { headings, rows }) => {
        const at = headings.indexOf(spelling.names.id)
        return {
          headings,
          rows: rows.map((row) => row.with(at, write(visit.person.id))),
          facts: visit.shots.map(() => (isUndone ? {} : { who: 'weak' })),
        }
      }
    },
    { numbering: (draw) => ({ id: draw.digits(5).padStart(7, '0'), aliases: [] }), hasEncodings: false },
  )
}

/** What programs and people write if there is no number; drawn so widely that no list holds it. */
type NoNumber = (draw: Draw, person: Person, visit: Visit, shot: Shot) => string
const NO_NUMBERS: Readonly<Record<string, readonly NoNumber[]>> = {
  'a term': [
    (draw) => draw.letters(draw.int(3, 8)).toLowerCase(),
    (draw) =>
      draw.pick([
        'walk-in',
        'new patient',
        'see chart',
        'kommt nach',
        'pendiente',
        'à compléter',
        'da definire',
      ]),
    (draw) =>
      draw.pick(['emergency', 'demo', 'self', 'staff', 'visitor', 'urgence', 'Notfall', 'prova', 'prueba']),
    (_draw, { last }) => last,
    (_draw, { first }) => first.toUpperCase(),
    (_draw, { last, first }) => `${last}, ${first}`,
  ],
  'an error of a program': [
    (draw) => draw.pick(['#REF!', '#VALUE!', '#N/A', '#NAME?', '#DIV/0!', '########']),
    (draw) =>
      draw.pick([
        'NaN',
        'undefined',
        '[object Object]',
        '(null)',
        'None',
        '<NA>',
        'NULL',
        'nil',
        '%ID%',
        '${id}',
      ]),
    (draw) => draw.pick(['Err:502', 'ERROR 13', '-1', '-9999', 'E1001: timeout', '0x0', '1.#IND']),
    (draw) => draw.pick(['{{patientId}}', '<PatientID>', '$PATIENT_ID', '@id', 'string', 'integer']),
  ],
  'an idle number': [
    (draw) => draw.pick(['9', '99', '9999', '99999999', '999999999']),
    (draw) => draw.pick(['00000', '0000000', '0000001', '1', '01']),
    (draw) => draw.pick(['1234567', '7654321', '87654321', '23456789', '0123456']),
    (draw) => String(draw.int(1, 9)).repeat(draw.int(5, 8)),
    (draw) => draw.pick(['121212', '12121212', '123123', '010101']),
  ],
  'a time or a day': [
    (_draw, _person, _visit, shot) => clock(shot.atMs),
    (_draw, _person, visit, shot) => compactDay(visit.day) + clock(shot.atMs),
    (_draw, _person, visit) => compactDay(visit.day),
    (_draw, { birthDate }) => compactDay(birthDate),
    (_draw, _person, visit, shot) => `${visit.day} ${clock(shot.atMs, ':')}`,
  ],
  'a size or a unit': [
    (draw) => `${draw.pick([30, 45, 50, 60])}${draw.pick(['deg', '°', ' degrees'])}`,
    (draw) =>
      draw.pick([
        '2576x1958',
        '3680 x 3288',
        '1024*768',
        '45mm',
        '3.2 mm',
        '12MP',
        '200dpi',
        '80ms',
        '16 mmHg',
      ]),
    (draw) => `${draw.int(10, 90)}%`,
  ],
}

/** The same draws for all files of a clinic, or for those of a visit. */
function drawsOf(draw: Draw): (visit: Visit) => Draw {
  const seed = draw.int(1, 1_000_000_000)
  const isOnce = draw.style([true, false])
  return ({ index }) => new Draw(seedOf(seed, isOnce ? 0 : index + 1))
}

/** One for a clinic, with which every visit is written, in documents or in DICOM. */
function noNumber(kind: string, carrier: 'document' | 'DICOM'): Convention {
  const name = `${kind} for the number, in a ${carrier}${carrier === 'DICOM' ? ' file' : ''}`
  const options = { facts: { who: 'hidden', day: 'proof', eye: 'proof' } as const }
  if (carrier === 'DICOM')
    return dicomEach(
      'trap',
      name,
      (draw) => {
        const write = draw.style(NO_NUMBERS[kind]!)
        const term = drawsOf(draw)
        return ({ visit, shot }, header) => {
          const patientId = write(term(visit), visit.person, visit, visit.shots[0] ?? shot)
          return { dicom: { ...header, patientId } }
        }
      },
      options,
    )
  return besideEach(
    'trap',
    name,
    (draw, spelling) => {
      const write = draw.style(NO_NUMBERS[kind]!)
      const term = drawsOf(draw)
      return ({ visit, shot }, tree) => {
        const value = write(term(visit), visit.person, visit, visit.shots[0] ?? shot)
        return { tree: withField(tree, spelling.names.id, value) }
      }
    },
    options,
  )
}

export const attackedTables: readonly Convention[] = [
  spoilt('an unquoted separator'),
  spoilt('a cell left out'),
  spoilt('a surplus cell'),
  spoilt('two cells exchanged'),
  doubledHeading,
  doubledRow,
  twoInOneCell,
  wrappedCells(),
  wrapped('numbers in wrappings that can be undone', true),
  wrapped('numbers that were cut or joined', false),
  noNumber('a term', 'document'),
  noNumber('an error of a program', 'document'),
  noNumber('an idle number', 'document'),
  noNumber('a time or a day', 'document'),
  noNumber('a size or a unit', 'document'),
  noNumber('a term', 'DICOM'),
  noNumber('an idle number', 'DICOM'),
  noNumber('a size or a unit', 'DICOM'),
]

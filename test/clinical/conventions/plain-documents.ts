/** Documents beside images whose proof plainly holds: any reader knows at once, and a question is needless. */
import { type Convention, shiftDay } from '../convention.ts'
import {
  drawMeasurement,
  drawSpelling,
  insert,
  inventedName,
  keyOf,
  type Node,
  type Spelling,
  toJson,
  toXml,
  toXmlAttributes,
  type Tree,
  treeOf,
  withField,
} from '../documents.ts'
import type { Draw } from '../draw.ts'
import { besideEach, exams, hash, perVisit } from '../exams.ts'
import { clock } from '../notation.ts'
import { drawPerson } from '../people.ts'
import { caseJson } from '../sources.ts'
import type { Eye } from '../world.ts'

/** The same data in a list of one, as an interface answers that could have found several. */
const listOfOne = exams('plain', 'a JSON list of one', (draw) => {
  const spelling = drawSpelling(draw)
  const statesFile = draw.style([true, false])
  const around = draw.style(['nothing', 'block'] as const)
  const term = draw.style(['records', 'results', 'items', 'exams', 'data'])
  return ({ above, stem, file, states }, put) => {
    put.image()
    const list: Node = { list: [treeOf(spelling, states, statesFile ? file : null)] }
    put.data(`${above}${stem}.json`, toJson(around === 'nothing' ? list : [[term, list]]))
  }
})

/** All statements in one block, which is in one or two more. */
function wrapped(draw: Draw, spelling: Spelling): (tree: Tree) => Tree {
  const names = Array.from({ length: draw.style([1, 2, 3]) }, () =>
    draw.style(['invented', 'usual']) === 'invented'
      ? keyOf(spelling, `${inventedName(draw)} ${draw.pick(['export', 'data', 'record', 'imaging'])}`)
      : keyOf(spelling, draw.pick(['data', 'export', 'payload', 'content', 'response', 'document'])),
  )
  return (tree) => names.reduce<Tree>((inside, name) => [[name, inside]], tree)
}

const vendorWrapper = besideEach('plain', 'a maker’s block around the record', (draw, spelling) => {
  const wrap = wrapped(draw, spelling)
  return (_at, tree) => ({ tree: wrap(tree) })
})

/** A version, a time and a program beside the only block. */
const wrapperWithMeta = besideEach('plain', 'a maker’s block beside a version', (draw, spelling) => {
  const wrap = wrapped(draw, spelling)
  const meta: Tree = [
    [
      keyOf(spelling, draw.style(['version', 'schema version', 'format version'])),
      draw.style(['1.0', '2.4.1', '3']),
    ],
    [keyOf(spelling, draw.style(['software', 'generator', 'application'])), `${inventedName(draw)} 4`],
  ]
  return (_at, tree) => ({ tree: [...meta, ...wrap(tree)] })
})

const EARLIER = [
  'previous exams',
  'earlier visits',
  'prior studies',
  'exam history',
  'past visits',
  'previous visit',
]

/** Earlier exams with days and eyes of their own. */
const earlierExams = besideEach('plain', 'earlier exams in their own block', (draw, spelling) => {
  const block = keyOf(spelling, draw.style(EARLIER))
  const isList = draw.style([true, false])
  return ({ draw, visit, shot }, tree) => {
    const earlier = (days: number): Tree => [
      [spelling.names.day, spelling.day(shiftDay(visit.day, -days))],
      [spelling.names.eye, spelling.eyes[draw.chance(0.5) ? 'right' : 'left']],
      [keyOf(spelling, 'comment'), draw.pick(['stable', 'no change', 'first visit'])],
    ]
    const value: Node = isList
      ? { list: [earlier(150 + shot.number), earlier(500), earlier(900)].slice(0, draw.int(1, 3)) }
      : earlier(200)
    return { tree: insert(draw, tree, [block, value]) }
  }
})

const OTHERS = [
  'referring physician',
  'referrer',
  'ordering physician',
  'operator',
  'technician',
  'photographer',
  'emergency contact',
  'next of kin',
  'guardian',
  'device',
  'camera',
  'order',
  'insurance',
] as const

/** A block about someone or something else, with terms that are in a record of a patient, too. */
function aboutOther(draw: Draw, spelling: Spelling, other: string): Tree {
  const { id, last, first, birthDate } = drawPerson(draw, draw.digits(6))
  const { names, day } = spelling
  if (other === 'device' || other === 'camera')
    return [
      [keyOf(spelling, 'serial number'), id],
      [keyOf(spelling, 'model'), `${inventedName(draw)} 45`],
      [keyOf(spelling, 'service date'), day('2025-02-03')],
    ]
  if (other === 'order' || other === 'insurance')
    return [
      [keyOf(spelling, 'number'), id],
      [keyOf(spelling, 'date'), day('2025-11-12')],
    ]
  return [
    [keyOf(spelling, draw.pick(['id', 'number', 'code'])), id],
    [names.last, last],
    [names.first, first],
    ...(draw.chance(0.3) ? [[names.birthDate, birthDate] as const] : []),
  ]
}

const otherPeople = besideEach(
  'plain',
  'referrers, devices and relatives in their own blocks',
  (draw, spelling) => {
    const others = [draw.style(OTHERS), draw.style(OTHERS)]
    return ({ draw }, tree) => ({
      tree: [...new Set(others)].reduce<Tree>(
        (all, other) => insert(draw, all, [keyOf(spelling, other), aboutOther(draw, spelling, other)]),
        tree,
      ),
    })
  },
)

/** The patient in one block and the exam in another, as most programs part them. */
const partedBlocks = besideEach('plain', 'blocks of patient, exam and image', (draw, spelling) => {
  const patient = keyOf(spelling, draw.style(['patient', 'patient data', 'patient info']))
  const exam = keyOf(spelling, draw.style(['exam', 'study', 'visit', 'examination']))
  const image = keyOf(spelling, draw.style(['image', 'image info', 'photo']))
  const isEyeOfImage = draw.style([true, false])
  return (_at, tree) => {
    const { names } = spelling
    const pick = (...keys: readonly string[]): Tree => tree.filter(([key]) => keys.includes(key))
    const eye = pick(names.eye)
    return {
      tree: [
        [patient, pick(names.id, names.last, names.first, names.birthDate, names.sex)],
        [exam, [...pick(names.day), ...(isEyeOfImage ? [] : eye)]],
        [image, [...pick(names.file), ...(isEyeOfImage ? eye : []), [keyOf(spelling, 'width'), 2_576]]],
      ],
    }
  }
})

/** Measurements of both eyes beside the eye of the image. */
const bothEyesMeasured = besideEach('plain', 'values of both eyes in the record of one', (draw, spelling) => {
  const shape = draw.style(['blocks', 'prefixes', 'suffixes'] as const)
  const value = draw.style(['iop', 'sphere', 'cdr', 'axial length'] as const)
  const [right, left] = draw.style([
    ['od', 'os'],
    ['right', 'left'],
    ['re', 'le'],
  ] as const)
  const valuesOf = perVisit(
    (_visit, draw) => [drawMeasurement(draw, value), drawMeasurement(draw, value)] as const,
  )
  return ({ visit, draw }, tree) => {
    const [one, two] = valuesOf(visit, draw)
    const body: Tree = {
      blocks: [
        [keyOf(spelling, right), [[keyOf(spelling, value), one]]],
        [keyOf(spelling, left), [[keyOf(spelling, value), two]]],
      ] as const,
      prefixes: [
        [keyOf(spelling, `${right} ${value}`), one],
        [keyOf(spelling, `${left} ${value}`), two],
      ] as const,
      suffixes: [
        [keyOf(spelling, `${value} ${right}`), one],
        [keyOf(spelling, `${value} ${left}`), two],
      ] as const,
    }[shape]
    return { tree: draw.chance(0.5) ? [...body, ...tree] : [...tree, ...body] }
  }
})

/** The whole exam beside each image: every file with its eye, this one among them. */
const wholeExam = exams('plain', 'the whole exam beside each image', (draw) => {
  const spelling = drawSpelling(draw)
  const list = keyOf(spelling, draw.style(['images', 'files', 'captures', 'photos']))
  const isXml = draw.style([true, false])
  return ({ above, stem, states, visit, files }, put) => {
    put.image()
    const { names, eyes } = spelling
    const images = visit.shots.map(({ eye }, index): Tree => [
      [names.file, files[index]!],
      [names.eye, eyes[eye]],
    ])
    const tree: Tree = [...treeOf(spelling, { ...states, eye: null }), [list, { list: images }]]
    put.data(`${above}${stem}.${isXml ? 'xml' : 'json'}`, isXml ? toXml('Exam', tree) : toJson(tree))
  }
})

/** `IMG_2001.jpg.json`: the name of the image, and one more extension. */
const doubleExtension = exams('plain', 'records called like the whole file', (draw) => {
  const spelling = drawSpelling(draw)
  const statesFile = draw.style([true, false])
  const form = draw.style(['json', 'xml'] as const)
  return ({ above, file, states }, put) => {
    put.image()
    const tree = treeOf(spelling, states, statesFile ? file : null)
    put.data(`${above}${file}.${form}`, form === 'json' ? toJson(tree) : toXml('Record', tree))
  }
})

const xmlAttributes = exams('plain', 'XML that states all in attributes', (draw) => {
  const spelling = drawSpelling(draw)
  const root = draw.style(['Image', 'Exam', 'Capture'])
  return ({ above, stem, states }, put) => {
    put.image()
    put.data(`${above}${stem}.xml`, toXmlAttributes(root, treeOf(spelling, states)))
  }
})

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const LONG_MONTHS =
  'January February March April May June July August September October November December'.split(' ')

const monthNames = besideEach('plain', 'days with the name of the month', (draw, spelling) => {
  const form = draw.style([
    (d: number, m: number, y: string) => `${String(d).padStart(2, '0')} ${MONTHS[m]} ${y}`,
    (d: number, m: number, y: string) => `${String(d).padStart(2, '0')}-${MONTHS[m]!.toUpperCase()}-${y}`,
    (d: number, m: number, y: string) => `${LONG_MONTHS[m]} ${d}, ${y}`,
    (d: number, m: number, y: string) => `${y}-${MONTHS[m]}-${String(d).padStart(2, '0')}`,
  ])
  const write = (day: string): string =>
    form(Number(day.slice(8)), Number(day.slice(5, 7)) - 1, day.slice(0, 4))
  return ({ states }, tree) => ({ tree: withField(tree, spelling.names.day, write(states.day!)) })
})

/** The time beside the day; with an offset or `Z` it is far from midnight in any zone of Europe. */
const daysWithTimes = besideEach('plain', 'days with the time of the photograph', (draw, spelling) => {
  const form = draw.style([
    (day: string, time: string) => `${day}T${time}`,
    (day: string, time: string) => `${day} ${time}`,
    (day: string, time: string) => `${day}T${time}.000`,
  ])
  return ({ states, shot }, tree) => ({
    tree: withField(tree, spelling.names.day, form(states.day!, clock(shot.atMs, ':'))),
  })
})

const BOTH_WAYS: readonly Readonly<Record<Eye, string>>[] = [
  { right: 'O.D.', left: 'O.S.' },
  { right: 'OD (right)', left: 'OS (left)' },
  { right: 'Right (OD)', left: 'Left (OS)' },
  { right: 'right eye', left: 'left eye' },
  { right: 'OD - right', left: 'OS - left' },
  { right: 'R (OD)', left: 'L (OS)' },
]

const eyeWritings = besideEach(
  'plain',
  'eyes with dots, or with their term in brackets',
  (draw, spelling) => {
    const eyes = draw.style(BOTH_WAYS)
    return ({ shot }, tree) => ({ tree: withField(tree, spelling.names.eye, eyes[shot.eye]) })
  },
)

/** Written the evening before from the appointments, for the names that the camera will use. */
const workList = exams('plain', 'records written the day before', (draw) => {
  const spelling = drawSpelling(draw)
  const hours = draw.style([13, 17, 20])
  const form = draw.style(['json', 'xml'] as const)
  return ({ above, stem, file, states }, put) => {
    put.image()
    const tree = treeOf(spelling, states, file)
    put.data(
      `${above}${stem}.${form}`,
      form === 'json' ? toJson(tree) : toXml('Order', tree),
      -hours * 3_600_000,
    )
  }
})

/** `case.json` in the visit's own folder with what else the interface takes. */
const richCase = exams(
  'plain',
  'case.json with measurements and remarks',
  (draw) => {
    const text = draw.style(['OD seen last year', 'left eye painful', 'referred by Dr. Weber, 12345', ''])
    return ({ above, shot, states, visit, files }, put) => {
      put.image()
      if (shot.number !== visit.shots.length) return
      const images = Object.fromEntries(visit.shots.map(({ eye }, index) => [files[index]!, eye]))
      const { images: named, ...fields } = JSON.parse(caseJson({ ...states, eye: null }, images)) as Record<
        string,
        unknown
      >
      const rest = { od_iop: 15, os_iop: 17, other_relevant_info: text }
      put.data(`${above}case.json`, JSON.stringify({ ...fields, ...rest, images: named }, null, 2), 4_000)
    }
  },
  {
    folders: [
      (draw) => `${draw.uuid()}/`,
      (_draw, visit) => `${visit.day}/${visit.index}/`,
      (draw) => `${hash(draw, 7)}/`,
    ],
  },
)

/** Folders that are called by a short hash, as programs name exams. */
const shortHashes = besideEach('plain', 'short hashes as folders', () => (_at, tree) => ({ tree }), {
  folders: [
    (draw) => `${hash(draw, 7)}/`,
    (draw) => `${draw.letters(2).toLowerCase()}/${hash(draw, 6)}/`,
    (draw) => `objects/${hash(draw, 8)}/`,
  ],
})

/** Some visits show one eye, once; the record states it. */
const oneEye = besideEach('plain', 'one image of one eye', () => (_at, tree) => ({ tree }), {
  perEye: [1, 1],
  oneEyed: 0.5,
})

/** Silent about the person: number, day and eye are all that is needed. */
const numberOnly = besideEach('plain', 'records without a person’s name', (draw, spelling) => {
  const dropped = draw.style([
    ['last', 'first'],
    ['last', 'first', 'birthDate', 'sex'],
    ['first', 'birthDate'],
  ] as const)
  return (_at, tree) => ({
    tree: tree.filter(([key]) => !dropped.some((field) => spelling.names[field] === key)),
  })
})

/** Empty values, as programs write what is not known. */
const emptyValues = besideEach('plain', 'empty values beside stated ones', (draw, spelling) => {
  const nothing = draw.style(['', null])
  const terms = draw.style([
    ['comment', 'diagnosis'],
    ['room', 'iop'],
    ['middle name', 'address'],
  ] as const)
  return ({ draw }, tree) => ({
    tree: terms.reduce<Tree>((all, term) => insert(draw, all, [keyOf(spelling, term), nothing]), tree),
  })
})

export const plainDocuments: readonly Convention[] = [
  listOfOne,
  vendorWrapper,
  wrapperWithMeta,
  earlierExams,
  otherPeople,
  partedBlocks,
  bothEyesMeasured,
  wholeExam,
  doubleExtension,
  xmlAttributes,
  monthNames,
  daysWithTimes,
  eyeWritings,
  workList,
  richCase,
  shortHashes,
  oneEye,
  numberOnly,
  emptyValues,
]

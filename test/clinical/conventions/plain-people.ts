/** People who are alike and have proof each, and sources that say one thing in more and in fewer terms. */
import type { Convention } from '../convention.ts'
import { drawSpelling, keyOf, toCsv, toJson, treeOf, withField } from '../documents.ts'
import { besideEach, dicomEach, drawForm, exams, perVisit, tableOfVisit, text, withMore } from '../exams.ts'
import { drawBirthDate, drawPerson, type Name } from '../people.ts'
import { dicomHeader, uid } from '../sources.ts'

/** Brothers and sisters, each under a number of their own, one after the other. */
const siblings = dicomEach(
  'plain',
  'siblings with numbers of their own',
  () => (_at, header) => ({ dicom: header }),
  (draw) => {
    const length = draw.style([6, 7, 8])
    return {
      minutesBetween: draw.style([
        [4, 9],
        [20, 40],
      ] as const),
      person: (draw, index, earlier) => {
        const person = drawPerson(draw, draw.digits(length))
        const before = earlier.at(-1)?.person
        return index % 2 === 1 && before && before.first !== person.first
          ? { ...person, last: before.last }
          : person
      },
    }
  },
)

/** Numbers that were given one after the other. */
const neighbours = besideEach(
  'plain',
  'patients with neighbouring numbers',
  () => (_at, tree) => ({ tree }),
  (draw) => {
    const step = draw.style([1, 2, 10])
    let next = Number(draw.digits(draw.style([6, 7, 8])))
    return { person: (draw) => drawPerson(draw, String((next += step))) }
  },
)

/** Two cameras at work at one time. */
const interleaved = dicomEach(
  'plain',
  'DICOM of two cameras at one time',
  () => (_at, header) => ({ dicom: header }),
  {
    minutesBetween: [-2, 0],
    perEye: [2, 3],
    secondsBetween: [15, 60],
  },
)

/** A whole mosaic of each eye. */
const manyImages = besideEach('plain', 'many images of each eye', () => (_at, tree) => ({ tree }), {
  perEye: [5, 9],
  secondsBetween: [2, 9],
})

/** DICOM has the whole name, and the document beside it an initial, or one of two first names. */
const fewerParts = exams(
  'plain',
  'a name in more and in fewer words',
  (draw) => {
    const spelling = drawSpelling(draw)
    const form = drawForm(draw)
    const shorten = draw.style([
      (first: string) => first.slice(0, 1),
      (first: string) => `${first.slice(0, 1)}.`,
      (first: string) => first.split(' ')[0]!,
      (first: string) => first.toUpperCase(),
    ])
    const studyOf = perVisit((_visit, draw) => uid(draw))
    return ({ above, stem, states, visit, draw }, put) => {
      put.image({}, dicomHeader(draw, states, studyOf(visit, draw)))
      const fewer = { ...states, first: shorten(states.first!) }
      put.data(`${above}${stem}.${form.extension}`, form.text(treeOf(spelling, fewer)))
    }
  },
  (draw) => {
    const second = draw.style(['Maria', 'Luisa', 'Pia'])
    const length = draw.style([6, 7])
    return {
      extension: '.dcm',
      person: (draw) => {
        const person = drawPerson(draw, draw.digits(length))
        return person.first === second ? person : { ...person, first: `${person.first} ${second}` }
      },
    }
  },
)

/** The age as DICOM writes it, and as a number in the document; the birth date is in neither, or in both. */
const ages = exams(
  'plain',
  'an age in the spellings of two sources',
  (draw) => {
    const spelling = drawSpelling(draw)
    const form = drawForm(draw)
    const key = keyOf(spelling, 'age')
    const unit = draw.style(['', ' years', 'y', 'Y'])
    const hasBirth = draw.style([true, false])
    const studyOf = perVisit((_visit, draw) => uid(draw))
    return ({ above, stem, states: all, visit, draw }, put) => {
      const states = hasBirth ? all : { ...all, birthDate: null }
      const { birthDate } = visit.person
      const whole = Number(visit.day.slice(0, 4)) - Number(birthDate.slice(0, 4))
      const age = visit.day.slice(5) >= birthDate.slice(5) ? whole : whole - 1
      const dicom = dicomHeader(draw, states, studyOf(visit, draw))
      put.image({}, withMore(dicom, text('00101010', 'AS', `${String(age).padStart(3, '0')}Y`)))
      const tree = [...treeOf(spelling, states), [key, unit === '' ? age : age + unit] as const]
      put.data(`${above}${stem}.${form.extension}`, form.text(tree))
    }
  },
  { extension: '.dcm' },
)

/** Decimal commas and addresses in quotes, in tables whose separator is the comma. */
const quotedCommas = tableOfVisit(
  'plain',
  'cells with separators in quotes',
  (draw, { spelling, delimiter }) => {
    const [sphere, address] = [keyOf(spelling, 'sphere'), keyOf(spelling, 'address')]
    const isFirst = draw.style([true, false])
    return ({ visit, draw }, { headings, rows }) => {
      const value = (): string => `1${delimiter}${draw.int(1, 9)}`
      const values = { right: value(), left: value() }
      const street = `Main St. ${draw.int(1, 9)}${delimiter} 2nd "B"`
      const put = (line: readonly string[], added: readonly string[]): string[] =>
        isFirst ? [...added, ...line] : [...line, ...added]
      const lines = [
        put(headings, [sphere, address]),
        ...rows.map((row, index) => put(row, [values[visit.shots[index]!.eye], street])),
      ]
      return { headings, rows, text: toCsv(lines, delimiter) }
    }
  },
)

const SPELT: readonly (Name & { readonly again: Name })[] = [
  ['Müller', 'Jürgen', 'MUELLER', 'JUERGEN'],
  ['Sørensen', 'Bjørn', 'Soerensen', 'Bjoern'],
  ['Núñez', 'Íñigo', 'NUNEZ', 'INIGO'],
  ['Weiß', 'Änne', 'Weiss', 'Aenne'],
  ['Gonçalves', 'João', 'GONCALVES', 'JOAO'],
  ['Łukasik', 'Małgorzata', 'LUKASIK', 'MALGORZATA'],
  ['García López', 'José María', 'GARCIA LOPEZ', 'JOSE MARIA'],
].map(([last = '', first = '', againLast = '', againFirst = '']) => ({
  last,
  first,
  again: { last: againLast, first: againFirst },
}))

/** A DICOM file and a document beside it write one value each in their own way. */
const spellings = exams(
  'plain',
  'one value in the spellings of two sources',
  (draw) => {
    const spelling = drawSpelling(draw)
    const isPlainInDicom = draw.style([true, false])
    const studyOf = perVisit((_visit, draw) => uid(draw))
    return ({ above, stem, states, visit, draw }, put) => {
      const again = SPELT.find(({ last }) => last === visit.person.last)!.again
      const [inDicom, inDocument] = isPlainInDicom
        ? [states, { ...states, ...again }]
        : [{ ...states, ...again }, states]
      put.image({}, dicomHeader(draw, inDicom, studyOf(visit, draw)))
      put.data(`${above}${stem}.json`, toJson(treeOf(spelling, inDocument)))
    }
  },
  (draw) => {
    const length = draw.style([6, 7])
    return {
      extension: '.dcm',
      person: (draw) => drawPerson(draw, draw.digits(length), [], draw.pick(SPELT)),
    }
  },
)

/** A photograph, its DICOM twin and a document: three files of one image that say the same. */
const threeFiles = exams('plain', 'an image, its DICOM twin and a document that agree', (draw) => {
  const spelling = drawSpelling(draw)
  const order = draw.style([800, 2_500])
  const dropsDay = draw.style([true, false])
  const studyOf = perVisit((_visit, draw) => uid(draw))
  return ({ above, stem, states, visit, shot, folder, draw }, put) => {
    const photograph = put.image()
    const mtimeMs =
      shot.atMs + Date.parse(visit.day) - Date.parse(new Date(shot.atMs).toISOString().slice(0, 10))
    folder.picture(visit, shot, `${above}${stem}.dcm`, {
      photograph,
      dicom: dicomHeader(draw, states, studyOf(visit, draw)),
      atMs: shot.atMs + order,
      mtimeMs,
    })
    const tree = treeOf(spelling, states)
    put.data(`${above}${stem}.json`, toJson(dropsDay ? withField(tree, spelling.names.day, undefined) : tree))
  }
})

/** A person whose birth date is also a number's, as many countries have it. */
const birthNumbers = besideEach(
  'plain',
  'numbers that begin with the birth date',
  () => (_at, tree) => ({ tree }),
  (draw) => {
    const order = draw.style(['dmy', 'ymd'] as const)
    const separator = draw.style(['', '-'])
    return {
      person: (draw) => {
        const birthDate = drawBirthDate(draw, 1931, 1998)
        const [year, month, day] = [birthDate.slice(2, 4), birthDate.slice(5, 7), birthDate.slice(8)]
        const head = order === 'dmy' ? day + month + year : year + month + day
        const rest = draw.digits(4)
        return { ...drawPerson(draw, head + separator + rest, [head + rest]), birthDate }
      },
    }
  },
)

export const plainPeople: readonly Convention[] = [
  siblings,
  neighbours,
  interleaved,
  manyImages,
  fewerParts,
  ages,
  spellings,
  quotedCommas,
  threeFiles,
  birthNumbers,
]

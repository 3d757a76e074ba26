/**
 * Two sources that differ about one fact: every pair of sources, every fact. Which of the two is false is drawn, so
 * neither may be believed; the other visits of the clinic have no contradiction.
 */
import { type Convention, type Folder, other, PROOF, READ, shiftDay, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { compactDay } from '../notation.ts'
import { drawBirthDate, drawStranger } from '../people.ts'
import {
  caseJson,
  csvText,
  dicomHeader,
  drawTableStyle,
  jsonText,
  type Statements,
  statementsOf,
  type TableStyle,
  uid,
  xmlText,
} from '../sources.ts'
import type { Eye, Facts, Shot, Visit } from '../world.ts'

type Source = 'folder' | 'file' | 'DICOM' | 'JSON' | 'XML' | 'table' | 'case.json' | 'twin'
type Fact = 'number' | 'name' | 'birth date' | 'sex' | 'day' | 'eye'

/** The pairs that can hold each fact. */
const PAIRS: Readonly<Record<Fact, readonly (readonly [Source, Source])[]>> = {
  number: [
    ['folder', 'file'],
    ['folder', 'case.json'],
    ['file', 'DICOM'],
    ['file', 'JSON'],
    ['file', 'table'],
    ['DICOM', 'JSON'],
    ['DICOM', 'case.json'],
    ['JSON', 'table'],
    ['file', 'twin'],
  ],
  name: [
    ['folder', 'file'],
    ['folder', 'case.json'],
    ['file', 'DICOM'],
    ['file', 'JSON'],
    ['DICOM', 'XML'],
    ['DICOM', 'table'],
  ],
  'birth date': [
    ['DICOM', 'JSON'],
    ['DICOM', 'case.json'],
    ['XML', 'table'],
  ],
  sex: [
    ['DICOM', 'JSON'],
    ['case.json', 'XML'],
    ['DICOM', 'table'],
  ],
  day: [
    ['folder', 'file'],
    ['folder', 'JSON'],
    ['file', 'DICOM'],
    ['file', 'XML'],
    ['file', 'table'],
    ['DICOM', 'case.json'],
  ],
  eye: [
    ['folder', 'file'],
    ['file', 'DICOM'],
    ['file', 'JSON'],
    ['file', 'XML'],
    ['file', 'table'],
    ['file', 'case.json'],
    ['DICOM', 'JSON'],
    ['DICOM', 'table'],
    ['file', 'twin'],
  ],
}

/** How a clinic's falsehoods look. */
type Slip = {
  readonly number: (draw: Draw, id: string) => string
  /** How many days a false day is off. */
  readonly days: readonly [number, number]
}

const NUMBER_SLIPS: readonly Slip['number'][] = [
  (draw, id) => draw.digits(id.length),
  (draw, id) => draw.digits(id.length - 1),
  (draw, id) => draw.digits(id.length + 1),
  (_draw, id) => id.slice(0, 2) + String((Number(id[2]) + 1) % 10) + id.slice(3),
  (_draw, id) => id.slice(0, -1),
  (_draw, id) => `0${id}`,
]

function falsify(draw: Draw, slip: Slip, visit: Visit, fact: Fact, states: Statements): Statements {
  switch (fact) {
    case 'number':
      return { ...states, id: slip.number(draw, visit.person.id) }
    case 'name': {
      const { last, first } = drawStranger(draw, visit.person, '')
      return { ...states, last, first }
    }
    case 'birth date': {
      const birthDate = drawBirthDate(draw, 1931, 1998)
      return { ...states, birthDate: birthDate === states.birthDate ? '1930-01-02' : birthDate }
    }
    case 'sex':
      return { ...states, sex: states.sex === 'F' ? 'M' : 'F' }
    case 'day':
      return { ...states, day: shiftDay(visit.day, -draw.int(...slip.days)) }
    case 'eye':
      return { ...states, eye: states.eye === null ? null : other(states.eye) }
  }
}

const FACT_OF: Readonly<Record<Fact, keyof Facts>> = {
  number: 'who',
  name: 'who',
  'birth date': 'who',
  sex: 'who',
  day: 'day',
  eye: 'eye',
}

const SHARE = 0.6

function contradiction(fact: Fact, sources: readonly [Source, Source]): Convention {
  return trap(`${fact}: ${sources[0]} against ${sources[1]}`, (draw) => {
    const numbering = plainNumbers(draw)
    const style = drawTableStyle(draw)
    const slip: Slip = {
      number: draw.style(NUMBER_SLIPS),
      days: draw.style([
        [1, 2],
        [3, 40],
        [365, 800],
      ] as const),
    }
    const hasRecord = sources.some((source) => source !== 'folder' && source !== 'file')
    const facts = hasRecord ? PROOF : READ
    return {
      facts,
      numbering,
      write: (visit, folder) => {
        const isFalse = folder.draw.chance(SHARE)
        const falseSource = folder.draw.pick(sources)
        // One false value for the whole visit; an eye may be false in some images only.
        const wrong = falsify(folder.draw, slip, visit, fact, statementsOf(visit, null))
        const isEyeFalse = visit.shots.map((shot) => shot.number === 1 || folder.draw.chance(0.5))
        const says = (source: Source, shot: Shot | null): Statements => {
          const truth = statementsOf(visit, shot?.eye ?? null)
          if (!isFalse || source !== falseSource) return truth
          if (fact !== 'eye') return { ...wrong, eye: truth.eye }
          return shot !== null && isEyeFalse[shot.number - 1] === true
            ? { ...truth, eye: other(shot.eye) }
            : truth
        }
        writeSources({ folder, visit, sources, style, says }, (shot) =>
          isFalse && (fact !== 'eye' || isEyeFalse[shot.number - 1] === true)
            ? { [FACT_OF[fact]]: 'disputed' }
            : {},
        )
      },
    }
  })
}

type Writing = {
  readonly folder: Folder
  readonly visit: Visit
  readonly sources: readonly Source[]
  readonly style: TableStyle
  readonly says: (source: Source, shot: Shot | null) => Statements
}

/** Writes the visit so that each of its sources says what it says; names that are no source are silent. */
function writeSources(
  { folder, visit, sources, style, says }: Writing,
  factsOf: (shot: Shot) => Partial<Facts>,
): void {
  const has = (source: Source): boolean => sources.includes(source)
  const study = uid(folder.draw)
  const lastMs = visit.shots.at(-1)!.atMs
  const neutral = `${visit.day}_${visit.ofDay}`
  const above = has('folder') ? folderName(says('folder', null)) : neutral
  const rows: { file: string; states: Statements }[] = []
  const images: Record<string, Eye> = {}
  for (const shot of visit.shots) {
    const facts = factsOf(shot)
    const eyeFolder = has('folder') && has('file') ? `/${eyeName(says('folder', shot).eye)}` : ''
    const stem = has('file') ? fileName(says('file', shot), shot) : `IMG_${visit.index}${shot.number + 100}`
    const path = `${above}${eyeFolder}/${stem}`
    const file = `${stem}${has('DICOM') ? '.dcm' : '.jpg'}`
    const options = has('DICOM')
      ? { facts, dicom: dicomHeader(folder.draw, says('DICOM', shot), study) }
      : { facts }
    const photograph = folder.picture(visit, shot, `${above}${eyeFolder}/${file}`, options)
    if (has('twin'))
      folder.picture(visit, shot, `${path}.dcm`, {
        facts,
        photograph,
        dicom: dicomHeader(folder.draw, says('twin', shot), study),
        atMs: shot.atMs + 1_000,
      })
    if (has('JSON')) folder.data(`${path}.json`, jsonText(style, says('JSON', shot)), shot.atMs + 1_200)
    if (has('XML')) folder.data(`${path}.xml`, xmlText(style, says('XML', shot)), shot.atMs + 1_300)
    rows.push({ file, states: says('table', shot) })
    const { eye } = says('case.json', shot)
    if (eye !== null) images[file] = eye
  }
  if (has('table')) folder.data(`${above}/export.csv`, csvText(style, rows), lastMs + 3_000)
  if (has('case.json'))
    folder.data(`${above}/case.json`, caseJson(says('case.json', null), images), lastMs + 4_000)
}

const folderName = ({ id, last, first, day }: Statements): string => `${last} ${first}_${id}_${day}`

const eyeName = (eye: Eye | null): string => (eye === 'right' ? 'OD' : eye === 'left' ? 'OS' : 'images')

const fileName = ({ id, last, day, eye }: Statements, shot: Shot): string =>
  [id, last, compactDay(day ?? ''), eyeName(eye), shot.number].join('_')

export const contradictions: readonly Convention[] = Object.entries(PAIRS).flatMap(([fact, pairs]) =>
  pairs.map((pair) => contradiction(fact as Fact, pair)),
)

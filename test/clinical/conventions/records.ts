/** Data files that say whose image it is: a sidecar for each image, a record of a folder, a table. */
import { eachShot, type Convention, type Folder, plain, PROOF, READ, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { compactDay, drawNotation } from '../notation.ts'
import {
  caseJson,
  csvText,
  drawDocumentStyle,
  drawTableStyle,
  jsonText,
  statementsOf,
  type TableRow,
  xmlText,
} from '../sources.ts'
import type { Eye, Shot, TextEncoding, Visit } from '../world.ts'

/** Image names that say nothing: unique ids, counters of the camera, the time. */
const SILENT_STEMS = [
  (draw: Draw, _visit: Visit, _shot: Shot) => draw.uuid(),
  (_draw: Draw, visit: Visit, shot: Shot) => `IMG_${String(visit.index * 20 + shot.number).padStart(4, '0')}`,
  (_draw: Draw, visit: Visit, shot: Shot) =>
    `DSC${String(1_000 + visit.index * 20 + shot.number).padStart(5, '0')}`,
] as const

type Order = 'data first' | 'data after' | 'data at the end'
const ORDERS: readonly Order[] = ['data first', 'data after', 'data at the end']

/** When the data of a shot arrive; the end of the visit is within the quiet time. */
function dataTime(order: Order, visit: Visit, shot: Shot): number {
  if (order === 'data first') return shot.atMs - 1_500
  return order === 'data after' ? shot.atMs + 1_500 : visit.shots.at(-1)!.atMs + 5_000 + shot.number * 100
}

/** One document for each image, of the same stem, that states everything. */
function sidecars(name: string, format: 'json' | 'xml', statesFile: boolean): Convention {
  return plain(
    name,
    (draw) => {
      const stem = draw.style(SILENT_STEMS)
      const style = drawDocumentStyle(draw)
      const order = draw.style(ORDERS)
      const encoding: TextEncoding = draw.style(['utf8', 'utf8 with BOM', 'utf16le'])
      const above = draw.style(['', 'export/', 'folder'])
      return {
        facts: PROOF,
        write: eachShot((visit, shot, folder) => {
          const name = stem(folder.draw, visit, shot)
          const path = (above === 'folder' ? `${visit.person.id}/` : above) + name
          folder.picture(visit, shot, `${path}.jpg`)
          const states = statementsOf(visit, shot.eye)
          const file = statesFile ? `${name}.jpg` : null
          const text = format === 'json' ? jsonText(style, states, file) : xmlText(style, states, file)
          // XML names its encoding in its first line, which says UTF-8 here.
          const written = format === 'xml' && encoding === 'utf16le' ? 'utf8' : encoding
          folder.data(`${path}.${format}`, text, dataTime(order, visit, shot), written)
        }),
      }
    },
    { handsFree: 'without profile' },
  )
}

/** A record in the visit's own folder that names its images. */
const caseRecord = plain(
  'case.json that names its images',
  (draw) => {
    const stem = draw.style(SILENT_STEMS)
    const isFirst = draw.style([true, false])
    const above = draw.style(['number and day', 'unique', 'day and count'] as const)
    return {
      facts: PROOF,
      write: (visit, folder) => {
        const base = {
          'number and day': () => `${visit.person.id}_${compactDay(visit.day)}`,
          unique: () => folder.draw.uuid(),
          'day and count': () => `${visit.day}/${visit.ofDay}`,
        }[above]()
        const images: Record<string, Eye> = {}
        for (const shot of visit.shots) {
          const file = `${stem(folder.draw, visit, shot)}.jpg`
          images[file] = shot.eye
          folder.picture(visit, shot, `${base}/${file}`)
        }
        const atMs = isFirst ? visit.startMs - 3_000 : visit.shots.at(-1)!.atMs + 4_000
        folder.data(`${base}/case.json`, caseJson(statementsOf(visit, null), images), atMs)
      },
    }
  },
  { handsFree: 'without profile' },
)

/** A record that names no image: the names state the eyes, and any reader puts them together. */
const caseRecordOfFolder = plain('case.json of a folder, eyes in names', (draw) => {
  const n = drawNotation(draw)
  const isFirst = draw.style([true, false])
  return {
    facts: READ,
    write: (visit, folder) => {
      const base = `${visit.person.id}_${compactDay(visit.day)}`
      for (const shot of visit.shots)
        folder.picture(visit, shot, `${base}/${[n.eye(shot.eye), n.counter(shot)].join('_')}${n.extension}`)
      const atMs = isFirst ? visit.startMs - 3_000 : visit.shots.at(-1)!.atMs + 4_000
      folder.data(`${base}/case.json`, caseJson(statementsOf(visit, null), null), atMs)
    },
  }
})

/** A table with a row for each image. */
function table(name: string, scope: 'visit' | 'day', handsFree: Convention['handsFree']): Convention {
  return plain(
    name,
    (draw) => {
      const stem = draw.style(SILENT_STEMS)
      const style = drawTableStyle(draw)
      const encoding: TextEncoding = draw.style(['utf8', 'utf8 with BOM', 'utf16le'])
      const file = draw.style(['export.csv', 'images.csv', 'index.csv'])
      const rows: (TableRow & { readonly day: string })[] = []
      return {
        facts: PROOF,
        write: (visit, folder) => {
          const base = scope === 'visit' ? `${visit.day}_${visit.ofDay}/` : `${visit.day}/`
          const start = rows.length
          for (const shot of visit.shots) {
            const name = `${stem(folder.draw, visit, shot)}.jpg`
            folder.picture(visit, shot, base + name)
            rows.push({ file: name, states: statementsOf(visit, shot.eye), day: visit.day })
          }
          const included = scope === 'visit' ? rows.slice(start) : rows.filter(({ day }) => day === visit.day)
          folder.data(base + file, csvText(style, included), visit.shots.at(-1)!.atMs + 5_000, encoding)
        },
      }
    },
    { handsFree },
  )
}

/** A record that names images which other patients' images were called before, in the same folder. */
function overwritten(name: string, when: 'before' | 'within' | 'late'): Convention {
  return trap(name, (draw) => {
    const current = draw.style(['current', 'Export', 'latest'])
    const names = draw.style([
      { right: 'OD', left: 'OS' },
      { right: 'right', left: 'left' },
      { right: 'IMG_0001', left: 'IMG_0002' },
    ])
    const hasImages = draw.style([true, false])
    const [patients, used] = [new Set<string>(), new Set<string>()]
    return {
      // The records of the first patient are like any others; after that every name has meant other bytes.
      facts: { who: 'weak', day: 'weak', eye: 'weak' },
      perEye: [1, 1],
      write: (visit, folder) => {
        patients.add(visit.person.id)
        const images: Record<string, Eye> = {}
        for (const shot of visit.shots) {
          const file = `${names[shot.eye]}.jpg`
          images[file] = shot.eye
          // Also a name that is new for a patient who comes back.
          const isLikeAny = patients.size === 1 && !used.has(file) && (hasImages || visit.index === 0)
          used.add(file)
          folder.picture(visit, shot, `${current}/${file}`, {
            facts: !isLikeAny ? {} : hasImages ? PROOF : READ,
          })
        }
        const text = caseJson(statementsOf(visit, null), hasImages ? images : null)
        const lastMs = visit.shots.at(-1)!.atMs
        const atMs = { before: visit.startMs - 5_000, within: lastMs + 20_000, late: lastMs + 240_000 }[when]
        folder.data(`${current}/case.json`, text, atMs)
      },
    }
  })
}

/** A record that comes after the quiet time of its images, in a folder of their own. */
const lateRecord = trap('sidecars after the quiet time', (draw) => {
  const stem = draw.style(SILENT_STEMS)
  const style = drawDocumentStyle(draw)
  const minutes = draw.style([5, 12, 45])
  return {
    facts: PROOF,
    write: eachShot((visit, shot, folder) => {
      const path = `${visit.day}_${visit.ofDay}/${stem(folder.draw, visit, shot)}`
      folder.picture(visit, shot, `${path}.jpg`)
      folder.data(
        `${path}.json`,
        jsonText(style, statementsOf(visit, shot.eye)),
        shot.atMs + minutes * 60_000,
      )
    }),
  }
})

/** A table of all patients: the number in the name finds the row, which gives facts and no identity. */
const patientList = trap('a list of patients beside names', (draw) => {
  const numbering = plainNumbers(draw)
  const style = drawTableStyle(draw)
  const n = drawNotation(draw)
  const file = draw.style(['patients.csv', 'worklist.csv', 'list.csv'])
  const seen: TableRow[] = []
  return {
    facts: READ,
    numbering,
    write: (visit, folder) => {
      seen.push({ file: '', states: { ...statementsOf(visit, null), day: null } })
      folder.data(file, withoutFile(csvText(style, seen), style.delimiter), visit.startMs - 60_000)
      writeNamed(visit, folder, n)
    },
  }
})

/** Drops the first column, which names no file here. */
const withoutFile = (text: string, delimiter: string): string =>
  text
    .split('\r\n')
    .map((line) => line.slice(line.indexOf(delimiter) + 1))
    .join('\r\n')

function writeNamed(visit: Visit, folder: Folder, n: ReturnType<typeof drawNotation>): void {
  for (const shot of visit.shots) {
    const name = [visit.person.id, n.day(visit.day), n.eye(shot.eye), n.counter(shot)].join('_')
    folder.picture(visit, shot, name + n.extension)
  }
}

/** A document of measurements: both eyes are in it, and neither is that of the image. */
const measurements = trap('measurements of both eyes beside an image', (draw) => {
  const stem = draw.style(SILENT_STEMS)
  const shape = draw.style(['blocks', 'prefixes', 'list'] as const)
  const order = draw.style(ORDERS)
  return {
    facts: { ...PROOF, eye: 'hidden' },
    write: eachShot((visit, shot, folder) => {
      const path = `${visit.person.id}/${stem(folder.draw, visit, shot)}`
      const { id, last, first } = visit.person
      const head = { patientId: id, lastName: last, firstName: first, examDate: visit.day }
      const body = {
        blocks: { OD: { sphere: -1.25, iop: 15 }, OS: { sphere: -0.75, iop: 16 } },
        prefixes: { od_sphere: -1.25, os_sphere: -0.75, od_iop: 15, os_iop: 16 },
        list: {
          measurements: [
            { eye: 'OD', iop: 15 },
            { eye: 'OS', iop: 16 },
          ].slice(0, 1 + (shot.number % 2)),
        },
      }[shape]
      folder.picture(visit, shot, `${path}.jpg`)
      folder.data(`${path}.json`, JSON.stringify({ ...head, ...body }), dataTime(order, visit, shot))
    }),
  }
})

export const records: readonly Convention[] = [
  sidecars('JSON beside each image', 'json', false),
  sidecars('JSON that states its file', 'json', true),
  sidecars('XML beside each image', 'xml', false),
  sidecars('XML that states its file', 'xml', true),
  caseRecord,
  caseRecordOfFolder,
  table('table in the visit’s folder', 'visit', 'without profile'),
  table('table of the day, written over', 'day', 'without profile'),
  overwritten('images and record written over, record first', 'before'),
  overwritten('images and record written over, record last', 'within'),
  overwritten('images and record written over, record late', 'late'),
  lateRecord,
  patientList,
  measurements,
]

/** What contradicts a case that has left, and data files that no program should trust or trip over. */
import { type Convention, other, PROOF, READ, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { clock, compactDay, drawNotation } from '../notation.ts'
import { drawPerson, drawStranger } from '../people.ts'
import {
  csvText,
  dicomHeader,
  drawDocumentStyle,
  drawTableStyle,
  jsonText,
  type Statements,
  statementsOf,
  uid,
} from '../sources.ts'
import type { Shot, TextEncoding, Visit } from '../world.ts'

type Fact = 'number' | 'name' | 'eye'

function falsely(draw: Draw, fact: Fact, visit: Visit, shot: Shot): Statements {
  const truth = statementsOf(visit, shot.eye)
  if (fact === 'eye') return { ...truth, eye: other(shot.eye) }
  const { id, last, first } = drawStranger(draw, visit.person, draw.digits(7))
  return fact === 'number' ? { ...truth, id } : { ...truth, last, first }
}

/** A file that says otherwise, long after the case was sent for good reasons. */
function lateContradiction(name: string, carrier: 'DICOM' | 'JSON', late: 'JSON' | 'twin'): Convention {
  return trap(name, (draw) => {
    const style = drawDocumentStyle(draw)
    const fact = draw.style(['number', 'name', 'eye'] as const)
    const minutes = draw.style([6, 20, 240])
    return {
      facts: PROOF,
      write: (visit, folder) => {
        const study = uid(folder.draw)
        const isContradicted = folder.draw.chance(0.6)
        for (const shot of visit.shots) {
          const path = `${visit.day}_${visit.ofDay}/IMG_${visit.index}${shot.number + 100}`
          const states = statementsOf(visit, shot.eye)
          const photograph =
            carrier === 'DICOM'
              ? folder.picture(visit, shot, `${path}.dcm`, {
                  dicom: dicomHeader(folder.draw, states, study),
                })
              : folder.picture(visit, shot, `${path}.jpg`)
          if (carrier === 'JSON') folder.data(`${path}.json`, jsonText(style, states), shot.atMs + 1_000)
          if (!isContradicted || shot.number > 1) continue
          folder.contradict(visit)
          const atMs = shot.atMs + minutes * 60_000
          const wrong = falsely(folder.draw, fact, visit, shot)
          if (late === 'JSON') folder.data(`${path}.json`, jsonText(style, wrong), atMs)
          else
            folder.picture(visit, shot, `${path}.dcm`, {
              photograph,
              atMs,
              dicom: dicomHeader(folder.draw, wrong, study),
              // It adds no photograph, and nothing about it may leave.
              facts: { who: 'disputed', eye: 'disputed' },
            })
        }
      },
    }
  })
}

/** Names of more than 200 bytes, with the number and the eye far apart. */
const longNames = trap('very long names', (draw) => {
  const n = drawNotation(draw)
  const numbering = plainNumbers(draw)
  const filler = draw.style(['Ophthalmology-Department-', 'Абвгд-', 'Überweisung-'])
  const order = draw.style(['before', 'between'] as const)
  return {
    facts: READ,
    numbering,
    write: (visit, folder) => {
      const long = filler.repeat(Math.floor(170 / Buffer.byteLength(filler)))
      for (const shot of visit.shots) {
        const rest = [compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        const parts = order === 'before' ? [long, visit.person.id, rest] : [visit.person.id, long, rest]
        folder.picture(visit, shot, parts.join('_') + n.extension)
      }
    },
  }
})

const MANY = 300

/** A table of the whole clinic, most of it about files that are not there. */
const hugeTable = trap('a table of hundreds of patients', (draw) => {
  const style = drawTableStyle(draw)
  const encoding: TextEncoding = draw.style(['utf8', 'latin1', 'utf16le'])
  const file = draw.style(['all.csv', 'export.csv'])
  const strangers = Array.from({ length: MANY }, (_, index) => {
    const states = { ...drawPerson(draw, draw.digits(7)), day: '2025-03-04', eye: 'right' as const }
    const { id, last, first, birthDate, sex, day, eye } = states
    return { file: `old${index}.jpg`, states: { id, last, first, birthDate, sex, day, eye } }
  })
  return {
    facts: PROOF,
    isOneDay: true,
    write: (visit, folder) => {
      const own = visit.shots.map((shot) => {
        const name = `S${visit.index}_${clock(shot.atMs)}_${shot.number}.jpg`
        folder.picture(visit, shot, `${visit.ofDay}/${name}`)
        return { file: name, states: statementsOf(visit, shot.eye) }
      })
      // Only one visit has the whole table: drawing has to stay quick.
      const rows = visit.index === 0 ? [...strangers, ...own] : own
      folder.data(`${visit.ofDay}/${file}`, csvText(style, rows), visit.shots.at(-1)!.atMs + 3_000, encoding)
    },
  }
})

/** Sidecars that are no documents, or say a thing twice. */
const brokenSidecars = trap('broken or doubled data files', (draw) => {
  const n = drawNotation(draw)
  const numbering = plainNumbers(draw)
  const text = draw.style([
    () => '',
    () => '{"patientId": "12',
    (id: string) => `{"patientId": "${id}"`,
    (id: string) => `[{"patientId": "${id}"}, {"patientId": "${id}7"}]`,
    (id: string) => `{"patientId": "${id}", "patientId": "${id}7"}`,
    () => '{"patientId": null, "eye": ""}',
    () => 'null',
    () => '{"patientId": {"value": [1, 2]}, "eye": ["OD", "OS"]}',
  ])
  const extension = draw.style(['.json', '.JSON'])
  return {
    facts: { who: 'weak', day: 'weak', eye: 'weak' },
    numbering,
    write: (visit, folder) => {
      const { id } = visit.person
      for (const shot of visit.shots) {
        const stem = [id, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, stem + n.extension)
        folder.data(stem + extension, text(id), shot.atMs + 1_000)
      }
    },
  }
})

/** A number as JSON's number: a leading zero is lost, and 004512 and 4512 are not the same text. */
const numericIds = trap('JSON numbers instead of texts', (draw) => {
  const n = drawNotation(draw)
  const isPadded = draw.style([true, false])
  const width = draw.style([6, 7, 8])
  return {
    facts: PROOF,
    numbering: (draw) => {
      const number = draw.digits(isPadded ? width - 2 : width)
      return { id: number.padStart(width, '0'), aliases: [] }
    },
    write: (visit, folder) => {
      const { id, last, first } = visit.person
      for (const shot of visit.shots) {
        const stem = [id, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
        folder.picture(visit, shot, `${stem}.jpg`, { facts: isPadded ? { who: 'disputed' } : {} })
        const eye = shot.eye === 'right' ? 'OD' : 'OS'
        folder.data(
          `${stem}.json`,
          `{"patientId": ${Number(id)}, "lastName": "${last}", "firstName": "${first}", "examDate": "${visit.day}", "eye": "${eye}"}`,
          shot.atMs + 1_000,
        )
      }
    },
  }
})

export const lateAndBad: readonly Convention[] = [
  lateContradiction('DICOM sent, a JSON document contradicts later', 'DICOM', 'JSON'),
  lateContradiction('JSON sent, written over by a contradiction later', 'JSON', 'JSON'),
  lateContradiction('JSON sent, a DICOM twin contradicts later', 'JSON', 'twin'),
  longNames,
  hugeTable,
  brokenSidecars,
  numericIds,
]

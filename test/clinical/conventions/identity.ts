/** Numbers that belong to no one, to two people, or to one person twice. */
import { eachShot, type Convention, type Folder, PROOF, READ, type Style, trap } from '../convention.ts'
import type { Draw } from '../draw.ts'
import { plainNumbers } from '../ids.ts'
import { clock, compactDay, drawNotation } from '../notation.ts'
import { drawPerson, drawStranger } from '../people.ts'
import { dicomHeader, drawDocumentStyle, jsonText, statementsOf, uid } from '../sources.ts'
import type { Facts, Person, Shot, Visit } from '../world.ts'

/** How a visit states who it is; `written` is written instead of the person's number. */
type Writer = (visit: Visit, folder: Folder, written: string, facts: Partial<Facts>) => void

type Carrier = 'names' | 'folders' | 'DICOM' | 'JSON'

function writerOf(draw: Draw, carrier: Carrier): Writer {
  const n = drawNotation(draw)
  const style = drawDocumentStyle(draw)
  const hasName = draw.style([true, false])
  const pathOf = ({ person: { last, first }, day }: Visit, number: string, shot: Shot): string => {
    const rest = [number, compactDay(day), clock(shot.atMs), n.eye(shot.eye)].join('_')
    // Clinics that write no name into files write it into the folder.
    if (carrier === 'folders') return `${number} ${last} ${first}/${rest}${n.extension}`
    return `${hasName ? `${last}_${first}_` : `${last}_`}${rest}${n.extension}`
  }
  return (visit, folder, written, facts) => {
    const study = uid(folder.draw)
    const states = (eye: Shot['eye']) => ({ ...statementsOf(visit, eye), id: written })
    for (const shot of visit.shots) {
      if (carrier === 'DICOM')
        folder.picture(visit, shot, `${folder.draw.uuid()}.dcm`, {
          facts,
          dicom: dicomHeader(folder.draw, states(shot.eye), study),
        })
      else if (carrier === 'JSON') {
        const stem = folder.draw.uuid()
        folder.picture(visit, shot, `${stem}.jpg`, { facts })
        folder.data(`${stem}.json`, jsonText(style, states(shot.eye)), shot.atMs + 1_000)
      } else folder.picture(visit, shot, pathOf(visit, written, shot), { facts })
    }
  }
}

const baseFacts = (carrier: Carrier): Facts => (carrier === 'DICOM' || carrier === 'JSON' ? PROOF : READ)

/** The number was not changed at the camera: the next patient is photographed under the last one's. */
function unchangedNumber(carrier: Carrier): Convention {
  return trap(`next patient under the last number, in ${carrier}`, (draw): Style => {
    const numbering = plainNumbers(draw)
    const write = writerOf(draw, carrier)
    const gap = draw.style([
      [0, 1],
      [3, 8],
      [12, 40],
    ] as const)
    let lastNumber = ''
    return {
      facts: baseFacts(carrier),
      isOneDay: true,
      minutesBetween: gap,
      person: (draw, index, earlier) => {
        const { id } = numbering(draw)
        return index % 2 === 0 ? drawPerson(draw, id) : drawStranger(draw, earlier.at(-1)!.person, id)
      },
      write: (visit, folder) => {
        const isSecond = visit.index % 2 === 1
        if (!isSecond) lastNumber = visit.person.id
        // Until the second patient comes, nothing speaks against the first.
        write(visit, folder, isSecond ? lastNumber : visit.person.id, isSecond ? { who: 'disputed' } : {})
      },
    }
  })
}

const PLACEHOLDERS = [
  'UNKNOWN',
  'ANONYMOUS',
  'N-A',
  'TEST',
  'TEMP',
  'NONE',
  'unbekannt',
  'desconocido',
  'inconnu',
  'desconhecido',
  'sconosciuto',
  'Patient',
  'Paciente',
  'NN',
  '000000',
  '999999',
  '111111',
  '123456',
  '12345678',
  '0',
] as const
const DEVICES = [
  'WARD322',
  'SN48213',
  'OPD12',
  'LAB2',
  'VAN04',
  'UNIT7',
  'ROOM12',
  'TRC-NW8',
  'Station3',
  'CAM01',
]

function placeholder(name: string, texts: readonly string[], carrier: Carrier): Convention {
  return trap(name, (draw) => {
    const text = draw.style(texts)
    const write = writerOf(draw, carrier)
    const gap = draw.style([
      [0, 2],
      [4, 30],
    ] as const)
    return {
      facts: { ...baseFacts(carrier), who: 'hidden' },
      minutesBetween: gap,
      write: (visit, folder) => write(visit, folder, text, {}),
    }
  })
}

/** Names and files with nothing of a patient but the ward's or device's own number, and no person's name. */
function namelessPlaceholder(name: string, texts: readonly string[]): Convention {
  return trap(name, (draw) => {
    const text = draw.style(texts)
    const n = drawNotation(draw)
    const isTwice = draw.style([true, false])
    const gap = draw.style([
      [0, 2],
      [4, 30],
    ] as const)
    return {
      facts: { ...READ, who: 'hidden' },
      minutesBetween: gap,
      write: eachShot((visit, shot, folder) => {
        const file = [text, compactDay(visit.day), shot.atMs % 86_400_000, n.eye(shot.eye)].join('_')
        folder.picture(visit, shot, (isTwice ? `${text}/` : '') + file + n.extension)
      }),
    }
  })
}

const DICOM_PLACEHOLDERS = [...PLACEHOLDERS, 'N/A', '-', 'ANON', 'NOID', '.']

/** A placeholder for the number, and no name either. */
const anonymousDicom = trap('DICOM placeholder without a name', (draw) => {
  const text = draw.style(DICOM_PLACEHOLDERS)
  const name = draw.style(['', 'Anonymous', 'ANONYMOUS^PATIENT', 'Unknown^Unknown'])
  const gap = draw.style([
    [0, 2],
    [4, 30],
  ] as const)
  return {
    facts: { ...PROOF, who: 'hidden' },
    minutesBetween: gap,
    write: (visit, folder) => {
      // One study for all, as devices do whose study is never closed.
      const study = `2.25.${visit.day.replaceAll('-', '')}`
      for (const shot of visit.shots) {
        const states = {
          ...statementsOf(visit, shot.eye),
          id: text,
          last: null,
          first: null,
          birthDate: null,
          sex: null,
        }
        folder.picture(visit, shot, `${uid(folder.draw)}.dcm`, {
          dicom: { ...dicomHeader(folder.draw, states, study), patientName: name },
        })
      }
    },
  }
})

/** One person under an old and a new number, in one visit. */
const twoNumbers = trap('one patient under two numbers', (draw) => {
  const numbering = plainNumbers(draw)
  const carrier = draw.style(['names', 'folders', 'DICOM', 'JSON'] as const)
  const write = writerOf(draw, carrier)
  return {
    // Each image states its own number, and both are the patient's.
    facts: baseFacts(carrier),
    person: (draw) => {
      const [now, before] = [numbering(draw).id, numbering(draw).id]
      return drawPerson(draw, now, [before])
    },
    write: (visit, folder) => {
      const half = Math.ceil(visit.shots.length / 2)
      const [now, before] = [visit.person.id, visit.person.aliases[0]!]
      write({ ...visit, shots: visit.shots.slice(0, half) }, folder, now, {})
      write({ ...visit, shots: visit.shots.slice(half) }, folder, before, {})
    },
  }
})

/** Two people of one name on one day, each with a number: twins, or father and son. */
const namesakes = trap('two people of one name', (draw) => {
  const numbering = plainNumbers(draw)
  const carrier = draw.style(['names', 'folders', 'DICOM', 'JSON'] as const)
  const write = writerOf(draw, carrier)
  return {
    facts: baseFacts(carrier),
    isOneDay: true,
    minutesBetween: [0, 10],
    person: (draw, index, earlier): Person => {
      const { id } = numbering(draw)
      const person = drawPerson(draw, id)
      return index % 2 === 0 ? person : { ...earlier.at(-1)!.person, id, aliases: [] }
    },
    write: (visit, folder) => write(visit, folder, visit.person.id, {}),
  }
})

/** The same number at two sites whose folders lie side by side: two people. */
const twoSites = trap('two sites with numbers of their own', (draw) => {
  const numbering = plainNumbers(draw)
  const n = drawNotation(draw)
  const sites = draw.style([
    ['South Clinic', 'North Clinic'],
    ['Site1', 'Site2'],
    ['Altona', 'Bergedorf'],
  ] as const)
  let number = ''
  return {
    facts: READ,
    isOneDay: true,
    person: (draw, index, earlier) => {
      if (index % 2 === 0) number = numbering(draw).id
      return index % 2 === 0 ? drawPerson(draw, number) : drawStranger(draw, earlier.at(-1)!.person, number)
    },
    write: eachShot((visit, shot, folder) => {
      const { id, last, first } = visit.person
      const rest = [id, compactDay(visit.day), n.eye(shot.eye), shot.ofEye].join('_')
      const path = `${sites[visit.index % 2]}/${last} ${first}/${rest}${n.extension}`
      folder.picture(visit, shot, path, { facts: { who: visit.index % 2 === 0 ? 'read' : 'disputed' } })
    }),
  }
})

export const identity: readonly Convention[] = [
  unchangedNumber('names'),
  unchangedNumber('folders'),
  unchangedNumber('DICOM'),
  unchangedNumber('JSON'),
  placeholder('placeholder for the number, in names', PLACEHOLDERS, 'names'),
  placeholder('placeholder for the number, in folders', PLACEHOLDERS, 'folders'),
  placeholder('placeholder for the number, in DICOM', DICOM_PLACEHOLDERS, 'DICOM'),
  placeholder('placeholder for the number, in JSON', DICOM_PLACEHOLDERS, 'JSON'),
  namelessPlaceholder('placeholder and no name', PLACEHOLDERS),
  namelessPlaceholder('device or ward instead of a patient', DEVICES),
  anonymousDicom,
  twoNumbers,
  namesakes,
  twoSites,
]

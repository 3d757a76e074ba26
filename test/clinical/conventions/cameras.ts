/** What cameras and their programs write, each with its public source; all people and numbers are drawn. */
import { eachShotOfStudy, eachShot, type Convention, plain, PROOF, READ, trap } from '../convention.ts'
import { hyphenated, longNumbers } from '../ids.ts'
import { clock, compactDay, drawNotation, ENGLISH_CODES, twelveHourClock } from '../notation.ts'
import { dicomHeader, statementsOf, uid } from '../sources.ts'

const WATCHDOG = 'github.com/erikvw/fundus-camera-watchdog, README (RetCamOutput)'
const AI_READI = 'github.com/AI-READI/fairhub-pipeline, imaging_classifying_rules.py'
const PHELCOM = 'phelcom.com/helpcenter/structure-server-file'
const PHELCOM_DICOM = 'phelcom.com/helpcenter/setting-up-a-server-for-file-sharing-dicom'
const REMIDIO = 'github.com/drguptavivek/fundus_img_xtract, structure of the FOP archives'
const VISUCAM = 'Zeiss VISUCAM DICOM conformance statement 5.3 (files on a network file system)'

const retcam = plain(
  'RetCam workstation with twins',
  (draw) => {
    const view = draw.style(['Retina', 'Fundus', 'Macula'])
    const underscore = draw.style(['_', ''])
    const hasTwin = draw.style([true, false])
    return {
      facts: hasTwin ? PROOF : READ,
      numbering: hyphenated,
      write: (visit, folder) => {
        const { id } = visit.person
        const study = uid(folder.draw)
        for (const shot of visit.shots) {
          const code = shot.eye === 'right' ? 'OD' : 'OS'
          const stem = `${id}${underscore}/${id}_${view}_${code}_${compactDay(visit.day)}_${clock(shot.atMs)}`
          const photograph = folder.picture(visit, shot, `${stem}.jpg`)
          if (hasTwin)
            folder.picture(visit, shot, `${stem}.dcm`, {
              photograph,
              dicom: dicomHeader(folder.draw, statementsOf(visit, shot.eye), study),
              atMs: shot.atMs + 1_000,
            })
        }
        const report = `${id}${underscore}/${id}_Report_${compactDay(visit.day)}.html`
        folder.data(report, '<html></html>', visit.shots.at(-1)!.atMs + 5_000)
      },
    }
  },
  { source: WATCHDOG },
)

const retcamUnique = trap(
  'RetCam workstation, unique names',
  (draw) => {
    const underscore = draw.style(['_', ''])
    const length = draw.style([8, 12, 32])
    return {
      facts: { who: 'read', day: 'weak', eye: 'hidden' },
      numbering: hyphenated,
      write: eachShot((visit, shot, folder) => {
        folder.picture(visit, shot, `${visit.person.id}${underscore}/${folder.draw.hex(length)}.jpg`)
      }),
    }
  },
  { source: WATCHDOG },
)

const remidio = trap(
  'Remidio FOP archive',
  (draw) => {
    const isZip = draw.style([true, false])
    const part = draw.style(['FOP', 'FOP/images'])
    const isDouble = draw.style([true, false])
    return {
      facts: { who: 'read', day: 'read', eye: 'hidden' },
      numbering: (draw) => ({ id: draw.digits(8), aliases: [] }),
      write: (visit, folder) => {
        const { id, last, first } = visit.person
        const day = `${visit.day.slice(8)}-${visit.day.slice(5, 7)}-${visit.day.slice(0, 4)}`
        const base = `${isDouble ? `${first}_${last}` : first}_${id}_${day}`
        const zip = isZip ? `${id}_${day}_${twelveHourClock(visit.startMs)}/` : ''
        for (const shot of visit.shots)
          folder.picture(visit, shot, `${zip}${base}/${part}/${twelveHourClock(shot.atMs)}.jpg`, {
            facts: { day: Number(visit.day.slice(8)) > 12 ? 'read' : 'weak' },
          })
        const lastMs = visit.shots.at(-1)!.atMs + 9_000
        folder.data(`${zip}${base}/REPORTS/${twelveHourClock(lastMs)}.pdf`, '%PDF-1.4', lastMs)
      },
    }
  },
  { source: REMIDIO },
)

/** DICOM files whose names hold codes of the maker, and nothing of the patient that counts. */
function dicomNamed(
  name: string,
  source: string,
  names: readonly ((id: string, eye: string, number: number, unique: string) => string)[],
): Convention {
  return plain(
    name,
    (draw) => {
      const file = draw.style(names)
      const prefix = draw.style(['HC-', 'AIREADI-', ''])
      const above = draw.style(['', 'DICOM/'])
      return {
        facts: PROOF,
        numbering: (draw) => ({ id: prefix + draw.digits(6), aliases: [] }),
        write: eachShotOfStudy((visit, shot, folder, study) => {
          const code = shot.eye === 'right' ? 'OD' : 'OS'
          const path = above + file(visit.person.id, code, visit.index * 40 + shot.number, uid(folder.draw))
          const dicom = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
          folder.picture(visit, shot, path, { dicom, format: 'dicom' })
        }),
      }
    },
    { source, handsFree: 'without profile' },
  )
}

const phelcom = plain(
  'Phelcom Eyer file template',
  (draw) => {
    const clinic = draw.style(['ClinicaSur/', 'Olhos Vivos/', ''])
    const type = draw.style(['Color', 'RedFree', 'Panoramic'])
    const layout = draw.style(['time first', 'eye first', 'flat'] as const)
    return {
      facts: READ,
      numbering: (draw) => ({ id: draw.digits(5).padStart(6, '0'), aliases: [] }),
      write: (visit, folder) => {
        const { id, last, first } = visit.person
        const above = `${clinic}${last.toUpperCase()} ${first.toUpperCase()}_${id}/`
        for (const shot of visit.shots) {
          const code = shot.eye === 'right' ? 'OD' : 'OS'
          const stamp = `${compactDay(visit.day)}-${clock(shot.atMs)}`
          const unique = folder.draw.hex(4)
          const path = {
            'time first': `${above}${stamp}_${code}_${type}_${unique}`,
            'eye first': `${above}${code}_${stamp}_${unique}`,
            flat: `${clinic}${id}_${last.toUpperCase()}_${stamp}_${code}_${type}_${unique}`,
          }[layout]
          folder.picture(visit, shot, `${path}.jpg`)
        }
      },
    }
  },
  { source: PHELCOM, handsFree: 'with profile' },
)

const phelcomLetters = plain(
  'folder of a visit, letter and time',
  (draw) => {
    const separator = draw.style(['_', '-'])
    const isTwice = draw.style([true, false])
    const extension = draw.style(['.jpg', '.jpeg'])
    const numbering = longNumbers(draw)
    return {
      facts: READ,
      numbering,
      write: (visit, folder) => {
        const { id, last, first } = visit.person
        for (const shot of visit.shots) {
          const letter = shot.eye === 'right' ? 'R' : 'L'
          const name = `${isTwice ? `${id}${separator}` : ''}${letter}${separator}${clock(shot.atMs)}`
          folder.picture(visit, shot, `${last}_${first}_${id}/${compactDay(visit.day)}/${name}${extension}`, {
            facts: { eye: visit.isOneEyed ? 'alone' : 'read' },
          })
        }
      },
    }
  },
  { source: PHELCOM, handsFree: 'with profile' },
)

const phelcomDicom = plain(
  'Phelcom Eyer DICOM with a clinic prefix',
  (draw) => {
    const prefix = draw.style(['phelcom_', 'clinica7_', 'eyer-'])
    const isReversed = draw.style([true, false])
    const name = draw.style(['unique', 'counter'] as const)
    return {
      facts: PROOF,
      numbering: (draw) => {
        const number = draw.digits(8)
        return { id: prefix + number, aliases: [number] }
      },
      write: (visit, folder) => {
        const study = uid(folder.draw)
        const { last, first } = visit.person
        for (const shot of visit.shots) {
          const header = dicomHeader(folder.draw, statementsOf(visit, shot.eye), study)
          const patientName = isReversed ? `${first}^${last}` : `${last}^${first}`
          const file = name === 'unique' ? folder.draw.uuid() : `image${visit.index * 20 + shot.number}`
          folder.picture(visit, shot, `${file}.dcm`, { dicom: { ...header, patientName } })
        }
      },
    }
  },
  { source: PHELCOM_DICOM, handsFree: 'without profile' },
)

const pictor = plain(
  'Pictor with RE and LE',
  (draw) => {
    const label = draw.style(['Pictor', 'PICTOR+', 'Prestige'])
    const layout = draw.style(['folder', 'flat'] as const)
    const n = drawNotation(draw, [ENGLISH_CODES])
    return {
      facts: READ,
      write: (visit, folder) => {
        const base = `${visit.person.id}_${compactDay(visit.day)}`
        for (const shot of visit.shots) {
          const name = `${label}_${n.eye(shot.eye)}_${shot.number}`
          folder.picture(visit, shot, `${layout === 'folder' ? `${base}/` : `${base}_`}${name}.jpg`, {
            facts: { eye: visit.isOneEyed ? 'alone' : 'read' },
          })
        }
      },
    }
  },
  { handsFree: 'with profile' },
)

export const cameras: readonly Convention[] = [
  retcam,
  retcamUnique,
  remidio,
  dicomNamed('Topcon Maestro2 and Triton sets', AI_READI, [
    (_id, _eye, number) => `2.16.840.1.114517.10.5.1.4.${100_000 + number}.2.1.dcm`,
    (_id, _eye, number, unique) => `${number}/${unique}.2.1.dcm`,
  ]),
  dicomNamed('iCare EIDON fields', AI_READI, [
    (id, eye, number) => `${id}-${eye}-0-visible-${number}.dcm`,
    (id, eye, number) => `${id}-${eye}-3-visible-${number}.dcm`,
  ]),
  dicomNamed('Optomed Aurora', AI_READI, [(id, _eye, _number, unique) => `${id}_${unique}.dcm`]),
  dicomNamed('Heidelberg Spectralis without extension', AI_READI, [
    (_id, _eye, number) => `0${String(10_000_000 + number).slice(1)}`,
    (_id, _eye, number) => `DICOM/00000000/0${String(10_000_000 + number).slice(1)}`,
  ]),
  dicomNamed('VISUCAM into a network folder', VISUCAM, [
    (_id, _eye, _number, unique) => unique,
    (id, _eye, number) => `${id}/IM${number}.dcm`,
  ]),
  phelcom,
  phelcomLetters,
  phelcomDicom,
  pictor,
]

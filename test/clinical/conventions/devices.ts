/** What other devices and archives of an eye clinic write, each with its public source; all people are drawn. */
import { type Convention, PROOF, trap } from '../convention.ts'
import { clock, compactDay, drawNotation, LATIN, LETTERS } from '../notation.ts'

const VSCAN = 'vscanair-support.gehealthcare.com, "Network shared folder structure" (47001170928)'
const ZEISS = 'ZeissExporter (stored index 16391181345): XML beside data folders'
const CANON_AO = 'github.com/BrainardLab/AOAutomontaging, parseCanonFName.m'
const MYAH = 'github.com/Besser-Sehen-Landshut/dateye-docs, adapters/topcon-myah.md'
const AL550 = 'github.com/Besser-Sehen-Landshut/dateye-docs, adapters/mediworks-al550.md'
const ADAPTICA = 'Adaptica 2WIN manual, 10.18 "Save exam" (easymanua.ls/adaptica/2win/manual?p=68)'
const PLUSOPTIX = 'plusoptix A12C, "Messprotokolle speichern" (manualslib.de/manual/748895), page 4'
const MEDIWHALE = 'MaihubAPI README (examples of file names)'

const vscan = trap(
  'GE Vscan shared folder',
  (draw) => {
    const fields = draw.style(['number', 'number and first name', 'number and last name', 'all'] as const)
    const extension = draw.style(['.jpg', '.png'])
    return {
      facts: { who: 'read', day: 'read', eye: 'hidden' },
      write: (visit, folder) => {
        const { id, last, first } = visit.person
        const above = {
          number: id,
          'number and first name': `${id}_${first}`,
          'number and last name': `${id}_${last}`,
          all: `${id}_${first}_${last}`,
        }[fields]
        const stamp = (atMs: number): string => compactDay(visit.day) + clock(atMs)
        for (const shot of visit.shots)
          folder.picture(visit, shot, `${above}/${stamp(visit.startMs)}/${stamp(shot.atMs)}${extension}`)
      },
    }
  },
  { source: VSCAN },
)

const zeiss = trap(
  'Zeiss bulk export with XML apart',
  (draw) => {
    const letter = draw.style(['P', 'Z', 'M'])
    const order = draw.style([-4_000, 4_000])
    const file = draw.style(['IMG', 'Fundus'])
    return {
      // The document lies in another folder and names no image.
      facts: { who: 'read', day: 'read', eye: 'hidden' },
      numbering: (draw) => ({ id: letter + draw.digits(7), aliases: [] }),
      write: (visit, folder) => {
        const { id, last, first, birthDate } = visit.person
        for (const shot of visit.shots)
          folder.picture(visit, shot, `data/${id} ${last} ${compactDay(visit.day)}/${file}${shot.number}.jpg`)
        const text = `<?xml version="1.0"?>\n<EXAM><PATIENT_ID>${id}</PATIENT_ID><LAST_NAME>${last}</LAST_NAME><FIRST_NAME>${first}</FIRST_NAME><BIRTH_DATE>${birthDate}</BIRTH_DATE></EXAM>`
        folder.data(`XML/exam_${id}_${visit.index}.xml`, text, visit.startMs + order)
      },
    }
  },
  { source: ZEISS },
)

const canonAo = trap(
  'Canon adaptive optics camera',
  (draw) => {
    const site = draw.style(['206', '101', '17'])
    const step = draw.style([2, 4])
    const width = draw.style([5, 6])
    return {
      facts: { who: 'weak', day: 'read', eye: 'read' },
      numbering: (draw) => ({ id: draw.digits(width), aliases: [] }),
      write: (visit, folder) => {
        const { id, sex } = visit.person
        for (const shot of visit.shots) {
          const code = shot.eye === 'right' ? 'OD' : 'OS'
          const time = clock(shot.atMs)
          const name = `${site}-${compactDay(visit.day)}${time}-${id}-00-${sex}-${code}--${time}-P0-${String(shot.number * step).padStart(4, '0')}`
          folder.picture(visit, shot, `${name}.tif`)
        }
      },
    }
  },
  { source: CANON_AO },
)

/** Measuring devices of the same practice: documents of both eyes beside a picture. */
function device(
  name: string,
  source: string,
  documentOf: (fields: Readonly<Record<string, string>>) => string,
  extension: 'xml' | 'json',
  encodings: readonly ('utf8' | 'utf16le')[],
): Convention {
  return trap(
    name,
    (draw) => {
      const encoding = draw.style(encodings)
      const above = draw.style(['', 'Patients/', 'export/'])
      const form = draw.style(['exam', 'number'] as const)
      return {
        // The document is bound by its stem; its eyes are those of the measurements.
        facts: { ...PROOF, eye: 'hidden' },
        perEye: [1, 1],
        oneEyed: 1,
        write: (visit, folder) => {
          const { id, last, first, birthDate, sex } = visit.person
          const base = form === 'exam' ? `2WINExam_${visit.day}_${visit.index}` : `${id}_${visit.index}`
          const path = `${above}${base}/${base}`
          const shot = visit.shots[0]!
          folder.picture(visit, shot, `${path}.jpg`)
          const fields = { id, last, first, birthDate, sex, day: visit.day }
          folder.data(`${path}.${extension}`, documentOf(fields), shot.atMs + 800, encoding)
          folder.data(`${path}.pdf`, '%PDF-1.4', shot.atMs + 900)
        },
      }
    },
    { source },
  )
}

const myahXml = (fields: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="utf-16"?>\n<Data><Patient><ID>${fields['id']}</ID><LastName>${fields['last']}</LastName><FirstName>${fields['first']}</FirstName><BirthDate>${fields['birthDate']}</BirthDate><Sex>${fields['sex'] === 'F' ? 'Female' : 'Male'}</Sex></Patient><PatientEyeData><Eye>OD</Eye><Date>${fields['day']}</Date><AxialLength>23.41</AxialLength></PatientEyeData><PatientEyeData><Eye>OS</Eye><Date>${fields['day']}</Date><AxialLength>23.52</AxialLength></PatientEyeData></Data>`

const winXml = (fields: Readonly<Record<string, string>>): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Exam><PatientID>${fields['id']}</PatientID><LastName>${fields['last']}</LastName><FirstName>${fields['first']}</FirstName><Date>${fields['day']}</Date><OD><Sphere>-1.25</Sphere></OD><OS><Sphere>-0.75</Sphere></OS></Exam>`

const al550Json = (fields: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    patientId: fields['id'],
    lastName: fields['last'],
    firstName: fields['first'],
    gender: fields['sex'],
    birthday: fields['birthDate'],
    CheckTime: `${fields['day']}T10:15:00`,
    OD: { AL: 23.41 },
    OS: { AL: 23.52 },
  })

const plusoptix = trap(
  'plusoptix reports as pictures',
  (draw) => {
    const extension = draw.style(['.jpg', '.png', '.bmp'])
    const above = draw.style(['', 'reports/'])
    const isAnonymous = draw.style([true, false])
    let next = 41
    return {
      // Without an entry the device counts its patients; with one, the number is not in the name.
      facts: { who: isAnonymous ? 'weak' : 'hidden', day: 'read', eye: 'hidden' },
      numbering: (draw) => {
        const id = isAnonymous ? String(next++).padStart(4, '0') : draw.digits(7)
        return { id, aliases: [`ID-${id}`] }
      },
      write: (visit, folder) => {
        const { id, last, first } = visit.person
        const who = isAnonymous ? `ID-${id}` : `${last}_${first}`
        for (const shot of visit.shots)
          folder.picture(
            visit,
            shot,
            `${above}${who}-${compactDay(visit.day)}-${clock(shot.atMs)}${extension}`,
          )
      },
    }
  },
  { source: PLUSOPTIX },
)

const mediwhale = trap(
  'Mediwhale examples',
  (draw) => {
    const n = drawNotation(draw, [LATIN, LETTERS])
    const count = draw.style([3, 4, 5])
    return {
      // Two numbers, and no reader knows which is the patient's.
      facts: { who: 'weak', day: 'weak', eye: 'read' },
      numbering: (draw) => ({ id: draw.digits(count), aliases: [] }),
      write: (visit, folder) => {
        const second = `0${folder.draw.digits(11)}`
        for (const shot of visit.shots)
          folder.picture(
            visit,
            shot,
            `${visit.person.id}_${second}_${shot.eye}${shot.ofEye > 1 ? shot.ofEye : ''}${n.extension}`,
          )
      },
    }
  },
  { source: MEDIWHALE },
)

export const devices: readonly Convention[] = [
  vscan,
  zeiss,
  canonAo,
  device('Topcon MYAH document', MYAH, myahXml, 'xml', ['utf16le']),
  device('Mediworks AL550 document', AL550, al550Json, 'json', ['utf8']),
  device('Adaptica 2WIN exam', ADAPTICA, winXml, 'xml', ['utf8']),
  plusoptix,
  mediwhale,
]

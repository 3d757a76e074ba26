/** The twelve layouts of the reference, by their numbers there; some have variants. */
import { dicomDirectory, dicomPhoto, type DicomPhotoChoice, otherDicom, sopUidOf } from './dicom-files.ts'
import { flatWithCsv, flatWithForeignCsv, flatWithXml, folderWithCaseJson } from './flat-with-manifest.ts'
import {
  bigTiffFile,
  type CameraLayout,
  type ExportedFile,
  EYE_LETTERS,
  EYE_CODES,
  fileOf,
  htmlReport,
  imageFile,
  type LayoutVisit,
  momentOf,
  padded,
  pdfReport,
  rawFile,
  type Shot,
  shotsOfBothEyes,
  zipFile,
} from './layout.ts'

const SQLITE = Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(4_080)])

/** A layout of one file for each photograph, so many of each eye. */
function eachShot(perEye: number, file: (visit: LayoutVisit, shot: Shot) => ExportedFile): CameraLayout {
  return (visits) => visits.flatMap((visit) => shotsOfBothEyes(perEye).map((shot) => file(visit, shot)))
}

/** Layout 1: a folder for each subject; each photograph as JPEG and as DICOM under one stem; reports. */
const subjectFolder: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const id = `105-10-${padded(visit.number, 4)}-2`
    const folder = `${id}_/${id}`
    const { at, day } = momentOf(visit, 9)
    const photographs = shotsOfBothEyes(1).flatMap((shot) => {
      const stem = `${folder}_Retina_${EYE_CODES[shot.eye]}_${day}_${momentOf(visit, shot.index).clock}`
      const dicom = dicomPhoto(`${stem}.dcm`, visit, shot, { patientId: id })
      return [imageFile(`${stem}.jpg`, visit, shot), dicom]
    })
    return [
      ...photographs,
      htmlReport(`${folder}_Report_${day}.html`, visit, at),
      htmlReport(`${folder}_Report_OD_${day}.html`, visit, at),
    ]
  })

/** Layout 2: random names in a folder that bears the id. Only the camera's own database knows the eye. */
const uuidNames: CameraLayout = (visits) => [
  ...visits.flatMap((visit) => {
    const folder = `105-10-${padded(visit.number, 4)}-2`
    const tail = padded(visit.number, 3)
    return [
      imageFile(`${folder}/7f0c${tail}e.jpg`, visit, { eye: 'right', index: 0 }),
      imageFile(`${folder}/b1d4c09e-5a3f-4e21-9c7d-0f6e2a81b${tail}.jpg`, visit, { eye: 'left', index: 1 }),
    ]
  }),
  ...visits.slice(0, 1).map((visit) => fileOf('retina.sqlite3', 'raw', momentOf(visit, 5).at, () => SQLITE)),
]

/** Layout 3, as folders: their names state all, the day first; the file has a time of twelve hours and no eye. */
const folderStatesAll: CameraLayout = (visits) => visits.flatMap(filesOf)

/** Layout 3, as archives: the same, each visit in a ZIP whose name has the id, the date and the time. */
const zippedFolders: CameraLayout = (visits) =>
  visits.map((visit) => {
    const { at, dayFirst, twelveHours } = momentOf(visit, 5)
    return zipFile(`${idOf(visit)}_${dayFirst}_${twelveHours}.zip`, at, filesOf(visit))
  })

function filesOf(visit: LayoutVisit): readonly ExportedFile[] {
  const name = `${visit.firstName}_${visit.lastName}`.replaceAll(' ', '_')
  const folder = `${name}_${idOf(visit)}_${momentOf(visit, 0).dayFirst}`
  const report = momentOf(visit, 4)
  return [
    ...shotsOfBothEyes(1).map((shot) =>
      imageFile(`${folder}/FOP/${momentOf(visit, shot.index).twelveHours}.jpg`, visit, shot),
    ),
    pdfReport(`${folder}/REPORTS/${report.twelveHours}.pdf`, report.at),
  ]
}

function idOf(visit: LayoutVisit): string {
  return `1${padded(visit.number, 7)}`
}

/** The files of one scan that are no photographs, by the end of their name. */
const OTHERS = {
  '1.1': 'octVolume',
  '3.1': 'segmentation',
  '4.1': 'segmentation',
  '5.1': 'enFace',
  '6.3': 'volumeAnalysis',
} as const

/** Layout 4: an OCT device's DICOM set of each scan; only `.2.1` is a photograph, and only its SOP class says so. */
const octSet: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const patientId = padded(4_000 + visit.number, 6)
    return shotsOfBothEyes(1).flatMap((shot) => {
      const { at, day, clock } = momentOf(visit, shot.index)
      const stem = `2.16.840.1.114517.10.5.1.4.${visit.number}.${day}${clock}`
      return [
        ...Object.entries(OTHERS).map(([end, what]) =>
          otherDicom(`${stem}.${end}.dcm`, visit, shot, { patientId, what }),
        ),
        dicomPhoto(`${stem}.2.1.dcm`, visit, shot, { patientId, pixels: 'uncompressed' }),
        rawFile(`${visit.number}${shot.index}.fda`, at),
      ]
    })
  })

const FIELDS = ['0-visible', '3-visible', '0-infrared', '11-visible'] as const

/** Layout 5: several fields of each eye as DICOM; the name states field and light, also of the mosaic (11). */
const eidonFields: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const patientId = `HC-${padded(4_000 + visit.number, 6)}`
    return (['right', 'left'] as const).flatMap((eye, order) =>
      FIELDS.map((field, number) => {
        const shot: Shot = { eye, index: order * FIELDS.length + number }
        const flavour = field.endsWith('infrared') ? 'INFRARED' : 'COLOR'
        const name = `${patientId}-${EYE_CODES[eye]}-${field}-1.dcm`
        return dicomPhoto(name, visit, shot, { patientId, flavour })
      }),
    )
  })

/** Pressures that the camera took with each eye, mmHg. */
const PRESSURES = { right: 14, left: 16.5 } as const

/** Layout 6: names of the patient's id, which has a prefix, and the SOP UID; eye and date stand in the tags alone. */
const idAndUid = eachShot(1, (visit, shot) => {
  const patientId = `HC-${padded(4_000 + visit.number, 6)}`
  const name = `${patientId}_${sopUidOf(visit, shot)}.dcm`
  return dicomPhoto(name, visit, shot, { patientId, pressure: PRESSURES[shot.eye] })
})

/** Layout 7: a DICOM medium of files numbered through all patients, and a DICOMDIR. The names state nothing. */
const dicomMedia: CameraLayout = (visits) => {
  const photographs = visits.flatMap((visit, order) =>
    shotsOfBothEyes(1).map((shot) => {
      const number = order * 2 + shot.index + 1
      const pixels = (['jpeg', 'uncompressed', 'runLength'] as const)[number % 3] ?? 'jpeg'
      const patientId = padded(4_000 + visit.number, 6)
      return dicomPhoto(`DICOM/${padded(number, 8)}`, visit, shot, { patientId, pixels })
    }),
  )
  return [...photographs, dicomDirectory('DICOMDIR', photographs)]
}

/** Layout 8: date, number, sequence; TIFF, one of them big and without compression; no eye. */
const dateNumberSequence = eachShot(1, (visit, shot) => {
  const name = `${momentOf(visit, 0).day}_${38_000 + visit.number}_${padded((shot.index + 1) * 100, 4)}_PP.tif`
  return shot.index === 0 ? bigTiffFile(name, visit, shot) : imageFile(name, visit, shot, 'tiff')
})

const NAMES = ['DS000DGS.JPG', 'DS000DBO.JPG', 'IMG_0012.JPG'] as const

/** Layout 9: the back of a single-lens reflex camera in an exam folder; counters in capitals, no eye, no date. */
const cameraBack: CameraLayout = (visits) =>
  visits.flatMap((visit) =>
    NAMES.map((name, index) => {
      const shot: Shot = { eye: index === 1 ? 'left' : 'right', index }
      return imageFile(`E${padded(visit.number, 7)}/${name}`, visit, shot)
    }),
  )

/** Layout 10: patient, letter of the eye and view, two views of each eye; no date. */
const patientEyeView = eachShot(2, (visit, shot) => {
  const view = Math.floor(shot.index / 2) + 1
  const name = `${visit.number}_${EYE_LETTERS[shot.eye].toLowerCase()}${view}.jpg`
  return imageFile(`${visit.number}/${name}`, visit, shot)
})

const IMAGE_IDS = ['a81f', 'e19d'] as const

/** Layout 11: a template that a person typed: clinic, name and id as folders with spaces, then date, eye and kind. */
const operatorTemplate = eachShot(1, (visit, shot) => {
  const name = `${visit.lastName} ${visit.firstName}`.toUpperCase()
  const folder = `ClinicaSur/${name}_${padded(4_000 + visit.number, 6)}`
  const { day, clock } = momentOf(visit, shot.index)
  const file = `${day}-${clock}_${EYE_CODES[shot.eye]}_Color_${IMAGE_IDS[shot.index] ?? ''}.jpg`
  return imageFile(`${folder}/${file}`, visit, shot)
})

function wellNamedId(visit: LayoutVisit): string {
  return `H-${padded(visit.number, 5)}`
}

/** `H-00017_20260602/H-00017_20260602_121802_OD_1.jpg`. */
export function wellNamedPhoto(visit: LayoutVisit, shot: Shot): ExportedFile {
  const { day, clock } = momentOf(visit, shot.index)
  const folder = `${wellNamedId(visit)}_${day}`
  return imageFile(`${folder}/${folder}_${clock}_${EYE_CODES[shot.eye]}_${shot.index + 1}.jpg`, visit, shot)
}

export function wellNamedVisit(visit: LayoutVisit): readonly [ExportedFile, ExportedFile] {
  return [wellNamedPhoto(visit, { eye: 'right', index: 0 }), wellNamedPhoto(visit, { eye: 'left', index: 1 })]
}

/** `export/IMG00001.dcm`: a DICOM file whose name says nothing. */
export function namelessDicom(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  choice: Partial<DicomPhotoChoice> = {},
): ExportedFile {
  return dicomPhoto(relativePath, visit, shot, { patientId: wellNamedId(visit), ...choice })
}

/** The same file cut off: `share` of it is there, 0 to 1. */
export function cutOff(file: ExportedFile, share: number): ExportedFile {
  return fileOf(file.relativePath, file.kind, file.modifiedAt, async () => {
    const whole = await file.bytes()
    return whole.subarray(0, Math.floor(whole.length * share))
  })
}

export function exportedAgain(file: ExportedFile, relativePath: string): ExportedFile {
  return { ...file, relativePath }
}

/** A path of more than 260 characters, the most that Windows once took; its folders say nothing. */
export function deepInFolders(file: ExportedFile): ExportedFile {
  const folder = 'Photographs of the eyeground that the screening week in June has brought together'
  return { ...file, relativePath: `${`${folder}/`.repeat(3)}${file.relativePath}` }
}

export const ALL_LAYOUTS = {
  '1': subjectFolder,
  '2': uuidNames,
  '3': folderStatesAll,
  '3-zip': zippedFolders,
  '4': octSet,
  '5': eidonFields,
  '6': idAndUid,
  '7': dicomMedia,
  '8': dateNumberSequence,
  '9': cameraBack,
  '10': patientEyeView,
  '11': operatorTemplate,
  '12': flatWithCsv,
  '12-xml': flatWithXml,
  '12-foreign': flatWithForeignCsv,
  '12-json': folderWithCaseJson,
} as const satisfies Record<string, CameraLayout>

export type LayoutName = keyof typeof ALL_LAYOUTS

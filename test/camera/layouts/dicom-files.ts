/** DICOM files of drawn eyes, under the names and with the tags of a layout. */
import {
  type DicomAttributes,
  dicomFile,
  type DicomFileOptions,
  type DicomTransferSyntax,
} from '../write-dicom.ts'
import {
  drawPixels,
  drawShot,
  type ExportedFile,
  EYE_LETTERS,
  fileOf,
  type LayoutVisit,
  momentOf,
  padded,
  PICTURE_SIZE,
  type Shot,
} from './layout.ts'

const TRANSFER_SYNTAXES = {
  jpeg: 'jpegBaseline',
  uncompressed: 'explicitLittle',
  runLength: 'rle',
} as const satisfies Record<string, DicomTransferSyntax>

export type DicomPhotoChoice = {
  readonly patientId: string
  readonly pixels?: keyof typeof TRANSFER_SYNTAXES
  /** The fourth value of Image Type. */
  readonly flavour?: 'COLOR' | 'INFRARED'
  /** Image Laterality; null leaves it out. The eye of the shot if nothing is chosen. */
  readonly laterality?: 'R' | 'L' | null
  readonly pressure?: number
  readonly seriesDescription?: string
}

export function dicomPhoto(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  choice: DicomPhotoChoice,
): ExportedFile {
  const { pixels = 'jpeg', flavour = 'COLOR', laterality = EYE_LETTERS[shot.eye] } = choice
  const attributes: DicomAttributes = {}
  if (choice.pressure !== undefined) attributes['0022000B'] = { vr: 'FD', Value: [choice.pressure] }
  if (choice.seriesDescription !== undefined)
    attributes['0008103E'] = { vr: 'LO', Value: [choice.seriesDescription] }
  const make = async (): Promise<Buffer> =>
    dicomFile({
      ...tagsOf(visit, shot, choice.patientId),
      transferSyntax: TRANSFER_SYNTAXES[pixels],
      imageType: ['ORIGINAL', 'PRIMARY', '', flavour],
      ...(laterality === null ? {} : { laterality }),
      image: {
        ...PICTURE_SIZE,
        ...(pixels === 'jpeg'
          ? { jpeg: await drawShot(visit, shot) }
          : { rgb: await drawPixels(visit, shot) }),
      },
      attributes: { ...studyOf(visit), ...attributes },
    })
  return fileOf(relativePath, 'dicomImage', momentOf(visit, shot.index).at, make)
}

/** By the SOP classes of PS3.4 table B.5-1; the writer has no name for the last two. */
const OTHER_CLASSES = {
  octVolume: { sop: 'oct', sopClass: null },
  segmentation: { sop: 'surfaceSegmentation', sopClass: null },
  report: { sop: 'pdf', sopClass: null },
  enFace: { sop: 'oct', sopClass: '1.2.840.10008.5.1.4.1.1.77.1.5.7' },
  volumeAnalysis: { sop: 'oct', sopClass: '1.2.840.10008.5.1.4.1.1.77.1.5.8' },
} as const

/** A DICOM file of the same patient and study that is no photograph. */
export function otherDicom(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  choice: { readonly patientId: string; readonly what: keyof typeof OTHER_CLASSES },
): ExportedFile {
  const { sop, sopClass } = OTHER_CLASSES[choice.what]
  const [width, height, frames] = [64, 48, 3]
  const scan = Uint8Array.from({ length: width * height }, (_, at) => (at * 7 + visit.number) % 256)
  const make = (): Promise<Buffer> =>
    dicomFile({
      ...tagsOf(visit, shot, choice.patientId),
      sop,
      sopUid: `${sopUidOf(visit, shot)}.${choice.what.length}`,
      transferSyntax: 'explicitLittle',
      laterality: EYE_LETTERS[shot.eye],
      image: { gray8: scan, width, height },
      frames,
      attributes: {
        ...studyOf(visit),
        ...(sopClass === null ? {} : { '00080016': { vr: 'UI', Value: [sopClass] } }),
      },
    })
  return fileOf(relativePath, 'otherDicom', momentOf(visit, shot.index).at, make)
}

/** The table of contents of a DICOM medium, with a record that names nothing. */
export function dicomDirectory(relativePath: string, photographs: readonly ExportedFile[]): ExportedFile {
  const at = photographs.at(-1)?.modifiedAt ?? new Date(0)
  return fileOf(relativePath, 'dicomDirectory', at, () =>
    dicomFile({ sop: 'directory', transferSyntax: 'explicitLittle' }),
  )
}

/** The same for the same patient, visit and shot, as a re-export keeps it (PS3.5 annex B.2). */
export function sopUidOf(visit: LayoutVisit, shot: Shot): string {
  const { day } = momentOf(visit, 0)
  return `2.25.9${padded(visit.number, 3)}${day}${visit.time.replace(':', '')}${shot.index}`
}

function studyOf(visit: LayoutVisit): DicomAttributes {
  const study = `2.25.8${padded(visit.number, 3)}${momentOf(visit, 0).day}${visit.time.replace(':', '')}`
  return {
    '0020000D': { vr: 'UI', Value: [study] },
    '0020000E': { vr: 'UI', Value: [`${study}.1`] },
  }
}

function tagsOf(visit: LayoutVisit, shot: Shot, patientId: string): DicomFileOptions {
  const { day, clock } = momentOf(visit, shot.index)
  return {
    patientId,
    patientName: `${visit.lastName}^${visit.firstName}`,
    birthDate: visit.birthDate.replaceAll('-', ''),
    sex: visit.sex,
    studyDate: day,
    acquisitionDateTime: `${day}${clock}.000`,
    sopUid: sopUidOf(visit, shot),
  }
}

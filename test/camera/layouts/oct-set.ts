import { rawFile } from './companions.ts'
import { dicomPhoto, otherDicom } from './dicom-files.ts'
import { momentOf, padded, type CameraLayout } from './layout.ts'
import { shotsOfBothEyes } from './pictures.ts'

/** The files of one scan that are no photographs, by the end of their name. */
const OTHERS = {
  '1.1': 'octVolume',
  '3.1': 'segmentation',
  '4.1': 'segmentation',
  '5.1': 'enFace',
  '6.3': 'volumeAnalysis',
} as const

/** Layout 4: an OCT device's DICOM set of each scan; only `.2.1` is a photograph, and only its SOP class says so. */
export const octSet: CameraLayout = (visits) =>
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

import { dicomPhoto } from './dicom-files.ts'
import { momentOf, padded, type CameraLayout } from './layout.ts'
import { htmlReport } from './companions.ts'
import { EYE_WORDS, imageFile, shotsOfBothEyes } from './pictures.ts'

/**
 * Layout 1: a folder for each subject, with a trailing underscore; every photograph as JPEG and as DICOM under one stem;
 * reports of the visit and of each eye.
 */
export const subjectFolder: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const id = `105-10-${padded(visit.number, 4)}-2`
    const folder = `${id}_/${id}`
    const { at, day } = momentOf(visit, 9)
    const photographs = shotsOfBothEyes(1).flatMap((shot) => {
      const stem = `${folder}_Retina_${EYE_WORDS[shot.eye]}_${day}_${momentOf(visit, shot.index).clock}`
      return [
        imageFile(`${stem}.jpg`, visit, shot),
        dicomPhoto(`${stem}.dcm`, visit, shot, { patientId: id }),
      ]
    })
    return [
      ...photographs,
      htmlReport(`${folder}_Report_${day}.html`, visit, at),
      htmlReport(`${folder}_Report_OD_${day}.html`, visit, at),
    ]
  })

import { dicomPhoto, sopUidOf } from './dicom-files.ts'
import { padded, type CameraLayout } from './layout.ts'
import { shotsOfBothEyes } from './pictures.ts'

/** Pressures that the camera took with each eye, mmHg. */
export const PRESSURES = { right: 14, left: 16.5 } as const

/** Layout 6: names of the patient's id, which has a prefix, and the SOP UID; eye and date stand in the tags alone. */
export const idAndUid: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const patientId = `HC-${padded(4_000 + visit.number, 6)}`
    return shotsOfBothEyes(1).map((shot) =>
      dicomPhoto(`${patientId}_${sopUidOf(visit, shot)}.dcm`, visit, shot, {
        patientId,
        pressure: PRESSURES[shot.eye],
      }),
    )
  })

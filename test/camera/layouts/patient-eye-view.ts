import type { CameraLayout } from './layout.ts'
import { EYE_LETTERS, imageFile, shotsOfBothEyes } from './pictures.ts'

/** Layout 10: patient, letter of the eye and view, two views of each eye; no date. */
export const patientEyeView: CameraLayout = (visits) =>
  visits.flatMap((visit) =>
    shotsOfBothEyes(2).map((shot) => {
      const view = Math.floor(shot.index / 2) + 1
      const name = `${visit.number}_${EYE_LETTERS[shot.eye].toLowerCase()}${view}.jpg`
      return imageFile(`${visit.number}/${name}`, visit, shot)
    }),
  )

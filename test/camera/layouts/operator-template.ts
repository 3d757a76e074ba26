import { momentOf, padded, type CameraLayout } from './layout.ts'
import { EYE_WORDS, imageFile, shotsOfBothEyes } from './pictures.ts'

/** Image ids as a camera makes them up. */
const IMAGE_IDS = ['a81f', 'e19d'] as const

/** Layout 11: a template that somebody typed: clinic, name and id as folders with spaces, then date, eye and kind. */
export const operatorTemplate: CameraLayout = (visits) =>
  visits.flatMap((visit) => {
    const name = `${visit.lastName} ${visit.firstName}`.toUpperCase()
    const folder = `ClinicaSur/${name}_${padded(4_000 + visit.number, 6)}`
    return shotsOfBothEyes(1).map((shot) => {
      const { day, clock } = momentOf(visit, shot.index)
      const file = `${day}-${clock}_${EYE_WORDS[shot.eye]}_Color_${IMAGE_IDS[shot.index] ?? ''}.jpg`
      return imageFile(`${folder}/${file}`, visit, shot)
    })
  })

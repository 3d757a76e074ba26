import { padded, type CameraLayout } from './layout.ts'
import { imageFile } from './pictures.ts'

const NAMES = ['DS000DGS.JPG', 'DS000DBO.JPG', 'IMG_0012.JPG'] as const

/** Layout 9: the back of a single-lens reflex camera in an exam folder; counters in capitals, no eye, no date. */
export const cameraBack: CameraLayout = (visits) =>
  visits.flatMap((visit) =>
    NAMES.map((name, index) =>
      imageFile(`E${padded(visit.number, 7)}/${name}`, visit, {
        eye: index === 1 ? 'left' : 'right',
        index,
      }),
    ),
  )

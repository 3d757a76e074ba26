import { momentOf, padded, type CameraLayout } from './layout.ts'
import { fileOf, imageFile } from './pictures.ts'

/**
 * Layout 2: names made to be unlike any other in a folder that bears the id. Only the camera's own database knows the
 * eye.
 */
export const uuidNames: CameraLayout = (visits) => [
  ...visits.flatMap((visit) => {
    const folder = `105-10-${padded(visit.number, 4)}-2`
    const tail = padded(visit.number, 3)
    return [
      imageFile(`${folder}/7f0c${tail}e.jpg`, visit, { eye: 'right', index: 0 }),
      imageFile(`${folder}/b1d4c09e-5a3f-4e21-9c7d-0f6e2a81b${tail}.jpg`, visit, { eye: 'left', index: 1 }),
    ]
  }),
  ...visits
    .slice(0, 1)
    .map((visit) =>
      fileOf('retina.sqlite3', 'raw', momentOf(visit, 5).at, () =>
        Buffer.concat([Buffer.from('SQLite format 3\0', 'latin1'), Buffer.alloc(4_080)]),
      ),
    ),
]

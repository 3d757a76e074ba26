import { dicomDirectory, dicomPhoto } from './dicom-files.ts'
import { padded, type CameraLayout } from './layout.ts'
import { shotsOfBothEyes } from './pictures.ts'

/**
 * Layout 7: a DICOM medium, files without extension that are numbered through all patients, and a DICOMDIR beside
 * them. The names say nothing. Pixels by turns as JPEG, bare, and run-length coded.
 */
export const dicomMedia: CameraLayout = (visits) => {
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

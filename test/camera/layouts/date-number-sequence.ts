import { momentOf, padded, type CameraLayout } from './layout.ts'
import { bigTiffFile, imageFile, shotsOfBothEyes } from './pictures.ts'

/** Layout 8: date, number, sequence; TIFF, one of them big and without compression; no eye. */
export const dateNumberSequence: CameraLayout = (visits) =>
  visits.flatMap((visit) =>
    shotsOfBothEyes(1).map((shot) => {
      const name = `${momentOf(visit, 0).day}_${38_000 + visit.number}_${padded((shot.index + 1) * 100, 4)}_PP.tif`
      return shot.index === 0 ? bigTiffFile(name, visit, shot) : imageFile(name, visit, shot, 'tiff')
    }),
  )

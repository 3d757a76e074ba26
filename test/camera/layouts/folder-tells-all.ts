import { pdfReport, zipFile } from './companions.ts'
import { momentOf, padded, type CameraLayout, type ExportedFile, type LayoutVisit } from './layout.ts'
import { imageFile, shotsOfBothEyes } from './pictures.ts'

/**
 * Layout 3, as folders: the folder's name has everything, also a date with the day first; the file has a time of
 * twelve hours with dots and no eye.
 */
export const folderTellsAll: CameraLayout = (visits) => visits.flatMap(filesOf)

/** Layout 3, as archives: the same, each visit in a ZIP whose name has the id, the date and the time. */
export const zippedFolders: CameraLayout = (visits) =>
  visits.map((visit) => {
    const { at, dayFirst, twelveHours } = momentOf(visit, 5)
    return zipFile(`${idOf(visit)}_${dayFirst}_${twelveHours}.zip`, at, filesOf(visit))
  })

function filesOf(visit: LayoutVisit): readonly ExportedFile[] {
  const name = `${visit.firstName}_${visit.lastName}`.replaceAll(' ', '_')
  const folder = `${name}_${idOf(visit)}_${momentOf(visit, 0).dayFirst}`
  const report = momentOf(visit, 4)
  return [
    ...shotsOfBothEyes(1).map((shot) =>
      imageFile(`${folder}/FOP/${momentOf(visit, shot.index).twelveHours}.jpg`, visit, shot),
    ),
    pdfReport(`${folder}/REPORTS/${report.twelveHours}.pdf`, report.at),
  ]
}

function idOf(visit: LayoutVisit): string {
  return `1${padded(visit.number, 7)}`
}

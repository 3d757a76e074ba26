/** One folder per visit with names that tell everything, and what can go wrong with single files of it. */
import { dicomPhoto, type DicomPhotoChoice } from './dicom-files.ts'
import { momentOf, padded, type ExportedFile, type LayoutVisit } from './layout.ts'
import { EYE_WORDS, fileOf, imageFile, shotsOfBothEyes, withRemark, type Shot } from './pictures.ts'

export function wellNamedId(visit: LayoutVisit): string {
  return `H-${padded(visit.number, 5)}`
}

/** `H-00017_20260602/H-00017_20260602_121802_OD_1.jpg`. */
export function wellNamedPhoto(visit: LayoutVisit, shot: Shot): ExportedFile {
  const { day, clock } = momentOf(visit, shot.index)
  const folder = `${wellNamedId(visit)}_${day}`
  return imageFile(`${folder}/${folder}_${clock}_${EYE_WORDS[shot.eye]}_${shot.index + 1}.jpg`, visit, shot)
}

/** A photograph of each eye. */
export function wellNamedVisit(visit: LayoutVisit): readonly [ExportedFile, ExportedFile] {
  return [wellNamedPhoto(visit, { eye: 'right', index: 0 }), wellNamedPhoto(visit, { eye: 'left', index: 1 })]
}

/** `export/IMG00001.dcm`: a DICOM file whose name says nothing. */
export function namelessDicom(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  choice: Partial<DicomPhotoChoice> = {},
): ExportedFile {
  return dicomPhoto(relativePath, visit, shot, { patientId: wellNamedId(visit), ...choice })
}

/** The same file cut off: `share` of it is there, 0 to 1. */
export function cutOff(file: ExportedFile, share: number): ExportedFile {
  return fileOf(file.relativePath, file.kind, file.modifiedAt, async () => {
    const whole = await file.bytes()
    return whole.subarray(0, Math.floor(whole.length * share))
  })
}

/** The same bytes under another name. */
export function exportedAgain(file: ExportedFile, relativePath: string): ExportedFile {
  return { ...file, relativePath }
}

/** A path of more than 260 characters, the most that Windows once took; its folders say nothing. */
export function deepInFolders(file: ExportedFile): ExportedFile {
  const folder = 'Photographs of the eyeground that the screening week in June has brought together'
  return { ...file, relativePath: `${`${folder}/`.repeat(3)}${file.relativePath}` }
}

/** So many visits of two photographs, drawn once; a remark makes each file another. Quick enough for hundreds. */
export function manyVisits(first: LayoutVisit, count: number): readonly ExportedFile[] {
  const drawn = shotsOfBothEyes(1).map((shot) => wellNamedPhoto(first, shot))
  return Array.from({ length: count }, (_, number) =>
    drawn.map((file, index) => {
      const relativePath = file.relativePath.replaceAll(wellNamedId(first), `H-${padded(50_000 + number, 5)}`)
      return fileOf(relativePath, 'image', file.modifiedAt, async () =>
        withRemark(await file.bytes(), `${number}-${index}`),
      )
    }),
  ).flat()
}

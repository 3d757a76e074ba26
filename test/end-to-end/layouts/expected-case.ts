/** What a row of the tables says: what a camera writes, and what the station makes of it in the end. */
import type { Fields } from '../../../src-shared/fields.ts'
import type { Eye, ImageType } from '../../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { Reason, Warning } from '../../../src-shared/submission.ts'
import type { ExportedFile } from '../../camera/layouts/layout.ts'
import type { Folders } from '../station-fixture.ts'

export type ExpectedImage = {
  readonly fileName: string
  readonly eye: Eye
  readonly contentType: ImageType
  /** What goes in place of the file; null where it goes as it is. */
  readonly sentAs: ImageType | null
}

export type ExpectedSubmission = {
  readonly historyNumber: string | null
  /** `YYYY-MM-DD`; `ofFileTime` where only the file's own time tells it, and the submission says so. */
  readonly visitDate: string | { readonly ofFileTime: string }
  /** Those that are sent. */
  readonly images: readonly ExpectedImage[]
  /** Files that show an image once more, and which. */
  readonly twins?: readonly { readonly fileName: string; readonly of: string }[]
  readonly state: SubmissionState
  /** Each kind once. */
  readonly reasonKinds?: readonly Reason['kind'][]
  /** What the sentences of the reasons have to show. */
  readonly reasonsShow?: RegExp
  /** At least these. */
  readonly oddityKinds?: readonly Warning['kind'][]
  /** At least these. */
  readonly fields?: Fields
}

export type ExpectedNote = { readonly fileName: string; readonly kinds: readonly FileNote['kind'][] }

export type ExpectedCase = {
  readonly name: string
  readonly folder?: Partial<Folders[number]>
  /** Written one group after the other; the next when all images of the one before are known. */
  readonly files: readonly (readonly ExportedFile[])[]
  readonly submissions: readonly ExpectedSubmission[]
  /** Files that are in no submission, each with its note. All others have none. */
  readonly notes?: readonly ExpectedNote[]
  /** Files of which it does not matter whether they are noted. */
  readonly notedOrNot?: readonly string[]
}

/** Nothing is missing, and only names say whose it is, of which day or of which eye: a person checks it. */
export const NAMES_ALONE: Pick<ExpectedSubmission, 'state' | 'reasonKinds' | 'reasonsShow'> = {
  state: 'review',
  reasonKinds: ['readFromNames'],
  reasonsShow: /^Read from file names: please check/,
}

/** An image file that goes as it is. */
export function sentPlain(fileName: string, eye: Eye): ExpectedImage {
  return { fileName, eye, contentType: plainTypeOf(fileName), sentAs: null }
}

/** A DICOM file of which the picture goes: what was JPEG inside stays so, all else becomes PNG. */
export function sentUnwrapped(
  fileName: string,
  eye: Eye,
  sentAs: 'image/jpeg' | 'image/png' = 'image/jpeg',
): ExpectedImage {
  return { fileName, eye, contentType: 'application/dicom', sentAs }
}

export function leftAlone(...fileNames: readonly string[]): readonly ExpectedNote[] {
  return fileNames.map((fileName) => ({ fileName, kinds: ['ignored'] }))
}

function plainTypeOf(fileName: string): ImageType {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  switch (extension) {
    case 'jpg':
      return 'image/jpeg'
    case 'tif':
      return 'image/tiff'
    case 'png':
      return 'image/png'
    case 'bmp':
      return 'image/bmp'
    default:
      throw new Error(`No plain image file ends in ${extension}.`)
  }
}

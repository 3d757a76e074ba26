/** The sentences of notes: what the file is, what that means, what to do. They never name the file. */
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { ContentKind } from '../intake/content-kind.ts'
import type { Incompleteness } from '../intake/inspect-file.ts'

export const MOST_BYTES = 512 * 1_024 * 1_024

export const TOO_LARGE_MESSAGE =
  'This file is larger than 512 MB, more than any photograph of an eye, so it is left where it is. Export the image in a smaller format.'

export const LINK_MESSAGE =
  'This is a link to another place. Links are not followed; export into this folder itself.'

export const TOO_DEEP_MESSAGE =
  'This folder lies too many folders deep and is not looked into. Choose a folder nearer to it to be watched.'

export const SHUT_MESSAGE =
  'The station cannot look in here, so images in it are not seen. Give it the right to read this.'

export const UNNAMEABLE_MESSAGE =
  'The name of this file cannot be read by this computer, so the file is left where it is. Rename it in the camera program and export it again.'

export const STILL_WRITTEN_MESSAGE =
  'This file is still being written. It is taken as soon as it is complete; there is nothing to do.'

const ARRIVING: Readonly<Record<Incompleteness, string>> = {
  empty: 'This file is still empty. It is taken as soon as the camera has written it.',
  truncated: 'The end of this image is not there yet. It is taken as soon as it is complete.',
  malformed: 'This image is not complete yet. It is taken as soon as it is.',
  busy: 'Another program still holds this file. It is taken as soon as it is let go.',
}

const OVERDUE: Readonly<Record<Incompleteness, string>> = {
  empty: 'This file has stayed empty. Export the image again from the camera.',
  truncated: 'The end of this image is missing, so it is not used. Export the image again from the camera.',
  malformed:
    'This image is damaged and cannot be read, so it is not used. Export the image again from the camera.',
  busy: 'This file cannot be opened, so it is not used. Close the program that holds it, or give the station the right to read it.',
}

/** What is said of a file that is not complete, before and after patience has run out. */
export function incompleteMessage(kind: FileNote['kind'], why: Incompleteness): string {
  return kind === 'arriving' ? ARRIVING[why] : OVERDUE[why]
}

const NOT_READ_YET = 'This version reads JPEG, PNG and TIFF; export the image in one of these, too.'

type OtherNote = { readonly kind: 'ignored' | 'notAnImage'; readonly message: string }

/** What is said of a file whose content is no image that we read. */
export function otherNote(content: ContentKind): OtherNote {
  switch (content) {
    case 'application/dicom':
    case 'dicomOct':
    case 'dicomSegmentation':
    case 'dicomReport':
    case 'dicomDirectory':
    case 'dicomOther':
      return { kind: 'ignored', message: `This is a DICOM file and was left where it is. ${NOT_READ_YET}` }
    case 'gif':
    case 'heif':
    case 'jpeg2000':
    case 'webp':
      return {
        kind: 'ignored',
        message: `This is an image in a format that is not taken (${content.toUpperCase()}). ${NOT_READ_YET}`,
      }
    case 'zip':
      return { kind: 'ignored', message: `This is a ZIP archive and was left where it is. ${NOT_READ_YET}` }
    case 'pdf':
      return { kind: 'ignored', message: 'This is a PDF document, not an image; it is left where it is.' }
    case 'text':
      return {
        kind: 'notAnImage',
        message:
          'This file holds text, not an image, whatever its name says. Export the image again if one is missing.',
      }
    default:
      return {
        kind: 'notAnImage',
        message:
          'This file is not an image that can be read. Export the image again as JPEG, PNG or TIFF if one is missing.',
      }
  }
}

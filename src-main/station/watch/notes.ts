/** The notes on files of a folder that are no images, incomplete or unreadable, and their sentences. */
import type { ImageType } from '../../../src-shared/measurement-ranges.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { ContentKind, Incompleteness } from '../intake/inspect-file.ts'
import type { WatchEvent } from './watch.ts'

/**
 * Companion files belong in the folder, so only some of them are listed: a folder of a hundred thousand reports stays
 * quiet.
 */
const MAX_IGNORED = 200

/** More problems than anyone could read are not emitted. */
const MAX_PROBLEMS = 2_000

/** The active notes, each emitted once and withdrawn when it no longer holds. */
export class NoteStore {
  readonly #folderPath: string
  readonly #now: () => number
  readonly #emit: (event: WatchEvent) => void
  readonly #active = new Map<string, { readonly kind: FileNote['kind']; readonly message: string }>()
  #ignoredCount = 0

  constructor(folderPath: string, now: () => number, emit: (event: WatchEvent) => void) {
    this.#folderPath = folderPath
    this.#now = now
    this.#emit = emit
  }

  kindOf(fileName: string): FileNote['kind'] | null {
    return this.#active.get(fileName)?.kind ?? null
  }

  /** Emits a note unless it is already active or there are too many of its kind. */
  put(fileName: string, kind: FileNote['kind'], message: string): void {
    const held = this.#active.get(fileName)
    if (held?.kind === kind && held.message === message) return
    if (!held && !this.canAdd(kind)) return
    this.#drop(fileName)
    this.#active.set(fileName, { kind, message })
    if (kind === 'ignored') this.#ignoredCount += 1
    const note: FileNote = { fileName, kind, message, at: this.#now() }
    this.#emit({ kind: 'noted', folderPath: this.#folderPath, note })
  }

  /** Withdraws the note on a file, if there is one. */
  clear(fileName: string): void {
    if (!this.#drop(fileName)) return
    this.#emit({ kind: 'noteCleared', folderPath: this.#folderPath, fileName })
  }

  /** False once the limit for notes of this kind is reached. */
  canAdd(kind: FileNote['kind']): boolean {
    if (kind === 'ignored') return this.#ignoredCount < MAX_IGNORED
    return this.#active.size - this.#ignoredCount < MAX_PROBLEMS
  }

  #drop(fileName: string): boolean {
    if (this.#active.get(fileName)?.kind === 'ignored') this.#ignoredCount -= 1
    return this.#active.delete(fileName)
  }
}

/** The sentences of notes: what the file is, what that means, what to do. They never name the file. */
export const TOO_LARGE_MESSAGE =
  'This file is larger than 512 MB, more than any photograph of an eye, so it is left where it is. Export the image in a smaller format.'

export const MAX_SIDECAR_BYTES = 16 * 1_024 * 1_024

export const SIDECAR_TOO_LARGE_MESSAGE =
  'This data file is larger than 16 MB, more than the facts about any case, so it is not read. The images beside it are taken.'

export const LINK_MESSAGE =
  'This is a link to another place. Links are not followed; export into this folder itself.'

export const TOO_DEEP_MESSAGE =
  'This folder lies too many folders deep and is not looked into. Choose a folder nearer to it to be watched.'

export const NO_ACCESS_MESSAGE =
  'The station cannot look in here, so images in it are not seen. Give it the right to read this.'

export const UNNAMEABLE_MESSAGE =
  'The name of this file cannot be read by this computer, so the file is left where it is. Rename it in the camera program and export it again.'

export const DAMAGED_MESSAGE =
  'This image cannot be opened, so it is in no case. Export it again from the camera.'

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

/** The sentence for an incomplete file, before and after it counts as overdue. */
export function incompleteMessage(kind: FileNote['kind'], why: Incompleteness): string {
  return kind === 'arriving' ? ARRIVING[why] : OVERDUE[why]
}

const EXPORT_ANOTHER = 'Export the photograph as JPEG, PNG, TIFF, BMP or DICOM if it is wanted.'

const EXPORT_IF_WANTED = 'If a photograph in it is wanted, export it as an image from the camera program.'

type OtherNote = { readonly kind: 'ignored' | 'notAnImage'; readonly message: string }

const ignoredNote = (what: string, advice: string): OtherNote => ({
  kind: 'ignored',
  message: `This is ${what} and is left where it is. ${advice}`,
})

const NO_IMAGE: OtherNote = {
  kind: 'notAnImage',
  message: `This file is not an image that can be read. ${EXPORT_ANOTHER}`,
}

const OTHER_NOTES: Readonly<Record<OtherKind, OtherNote>> = {
  dicomOct: ignoredNote('an OCT volume, not a photograph', EXPORT_IF_WANTED),
  dicomSegmentation: ignoredNote('a segmentation, a drawing over an image', 'There is nothing to do.'),
  dicomReport: ignoredNote('a report in a DICOM file, not a photograph', EXPORT_IF_WANTED),
  dicomDirectory: ignoredNote(
    'the table of contents of a DICOM export',
    'The images beside it are taken; there is nothing to do.',
  ),
  dicomOther: ignoredNote('a DICOM file without a photograph of an eye', EXPORT_IF_WANTED),
  jpeg2000: ignoredNote('an image in a format that is not taken (JPEG 2000)', EXPORT_ANOTHER),
  heif: ignoredNote('an image in a format that is not taken (HEIF)', EXPORT_ANOTHER),
  webp: ignoredNote('an image in a format that is not taken (WebP)', EXPORT_ANOTHER),
  gif: ignoredNote('an image in a format that is not taken (GIF)', EXPORT_ANOTHER),
  pdf: ignoredNote('a PDF document, not an image', 'There is nothing to do.'),
  text: {
    kind: 'notAnImage',
    message:
      'This file holds text, not an image, whatever its name says. Export the image again if one is missing.',
  },
  unknown: NO_IMAGE,
}

/** Content that is not an image of a case. */
type OtherKind = Exclude<ContentKind, ImageType | 'zip' | 'empty' | 'blank' | 'beginning'>

/** The note for content that the station does not take. */
export function otherNote(content: ContentKind): OtherNote {
  return isOtherKind(content) ? OTHER_NOTES[content] : NO_IMAGE
}

function isOtherKind(content: ContentKind): content is OtherKind {
  return Object.hasOwn(OTHER_NOTES, content)
}

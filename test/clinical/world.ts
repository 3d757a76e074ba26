/**
 * What the clinical generator draws: a clinic, which writes one naming convention into one watched folder over time, and
 * the truth of every picture in it. Everything here is the generator's own: no rule, word list or type of the station.
 */

export type Eye = 'right' | 'left'

export type Sex = 'F' | 'M'

/** A synthetic person. */
export type Person = {
  /** As the clinic's own records write it. */
  readonly id: string
  /** Other spellings that mean the same person: without a label, padded, an older number. */
  readonly aliases: readonly string[]
  readonly last: string
  readonly first: string
  /** `1957-03-11` */
  readonly birthDate: string
  readonly sex: Sex
}

/** The attributes that a DICOM file states, as they are written; any may be absent. */
export type DicomHeader = {
  readonly patientId?: string
  /** `LOPEZ^ANA` */
  readonly patientName?: string
  /** `19570311` */
  readonly birthDate?: string
  readonly sex?: string
  /** `20260602` */
  readonly studyDate?: string
  /** (0020,0060), of the series. */
  readonly laterality?: string
  /** (0020,0062), of the image. */
  readonly imageLaterality?: string
  readonly sopInstanceUid?: string
  readonly studyInstanceUid?: string
  readonly seriesDescription?: string
  /** Further elements, as they are written: several values, nested items, or one that is there already. */
  readonly more?: readonly DicomElement[]
}

/** An element of a DICOM file; several values are joined by backslashes, a sequence has items. */
export type DicomElement = {
  /** `00200062` */
  readonly tag: string
  readonly vr: string
  readonly value: string | readonly (readonly DicomElement[])[]
}

export type PictureFormat = 'jpeg' | 'png' | 'tiff' | 'bmp' | 'dicom'

export type Picture = {
  readonly kind: 'picture'
  /** Equal for equal bytes only: it takes the part of a hash. */
  readonly bytes: string
  /** Equal for every file of one photograph: a JPEG and its DICOM twin. */
  readonly photograph: string
  readonly format: PictureFormat
  readonly dicom: DicomHeader | null
  readonly isDamaged: boolean
}

export type TextEncoding = 'utf8' | 'utf8 with BOM' | 'utf16le' | 'latin1'

export type DataFile = { readonly kind: 'data'; readonly text: string; readonly encoding: TextEncoding }

/** A file that is whole at `atMs`; a later event with the same path writes over it. Paths have slashes. */
export type FileEvent = {
  readonly atMs: number
  readonly path: string
  readonly mtimeMs: number
  readonly content: Picture | DataFile
}

/**
 * What can be known of one fact of a picture from its files.
 *
 * - `proof`    a DICOM attribute, or a record bound to the image, states it, and nothing contradicts;
 * - `read`     any reader of the folder knows it, but only names or a record of the whole folder say so;
 * - `alone`    a letter, or a term that is also a surname, without its counterpart in the visit: a question is right;
 * - `weak`     something hints at it: the file's time, a burst of images, a value that a stranger could misread;
 * - `disputed` two sources differ;
 * - `hidden`   no statement, burst or content could show it.
 */
export type Certainty = 'proof' | 'read' | 'alone' | 'weak' | 'disputed' | 'hidden'

export type Facts = { readonly who: Certainty; readonly day: Certainty; readonly eye: Certainty }

export type PictureTruth = {
  readonly path: string
  readonly bytes: string
  readonly photograph: string
  /** The visit's index in its clinic. */
  readonly visit: number
  readonly eye: Eye
  readonly facts: Facts
  readonly isDamaged: boolean
}

export type Visit = {
  readonly index: number
  readonly person: Person
  /** `2026-06-02` */
  readonly day: string
  /** Of the day on which its files arrive: of an older one a station may always ask whether its day is right. */
  readonly isOfToday: boolean
  readonly startMs: number
  /** The clinic's zone, ahead of UTC; instants are its local time as if that were UTC. */
  readonly zoneHours: number
  readonly shots: readonly Shot[]
  readonly isOneEyed: boolean
  /** Of the visits of this clinic on the same day, from 1. */
  readonly ofDay: number
}

/** One release of the shutter. */
export type Shot = {
  readonly eye: Eye
  readonly atMs: number
  /** From 1, in the visit. */
  readonly number: number
  /** From 1, of this eye in the visit. */
  readonly ofEye: number
}

/**
 * What the person at the screen does between two visits: nothing; looks at each case and approves or corrects it; or
 * fills in what is asked and leaves the case for later.
 */
export type Attendance = 'absent' | 'approves' | 'answers'

export type Clinic = {
  readonly convention: string
  /** Which of the convention's spellings this clinic uses. */
  readonly variant: string
  readonly seed: number
  readonly attendance: Attendance
  readonly visits: readonly Visit[]
  /** In the order of their time. */
  readonly events: readonly FileEvent[]
  /** By `bytes`. */
  readonly pictures: ReadonlyMap<string, PictureTruth>
  /** Visits that a file contradicts after they had every reason to be sent: that has to be raised for the sent case. */
  readonly contradicted: ReadonlySet<number>
}

/** The station's quiet time in every clinic, as by default. */
export const QUIET_MS = 180_000

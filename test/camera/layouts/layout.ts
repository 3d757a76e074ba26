/** What every kind of camera is described by: the files that it leaves for some visits. */
import { syntheticPatient } from '../synthetic-patient.ts'

/** What a file is, whatever its name says. Only an image, a DICOM image and what lies in an archive reach a case. */
export type FileKind =
  | 'image'
  | 'dicomImage'
  | 'otherDicom'
  | 'dicomDirectory'
  | 'archive'
  | 'report'
  | 'sidecar'
  | 'raw'
  | 'junk'

export type ExportedFile = {
  /** Below the watched folder, with forward slashes. */
  readonly relativePath: string
  readonly kind: FileKind
  /** The same bytes at each call. */
  readonly bytes: () => Promise<Buffer>
  /** The time that the camera gives the file. */
  readonly modifiedAt: Date
  /** What an archive holds; their paths are those inside of it. */
  readonly entries?: readonly ExportedFile[]
}

export type LayoutVisit = {
  /** The patient's number, 1 to 999; each layout spells an id of its own of it. */
  readonly number: number
  readonly firstName: string
  readonly lastName: string
  /** `YYYY-MM-DD`; the birthday lies early in the year. */
  readonly birthDate: string
  readonly sex: 'M' | 'F'
  /** Years at the visit. */
  readonly age: number
  /** `YYYY-MM-DD`. */
  readonly visitDate: string
  /** `HH:MM`, when the first photograph was taken. */
  readonly time: string
}

/** What a camera of one kind leaves for these visits, in the order in which it writes. */
export type CameraLayout = (visits: readonly LayoutVisit[]) => readonly ExportedFile[]

type VisitChoice = {
  readonly number: number
  readonly visitDate?: string
  readonly time?: string
  readonly firstName?: string
  readonly lastName?: string
}

/** A visit of an invented patient; the same number is the same patient. */
export function layoutVisit(choice: VisitChoice): LayoutVisit {
  const patient = syntheticPatient(choice.number)
  const visitDate = choice.visitDate ?? '2026-06-02'
  const year = Number(visitDate.slice(0, 4))
  return {
    number: choice.number,
    firstName: choice.firstName ?? patient.first_name,
    lastName: choice.lastName ?? patient.last_name,
    birthDate: `${year - patient.age}-01-14`,
    sex: patient.gender === 0 ? 'M' : 'F',
    age: patient.age,
    visitDate,
    time: choice.time ?? '12:18',
  }
}

/** `004512`: the number with zeros in front of it. */
export function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}

type Moment = {
  /** On this machine's clock. */
  readonly at: Date
  /** `20260602` and `121802`. */
  readonly day: string
  readonly clock: string
  /** `02-06-2026`, which could be the second of June or the sixth of February. */
  readonly dayFirst: string
  /** `3.00.05.120_PM`. */
  readonly twelveHours: string
}

/** When the photograph of this index was taken: 39 seconds after the one before it. */
export function momentOf(visit: LayoutVisit, index: number): Moment {
  const [year = 0, month = 0, dayOfMonth = 0] = visit.visitDate.split('-').map(Number)
  const [hours = 0, minutes = 0] = visit.time.split(':').map(Number)
  const at = new Date(year, month - 1, dayOfMonth, hours, minutes, 2 + index * 39)
  const [hour, minute, second] = [at.getHours(), at.getMinutes(), at.getSeconds()]
  const half = `${hour % 12 === 0 ? 12 : hour % 12}.${padded(minute, 2)}.${padded(second, 2)}.120`
  return {
    at,
    day: visit.visitDate.replaceAll('-', ''),
    clock: [hour, minute, second].map((part) => padded(part, 2)).join(''),
    dayFirst: visit.visitDate.split('-').toReversed().join('-'),
    twelveHours: `${half}_${hour < 12 ? 'AM' : 'PM'}`,
  }
}

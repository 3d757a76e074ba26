/** What a source states of a visit: the attributes of a DICOM file, a record of a data file, and the files that it names. */
import { FIELD_NAMES, type FieldName, type Fields } from '../../../../src-shared/fields.ts'
import type { Eye, StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import type { Attribute } from '../../../../src-shared/proof.ts'
import type { Source } from '../../../../src-shared/submission.ts'
import type { Message } from '../../../../src-shared/wording.ts'
import type { Doubt } from '../verdict/evidence.ts'
import type { Person } from './persons.ts'

/** Folder and stem of a path, folded: files of one photograph share it. */
export function stemKeyOf(relativePath: string): string {
  return foldPath(relativePath).replace(/\.[^./]*$/, '')
}

/** A path normalised for comparison: cameras and people vary case and Unicode form. */
export function foldPath(relativePath: string): string {
  return relativePath.normalize('NFC').toLowerCase()
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The folder of a file; empty for the watched folder itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

/** A day as the clinic counts it. */
export type StatedDay = {
  /** `YYYY-MM-DD` */
  readonly value: string
  readonly attribute: Attribute
  readonly doubt?: Extract<Doubt, 'otherZone'>
}

/** True for the name of a file, or a path, with its ending. */
export function isFileName(value: unknown): value is string {
  return typeof value === 'string' && /[^\s./\\]\.[a-z][a-z\d]{1,4}$/i.test(value.trim().slice(-8))
}

type RejectedValue = Message & { readonly field: string }

export type Stated<Value> = { readonly value: Value; readonly source: Source }

/** The attributes of a DICOM file. Stored with the image and never changed; nothing is guessed. */
export type ContentFacts = {
  /** history_number, names, gender, age if the file states one itself, visit_date, and measurements of its eye. */
  readonly fields: Fields
  /** `YYYY-MM-DD`. */
  readonly birthDate: string | null
  /** Null if the file states none, or both. */
  readonly eye: StatedEye | null
  /** `YYYY-MM-DDTHH:MM:SS` on the camera's clock, without a zone. */
  readonly capturedAt: string | null
  /** The SOP Instance UID of the image: a re-export keeps it, although its bytes may differ. */
  readonly sopUid: string | null
  /** The Study Instance UID: pictures of one study are of one patient. Images of earlier versions lack it. */
  readonly studyUid?: string | null
  /** What was photographed and how, as the file words it: `COLOR`, `Disc`, `INFRARED`. For the screen only. */
  readonly view: string | null
  /** Maker and model of the camera. For the screen only. */
  readonly device: string | null
  readonly rejected: readonly RejectedValue[]
  /** Everything that it states, also what contradicts these values: undefined if it states nothing else. */
  readonly stated?: {
    /** Of the patient; one that cannot be read holds U+FFFD there. */
    readonly numbers: readonly string[]
    readonly days: readonly StatedDay[]
    /** Whom it names beside the patient of its values. */
    readonly people: readonly Person[]
    /** The patient's name in other letters, and other names of the patient. */
    readonly spellings: readonly string[]
    /** Whose numbers these are: the number alone may be another patient's elsewhere. */
    readonly issuer: string | null
    /** Texts for an eye in descriptions and comments: they doubt another one, and give none. */
    readonly eyes: readonly { readonly value: StatedEye; readonly attribute: 'description' }[]
    /** What it calls something else than its patient's number: accession, study, series, device, modality, UIDs. */
    readonly explained: readonly string[]
    /** Nothing is stated twice with two values, and nothing is what it cannot be. */
    readonly isIntact: boolean
  }
}

/** One visit of a data file (`case.json`, XML, a row of a CSV). `rejected`: fields with unusable values. */
export type Sidecar = {
  readonly fields: Fields
  /** `YYYY-MM-DD`; converted to the age at the visit. */
  readonly birthDate: string | null
  /** The files that it names: paths relative to the data file, or plain names, with `/`. Possibly empty. */
  readonly files: readonly string[]
  /** By the name of the image, or its path relative to the sidecar, with `/`. */
  readonly eyes: Readonly<Record<string, Eye>>
  /** The eyes that a document states for itself: they are those of the image of the same stem. */
  readonly ownEyes?: readonly StatedEye[]
  /** A digest of all that it states but the names of files, if it is of one exposure: such a record is of one image only. */
  readonly capture?: string
  readonly rejected: readonly RejectedValue[]
  /** Why the whole of it proposes and proves nothing, beside what is rejected; see `doubtOfRecord`. */
  readonly doubts?: readonly RejectedValue[]
}

/** The record with these of its fields, and nothing that was rejected. */
export function withFields(record: Sidecar, names: readonly FieldName[]): Sidecar {
  const stated = FIELD_NAMES.filter((name) => names.includes(name) && record.fields[name] !== undefined)
  const fields = Object.fromEntries(stated.map((name) => [name, record.fields[name]]))
  return { ...record, fields, rejected: [] }
}

/** What every record states whole and once; measurements and free texts may be odd. */
const WHOLE = [
  'history_number',
  'last_name',
  'first_name',
  'birth_date',
  'visit_date',
  'eye',
  'file',
  'images',
]

/** Why a bound record only proposes its values; undefined if it proves them: stated once, and what its name says. */
export function doubtOfRecord(
  { rejected, doubts = [] }: Sidecar,
  of: 'day' | 'all' = 'all',
): Extract<Doubt, 'notIntact' | 'otherZone'> | undefined {
  const [doubt] = doubts.filter(({ field }) => field !== OTHER_ZONE)
  if (doubt || rejected.some(({ field }) => WHOLE.includes(field))) return 'notIntact'
  return of === 'day' && doubts.length > 0 ? 'otherZone' : undefined
}

/** In place of a field: the day of the visit is another where its time is stated. */
export const OTHER_ZONE = 'zone'

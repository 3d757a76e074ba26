/** What a row of the tables says: what a camera writes, and what the station makes of it in the end. */
import { expect } from 'vitest'
import { type Fields, GENDER_CODES } from '../../../src-shared/fields.ts'
import type { Eye, ImageType } from '../../../src-shared/measurement-ranges.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { Reason, Submission, Warning } from '../../../src-shared/submission.ts'
import type { ExportedFile, LayoutVisit } from '../../camera/layouts/layout.ts'
import type { Folders } from '../station-fixture.ts'

/** What a station shows of the files of a row. */
export type Shown = {
  readonly submissions: readonly Submission[]
  readonly notes: readonly { readonly fileName: string; readonly kind: string }[]
}

export type ExpectedImage = {
  readonly fileName: string
  readonly eye: Eye
  readonly contentType: ImageType
  /** What goes in place of the file; null if it goes as it is. */
  readonly sentAs: ImageType | null
}

export type ExpectedSubmission = {
  readonly historyNumber: string | null
  /** `YYYY-MM-DD`; `ofFileTime` if only the file's own time shows it, and the submission says so. */
  readonly visitDate: string | { readonly ofFileTime: string }
  /** Those that are sent. */
  readonly images: readonly ExpectedImage[]
  /** Files that show an image once more, and which. */
  readonly twins?: readonly { readonly fileName: string; readonly of: string }[]
  readonly state: SubmissionState
  /** Each kind once. */
  readonly reasonKinds?: readonly Reason['kind'][]
  /** What the messages of the reasons have to show. */
  readonly reasonsShow?: RegExp
  /** At least these. */
  readonly warningKinds?: readonly Warning['kind'][]
  /** At least these. */
  readonly fields?: Fields
}

type ExpectedNote = { readonly fileName: string; readonly kinds: readonly FileNote['kind'][] }

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

export const DAY = '2026-06-02'
export const FILE_TIME = { ofFileTime: DAY }

type More = Partial<ExpectedSubmission>

/** Data of the files prove the patient, the day and the eyes. */
export function proven(
  historyNumber: string,
  images: readonly ExpectedImage[],
  more: More = {},
): ExpectedSubmission {
  return { historyNumber, visitDate: DAY, images, state: 'waiting', ...more }
}

/** Nothing is missing, and only names say whose it is, of which day or of which eye: a person checks it. */
export const NAMES_ALONE = {
  state: 'review',
  reasonKinds: ['readFromNames'],
  reasonsShow: /^Read from file names: please check/,
} as const satisfies More

/** A person has to say which eyes these are. */
export const EYES_UNKNOWN = { state: 'incomplete', reasonKinds: ['eyeUnknown'] } as const satisfies More

/** An image file that goes as it is. */
export function sentPlain(fileName: string, eye: Eye): ExpectedImage {
  return { fileName, eye, contentType: plainTypeOf(fileName), sentAs: null }
}

/** A DICOM file whose picture goes: JPEG stays JPEG, all else becomes PNG. */
export function sentUnwrapped(
  fileName: string,
  eye: Eye,
  sentAs: 'image/jpeg' | 'image/png' = 'image/jpeg',
): ExpectedImage {
  return { fileName, eye, contentType: 'application/dicom', sentAs }
}

export function ignored(...fileNames: readonly string[]): readonly ExpectedNote[] {
  return fileNames.map((fileName) => ({ fileName, kinds: ['ignored'] }))
}

const PLAIN_TYPES = { jpg: 'image/jpeg', tif: 'image/tiff', png: 'image/png', bmp: 'image/bmp' } as const

function plainTypeOf(fileName: string): ImageType {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase()
  const type = Object.entries(PLAIN_TYPES).find(([known]) => known === extension)?.[1]
  if (type === undefined) throw new Error(`No plain image file ends in ${extension}.`)
  return type
}

/** What DICOM and data files say of a person: name, sex, and the age at the visit. */
export function personOf(visit: LayoutVisit): Fields {
  return {
    first_name: visit.firstName,
    last_name: visit.lastName,
    age: visit.age,
    gender: visit.sex === 'F' ? GENDER_CODES.female : GENDER_CODES.male,
  }
}

/** The folder of layout 3, whose name has the patient's name in it. */
export function folderNameOf(visit: LayoutVisit, id: string): string {
  return `${visit.firstName}_${visit.lastName}_${id}_02-06-2026`.replaceAll(' ', '_')
}

/** Layout 3: everything but the eye; `archive` is the path of the archive that holds the folder, with `/`. */
export function byFolderName(
  visit: LayoutVisit,
  id: string,
  more: More,
  archive = '',
): readonly ExpectedSubmission[] {
  const images = ['12.18.02.120_PM', '12.18.41.120_PM'].map((name) =>
    sentPlain(`${archive}${folderNameOf(visit, id)}/FOP/${name}.jpg`, 'unknown'),
  )
  return [proven(id, images, { ...EYES_UNKNOWN, ...more })]
}

/** Layout 5: these fields of both eyes. */
export function eidonImages(id: string, ...fields: readonly string[]): readonly ExpectedImage[] {
  return (['right', 'left'] as const).flatMap((eye) =>
    fields.map((field) => sentUnwrapped(`${id}-${eye === 'right' ? 'OD' : 'OS'}-${field}-1.dcm`, eye)),
  )
}

/** What the station shows of a row, in a form that can be compared; notes that may be there or not are left out. */
export function comparedShown(shown: Shown, expected: ExpectedCase): unknown {
  return {
    submissions: inOrder(shown.submissions.map(shownSubmission)),
    notes: shown.notes
      .filter(({ fileName }) => expected.notedOrNot?.includes(fileName) !== true)
      .map(({ fileName, kind }) => ({ fileName, kind }))
      .toSorted(byFileName),
  }
}

/** What a row says in the same form, with matchers for what it leaves open. */
export function comparedExpected(expected: ExpectedCase): unknown {
  return {
    submissions: inOrder(expected.submissions.map(expectedSubmission)),
    notes: (expected.notes ?? [])
      .map(({ fileName, kinds }) => ({
        fileName,
        kind: kinds.length === 1 ? kinds[0] : expect.stringMatching(new RegExp(`^(${kinds.join('|')})$`)),
      }))
      .toSorted(byFileName),
  }
}

function shownSubmission(submission: Submission) {
  const { fields, sources, reasons } = submission
  const nameOf = new Map(submission.images.map(({ id, fileName }) => [id, fileName]))
  return {
    images: submission.images
      .filter(({ twinOf }) => twinOf === null)
      .map(({ fileName, eye, contentType, sentAs }): ExpectedImage => ({
        fileName,
        eye,
        contentType,
        sentAs: sentAs?.contentType ?? null,
      }))
      .toSorted(byFileName),
    twins: submission.images
      .flatMap(({ fileName, twinOf }) => (twinOf === null ? [] : [{ fileName, of: nameOf.get(twinOf) }]))
      .toSorted(byFileName),
    historyNumber: fields.history_number ?? null,
    visitDate: fields.visit_date ?? null,
    dateComes: sources.visit_date === 'fileTime' ? 'from the time of a file' : 'from a statement',
    state: submission.state,
    reasonKinds: [...new Set(reasons.map(({ kind }) => kind))].toSorted(),
    reasonTexts: reasons.map(({ message }) => message).join(' '),
    warningKinds: submission.oddities.map(({ kind }) => kind),
    fields,
  }
}

function expectedSubmission(submission: ExpectedSubmission) {
  const { visitDate, reasonsShow, warningKinds = [], fields = {} } = submission
  return {
    images: submission.images.toSorted(byFileName),
    twins: (submission.twins ?? []).toSorted(byFileName),
    historyNumber: submission.historyNumber,
    visitDate: typeof visitDate === 'string' ? visitDate : visitDate.ofFileTime,
    dateComes: typeof visitDate === 'string' ? 'from a statement' : 'from the time of a file',
    state: submission.state,
    reasonKinds: (submission.reasonKinds ?? []).toSorted(),
    reasonTexts: reasonsShow ? expect.stringMatching(reasonsShow) : expect.any(String),
    warningKinds: expect.arrayContaining([...warningKinds]),
    fields: expect.objectContaining(fields),
  }
}

type Named = { readonly fileName: string }

function byFileName(one: Named, other: Named): number {
  return one.fileName < other.fileName ? -1 : one.fileName > other.fileName ? 1 : 0
}

function inOrder<One extends { readonly images: readonly Named[] }>(submissions: readonly One[]): One[] {
  const nameOf = ({ images }: One): Named => ({ fileName: images.map(({ fileName }) => fileName).join('\n') })
  return submissions.toSorted((one, other) => byFileName(nameOf(one), nameOf(other)))
}

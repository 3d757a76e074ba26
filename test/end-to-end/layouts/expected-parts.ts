/** Expectations that several rows of the tables share. */
import { GENDER_CODES, type Fields } from '../../../src-shared/fields.ts'
import type { LayoutVisit } from '../../camera/layouts/layout.ts'
import {
  sentPlain,
  sentUnwrapped,
  type ExpectedCase,
  type ExpectedImage,
  type ExpectedSubmission,
} from './expected-case.ts'

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
export function folderTellsAll(
  visit: LayoutVisit,
  id: string,
  visitDate: ExpectedSubmission['visitDate'],
  archive = '',
): Pick<ExpectedCase, 'submissions'> {
  const folder = `${archive}${folderNameOf(visit, id)}`
  const images = ['12.18.02.120_PM', '12.18.41.120_PM'].map((name) =>
    sentPlain(`${folder}/FOP/${name}.jpg`, 'unknown'),
  )
  const state = 'incomplete'
  return { submissions: [{ historyNumber: id, visitDate, images, state, reasonKinds: ['eyeUnknown'] }] }
}

/** Layout 5: these fields of one eye. */
export function eidonImages(
  id: string,
  eye: 'right' | 'left',
  fields: readonly string[],
): readonly ExpectedImage[] {
  return fields.map((field) => sentUnwrapped(`${id}-${eye === 'right' ? 'OD' : 'OS'}-${field}-1.dcm`, eye))
}

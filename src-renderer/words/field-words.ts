import type { Eye } from '../../src-shared/eye.ts'
import type { FieldName, Measurement } from '../../src-shared/fields.ts'
import type { Source } from '../../src-shared/submission.ts'

export const EYE_WORDS: Readonly<
  Record<Eye, { readonly name: string; readonly short: string; readonly full: string }>
> = {
  right: { name: 'Right eye', short: 'OD', full: 'Right eye \u2013 OD' },
  left: { name: 'Left eye', short: 'OS', full: 'Left eye \u2013 OS' },
  unknown: { name: 'Eye not known', short: '?', full: 'Eye not known' },
}

export const MEASUREMENT_WORDS: Readonly<
  Record<Measurement, { readonly name: string; readonly unit: string }>
> = {
  iop: { name: 'IOP', unit: 'mmHg' },
  va: { name: 'Visual acuity', unit: '' },
  sphere: { name: 'Sphere', unit: 'D' },
  cylinder: { name: 'Cylinder', unit: 'D' },
  axis: { name: 'Axis', unit: '\u00b0' },
  add: { name: 'Addition', unit: 'D' },
  prism: { name: 'Prism', unit: '\u0394' },
  prism_base: { name: 'Prism base', unit: '\u00b0' },
}

const PATIENT_WORDS = {
  history_number: 'History number',
  first_name: 'First name',
  last_name: 'Last name',
  gender: 'Gender',
  age: 'Age',
  diabetes: 'Diabetes',
  visit_date: 'Visit date',
  visit_reason: 'Reason for the visit',
  ophthalmic_antecedents: 'Eye history',
  other_relevant_info: 'Other relevant information',
  retinologist_notes: 'Notes for the reader',
} as const

/** A field's name as a label; measurements carry their eye: `IOP, right eye \u2013 OD`. */
export function fieldLabel(name: FieldName): string {
  if (name in PATIENT_WORDS) return PATIENT_WORDS[name as keyof typeof PATIENT_WORDS]
  const eye = name.startsWith('od_') ? EYE_WORDS.right : EYE_WORDS.left
  return `${MEASUREMENT_WORDS[name.slice(3) as Measurement].name}, ${eye.full.toLowerCase().replace(/o[ds]$/, (code) => code.toUpperCase())}`
}

/** Where a prefilled value came from, in two or three words. */
export const SOURCE_WORDS: Readonly<Record<Source, { readonly name: string; readonly meaning: string }>> = {
  sidecar: { name: 'from data file', meaning: 'Read from a data file beside the images.' },
  folderName: { name: 'from folder name', meaning: 'Read from the name of the folder. Check it.' },
  fileName: { name: 'from file name', meaning: 'Read from the names of the images. Check it.' },
  fileTime: {
    name: 'from file time',
    meaning: 'Taken from the time of the files, which may be wrong. Check it.',
  },
  dicom: { name: 'from DICOM', meaning: 'Read from the DICOM data of the images.' },
  patientList: { name: 'from patient list', meaning: 'Read from the patient list of the clinic.' },
  person: { name: 'entered here', meaning: 'Entered by a person at this station.' },
}

export const FIELD_WORDS = {
  notKnown: 'Not known',
  male: 'Male',
  female: 'Female',
  yes: 'Yes',
  no: 'No',
  years: 'years',
  required: 'required',
  notANumber: 'This is not a number. Write it like 1.25 or 1,25.',
  outOfRange: (min: number, max: number) => `Must be between ${min} and ${max}.`,
  wholeAge: 'Write the age in whole years.',
  notADate: 'This is not a date that the calendar has.',
  tooLong: 'This is too long: at most 10,000 characters.',
} as const

import type { Fields } from '../../../src-shared/fields.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { submission } from './make-submission.ts'

/** One with all that may be in doubt: values that disagree, an eye without image, twins, images of other kinds. */
export function doubtfulSubmission(now: number, fields: Fields): SubmissionDetails {
  const made = submission(
    13,
    now,
    { ...fields, history_number: 'H-00420-A-NUMBER-AS-LONG-AS-SOME-CLINICS-WRITE-IT', od_iop: 28 },
    {
      state: 'incomplete',
      eyes: 'rrr',
      sources: { history_number: 'patientList', visit_date: 'dicom', od_iop: 'dicom' },
      reasons: [
        {
          kind: 'valueConflict',
          field: 'last_name',
          message:
            'The sources disagree about the last name (data file: Sampleton, patient list: Samplington). Enter the right one.',
        },
      ],
      minutesAgo: 3,
    },
  )
  const [first, second, third] = made.images
  if (!first || !second || !third) throw new Error('The doubtful case has three images')
  const unwrapped = { contentType: 'image/jpeg' as const, sizeBytes: 1_600_000, sha256: first.sha256 }
  return {
    ...made,
    images: [
      first,
      {
        ...second,
        fileName: 'STUDY/1.2.826.0.1.3680043.10.424242.20261120.101502.1.dcm',
        contentType: 'application/dicom',
        eyeSource: 'dicom',
        view: 'COLOR',
        sentAs: unwrapped,
      },
      { ...third, fileName: 'STUDY/OD_1.dcm', contentType: 'application/dicom', twinOf: first.id },
    ],
    oddities: [
      { kind: 'eyeWithoutImage', message: 'There is no image of the left eye (OS).' },
      {
        kind: 'unusualValue',
        field: 'od_iop',
        message: 'The OD IOP of 28 is unusual (most are 6 to 21). It is sent as it is.',
      },
      {
        kind: 'blankImage',
        imageId: second.id,
        message:
          'This picture is black, white or of one even tone, as behind a lens cap. Look at it before the case goes, and leave it out if it shows no eye.',
      },
      {
        kind: 'sentBefore',
        message:
          'A case of this patient and day was sent before (FC7K3M9QXAW). Check that this is not the same visit.',
      },
    ],
  }
}

/** What one picture of a case does not prove for another, and what records that are not bound leave open. */
import { it } from 'vitest'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import { asking, type Circumstances, picture, type Stated, TODAY, type VisitRow } from './pictures.ts'

const ALL: Stated = { id: 'H-00101', day: TODAY, eye: 'right' }
const LEFT: Stated = { ...ALL, eye: 'left' }

const first = picture('H-00101/1.dcm', { dicom: ALL })
const second = (circumstances: Circumstances): readonly PictureEvidence[] => [
  first,
  picture('H-00101/2.dcm', circumstances),
]

it.each<VisitRow>([
  ['both state all', second({ dicom: LEFT }), { clearance: 'mayLeaveUnseen' }],
  ...['UNKNOWN', '0000', 'ANONYMOUS', 'N/A', '111111'].map((id): VisitRow => [
    `the other one states ${id}`,
    second({ dicom: { ...LEFT, id } }),
    { who: 'proposed H-00101 (noLink)', clearance: 'needsLook' },
  ]),
  [
    'the day of the other one is that of its file',
    second({ record: { id: 'H-00101', eye: 'left' } }),
    { day: `proposed ${TODAY} (fileTime)`, clearance: 'needsLook' },
  ],
  [
    'the other one is of the same study, and states no day',
    [
      picture('H-00101/1.dcm', { dicom: ALL, study: '1.2' }),
      picture('H-00101/2.dcm', { dicom: { id: 'H-00101', eye: 'left' }, study: '1.2' }),
    ],
    { day: `proven ${TODAY}`, clearance: 'mayLeaveUnseen' },
  ],
  [
    'a record of its folder states the eye',
    picture('H-00101/1.dcm', { dicom: { id: 'H-00101', day: TODAY }, folder: { eye: 'right' } }),
    { eyes: 'proposed right (folderRecord)', clearance: 'needsLook' },
  ],
  [
    'a record of its folder states the eye, under a name that was used before',
    picture('H-00101/1.dcm', {
      dicom: { id: 'H-00101', day: TODAY },
      folder: { eye: 'right' },
      isOverwritten: true,
    }),
    { eyes: 'unknown', clearance: 'needsAnswer' },
  ],
  [
    'a record of its folder states another eye',
    picture('H-00101/1.dcm', { dicom: ALL, folder: { eye: 'left' }, isOverwritten: true }),
    { eyes: 'disputed right | left', clearance: 'needsAnswer' },
  ],
  [
    'a name adds a zero to the number, and spells a time',
    picture('087524281_OD.jpg', { record: { ...ALL, id: '87524281' }, at: '09:15:20' }),
    'disputed 87524281 | 087524281 (nearlySame)',
  ],
  [
    'a name changes a digit of the number, and spells a time',
    picture('091520_OD.jpg', { record: { ...ALL, id: '091820' }, at: '09:15:20' }),
    'disputed 091820 | 091520 (nearlySame)',
  ],
])('%s', asking('who'))

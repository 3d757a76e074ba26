/** Which pictures belong together, and what a folder's record proves: findings 1 and 2, drawn from other cameras. */
import { describe, expect, it } from 'vitest'
import { bondOf, type HeldRecord } from '../../../../../src-main/station/cases/verdict/binding.ts'
import type { PictureEvidence } from '../../../../../src-main/station/cases/verdict/evidence.ts'
import {
  identityOf,
  type Circumstances,
  type Expected,
  named,
  picture,
  shown,
  TODAY,
  type VisitRow,
} from './pictures.ts'

const check = (_title: string, pictures: readonly PictureEvidence[], expected: Expected): void => {
  expect(shown(pictures)).toMatchObject(expected)
}

const at = (time: string, path: string, more: Circumstances = {}): PictureEvidence =>
  picture(path, { at: time, ...more })

describe('pictures without an id (finding 1)', () => {
  it.each<VisitRow>([
    [
      'a second pass over both eyes, within ten minutes',
      [
        at('14:00:12', 'eingang/a_OD.jpg'),
        at('14:00:40', 'eingang/b_OS.jpg'),
        at('14:07:01', 'eingang/c_OD.jpg'),
        at('14:07:30', 'eingang/d_OS.jpg'),
      ],
      { who: 'unknown (nothingStated)', together: 'unknown, 2 groups', clearance: 'needsAnswer' },
    ],
    [
      'the first eye once more, behind the other',
      [
        at('14:00:12', 'Bild1_rechts.jpg'),
        at('14:00:40', 'Bild2_links.jpg'),
        at('14:02:12', 'Bild3_rechts.jpg'),
      ],
      { together: 'unknown, 2 groups' },
    ],
    [
      'one eye, and half an hour later one eye',
      [at('09:00:00', 'Consulta 3/r.jpg'), at('09:30:00', 'Consulta 3/r (2).jpg')],
      { together: 'unknown, 2 groups' },
    ],
    [
      'no eyes, twenty minutes apart',
      [at('09:00:00', 'DCIM/100CANON/IMG_0001.JPG'), at('09:20:00', 'DCIM/100CANON/IMG_0002.JPG')],
      { together: 'unknown, 2 groups' },
    ],
    [
      'a folder named after a kind of image',
      [
        at('09:00:00', 'Fundus/a_OD.jpg'),
        at('09:00:20', 'Fundus/b_OS.jpg'),
        at('09:25:00', 'Fundus/c_OS.jpg'),
      ],
      { together: 'unknown, 2 groups' },
    ],
    [
      'a folder that has held two patients',
      [
        at('09:00:00', 'Vega Luz/a_OD.jpg', { isInSharedFolder: true }),
        at('09:30:00', 'Vega Luz/b_OS.jpg', { isInSharedFolder: true }),
      ],
      { together: 'unknown, 2 groups' },
    ],
    [
      'a folder of their own, both eyes twice',
      [
        at('09:00:00', 'Vega Luz/a_OD.jpg'),
        at('09:00:30', 'Vega Luz/b_OS.jpg'),
        at('09:03:00', 'Vega Luz/c_OD.jpg'),
        at('09:04:00', 'Vega Luz/d_OS.jpg'),
      ],
      { together: 'unknown, 2 groups' },
    ],
    [
      'counters in front of the eyes, both eyes twice',
      [
        at('09:00:00', 'Vega Luz/1_OD.jpg'),
        at('09:00:30', 'Vega Luz/2_OS.jpg'),
        at('09:03:00', 'Vega Luz/3_OD.jpg'),
        at('09:04:00', 'Vega Luz/4_OS.jpg'),
      ],
      { together: 'unknown, 2 groups' },
    ],
    [
      'one with an id, one without, half an hour apart',
      [
        at('09:00:00', 'inbox/1.dcm', { dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:31:00', 'inbox/b_OS.jpg'),
      ],
      { together: 'unknown, 2 groups', clearance: 'needsAnswer' },
    ],
  ])('how many patients: %s', check)

  it.each<VisitRow>([
    [
      'one burst',
      [at('09:00:00', 'inbox/1_OD.jpg'), at('09:04:00', 'inbox/2_OD.jpg'), at('09:12:00', 'inbox/3_OS.jpg')],
      { together: 'proposed' },
    ],
    [
      'a burst of unknown eyes',
      [at('09:00:00', 'IMG_0001.JPG'), at('09:05:00', 'IMG_0002.JPG'), at('09:10:00', 'IMG_0003.JPG')],
      { together: 'proposed' },
    ],
    [
      'a folder of their own',
      [at('09:00:00', 'Vega Luz/1_OD.jpg'), at('09:30:00', 'Vega Luz/2_OS.jpg')],
      { together: 'proposed' },
    ],
    [
      'a folder of their own, divided by eye',
      [at('09:00:00', 'Vega Luz/OD/1.jpg'), at('09:30:00', 'Vega Luz/OS/2.jpg')],
      { together: 'proposed' },
    ],
    [
      'a study',
      [at('09:00:00', 'inbox/1.dcm', { study: '1.2.3' }), at('09:30:00', 'inbox/2.dcm', { study: '1.2.3' })],
      { together: 'proposed' },
    ],
    ['one picture', named('inbox/OD.jpg'), { together: 'proven' }],
    [
      'one with an id, one without, in one burst',
      [
        at('09:00:00', 'inbox/1.dcm', { dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:01:00', 'inbox/b_OS.jpg'),
      ],
      { who: 'proposed 771020 (noLink)', together: 'proposed', clearance: 'needsLook' },
    ],
    [
      'one with an id, one of its study',
      [
        at('09:00:00', '1.dcm', { study: '1.2.3', dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:40:00', '2.dcm', { study: '1.2.3', dicom: { eye: 'left' } }),
      ],
      { who: 'proven 771020', together: 'proven', clearance: 'mayLeaveUnseen' },
    ],
    [
      'one with an id, one of another study',
      [
        at('09:00:00', '1.dcm', { study: '1.2.3', dicom: { id: '771020', day: TODAY, eye: 'right' } }),
        at('09:01:00', '2.dcm', { study: '1.2.4', dicom: { eye: 'left' } }),
      ],
      { who: 'proposed 771020 (noLink)', together: 'proposed' },
    ],
  ])('at most a look: %s', check)

  const bursts = (stated: boolean): readonly PictureEvidence[] =>
    ['09:00:00 right', '09:00:30 left', '09:31:00 right', '09:31:40 left'].map((row, index) => {
      const [time = '', eye = ''] = row.split(' ')
      return stated
        ? at(time, `${index}.dcm`, {
            dicom: { id: '771020', day: TODAY, eye: eye === 'right' ? 'right' : 'left' },
          })
        : at(time, `771020_${index}_${eye}.jpg`)
    })

  it('is reviewed if both eyes come twice under a number that only names hold', () => {
    expect(shown(bursts(false))).toMatchObject({ who: 'proposed 771020', together: 'proposed (twoBursts)' })
    expect(shown(bursts(true))).toMatchObject({ who: 'proven 771020', together: 'proven' })
  })

  const identities: readonly (readonly [path: string, identity: string])[] = [
    ['inbox/20261120_091502_OD.jpg', 'loose inbox'],
    ['Sala 7/OD.jpg', 'loose Sala 7'],
    ['eingang/2026-11-20/OS.jpg', 'loose eingang/2026-11-20'],
    ['Netzhaut/OS.jpg', 'loose Netzhaut'],
    ['right.jpg', 'loose '],
    ['Vega Luz/OD/1.jpg', 'folder Vega Luz'],
    ['771020_OD.jpg', 'patient 771020'],
  ]
  it.each(identities)('%s is of: %s', (path, identity) => {
    expect(identityOf(path)).toBe(identity)
  })
})

describe('the record of a folder that is written over (finding 2)', () => {
  const record = (files: readonly string[] = []): HeldRecord['record'] => ({
    fields: {},
    birthDate: null,
    files,
    eyes: {},
    rejected: [],
  })

  const bonds: readonly (readonly [
    title: string,
    held: HeldRecord,
    image: string,
    isReused: boolean,
    bond: string,
  ])[] = [
    [
      'an image that it names',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: false },
      'heute/OI.jpg',
      false,
      'bound',
    ],
    [
      'a name that was used before',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: false },
      'heute/OI.jpg',
      true,
      'hint',
    ],
    [
      'a record that was of another patient',
      { path: 'heute/case.json', form: 'case', record: record(['OI.jpg']), onlyDoubts: true },
      'heute/OI.jpg',
      false,
      'hint',
    ],
    [
      'an image that it does not name',
      { path: 'act/case.json', form: 'case', record: record(), onlyDoubts: false },
      'act/r_1.png',
      false,
      'hint',
    ],
    [
      'a document of the same stem, name used before',
      { path: 'act/r_1.xml', form: 'document', record: record(), onlyDoubts: false },
      'act/r_1.png',
      true,
      'hint',
    ],
    [
      'a document of the same stem',
      { path: 'act/r_1.xml', form: 'document', record: record(), onlyDoubts: false },
      'act/r_1.png',
      false,
      'bound',
    ],
  ]
  it.each(bonds)('binds: %s', (_title, held, image, isReused, bond) => {
    expect(bondOf(held, image, isReused ? 'reused' : 'once')).toBe(bond)
  })

  const held = (path: string, more: Circumstances = {}): PictureEvidence =>
    picture(path, { folder: { id: '440127', day: TODAY }, ...more })

  it.each<VisitRow>([
    [
      'names written over',
      [held('aktuell/OD.jpg', { isOverwritten: true })],
      { who: 'unknown (folderRecord)', clearance: 'needsAnswer' },
    ],
    [
      'one of two written over',
      [held('Platz 1/L.jpg'), held('Platz 1/R.jpg', { isOverwritten: true })],
      { who: 'unknown (folderRecord)' },
    ],
    ['in a container', [held('inbox/OD.jpg')], { who: 'unknown (folderRecord)' }],
    ['in the folder of a day', [held('2026-11-20/OD.jpg')], { who: 'unknown (folderRecord)' }],
    [
      'in a folder of its own',
      [held('Vega Luz/OD.jpg')],
      { who: 'proposed 440127 (folderRecord)', clearance: 'needsLook' },
    ],
    ['the number of the names', [held('440127/OD.jpg')], { who: 'proposed 440127 (folderRecord)' }],
    [
      'another number in the names',
      [held('551238/551238_OD.jpg')],
      { who: 'disputed 440127 | 551238 (sourcesDiffer)' },
    ],
    [
      'two records',
      [held('Vega Luz/OD.jpg'), picture('Vega Luz/OS.jpg', { folder: { id: '551238' } })],
      { who: 'disputed 440127 | 551238 (sourcesDiffer)' },
    ],
    [
      'against DICOM',
      [held('Vega Luz/1.dcm', { dicom: { id: '551238', day: TODAY, eye: 'left' } })],
      { who: 'disputed 551238 | 440127 (sourcesDiffer)' },
    ],
    [
      'a placeholder',
      [picture('Vega Luz/OD.jpg', { folder: { id: 'UNKNOWN' } })],
      { who: 'unknown (nothingStated)' },
    ],
  ])('proposes at most: %s', check)
})

/**
 * The twelve layouts of the reference and what becomes of them. The expectations come from the design, not from the
 * program: identity and eye only where something states them, dates only with the year first (or as a profile says).
 *
 * Every patient has a number of their own, so that no two rows have a picture or an id in common.
 */
import { ALL_LAYOUTS } from '../../camera/layouts/all-layouts.ts'
import { layoutVisit, type LayoutVisit } from '../../camera/layouts/layout.ts'
import { leftAlone, NAMES_ALONE, sentPlain, sentUnwrapped, type ExpectedCase } from './expected-case.ts'
import { eidonImages, folderNameOf, folderTellsAll, personOf } from './expected-parts.ts'

const DAY = '2026-06-02'

const [p101, p102] = [layoutVisit({ number: 101 }), layoutVisit({ number: 102 })]
const p101Again = layoutVisit({ number: 101, visitDate: '2026-06-03' })
const p131 = layoutVisit({ number: 131 })
const p141 = layoutVisit({ number: 141 })
const [p151, p152] = [layoutVisit({ number: 151 }), layoutVisit({ number: 152 })]
const [p161, p162] = [layoutVisit({ number: 161 }), layoutVisit({ number: 162 })]
const [p121, p123] = [layoutVisit({ number: 121 }), layoutVisit({ number: 123 })]

function subjectFolderOf(id: string, day: string, visit: LayoutVisit): ExpectedCase['submissions'][number] {
  const stem = `${id}_/${id}_Retina`
  const compact = day.replaceAll('-', '')
  return {
    historyNumber: id,
    visitDate: day,
    images: [
      sentPlain(`${stem}_OD_${compact}_121802.jpg`, 'right'),
      sentPlain(`${stem}_OS_${compact}_121841.jpg`, 'left'),
    ],
    twins: [
      { fileName: `${stem}_OD_${compact}_121802.dcm`, of: `${stem}_OD_${compact}_121802.jpg` },
      { fileName: `${stem}_OS_${compact}_121841.dcm`, of: `${stem}_OS_${compact}_121841.jpg` },
    ],
    state: 'waiting',
    fields: personOf(visit),
  }
}

function reportsOf(id: string, compactDay: string): ReturnType<typeof leftAlone> {
  return leftAlone(`${id}_/${id}_Report_${compactDay}.html`, `${id}_/${id}_Report_OD_${compactDay}.html`)
}

const octStem = (clock: string): string => `2.16.840.1.114517.10.5.1.4.131.20260602${clock}`
const octOthers = (clock: string): readonly string[] =>
  ['1.1', '3.1', '4.1', '5.1', '6.3'].map((end) => `${octStem(clock)}.${end}.dcm`)

export const expectedLayouts: readonly ExpectedCase[] = [
  {
    name: '1: subject folders, JPEG with DICOM twin, reports',
    files: [ALL_LAYOUTS['1']([p101, p102, p101Again])],
    submissions: [
      subjectFolderOf('105-10-0101-2', DAY, p101),
      subjectFolderOf('105-10-0102-2', DAY, p102),
      subjectFolderOf('105-10-0101-2', '2026-06-03', p101Again),
    ],
    notes: [
      ...reportsOf('105-10-0101-2', '20260602'),
      ...reportsOf('105-10-0102-2', '20260602'),
      ...reportsOf('105-10-0101-2', '20260603'),
    ],
  },
  {
    name: '2: names made to be unlike any other, eyes only in the database of the camera',
    files: [ALL_LAYOUTS['2']([layoutVisit({ number: 111 }), layoutVisit({ number: 112 })])],
    submissions: ['111', '112'].map((number) => ({
      historyNumber: `105-10-0${number}-2`,
      visitDate: { ofFileTime: DAY },
      images: [
        sentPlain(`105-10-0${number}-2/7f0c${number}e.jpg`, 'unknown'),
        sentPlain(`105-10-0${number}-2/b1d4c09e-5a3f-4e21-9c7d-0f6e2a81b${number}.jpg`, 'unknown'),
      ],
      state: 'incomplete',
      reasonKinds: ['eyeUnknown'],
    })),
    notes: leftAlone('retina.sqlite3'),
  },
  {
    name: '3: the folder tells all, with the day first, which auto does not guess',
    files: [ALL_LAYOUTS['3']([p121])],
    ...folderTellsAll(p121, '10000121', { ofFileTime: DAY }),
    notes: leftAlone(`${folderNameOf(p121, '10000121')}/REPORTS/12.20.38.120_PM.pdf`),
  },
  {
    name: '3: the same in an archive',
    files: [ALL_LAYOUTS['3-zip']([p123])],
    ...folderTellsAll(p123, '10000123', { ofFileTime: DAY }, '10000123_02-06-2026_12.21.17.120_PM.zip/'),
    notedOrNot: [
      `10000123_02-06-2026_12.21.17.120_PM.zip/${folderNameOf(p123, '10000123')}/REPORTS/12.20.38.120_PM.pdf`,
    ],
  },
  {
    name: '4: a DICOM set of an OCT device, of which one file is a photograph',
    files: [ALL_LAYOUTS['4']([p131])],
    submissions: [
      {
        historyNumber: '004131',
        visitDate: DAY,
        images: [
          sentUnwrapped(`${octStem('121802')}.2.1.dcm`, 'right', 'image/png'),
          sentUnwrapped(`${octStem('121841')}.2.1.dcm`, 'left', 'image/png'),
        ],
        state: 'waiting',
        fields: personOf(p131),
      },
    ],
    notes: leftAlone(...octOthers('121802'), ...octOthers('121841'), '1310.fda', '1311.fda'),
  },
  {
    name: '5: several fields of each eye as DICOM, infrared and mosaic among them',
    files: [ALL_LAYOUTS['5']([p141])],
    submissions: [
      {
        historyNumber: 'HC-004141',
        visitDate: DAY,
        images: (['right', 'left'] as const).flatMap((eye) =>
          eidonImages('HC-004141', eye, ['0-visible', '3-visible', '11-visible', '0-infrared']),
        ),
        state: 'waiting',
        fields: personOf(p141),
      },
    ],
  },
  {
    name: '6: id and UID, eye and date only in the tags',
    files: [ALL_LAYOUTS['6']([p151, p152])],
    submissions: [p151, p152].map((visit) => ({
      historyNumber: `HC-004${visit.number}`,
      visitDate: DAY,
      images: [
        sentUnwrapped(`HC-004${visit.number}_2.25.9${visit.number}2026060212180.dcm`, 'right'),
        sentUnwrapped(`HC-004${visit.number}_2.25.9${visit.number}2026060212181.dcm`, 'left'),
      ],
      state: 'waiting',
      fields: { ...personOf(visit), od_iop: 14, os_iop: 16.5 },
    })),
  },
  {
    name: '7: a DICOM medium, files without extension',
    files: [ALL_LAYOUTS['7']([p161, p162])],
    submissions: [
      {
        historyNumber: '004161',
        visitDate: DAY,
        images: [
          sentUnwrapped('DICOM/00000001', 'right', 'image/png'),
          sentUnwrapped('DICOM/00000002', 'left', 'image/png'),
        ],
        state: 'waiting',
        fields: personOf(p161),
      },
      {
        historyNumber: '004162',
        visitDate: DAY,
        images: [
          sentUnwrapped('DICOM/00000003', 'right', 'image/jpeg'),
          sentUnwrapped('DICOM/00000004', 'left', 'image/png'),
        ],
        state: 'waiting',
        fields: personOf(p162),
      },
    ],
    notedOrNot: ['DICOMDIR'],
  },
  {
    name: '8: date, number and sequence as TIFF, a big one among them',
    files: [ALL_LAYOUTS['8']([layoutVisit({ number: 171 }), layoutVisit({ number: 172 })])],
    submissions: ['38171', '38172'].map((id) => ({
      historyNumber: id,
      visitDate: DAY,
      images: [
        sentPlain(`20260602_${id}_0100_PP.tif`, 'unknown'),
        sentPlain(`20260602_${id}_0200_PP.tif`, 'unknown'),
      ],
      state: 'incomplete',
      reasonKinds: ['eyeUnknown'],
    })),
  },
  {
    name: '9: the back of a reflex camera, whose order gives no eye',
    files: [ALL_LAYOUTS['9']([layoutVisit({ number: 181 }), layoutVisit({ number: 182 })])],
    submissions: ['E0000181', 'E0000182'].map((id) => ({
      historyNumber: id,
      visitDate: { ofFileTime: DAY },
      images: ['DS000DGS', 'DS000DBO', 'IMG_0012'].map((name) => sentPlain(`${id}/${name}.JPG`, 'unknown')),
      state: 'incomplete',
      reasonKinds: ['eyeUnknown'],
    })),
  },
  {
    name: '10: letters of the eye at the same position',
    files: [ALL_LAYOUTS['10']([layoutVisit({ number: 347 }), layoutVisit({ number: 348 })])],
    submissions: ['347', '348'].map((id) => ({
      historyNumber: id,
      visitDate: { ofFileTime: DAY },
      images: [
        sentPlain(`${id}/${id}_r1.jpg`, 'right'),
        sentPlain(`${id}/${id}_l1.jpg`, 'left'),
        sentPlain(`${id}/${id}_r2.jpg`, 'right'),
        sentPlain(`${id}/${id}_l2.jpg`, 'left'),
      ],
      ...NAMES_ALONE,
    })),
  },
  {
    name: '11: a template that somebody typed, with surnames that are words of eyes',
    files: [
      ALL_LAYOUTS['11']([
        layoutVisit({ number: 201, lastName: 'van Os', firstName: 'Testopher' }),
        layoutVisit({ number: 202, lastName: 'Izquierdo Testcase', firstName: 'Carlos' }),
        layoutVisit({ number: 203, lastName: 'Le Osborne', firstName: 'Oda' }),
      ]),
    ],
    submissions: ['VAN OS TESTOPHER_004201', 'IZQUIERDO TESTCASE CARLOS_004202', 'LE OSBORNE ODA_004203'].map(
      (folder) => ({
        historyNumber: folder.slice(-6),
        visitDate: DAY,
        images: [
          sentPlain(`ClinicaSur/${folder}/20260602-121802_OD_Color_a81f.jpg`, 'right'),
          sentPlain(`ClinicaSur/${folder}/20260602-121841_OS_Color_e19d.jpg`, 'left'),
        ],
        ...NAMES_ALONE,
      }),
    ),
  },
]

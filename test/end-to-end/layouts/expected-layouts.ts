/**
 * The twelve layouts of the reference and what becomes of them. The expectations come from the design, not from the
 * program: identity and eye only if something states them, dates only with the year first (or as a profile says).
 *
 * Every patient has a number of their own, so that no two rows have a picture or an id in common.
 */
import { ALL_LAYOUTS } from '../../camera/layouts/all-layouts.ts'
import { MANIFEST_VALUES } from '../../camera/layouts/flat-with-manifest.ts'
import { imageFile, layoutVisit, type LayoutVisit } from '../../camera/layouts/layout.ts'
import type { StationConfig } from '../../station-process/start-station.ts'
import {
  byFolderName,
  DAY,
  eidonImages,
  type ExpectedCase,
  type ExpectedSubmission,
  EYES_UNKNOWN,
  FILE_TIME,
  folderNameOf,
  ignored,
  NAMES_ALONE,
  personOf,
  proven,
  sentPlain,
  sentUnwrapped,
} from './expected-case.ts'

const visitOf = (number: number): LayoutVisit => layoutVisit({ number })

/** Both eyes as plain files of these names. */
const both = (right: string, left: string) => [sentPlain(right, 'right'), sentPlain(left, 'left')] as const
/** Plain files of which nothing states the eye. */
const eyeless = (...names: readonly string[]) => names.map((name) => sentPlain(name, 'unknown'))

const [p101, p102] = [visitOf(101), visitOf(102)]
const p101Again = layoutVisit({ number: 101, visitDate: '2026-06-03' })
const [p121, p123, p131, p141] = [visitOf(121), visitOf(123), visitOf(131), visitOf(141)]
const [p151, p152, p161, p162] = [visitOf(151), visitOf(152), visitOf(161), visitOf(162)]

function subjectFolderOf(id: string, day: string, visit: LayoutVisit): ExpectedSubmission {
  const compact = day.replaceAll('-', '')
  const stems = [`${id}_/${id}_Retina_OD_${compact}_121802`, `${id}_/${id}_Retina_OS_${compact}_121841`]
  return proven(id, both(`${stems[0]}.jpg`, `${stems[1]}.jpg`), {
    visitDate: day,
    twins: stems.map((stem) => ({ fileName: `${stem}.dcm`, of: `${stem}.jpg` })),
    fields: personOf(visit),
  })
}

const reportsOf = (id: string, day: string): readonly string[] => [
  `${id}_/${id}_Report_${day}.html`,
  `${id}_/${id}_Report_OD_${day}.html`,
]

const octStem = (clock: string): string => `2.16.840.1.114517.10.5.1.4.131.20260602${clock}`
const octOthers = (clock: string): readonly string[] =>
  ['1.1', '3.1', '4.1', '5.1', '6.3'].map((end) => `${octStem(clock)}.${end}.dcm`)

/** Without a profile. */
const plainLayouts: readonly ExpectedCase[] = [
  {
    name: '1: subject folders, JPEG with DICOM twin, reports',
    files: [ALL_LAYOUTS['1']([p101, p102, p101Again])],
    submissions: [
      subjectFolderOf('105-10-0101-2', DAY, p101),
      subjectFolderOf('105-10-0102-2', DAY, p102),
      subjectFolderOf('105-10-0101-2', '2026-06-03', p101Again),
    ],
    notes: ignored(
      ...reportsOf('105-10-0101-2', '20260602'),
      ...reportsOf('105-10-0102-2', '20260602'),
      ...reportsOf('105-10-0101-2', '20260603'),
    ),
  },
  {
    name: '2: names made to be unlike any other, eyes only in the database of the camera',
    files: [ALL_LAYOUTS['2']([visitOf(111), visitOf(112)])],
    submissions: ['111', '112'].map((number) => {
      const id = `105-10-0${number}-2`
      const names = [`${id}/7f0c${number}e.jpg`, `${id}/b1d4c09e-5a3f-4e21-9c7d-0f6e2a81b${number}.jpg`]
      return proven(id, eyeless(...names), { ...EYES_UNKNOWN, visitDate: FILE_TIME })
    }),
    notes: ignored('retina.sqlite3'),
  },
  {
    name: '3: the folder tells all, with the day first, which auto does not guess',
    files: [ALL_LAYOUTS['3']([p121])],
    submissions: byFolderName(p121, '10000121', { visitDate: FILE_TIME }),
    notes: ignored(`${folderNameOf(p121, '10000121')}/REPORTS/12.20.38.120_PM.pdf`),
  },
  {
    name: '3: the same in an archive',
    files: [ALL_LAYOUTS['3-zip']([p123])],
    submissions: byFolderName(
      p123,
      '10000123',
      { visitDate: FILE_TIME },
      '10000123_02-06-2026_12.21.17.120_PM.zip/',
    ),
    notedOrNot: [
      `10000123_02-06-2026_12.21.17.120_PM.zip/${folderNameOf(p123, '10000123')}/REPORTS/12.20.38.120_PM.pdf`,
    ],
  },
  {
    name: '4: a DICOM set of an OCT device, of which one file is a photograph',
    files: [ALL_LAYOUTS['4']([p131])],
    submissions: [
      proven(
        '004131',
        [
          sentUnwrapped(`${octStem('121802')}.2.1.dcm`, 'right', 'image/png'),
          sentUnwrapped(`${octStem('121841')}.2.1.dcm`, 'left', 'image/png'),
        ],
        { fields: personOf(p131) },
      ),
    ],
    notes: ignored(...octOthers('121802'), ...octOthers('121841'), '1310.fda', '1311.fda'),
  },
  {
    name: '5: several fields of each eye as DICOM, infrared and mosaic among them',
    files: [ALL_LAYOUTS['5']([p141])],
    submissions: [
      proven('HC-004141', eidonImages('HC-004141', '0-visible', '3-visible', '11-visible', '0-infrared'), {
        fields: personOf(p141),
      }),
    ],
  },
  {
    name: '6: id and UID, eye and date only in the tags',
    files: [ALL_LAYOUTS['6']([p151, p152])],
    submissions: [p151, p152].map((visit) => {
      const id = `HC-004${visit.number}`
      const stem = `${id}_2.25.9${visit.number}202606021218`
      return proven(id, [sentUnwrapped(`${stem}0.dcm`, 'right'), sentUnwrapped(`${stem}1.dcm`, 'left')], {
        fields: { ...personOf(visit), od_iop: 14, os_iop: 16.5 },
      })
    }),
  },
  {
    name: '7: a DICOM medium, files without extension',
    files: [ALL_LAYOUTS['7']([p161, p162])],
    submissions: (
      [
        [p161, 1, 'image/png'],
        [p162, 3, 'image/jpeg'],
      ] as const
    ).map(([visit, first, sentAs]) =>
      proven(
        `004${visit.number}`,
        [
          sentUnwrapped(`DICOM/0000000${first}`, 'right', sentAs),
          sentUnwrapped(`DICOM/0000000${first + 1}`, 'left', 'image/png'),
        ],
        { fields: personOf(visit) },
      ),
    ),
    notedOrNot: ['DICOMDIR'],
  },
  {
    name: '8: date, number and sequence as TIFF, a big one among them',
    files: [ALL_LAYOUTS['8']([visitOf(171), visitOf(172)])],
    submissions: ['38171', '38172'].map((id) =>
      proven(id, eyeless(`20260602_${id}_0100_PP.tif`, `20260602_${id}_0200_PP.tif`), EYES_UNKNOWN),
    ),
  },
  {
    name: '9: the back of a reflex camera, whose order gives no eye',
    files: [ALL_LAYOUTS['9']([visitOf(181), visitOf(182)])],
    submissions: ['E0000181', 'E0000182'].map((id) =>
      proven(id, eyeless(...['DS000DGS', 'DS000DBO', 'IMG_0012'].map((name) => `${id}/${name}.JPG`)), {
        ...EYES_UNKNOWN,
        visitDate: FILE_TIME,
      }),
    ),
  },
  {
    name: '10: letters of the eye at the same position',
    files: [ALL_LAYOUTS['10']([visitOf(347), visitOf(348)])],
    submissions: ['347', '348'].map((id) =>
      proven(
        id,
        ['1', '2'].flatMap((nth) => both(`${id}/${id}_r${nth}.jpg`, `${id}/${id}_l${nth}.jpg`)),
        { ...NAMES_ALONE, visitDate: FILE_TIME },
      ),
    ),
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
      (folder) => byTemplate(folder),
    ),
  },
]

function byTemplate(folder: string): ExpectedSubmission {
  const stem = `ClinicaSur/${folder}/20260602`
  const images = both(`${stem}-121802_OD_Color_a81f.jpg`, `${stem}-121841_OS_Color_e19d.jpg`)
  return proven(folder.slice(-6), images, NAMES_ALONE)
}

/** Letters that Latin-1 and UTF-8 write differently. */
const accented = (...numbers: readonly number[]): readonly LayoutVisit[] =>
  numbers.map((number) => layoutVisit({ number, firstName: 'Mockéline', lastName: 'Nobodyová' }))

const [together, foreign, json] = [accented(211, 212), accented(231, 232), accented(241)]
const xml = accented(221, 222)

/** The data file states all but the eyes, which only the names show. */
function eyesByNames(visits: readonly LayoutVisit[]): readonly ExpectedSubmission[] {
  return visits.map((visit) => {
    const id = `004${visit.number}`
    const fields = { ...personOf(visit), ...MANIFEST_VALUES }
    return proven(id, both(`${id}_R_1.bmp`, `${id}_L_1.bmp`), { ...NAMES_ALONE, fields })
  })
}

/** The bitmaps of these visits and their table, in this order. */
function inTurns(
  name: string,
  visits: readonly LayoutVisit[],
  order: 'tableFirst' | 'tableLast',
): ExpectedCase {
  const files = ALL_LAYOUTS['12'](visits)
  const images = files.filter(({ kind }) => kind !== 'sidecar')
  const table = files.filter(({ kind }) => kind === 'sidecar')
  const groups = order === 'tableFirst' ? [table, images] : [images, table]
  return { name, files: groups, submissions: eyesByNames(visits) }
}

/** Data files beside images, before them and after them, in the encodings that programs use. */
const withDataFiles: readonly ExpectedCase[] = [
  {
    name: '12: loose bitmaps and a CSV of all of them',
    files: [ALL_LAYOUTS['12'](together)],
    submissions: eyesByNames(together),
  },
  inTurns('12: the CSV before the images', accented(213), 'tableFirst'),
  inTurns('12: the CSV when its images have long been there', accented(214), 'tableLast'),
  {
    name: '12: loose bitmaps and an XML file of each patient in UTF-16',
    files: [ALL_LAYOUTS['12-xml'](xml)],
    submissions: eyesByNames(xml),
  },
  {
    name: "12: a CSV with the maker's own headings, which names files and eyes",
    folder: { profile: 'row-foreign-csv' },
    files: [ALL_LAYOUTS['12-foreign'](foreign)],
    submissions: foreign.map(({ number, lastName, age }, order) =>
      proven(`004${number}`, both(`IMG_000${order * 2 + 1}.bmp`, `IMG_000${order * 2 + 2}.bmp`), {
        fields: { last_name: lastName, age },
      }),
    ),
  },
  {
    name: '12: a case.json beside images that a counter names',
    files: [ALL_LAYOUTS['12-json'](json)],
    submissions: json.map(({ number, sex }) =>
      proven(
        `004${number}`,
        both(`004${number}_20260602/IMG_0001.png`, `004${number}_20260602/IMG_0002.png`),
        { fields: { gender: sex === 'F' ? 1 : 0, ...MANIFEST_VALUES } },
      ),
    ),
  },
]

/** The profiles that rows name beside the shipped ones: such as a person makes for a camera. */
export const profilesOfRows: NonNullable<StationConfig['profiles']> = [
  { id: 'row-no-infrared', title: 'All but infrared', leaveAlone: ['infrared'] },
  {
    id: 'row-template',
    title: 'Name and number, then day, eye and kind',
    patterns: ['{name}_{historyNumber}/{date}-{time}_{eye}_Color_{unique}'],
  },
  {
    id: 'row-foreign-csv',
    title: 'A table with headings of its own',
    dateOrder: 'dmy',
    columns: Object.fromEntries([
      ['Patient ID', 'history_number'],
      ['Surname', 'last_name'],
      ['Born', 'birth_date'],
      ['Exam', 'visit_date'],
      ['Side', 'eye'],
      ['Picture', 'file'],
    ]),
  },
]

const fictoria = { firstName: 'Fictoria', lastName: 'Testcase' }
const [p122, p124] = [layoutVisit({ number: 122, ...fictoria }), layoutVisit({ number: 124, ...fictoria })]
const p349 = visitOf(349)
const archive = '10000124_02-06-2026_12.21.17.120_PM.zip/'
const namesOf = { fields: { first_name: 'Fictoria', last_name: 'Testcase' } }
const eidonNames = (id: string, ...fields: readonly string[]): readonly string[] =>
  eidonImages(id, ...fields).map(({ fileName }) => fileName)

/** With a profile more is read than auto dares to, and what is read of names is checked by a person. */
const withProfiles: readonly ExpectedCase[] = [
  {
    name: '3 with its profile: the day is read, and the name',
    folder: { profile: 'remidio-fop' },
    files: [ALL_LAYOUTS['3']([p122])],
    submissions: byFolderName(p122, '10000122', namesOf),
    notes: ignored(`${folderNameOf(p122, '10000122')}/REPORTS/12.20.38.120_PM.pdf`),
  },
  {
    name: '3 with its profile, in an archive',
    folder: { profile: 'remidio-fop' },
    files: [ALL_LAYOUTS['3-zip']([p124])],
    submissions: byFolderName(p124, '10000124', namesOf, archive),
    notedOrNot: [`${archive}${folderNameOf(p124, '10000124')}/REPORTS/12.20.38.120_PM.pdf`],
  },
  {
    name: '5 with the profile that leaves infrared and mosaic alone',
    folder: { profile: 'eidon-photos' },
    files: [ALL_LAYOUTS['5']([visitOf(142)])],
    submissions: [proven('HC-004142', eidonImages('HC-004142', '0-visible', '3-visible'))],
    notes: ignored(...eidonNames('HC-004142', '0-infrared', '11-visible')),
  },
  {
    name: "5 with a person's profile that leaves infrared alone",
    folder: { profile: 'row-no-infrared' },
    files: [ALL_LAYOUTS['5']([visitOf(143)])],
    submissions: [proven('HC-004143', eidonImages('HC-004143', '0-visible', '3-visible', '11-visible'))],
    notes: ignored(...eidonNames('HC-004143', '0-infrared')),
  },
  {
    name: '10 with its profile: a letter alone is an eye where the profile names its place',
    folder: { profile: 'patient-eye-view' },
    files: [['l1', 'l2'].map((end, index) => imageFile(`349/349_${end}.jpg`, p349, { eye: 'left', index }))],
    submissions: [
      proven('349', [sentPlain('349/349_l1.jpg', 'left'), sentPlain('349/349_l2.jpg', 'left')], {
        ...NAMES_ALONE,
        visitDate: FILE_TIME,
        warningKinds: ['eyeWithoutImage'],
      }),
    ],
  },
  ...(
    [
      ['11 with its profile: read, and checked by a person', 'phelcom-eyer', 205],
      ["11 with a person's profile: names all the same, and checked by a person", 'row-template', 204],
    ] as const
  ).map(([name, profile, number]): ExpectedCase => ({
    name,
    folder: { profile },
    files: [ALL_LAYOUTS['11']([layoutVisit({ number, lastName: 'van Os', firstName: 'Testina' })])],
    submissions: [byTemplate(`VAN OS TESTINA_004${number}`)],
  })),
]

export const expectedLayouts: readonly ExpectedCase[] = [...plainLayouts, ...withDataFiles, ...withProfiles]

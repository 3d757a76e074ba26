/**
 * Layouts read with a profile: it reads more than auto dares to, and what it reads of names is checked by a person.
 */
import type { StationConfig } from '../../station-process/start-station.ts'
import { ALL_LAYOUTS } from '../../camera/layouts/all-layouts.ts'
import { imageFile, layoutVisit } from '../../camera/layouts/layout.ts'
import { leftAlone, NAMES_ALONE, sentPlain, type ExpectedCase } from './expected-case.ts'
import { eidonImages, folderNameOf, folderTellsAll } from './expected-parts.ts'

const DAY = '2026-06-02'

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
    columns: {
      'Patient ID': 'history_number',
      Surname: 'last_name',
      Born: 'birth_date',
      Exam: 'visit_date',
      Side: 'eye',
      Picture: 'file',
    },
  },
]

const fictoria = { firstName: 'Fictoria', lastName: 'Testcase' }
const [p122, p124] = [layoutVisit({ number: 122, ...fictoria }), layoutVisit({ number: 124, ...fictoria })]
const p349 = layoutVisit({ number: 349 })
const archive = '10000124_02-06-2026_12.21.17.120_PM.zip/'
const namesOf = { first_name: 'Fictoria', last_name: 'Testcase' }

export const expectedProfiles: readonly ExpectedCase[] = [
  {
    name: '3 with its profile: the day is read, and the name',
    folder: { profile: 'remidio-fop' },
    files: [ALL_LAYOUTS['3']([p122])],
    submissions: folderTellsAll(p122, '10000122', DAY).submissions.map((one) => ({
      ...one,
      fields: namesOf,
    })),
    notes: leftAlone(`${folderNameOf(p122, '10000122')}/REPORTS/12.20.38.120_PM.pdf`),
  },
  {
    name: '3 with its profile, in an archive',
    folder: { profile: 'remidio-fop' },
    files: [ALL_LAYOUTS['3-zip']([p124])],
    submissions: folderTellsAll(p124, '10000124', DAY, archive).submissions.map((one) => ({
      ...one,
      fields: namesOf,
    })),
    notedOrNot: [`${archive}${folderNameOf(p124, '10000124')}/REPORTS/12.20.38.120_PM.pdf`],
  },
  {
    name: '5 with the profile that leaves infrared and mosaic alone',
    folder: { profile: 'eidon-photos' },
    files: [ALL_LAYOUTS['5']([layoutVisit({ number: 142 })])],
    submissions: [
      {
        historyNumber: 'HC-004142',
        visitDate: DAY,
        images: (['right', 'left'] as const).flatMap((eye) =>
          eidonImages('HC-004142', eye, ['0-visible', '3-visible']),
        ),
        state: 'waiting',
      },
    ],
    notes: leftAlone(
      ...['OD', 'OS'].flatMap((eye) =>
        ['0-infrared', '11-visible'].map((field) => `HC-004142-${eye}-${field}-1.dcm`),
      ),
    ),
  },
  {
    name: "5 with a person's profile that leaves infrared alone",
    folder: { profile: 'row-no-infrared' },
    files: [ALL_LAYOUTS['5']([layoutVisit({ number: 143 })])],
    submissions: [
      {
        historyNumber: 'HC-004143',
        visitDate: DAY,
        images: (['right', 'left'] as const).flatMap((eye) =>
          eidonImages('HC-004143', eye, ['0-visible', '3-visible', '11-visible']),
        ),
        state: 'waiting',
      },
    ],
    notes: leftAlone('HC-004143-OD-0-infrared-1.dcm', 'HC-004143-OS-0-infrared-1.dcm'),
  },
  {
    name: '10 with its profile: a letter alone is an eye where the profile names its place',
    folder: { profile: 'patient-eye-view' },
    files: [
      [
        imageFile('349/349_l1.jpg', p349, { eye: 'left', index: 0 }),
        imageFile('349/349_l2.jpg', p349, { eye: 'left', index: 1 }),
      ],
    ],
    submissions: [
      {
        historyNumber: '349',
        visitDate: { ofFileTime: DAY },
        images: [sentPlain('349/349_l1.jpg', 'left'), sentPlain('349/349_l2.jpg', 'left')],
        ...NAMES_ALONE,
        oddityKinds: ['eyeWithoutImage'],
      },
    ],
  },
  ...(
    [
      ['11 with its profile: read, and checked by a person', 'phelcom-eyer', 205],
      ["11 with a person's profile: names all the same, and checked by a person", 'row-template', 204],
    ] as const
  ).map(([name, profile, number]): ExpectedCase => {
    const folder = `ClinicaSur/VAN OS TESTINA_004${number}`
    return {
      name,
      folder: { profile },
      files: [ALL_LAYOUTS['11']([layoutVisit({ number, lastName: 'van Os', firstName: 'Testina' })])],
      submissions: [
        {
          historyNumber: `004${number}`,
          visitDate: DAY,
          images: [
            sentPlain(`${folder}/20260602-121802_OD_Color_a81f.jpg`, 'right'),
            sentPlain(`${folder}/20260602-121841_OS_Color_e19d.jpg`, 'left'),
          ],
          ...NAMES_ALONE,
        },
      ],
    }
  }),
]

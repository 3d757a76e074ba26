/** The cross-cutting cases of the reference: what goes wrong, comes late, comes twice or speaks against itself. */
import {
  htmlReport,
  imageFile,
  junkFiles,
  layoutVisit,
  type LayoutVisit,
  pdfReport,
  rawFile,
  type Shot,
} from '../../camera/layouts/layout.ts'
import {
  cutOff,
  deepInFolders,
  exportedAgain,
  manyVisits,
  namelessDicom,
  wellNamedId,
  wellNamedPhoto,
  wellNamedVisit,
} from '../../camera/layouts/all-layouts.ts'
import {
  DAY,
  type ExpectedCase,
  type ExpectedSubmission,
  EYES_UNKNOWN,
  FILE_TIME,
  ignored,
  NAMES_ALONE,
  proven,
  sentPlain,
  sentUnwrapped,
} from './expected-case.ts'

const RIGHT: Shot = { eye: 'right', index: 0 }
const LEFT: Shot = { eye: 'left', index: 1 }
const LATER: Shot = { eye: 'right', index: 2 }
const visitOf = (number: number, time = '12:18'): LayoutVisit => layoutVisit({ number, time })

/** The submission of well-named photographs of these shots. */
function wellNamed(
  visit: LayoutVisit,
  shots: readonly Shot[],
  more: Partial<ExpectedSubmission> = {},
): ExpectedSubmission {
  const images = shots.map((shot) => sentPlain(wellNamedPhoto(visit, shot).relativePath, shot.eye))
  return proven(wellNamedId(visit), images, { ...NAMES_ALONE, ...more })
}

/** A patient whose DICOM files are in one folder, the right eye first. */
function ofDicom(
  visit: LayoutVisit,
  [right, left]: readonly [right: string, left: string],
  more: Partial<ExpectedSubmission> = {},
): ExpectedSubmission {
  return proven(wellNamedId(visit), [sentUnwrapped(right, 'right'), sentUnwrapped(left, 'left')], more)
}

const [cut, empty, once, twice] = [visitOf(401), visitOf(402), visitOf(403), visitOf(404)]
const [morning, noon] = [visitOf(405, '09:15'), visitOf(405, '14:40')]
const [firstOfDay, secondOfDay] = [visitOf(406, '09:15'), visitOf(406, '14:40')]
const [oneEye, contradicted, first, second] = [visitOf(407), visitOf(408), visitOf(409), visitOf(410)]
const [deep, joining, letters, listed] = [visitOf(411), visitOf(412), visitOf(413), visitOf(414)]
const [folderOwner, fileOwner, bothEyes] = [visitOf(415), visitOf(416), visitOf(417)]

export const LISTED = listed

const ONE_EYE: Partial<ExpectedSubmission> = { warningKinds: ['eyeWithoutImage'] }

const [onceRight, onceLeft] = wellNamedVisit(once)
const [deepRight, deepLeft] = wellNamedVisit(deep)
const [cutRight, cutLeft] = wellNamedVisit(cut)
const [emptyRight, emptyLeft] = wellNamedVisit(empty)
const twiceImages = [
  namelessDicom('export/IMG00001.dcm', twice, RIGHT),
  namelessDicom('export/IMG00002.dcm', twice, LEFT, { pixels: 'uncompressed' }),
]
const copies = [
  exportedAgain(onceRight, onceRight.relativePath.replace('.jpg', ' (2).jpg')),
  exportedAgain(onceLeft, `again/${onceLeft.relativePath}`),
]
const rewritten = [
  namelessDicom('again/IMG00001.dcm', twice, RIGHT, { seriesDescription: 'exported again' }),
  namelessDicom('again/IMG00002.dcm', twice, LEFT, { seriesDescription: 'exported again' }),
]

export const expectedTroubles: readonly ExpectedCase[] = [
  {
    name: 'an image that ends in its middle is never taken',
    files: [[cutOff(cutRight, 0.6), cutLeft]],
    submissions: [wellNamed(cut, [LEFT], ONE_EYE)],
    notes: [{ fileName: cutRight.relativePath, kinds: ['arriving', 'truncated'] }],
  },
  {
    name: 'an empty file is never taken',
    files: [[emptyLeft, cutOff(emptyRight, 0)]],
    submissions: [wellNamed(empty, [LEFT], ONE_EYE)],
    notes: [{ fileName: emptyRight.relativePath, kinds: ['arriving', 'truncated'] }],
  },
  {
    name: 'the same bytes under other names are seen and not added again',
    files: [[onceRight, onceLeft], copies],
    submissions: [wellNamed(once, [RIGHT, LEFT])],
    notes: copies.map(({ relativePath }) => ({ fileName: relativePath, kinds: ['duplicate'] })),
  },
  {
    name: 'the same SOP UID with other bytes is seen and not added again',
    files: [twiceImages, rewritten],
    submissions: [
      proven(wellNamedId(twice), [
        sentUnwrapped('export/IMG00001.dcm', 'right'),
        sentUnwrapped('export/IMG00002.dcm', 'left', 'image/png'),
      ]),
    ],
    notes: rewritten.map(({ relativePath }) => ({ fileName: relativePath, kinds: ['duplicate'] })),
  },
  {
    name: 'two visits on one day are one where no gap is set',
    files: [[...wellNamedVisit(morning), ...wellNamedVisit(noon)]],
    submissions: [
      wellNamed(morning, [], {
        images: [morning, noon].flatMap((visit) => wellNamed(visit, [RIGHT, LEFT]).images),
      }),
    ],
  },
  {
    name: 'two visits on one day are two where they lie further apart than the gap',
    folder: { visitGapMinutes: 120 },
    files: [[...wellNamedVisit(firstOfDay), ...wellNamedVisit(secondOfDay)]],
    submissions: [wellNamed(firstOfDay, [RIGHT, LEFT]), wellNamed(secondOfDay, [RIGHT, LEFT])],
  },
  {
    name: 'one eye alone is complete, and is told of',
    files: [[wellNamedPhoto(oneEye, LEFT)]],
    submissions: [wellNamed(oneEye, [LEFT], ONE_EYE)],
  },
  {
    name: 'the tag says left and the name says OD: a person decides, and sees both',
    files: [
      [
        namelessDicom('H-00408-OD-1.dcm', contradicted, RIGHT, { laterality: 'L' }),
        namelessDicom('H-00408-OS-2.dcm', contradicted, LEFT),
      ],
    ],
    submissions: [
      ofDicom(contradicted, ['H-00408-OD-1.dcm', 'H-00408-OS-2.dcm'], {
        images: [sentUnwrapped('H-00408-OD-1.dcm', 'unknown'), sentUnwrapped('H-00408-OS-2.dcm', 'left')],
        state: 'incomplete',
        reasonKinds: ['eyeConflict'],
        reasonsShow: /OD\b.*\bOS|OS\b.*\bOD/,
      }),
    ],
  },
  {
    name: 'two patients in one folder of DICOM files are two submissions',
    files: [
      [
        namelessDicom('export/IMG00001', first, RIGHT),
        namelessDicom('export/IMG00002', second, RIGHT),
        namelessDicom('export/IMG00003', first, LEFT),
        namelessDicom('export/IMG00004', second, LEFT),
      ],
    ],
    submissions: [
      ofDicom(first, ['export/IMG00001', 'export/IMG00003']),
      ofDicom(second, ['export/IMG00002', 'export/IMG00004']),
    ],
  },
  {
    name: 'a tag that says both eyes, or none, states no eye',
    files: [
      [
        namelessDicom('export/IMG00005', bothEyes, RIGHT, { laterality: null }),
        namelessDicom('export/IMG00006', bothEyes, LEFT),
      ],
    ],
    submissions: [
      proven(
        wellNamedId(bothEyes),
        [sentUnwrapped('export/IMG00005', 'unknown'), sentUnwrapped('export/IMG00006', 'left')],
        EYES_UNKNOWN,
      ),
    ],
  },
  {
    name: 'a path of more than 260 characters',
    files: [[deepInFolders(deepRight), deepInFolders(deepLeft)]],
    submissions: [
      wellNamed(deep, [], {
        images: [
          sentPlain(deepInFolders(deepRight).relativePath, 'right'),
          sentPlain(deepInFolders(deepLeft).relativePath, 'left'),
        ],
      }),
    ],
  },
  {
    name: 'an image that comes before the first attempt joins its case again',
    files: [[...wellNamedVisit(joining)], [wellNamedPhoto(joining, LATER)]],
    submissions: [wellNamed(joining, [RIGHT, LEFT, LATER])],
  },
  {
    name: 'one letter without its counterpart states no eye',
    files: [[imageFile('H-00413_R_1.jpg', letters, RIGHT), imageFile('H-00413_R_2.jpg', letters, LATER)]],
    submissions: [
      proven(
        'H-00413',
        ['1', '2'].map((nth) => sentPlain(`H-00413_R_${nth}.jpg`, 'unknown')),
        {
          ...EYES_UNKNOWN,
          visitDate: FILE_TIME,
        },
      ),
    ],
  },
  {
    // A case that waits for delivery is frozen; the list may be read after it.
    name: 'the list of patients fills in what the camera does not know',
    folder: { sendWithoutReview: false },
    files: [[...wellNamedVisit(listed)]],
    submissions: [
      wellNamed(listed, [RIGHT, LEFT], {
        fields: { last_name: listed.lastName, age: listed.age, gender: listed.sex === 'F' ? 1 : 0 },
      }),
    ],
  },
  {
    name: 'a folder and a file that name two patients: nobody is chosen',
    files: [[imageFile('H-00415_20260602/H-00416_20260602_OD_1.jpg', folderOwner, RIGHT)]],
    submissions: [
      {
        historyNumber: null,
        visitDate: DAY,
        images: [sentPlain('H-00415_20260602/H-00416_20260602_OD_1.jpg', 'right')],
        state: 'incomplete',
        reasonKinds: ['fieldMissing', 'identityConflict'],
        reasonsShow: new RegExp(`${wellNamedId(folderOwner)}.*${wellNamedId(fileOwner)}`),
      },
    ],
  },
  {
    name: 'reports, raw files and junk make no case',
    files: [
      [
        ...junkFiles('H-00420_20260602/', new Date(2026, 5, 2)),
        htmlReport('H-00420_20260602/report.html', folderOwner, new Date(2026, 5, 2)),
        pdfReport('H-00420_20260602/report.pdf', new Date(2026, 5, 2)),
        rawFile('H-00420_20260602/1442.fds', new Date(2026, 5, 2)),
        rawFile('H-00420_20260602/1443.e2e', new Date(2026, 5, 2)),
      ],
    ],
    submissions: [],
    notes: ignored(
      'H-00420_20260602/report.html',
      'H-00420_20260602/report.pdf',
      'H-00420_20260602/1442.fds',
      'H-00420_20260602/1443.e2e',
    ),
  },
]

const MANY = 250
const ofMany = visitOf(499)

/** Five hundred files: only the first start on a full folder is asked about them. */
export const fullFolder: ExpectedCase = {
  name: 'five hundred files that lie there at the first start',
  files: [manyVisits(ofMany, MANY)],
  submissions: Array.from({ length: MANY }, (_, number) => {
    const id = `H-${50_000 + number}`
    const inFolder = wellNamed(ofMany, [RIGHT, LEFT])
    return {
      ...inFolder,
      historyNumber: id,
      images: inFolder.images.map((image) => ({
        ...image,
        fileName: image.fileName.replaceAll(wellNamedId(ofMany), id),
      })),
    }
  }),
}

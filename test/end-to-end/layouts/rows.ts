/**
 * What cameras write: the twelve layouts of the reference, and what goes wrong, comes late, comes twice or speaks
 * against itself. `tables.ts` has what a station makes of each row.
 *
 * Every patient has a number of their own, so that no two rows have a picture or an id in common.
 */
import {
  ALL_LAYOUTS,
  cutOff,
  deepInFolders,
  exportedAgain,
  type LayoutName,
  namelessDicom,
  wellNamedPhoto,
  wellNamedVisit,
} from '../../camera/layouts/all-layouts.ts'
import {
  type ExportedFile,
  htmlReport,
  imageFile,
  junkFiles,
  layoutVisit,
  type LayoutVisit,
  pdfReport,
  rawFile,
  type Shot,
} from '../../camera/layouts/layout.ts'
import type { Folders } from '../station-fixture.ts'

export type LayoutRow = {
  readonly name: string
  readonly folder?: Partial<Folders[number]>
  /** Written one group after the other; the next when all images of the one before are known. */
  readonly files: readonly (readonly ExportedFile[])[]
}

/** Headings that no station knows, as a person sets them for a camera. */
const FOREIGN_HEADINGS = Object.fromEntries([
  ['Patient ID', 'history_number'],
  ['Surname', 'last_name'],
  ['Born', 'birth_date'],
  ['Exam', 'visit_date'],
  ['Side', 'eye'],
  ['Picture', 'file'],
])

const visitOf = (number: number, time = '12:18'): LayoutVisit => layoutVisit({ number, time })
const named = (number: number, lastName: string, firstName: string): LayoutVisit =>
  layoutVisit({ number, lastName, firstName })
/** Letters that Latin-1 and UTF-8 write differently. */
const accented = (number: number): LayoutVisit => named(number, 'Nobodyová', 'Mockéline')

/** The visits of these numbers as this layout, all at once. */
function layoutRow(
  name: string,
  layout: LayoutName,
  visits: readonly (number | LayoutVisit)[],
  folder?: LayoutRow['folder'],
): LayoutRow {
  const all = visits.map((visit) => (typeof visit === 'number' ? layoutVisit({ number: visit }) : visit))
  return { name, files: [ALL_LAYOUTS[layout](all)], ...(folder && { folder }) }
}

/** The bitmaps of a visit and their table, in this order. */
function inTurns(name: string, number: number, order: 'tableFirst' | 'tableLast'): LayoutRow {
  const files = ALL_LAYOUTS['12']([accented(number)])
  const images = files.filter(({ kind }) => kind !== 'sidecar')
  const table = files.filter(({ kind }) => kind === 'sidecar')
  return { name, files: order === 'tableFirst' ? [table, images] : [images, table] }
}

const layouts: readonly LayoutRow[] = [
  layoutRow('1: subject folders, JPEG with DICOM twin, reports', '1', [
    101,
    102,
    layoutVisit({ number: 101, visitDate: '2026-06-03' }),
  ]),
  layoutRow('2: names made to be unlike any other, eyes only in the database of the camera', '2', [111, 112]),
  layoutRow('3: the folder states all, with the day first, which auto does not guess', '3', [121]),
  layoutRow('3: the same in an archive', '3-zip', [123]),
  layoutRow('4: a DICOM set of an OCT device, of which one file is a photograph', '4', [131]),
  layoutRow('5: several fields of each eye as DICOM, infrared and mosaic among them', '5', [141]),
  layoutRow('6: id and UID, eye and date only in the tags', '6', [151, 152]),
  layoutRow('7: a DICOM medium, files without extension', '7', [161, 162]),
  layoutRow('8: date, number and sequence as TIFF, a big one among them', '8', [171, 172]),
  layoutRow('9: the back of a reflex camera, whose order gives no eye', '9', [181, 182]),
  layoutRow('10: letters of the eye at the same position', '10', [347, 348]),
  layoutRow('11: a template that someone typed, with surnames that are words of eyes', '11', [
    named(201, 'van Os', 'Testopher'),
    named(202, 'Izquierdo Testcase', 'Carlos'),
    named(203, 'Le Osborne', 'Oda'),
  ]),
  layoutRow('12: loose bitmaps and a CSV of all of them', '12', [accented(211), accented(212)]),
  inTurns('12: the CSV before the images', 213, 'tableFirst'),
  inTurns('12: the CSV when its images have long been there', 214, 'tableLast'),
  layoutRow('12: loose bitmaps and an XML file of each patient in UTF-16', '12-xml', [
    accented(221),
    accented(222),
  ]),
  layoutRow(
    "12: a CSV with the maker's own headings, which names files and eyes",
    '12-foreign',
    [accented(231), accented(232)],
    { dateOrder: 'dmy', columns: FOREIGN_HEADINGS },
  ),
  layoutRow('12: a case.json beside images that a counter names', '12-json', [accented(241)]),
  layoutRow('5 with settings that leave infrared and mosaic alone', '5', [142], {
    leaveAlone: ['infrared', '0-af', '11-visible', 'mosaic'],
  }),
  layoutRow('5 with settings that leave infrared alone', '5', [143], { leaveAlone: ['infrared'] }),
]

const RIGHT: Shot = { eye: 'right', index: 0 }
const LEFT: Shot = { eye: 'left', index: 1 }
const LATER: Shot = { eye: 'right', index: 2 }

const [contradicted, first, second, bothEyes] = [visitOf(408), visitOf(409), visitOf(410), visitOf(417)]
const [twice, joining, letters, folderOwner] = [visitOf(404), visitOf(412), visitOf(413), visitOf(415)]
/** The patient list of the station names this one. */
export const LISTED = visitOf(414)
const [cutRight, cutLeft] = wellNamedVisit(visitOf(401))
const [emptyRight, emptyLeft] = wellNamedVisit(visitOf(402))
const [onceRight, onceLeft] = wellNamedVisit(visitOf(403))
const [deepRight, deepLeft] = wellNamedVisit(visitOf(411))
const twoVisitsOf = (number: number): readonly ExportedFile[] =>
  ['09:15', '14:40'].flatMap((time) => wellNamedVisit(visitOf(number, time)))
const day = new Date(2026, 5, 2)

const troubles: readonly LayoutRow[] = [
  { name: 'an image that ends in its middle is never taken', files: [[cutOff(cutRight, 0.6), cutLeft]] },
  { name: 'an empty file is never taken', files: [[emptyLeft, cutOff(emptyRight, 0)]] },
  {
    name: 'the same bytes under other names are seen and not added again',
    files: [
      [onceRight, onceLeft],
      [
        exportedAgain(onceRight, onceRight.relativePath.replace('.jpg', ' (2).jpg')),
        exportedAgain(onceLeft, `again/${onceLeft.relativePath}`),
      ],
    ],
  },
  {
    name: 'the same SOP UID with other bytes is a copy by its pixels alone',
    files: [
      [
        namelessDicom('export/IMG00001.dcm', twice, RIGHT),
        namelessDicom('export/IMG00002.dcm', twice, LEFT, { pixels: 'uncompressed' }),
      ],
      [
        namelessDicom('again/IMG00001.dcm', twice, RIGHT, { seriesDescription: 'exported again' }),
        namelessDicom('again/IMG00002.dcm', twice, LEFT, { seriesDescription: 'exported again' }),
      ],
    ],
  },
  { name: 'two visits on one day are one', files: [twoVisitsOf(405)] },
  { name: 'one eye alone is complete, with a warning', files: [[wellNamedPhoto(visitOf(407), LEFT)]] },
  {
    name: 'the tag says left and the name says OD: a person decides, and sees both',
    files: [
      [
        namelessDicom('H-00408-OD-1.dcm', contradicted, RIGHT, { laterality: 'L' }),
        namelessDicom('H-00408-OS-2.dcm', contradicted, LEFT),
      ],
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
  },
  {
    name: 'a tag that says both eyes, or none, states no eye',
    files: [
      [
        namelessDicom('export/IMG00005', bothEyes, RIGHT, { laterality: null }),
        namelessDicom('export/IMG00006', bothEyes, LEFT),
      ],
    ],
  },
  {
    name: 'a path of more than 260 characters',
    files: [[deepInFolders(deepRight), deepInFolders(deepLeft)]],
  },
  {
    name: 'an image that comes before the first attempt joins its case again',
    files: [[...wellNamedVisit(joining)], [wellNamedPhoto(joining, LATER)]],
  },
  {
    name: 'one letter without its counterpart states no eye',
    files: [[imageFile('H-00413_R_1.jpg', letters, RIGHT), imageFile('H-00413_R_2.jpg', letters, LATER)]],
  },
  {
    // A case that waits for delivery is frozen; the list may be read after it.
    name: 'the list of patients fills in what the camera does not know',
    folder: { sendWithoutReview: false },
    files: [[...wellNamedVisit(LISTED)]],
  },
  {
    name: 'a folder and a file that name two patients: no one is chosen',
    files: [[imageFile('H-00415_20260602/H-00416_20260602_OD_1.jpg', folderOwner, RIGHT)]],
  },
  {
    name: 'reports, raw files and junk make no case',
    files: [
      [
        ...junkFiles('H-00420_20260602/', day),
        htmlReport('H-00420_20260602/report.html', folderOwner, day),
        pdfReport('H-00420_20260602/report.pdf', day),
        rawFile('H-00420_20260602/1442.fds', day),
        rawFile('H-00420_20260602/1443.e2e', day),
      ],
    ],
  },
]

export const layoutRows: readonly LayoutRow[] = [...layouts, ...troubles]

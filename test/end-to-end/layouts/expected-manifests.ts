/** Layout 12: data files beside images, before them and after them, in the encodings that programs use. */
import type { Fields } from '../../../src-shared/fields.ts'
import { ALL_LAYOUTS } from '../../camera/layouts/all-layouts.ts'
import { MANIFEST_VALUES } from '../../camera/layouts/flat-with-manifest.ts'
import { type ExportedFile, layoutVisit, type LayoutVisit } from '../../camera/layouts/layout.ts'
import {
  NAMES_ALONE,
  sentPlain,
  type ExpectedCase,
  type ExpectedImage,
  type ExpectedSubmission,
} from './expected-case.ts'
import { personOf } from './expected-parts.ts'

/** Letters that Latin-1 and UTF-8 write differently. */
const visitsOf = (...numbers: readonly number[]): readonly LayoutVisit[] =>
  numbers.map((number) => layoutVisit({ number, firstName: 'Mockéline', lastName: 'Nobodyová' }))

const [together, sidecarFirst, sidecarLast] = [visitsOf(211, 212), visitsOf(213), visitsOf(214)]
const [xml, foreign, json] = [visitsOf(221, 222), visitsOf(231, 232), visitsOf(241)]

function filled(visit: LayoutVisit): Fields {
  return { ...personOf(visit), ...MANIFEST_VALUES }
}

function bitmapsOf(visit: LayoutVisit): readonly ExpectedImage[] {
  const id = `004${visit.number}`
  return [sentPlain(`${id}_R_1.bmp`, 'right'), sentPlain(`${id}_L_1.bmp`, 'left')]
}

/** The data file states all but the eyes, which only the names tell. */
function eyesByNames(visit: LayoutVisit): ExpectedSubmission {
  return { ...stated(visit, filled(visit), bitmapsOf(visit)), ...NAMES_ALONE }
}

/** The data file states all, eyes included. */
function stated(visit: LayoutVisit, fields: Fields, images: readonly ExpectedImage[]): ExpectedSubmission {
  return { historyNumber: `004${visit.number}`, visitDate: '2026-06-02', images, state: 'waiting', fields }
}

function apart(files: readonly ExportedFile[]): {
  readonly images: readonly ExportedFile[]
  readonly manifest: readonly ExportedFile[]
} {
  return {
    images: files.filter(({ kind }) => kind !== 'sidecar'),
    manifest: files.filter(({ kind }) => kind === 'sidecar'),
  }
}

const first = apart(ALL_LAYOUTS['12'](sidecarFirst))
const last = apart(ALL_LAYOUTS['12'](sidecarLast))

export const expectedManifests: readonly ExpectedCase[] = [
  {
    name: '12: loose bitmaps and a CSV of all of them',
    files: [ALL_LAYOUTS['12'](together)],
    submissions: together.map((visit) => eyesByNames(visit)),
  },
  {
    name: '12: the CSV before the images',
    files: [first.manifest, first.images],
    submissions: sidecarFirst.map((visit) => eyesByNames(visit)),
  },
  {
    name: '12: the CSV when its images have long been there',
    files: [last.images, last.manifest],
    submissions: sidecarLast.map((visit) => eyesByNames(visit)),
  },
  {
    name: '12: loose bitmaps and an XML file of each patient in UTF-16',
    files: [ALL_LAYOUTS['12-xml'](xml)],
    submissions: xml.map((visit) => eyesByNames(visit)),
  },
  {
    name: "12: a CSV with the maker's own headings, which names files and eyes",
    folder: { profile: 'row-foreign-csv' },
    files: [ALL_LAYOUTS['12-foreign'](foreign)],
    submissions: foreign.map((visit, order) =>
      stated(visit, { last_name: visit.lastName, age: visit.age }, [
        sentPlain(`IMG_000${order * 2 + 1}.bmp`, 'right'),
        sentPlain(`IMG_000${order * 2 + 2}.bmp`, 'left'),
      ]),
    ),
  },
  {
    name: '12: a case.json beside images that a counter names',
    files: [ALL_LAYOUTS['12-json'](json)],
    submissions: json.map((visit) =>
      stated(visit, { gender: visit.sex === 'F' ? 1 : 0, ...MANIFEST_VALUES }, [
        sentPlain(`004${visit.number}_20260602/IMG_0001.png`, 'right'),
        sentPlain(`004${visit.number}_20260602/IMG_0002.png`, 'left'),
      ]),
    ),
  },
]

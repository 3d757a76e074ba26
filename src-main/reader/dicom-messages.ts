/** What leaves the reader of a DICOM file: the values of these elements, decoded, and not understood. */
import { z } from 'zod'

/**
 * How values are decoded (PS3.5 section 6.2); of several tags, one after the other.
 *
 * - `first`    ASCII: the values of the first element with this tag, empty ones too
 * - `every`    ASCII: each value of every element with this tag that is not empty
 * - `letters`  in the character sets of the file: each value of every element once; what cannot be read is `UNREADABLE`
 * - `line`     the same of the first element, as one text for display; none if it is missing or cannot be decoded
 * - `number`   of the first element, as JavaScript writes it: `NaN` if it is no number, none if it is missing
 */
export type Decoding = 'first' | 'every' | 'letters' | 'line' | 'number'

type WantedValues = { readonly as: Decoding; readonly tags: readonly number[] }

/** The items of a sequence, and what is wanted of each. */
type WantedItems<Inside extends Wanted = Wanted> = {
  readonly as: 'items'
  readonly tag: number
  readonly inside: Inside
}

export type Wanted = { readonly [name: string]: WantedValues | WantedItems }

/** By the names of what is wanted: the values, or the items of a sequence. */
export type Elements<Names extends Wanted = Wanted> = {
  readonly [Name in keyof Names]: Names[Name] extends WantedItems<infer Inside>
    ? readonly Elements<Inside>[]
    : readonly string[]
}

/** The place of what cannot be read. */
export const UNREADABLE = '\uFFFD'

const valuesAs =
  (as: Decoding) =>
  (...tags: readonly number[]): WantedValues => ({ as, tags })

const [first, every, letters, line, number] = [
  valuesAs('first'),
  valuesAs('every'),
  valuesAs('letters'),
  valuesAs('line'),
  valuesAs('number'),
]

function items<Inside extends Wanted>(tag: number, inside: Inside): WantedItems<Inside> {
  return { as: 'items', tag, inside }
}

/** A coded entry (PS3.3 section 8): some writers swap its value and its meaning. */
const CODE = { terms: every(0x00080100, 0x00080104) }

/** Anatomic Region and Primary Anatomic Structure, each with its modifiers (PS3.3 10.5). */
const ANATOMY = {
  regions: items(0x00082218, { ...CODE, meaning: line(0x00080104), modifiers: items(0x00082220, CODE) }),
  structures: items(0x00082228, { ...CODE, modifiers: items(0x00082230, CODE) }),
}

const FRAMES = { anatomies: items(0x00209071, { laterality: every(0x00209072), ...ANATOMY }) }

/** Of group 0002. */
export const WANTED_OF_META = { sopUid: first(0x00020003) }

/** Accession, study, series, acquisition, instance, procedure, orders, other numbers of the patient, admission, device. */
const OTHER_NAMES = [
  0x00080050, 0x00200010, 0x00200011, 0x00200012, 0x00200013, 0x00400253, 0x00401001, 0x00402016, 0x00402017,
  0x00101000, 0x00380010, 0x00181000, 0x00080060, 0x00081010, 0x00080080, 0x00081040, 0x00080070, 0x00081090,
  0x00180015, 0x0020000d, 0x0020000e, 0x00080018,
]

/** And comments of study, series, image, protocol, procedure, derivation; not those of the patient. */
const DESCRIPTIONS = [
  0x00081030, 0x0008103e, 0x00204000, 0x00324000, 0x00184000, 0x00181030, 0x00082111, 0x00321060, 0x00400254,
  0x00700080, 0x00700081,
]

export const WANTED = {
  patientIds: letters(0x00100020),
  issuers: letters(0x00100021),
  issuerQualifiers: items(0x00100024, { universalEntity: first(0x00400032) }),
  patientNames: letters(0x00100010),
  otherPatientNames: letters(0x00101001),
  birthDates: every(0x00100030),
  sexes: every(0x00100040),
  age: first(0x00101010),
  patientComments: line(0x00104000),
  studyDates: every(0x00080020),
  studyTimes: every(0x00080030),
  acquisitionMoments: every(0x0008002a),
  acquisitionDates: every(0x00080022),
  acquisitionTimes: every(0x00080032),
  contentDates: every(0x00080023),
  contentTimes: every(0x00080033),
  seriesDates: every(0x00080021),
  seriesTimes: every(0x00080031),
  performedDates: every(0x00400244),
  performedTimes: every(0x00400245),
  creationDates: every(0x00080012),
  creationTimes: every(0x00080013),
  zone: first(0x00080201),
  sopUid: first(0x00080018),
  studyUid: first(0x0020000d),
  imageType: first(0x00080008),
  seriesDescription: line(0x0008103e),
  maker: line(0x00080070),
  model: line(0x00081090),
  otherNames: letters(...OTHER_NAMES),
  descriptions: letters(...DESCRIPTIONS),
  /** Of the image, of its series, of a measurement. */
  lateralities: every(0x00200062, 0x00200060, 0x00240113),
  ...ANATOMY,
  ofAllFrames: items(0x52009229, FRAMES),
  ofEachFrame: items(0x52009230, FRAMES),
  pressure: number(0x0022000b),
  refractions: items(0x0022001b, {
    sphere: number(0x00220007),
    cylinder: number(0x00220008),
    axis: number(0x00220009),
  }),
}

export type DicomElements = Elements<typeof WANTED> & { readonly meta: Elements<typeof WANTED_OF_META> }

/** Every name is there. */
function shapeOf(wanted: Wanted): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(wanted).map(([name, one]) => [
        name,
        z.array(one.as === 'items' ? shapeOf(one.inside) : z.string()),
      ]),
    ),
  )
}

export const elementsSchema = shapeOf(WANTED).extend({
  meta: shapeOf(WANTED_OF_META),
}) as unknown as z.ZodType<DicomElements>

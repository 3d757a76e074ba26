/** The facts of a whole DICOM file, by its elements: its eye and the measurements of eyes here, the rest from `patient.ts`. */
import type { StatedEye } from '../../../../../src-shared/measurement-ranges.ts'
import { type Message, worded, wordingOf } from '../../../../../src-shared/wording.ts'
import { jsonIn } from '../../../lib/errors.ts'
import type { ContentFacts } from '../sources.ts'
import { type EyeReading, readEye } from '../vocabulary.ts'
import { mentionsIn } from '../../names/mentions.ts'
import type { NameOrder } from '../persons.ts'
import type { DicomElements } from '../../../../reader/dicom-messages.ts'
import {
  codeOf,
  fieldNotTaken,
  type FieldsFound,
  notTaken,
  readDevice,
  readOccasion,
  readPatient,
  readView,
} from './patient.ts'

/** What a DICOM file states about patient, visit, eye and image. Unusable values are named in `rejected` without content. Pure. */
export function factsIn(elements: DicomElements, nameOrder: NameOrder): ContentFacts {
  const patient = readPatient(elements, nameOrder)
  const { eye, trouble } = readEyes(writtenEyes(elements))
  const measured = readMeasurements(elements, eye)
  const { days, capturedAt, hasNoDay } = readOccasion(elements)
  const [visit] = days
  const { numbers, people, spellings, issuer } = patient
  const eyes = describedEyes(elements)
  const isIntact =
    !patient.isUnclear &&
    !hasNoDay &&
    trouble === null &&
    people.length === 0 &&
    numbers.length < 2 &&
    days.length < 2 &&
    eyes.every(({ value }) => eye === null || value === eye)
  return {
    fields: { ...patient.fields, ...(visit && { visit_date: visit.value }), ...measured.fields },
    birthDate: patient.birthDate,
    eye,
    capturedAt,
    sopUid: uidOf(elements.sopUid) ?? uidOf(elements.meta.sopUid),
    studyUid: uidOf(elements.studyUid),
    view: readView(elements),
    device: readDevice(elements),
    rejected: [
      patient.rejected,
      hasNoDay ? [fieldNotTaken('visit_date')] : [],
      trouble === null ? [] : [{ field: 'eye', ...trouble }],
      measured.rejected,
    ].flat(),
    stated: {
      numbers,
      days,
      people,
      spellings,
      issuer,
      eyes,
      explained: explainedTexts(elements),
      isIntact,
    },
  }
}

/** Null if invalid: more than 64 digits and dots (PS3.5 section 9). */
function uidOf(values: readonly string[]): string | null {
  const uid = codeOf(values)
  return uid !== null && /^[0-9.]{1,64}$/.test(uid) ? uid : null
}

/** So many letters of one text are enough to know it again in a name. */
const MAX_EXPLAINED = 64

function explainedTexts({ otherNames, descriptions }: DicomElements): readonly string[] {
  return [...new Set([...otherNames, ...descriptions])].filter(({ length }) => length <= MAX_EXPLAINED)
}

/** One eye that a text names: of a text that names both, which is meant is not known. */
function describedEyes({ descriptions }: DicomElements): NonNullable<ContentFacts['stated']>['eyes'] {
  const found = new Set<StatedEye>()
  for (const text of descriptions) {
    const eyes = eyesDescribed(text)
    if (eyes.size === 1) for (const eye of eyes) found.add(eye)
  }
  return [...found].map((value) => ({ value, attribute: 'description' }))
}

type Frame = DicomElements['ofEachFrame'][number]

/** What the file calls the eye of its picture, as it is written. */
function writtenEyes(elements: DicomElements) {
  const { lateralities, ofAllFrames, ofEachFrame } = elements
  return {
    /**
     * Image Laterality (0020,0062), Laterality of its series (0020,0060), Measurement Laterality (0024,0113), those of all
     * frames, and the modifiers of the anatomic region: empty values are none (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8, 10.5).
     */
    terms: [...lateralities, ...modifierTerms(elements), ...ofAllFrames.flatMap(frameTerms)],
    /** The same of each frame: a frame without one is of no stated eye. */
    frames: ofEachFrame.map(frameTerms),
  }
}

function frameTerms({ anatomies }: Frame): readonly string[] {
  return anatomies.flatMap((anatomy) => [...anatomy.laterality, ...modifierTerms(anatomy)])
}

/** Of the codes of the anatomic regions and structures, and of their modifiers, those that state an eye. */
function modifierTerms({
  regions,
  structures,
}: Pick<DicomElements, 'regions' | 'structures'>): readonly string[] {
  return [...regions, ...structures]
    .flatMap((code) => [code, ...code.modifiers])
    .flatMap(({ terms }) => terms.filter(isEyeTerm))
}

type EyeRead = {
  /** Null if the file states none, both, or two. */
  readonly eye: StatedEye | null
  /** Why a person has to choose; null if the file states one eye, or nothing. */
  readonly trouble: Message | null
}

/** Codes of SNOMED (CT, and RT as it was before 2018): CID 244, and the structures of either eye. */
const CODES = {
  right: ['24028007', 'G-A100', '18944008'],
  left: ['7771000', 'G-A101', '8966001'],
  both: ['51440002', 'G-A102', '40638003'],
  // No half of a pair: what cameras write that do not know the eye. It contradicts one that is stated.
  unpaired: ['U', 'UNPAIRED'],
} as const

const CODE_MEANINGS: ReadonlyMap<string, keyof typeof CODES> = new Map(
  Object.entries(CODES).flatMap(([meaning, codes]) =>
    codes.map((code) => [code, meaning as keyof typeof CODES]),
  ),
)

/** The meaning of a term of an attribute that states nothing but the eye. */
function meaningOf(term: string): keyof typeof CODES | EyeReading {
  const spelled = /^right and left/i.test(term) ? 'both' : readEye(term)
  return CODE_MEANINGS.get(term.toUpperCase()) ?? spelled
}

/** True for a code or a meaning that states an eye: a modifier may as well say `superior`. */
function isEyeTerm(term: string): boolean {
  return !['unclear', 'none'].includes(meaningOf(term))
}

/** The eyes that a description names, as the name of a file would; one letter counts if it is all of it. */
function eyesDescribed(text: string): ReadonlySet<StatedEye> {
  const whole = readEye(text)
  if (whole === 'right' || whole === 'left') return new Set([whole])
  const mentions = mentionsIn(text.replaceAll('/', ' ')).filter(
    ({ family, strength }) => family !== 'letter' && (strength === 'firm' || strength === 'ambiguous'),
  )
  return new Set(mentions.map(({ eye }) => eye))
}

function eyeUnclear(): EyeRead {
  return { eye: null, trouble: worded('intake:dicom.eyeUnclear') }
}

/** The eye of a file. "Both" is a statement, and silence is none; a frame without an eye shares that of no other frame. */
function readEyes({ terms, frames }: ReturnType<typeof writtenEyes>): EyeRead {
  const meanings = new Set([...terms, ...frames.flat()].map(meaningOf))
  meanings.delete('none')
  if (meanings.has('unclear') || meanings.has('both') || meanings.size > 1) return eyeUnclear()
  const eye = meanings.has('right') ? 'right' : meanings.has('left') ? 'left' : null
  const isInPart = terms.length === 0 && frames.some((own) => own.length === 0)
  return eye !== null && isInPart ? eyeUnclear() : { eye, trouble: null }
}

type Read = 'iop' | 'sphere' | 'cylinder' | 'axis'

/** PS3.3 C.8.17.5, and the refraction that a Phelcom Eyer writes into the comments. Implausible values are kept. */
function readMeasurements(elements: DicomElements, eye: StatedEye | null): FieldsFound {
  const found: FieldsFound = { fields: {}, rejected: [] }
  const stateOne = ([value]: readonly string[], read: Read): void => {
    if (value === undefined) return
    if (eye !== null) stateNumber(found, eye, read, Number(value))
    else found.rejected.push(notTaken(read, wordingOf(`field:measurement.${read}.name`)))
  }
  stateOne(elements.pressure, 'iop')
  const [refraction] = elements.refractions
  if (refraction) {
    stateOne(refraction.sphere, 'sphere')
    stateOne(refraction.cylinder, 'cylinder')
    stateOne(refraction.axis, 'axis')
  }
  stateDioptersOfComments(found, elements.patientComments[0] ?? '')
  return found
}

function stateNumber({ fields, rejected }: FieldsFound, eye: StatedEye, read: Read, value: number): void {
  const field = `${eye === 'right' ? 'od' : 'os'}_${read}` as const
  if (Number.isFinite(value)) fields[field] ??= value
  else rejected.push(fieldNotTaken(field))
}

const DIOPTER_NAMES = { spherical: 'sphere', cylindrical: 'cylinder', axis: 'axis' } as const

/** `{"diopter": {"right": {"spherical": "-1.25", "cylindrical": "", "axis": ""}, …}}` among other values. */
function stateDioptersOfComments(found: FieldsFound, comments: string): void {
  const diopter = asObject(asObject(jsonIn(comments))?.['diopter'])
  for (const eye of ['right', 'left'] as const) {
    const stated = asObject(diopter?.[eye])
    for (const [name, read] of Object.entries(DIOPTER_NAMES)) {
      const value = stated?.[name]
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
      if (text !== '') stateNumber(found, eye, read, numberOf(text))
    }
  }
}

function numberOf(text: string): number {
  const plain = text.replace('\u2212', '-').replace(',', '.')
  return /^[+-]?\d{0,6}\.?\d{1,6}$/.test(plain) ? Number(plain) : Number.NaN
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Readonly<Record<string, unknown>>) : null
}

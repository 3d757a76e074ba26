/** The measurements that a DICOM file states: pressure and refraction of an eye. */
import type { Measurement, MeasurementField } from '../../../../src-shared/fields.ts'
import type { Eye } from '../../../../src-shared/measurement-ranges.ts'
import { type NameIn, worded, type Wording, wordingOf } from '../../../../src-shared/wording.ts'
import type { DataSet } from './dicom.ts'
import { type FactsSource, FieldsFinder, type FieldsFound, readText } from './facts.ts'
import { readDecimal, readItems } from './values.ts'

type StatedEye = Exclude<Eye, 'unknown'>

const INTRA_OCULAR_PRESSURE = 0x0022000b

const REFRACTIVE_STATE = 0x0022001b

const SPHERICAL_POWER = 0x00220007

const CYLINDER_POWER = 0x00220008

const CYLINDER_AXIS = 0x00220009

const PATIENT_COMMENTS = 0x00104000

type Read = NameIn<'intake:dicom.measurement'>

const nameOf = (read: Read): Wording => wordingOf(`intake:dicom.measurement.${read}`)

/**
 * Pressure and refraction of the eye in the image (Ocular Region Imaged Module, PS3.3 C.8.17.5), and the refraction
 * of both eyes if a Phelcom Eyer wrote it as JSON into the patient comments. Values are stored as stated, including
 * zeros and implausible ones.
 */
export async function readMeasurements(source: FactsSource, eye: StatedEye | null): Promise<FieldsFound> {
  const { window, dataSet } = source
  const finder = new FieldsFinder()
  await stateOne(source, dataSet, INTRA_OCULAR_PRESSURE, 'iop', eye, finder)
  const [refraction] = await readItems(window, dataSet, REFRACTIVE_STATE)
  if (refraction) {
    await stateOne(source, refraction, SPHERICAL_POWER, 'sphere', eye, finder)
    await stateOne(source, refraction, CYLINDER_POWER, 'cylinder', eye, finder)
    await stateOne(source, refraction, CYLINDER_AXIS, 'axis', eye, finder)
  }
  const comments = await readText(source, dataSet, PATIENT_COMMENTS)
  if (comments?.kind === 'text') stateDioptersOfComments(finder, comments.text)
  return finder.found()
}

async function stateOne(
  { window }: FactsSource,
  dataSet: DataSet,
  tag: number,
  read: Read,
  eye: StatedEye | null,
  finder: FieldsFinder,
): Promise<void> {
  const value = await readDecimal(window, dataSet, tag)
  if (value === null) return
  if (eye === null) {
    finder.reject(read, worded('intake:dicom.ofNoEye', { measurement: nameOf(read) }))
  } else stateNumber(finder, eye, read, value)
}

function stateNumber(finder: FieldsFinder, eye: StatedEye, read: Read, value: number): void {
  const field = fieldOf(eye, read)
  if (Number.isFinite(value)) finder.state(field, value)
  else {
    finder.reject(field, worded('intake:dicom.noNumber', { measurement: nameOf(read) }))
  }
}

function fieldOf(eye: StatedEye, measurement: Measurement): MeasurementField {
  return `${eye === 'right' ? 'od' : 'os'}_${measurement}`
}

const DIOPTER_NAMES = { spherical: 'sphere', cylindrical: 'cylinder', axis: 'axis' } as const

/**
 * `{"diopter": {"right": {"spherical": "-1.25", "cylindrical": "", "axis": ""}, "left": {…}}}` among other values.
 */
function stateDioptersOfComments(finder: FieldsFinder, comments: string): void {
  const diopter = asObject(asObject(parsed(comments))?.['diopter'])
  for (const eye of ['right', 'left'] as const) {
    const stated = asObject(diopter?.[eye])
    for (const [name, read] of Object.entries(DIOPTER_NAMES)) {
      const value = stated?.[name]
      const isText = typeof value === 'string'
      const text = isText || typeof value === 'number' ? String(value).trim() : ''
      if (text !== '') stateNumber(finder, eye, read, numberOf(text))
    }
  }
}

function numberOf(text: string): number {
  const plain = text.replace('\u2212', '-').replace(',', '.')
  return /^[+-]?\d{0,6}\.?\d{1,6}$/.test(plain) ? Number(plain) : Number.NaN
}

/** Comments are free text; only an object is used. */
function parsed(text: string): unknown {
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

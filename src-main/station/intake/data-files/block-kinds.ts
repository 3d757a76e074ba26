/**
 * What the blocks of a document are about, by their names. A doctor has a name and a date of birth, too, and a cornea
 * has an axis: what stands in a block that we do not know is no detail of the patient.
 */
import type { StatedEye } from '../eye-statements.ts'
import { eyeOfTerm } from './eye-words.ts'
import { plainOf, termsOf } from './name-meaning.ts'

function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

const PATIENT = names(`
  patient patients patientinfo patientinformation patientdata patientdetails patientdemographics demographics
  demographic paciente pacientes datospaciente datosdelpaciente patienteninfo patientendaten subject person
`)
const EXAM = names(`
  exam exams examination examinations visit visits study studies case cases encounter session acquisition capture
  image images photo photos visita visitas examen exploracion estudio consulta caso casos untersuchung
  patienteyedata eyedata measurement measurements
`)
/** Between an eye and its values, or around eyes. */
const REFRACTION = names(`
  data result results value values record records row rows item entry list eyes eye both fields sidecar
  refraction refractions refraccion autorefraction autoref subjective subjectiverefraction ref rm far distance
  refraktion refr tonometry tonometria tono nt iop pio va visualacuity acuity agudezavisual visus prism
  internaldata measure
`)

export type BlockKind = 'patient' | 'exam' | 'measured' | 'name' | 'other'

/** What a block of this name is about. */
export function blockKind(name: string): BlockKind {
  const plain = plainOf(name)
  // The members of a list that is the document itself.
  if (plain === '') return 'measured'
  if (PATIENT.has(plain)) return 'patient'
  if (EXAM.has(plain)) return 'exam'
  if (REFRACTION.has(plain)) return 'measured'
  return plain === 'name' || plain === 'personname' || plain === 'patientname' ? 'name' : 'other'
}

/** The eye that a block is of: `OD`, `RightEye`, `refrLeft`; null for `right` beside any word that we do not know. */
export function eyeOfBlock(name: string): StatedEye | null {
  const words = termsOf(name)
  const [eye, ...others] = words.map(eyeOfTerm).filter((found) => found !== null)
  const rest = words.filter((word) => eyeOfTerm(word) === null)
  return eye && others.length === 0 && rest.every((word) => REFRACTION.has(word)) ? eye : null
}

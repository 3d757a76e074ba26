/** The eye that the attributes of a DICOM file state. Every one of them counts: two that differ are a question. Pure. */
import type { StatedEye } from '../../../../src-shared/measurement-ranges.ts'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import { type EyeReading, readEye } from '../../cases/meaning/eyes.ts'
import { mentionsIn } from '../../cases/names/mentions.ts'

/** What the file calls the eye of its picture, as it is written. */
export type WrittenEyes = {
  /**
   * Image Laterality (0020,0062), Laterality of its series (0020,0060), Measurement Laterality (0024,0113), those of all
   * frames, and the modifiers of the anatomic region: empty values are none (PS3.3 C.8.17.5, C.7.3.1, C.7.6.16.2.8, 10.5).
   */
  readonly terms: readonly string[]
  /** The same of each frame: a frame without one is of no stated eye. */
  readonly frames: readonly (readonly string[])[]
}

export type EyeRead = {
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
export function isEyeTerm(term: string): boolean {
  return !['unclear', 'none'].includes(meaningOf(term))
}

/** The eyes that a description names, as the name of a file would; one letter counts if it is all of it. */
export function eyesDescribed(text: string): ReadonlySet<StatedEye> {
  const whole = readEye(text)
  if (whole === 'right' || whole === 'left') return new Set([whole])
  const mentions = mentionsIn(text.replaceAll('/', ' ')).filter(
    ({ family, strength }) => family !== 'letter' && (strength === 'firm' || strength === 'ambiguous'),
  )
  return new Set(mentions.map(({ eye }) => eye))
}

function ask(trouble: Message): EyeRead {
  return { eye: null, trouble }
}

/** The eye of a file. "Both" is a statement, and silence is none; a frame without an eye shares that of no other frame. */
export function readEyes({ terms, frames }: WrittenEyes): EyeRead {
  const meanings = new Set([...terms, ...frames.flat()].map(meaningOf))
  meanings.delete('none')
  if (meanings.has('right') && meanings.has('left')) return ask(worded('intake:dicom.eyeConflict'))
  if (meanings.has('unclear')) return ask(worded('intake:dicom.eyeUnknown'))
  const eye = meanings.has('right') ? 'right' : meanings.has('left') ? 'left' : null
  if (meanings.has('both') || meanings.size > 1) return ask(worded('intake:dicom.eyeOfBoth'))
  const isInPart = terms.length === 0 && frames.some((own) => own.length === 0)
  if (eye !== null && isInPart) return ask(worded('intake:dicom.eyeInPart'))
  return { eye, trouble: null }
}

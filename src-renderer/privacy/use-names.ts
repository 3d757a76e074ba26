import { useMemo, useSyncExternalStore } from 'react'
import type { Fields } from '../../src-shared/fields.ts'
import { patientNameOf } from '../../src-shared/patient-name.ts'
import { patientLabel } from '../queue/who-is.ts'
import { maskFileName, maskName, maskNameIn } from './mask-name.ts'
import type { NameVisibility } from './names-shown.ts'
import { privacy } from './privacy-state.ts'

/** Patients' names as they may be read just now. Whatever a screen shows or says of a name goes through this. */
export type Names = {
  readonly areHidden: boolean
  /** `Example, Ana`; null where no name is known. */
  readonly nameOf: (fields: Fields) => string | null
  /** For questions and screen readers: the history number, then the name. */
  readonly patientLabel: (fields: Fields) => string
  /** A name that stands by itself, as in a list of the service. */
  readonly name: (text: string) => string
  /** The name of a file, with or without its folder. */
  readonly fileName: (fileName: string) => string
  /** A text in which the patient's name may stand. */
  readonly text: (text: string, fields: Fields) => string
}

function namesFor(shown: NameVisibility): Names {
  const areHidden = shown !== 'shown'
  const name = (text: string): string => (areHidden ? maskName(text) : text)
  return {
    areHidden,
    name,
    nameOf(fields) {
      const patientName = patientNameOf(fields)
      return patientName === null ? null : name(patientName)
    },
    patientLabel: (fields) => patientLabel(fields, name),
    fileName: (fileName) => (areHidden ? maskFileName(fileName) : fileName),
    text: (text, fields) => (areHidden ? maskNameIn(text, fields) : text),
  }
}

/** For what is drawn: follows the privacy of the window. */
export function useNames(): Names {
  const shown = useSyncExternalStore(privacy.onChange, privacy.shown)
  return useMemo(() => namesFor(shown), [shown])
}

/** For what is told once, such as a message. */
export function namesNow(): Names {
  return namesFor(privacy.shown())
}

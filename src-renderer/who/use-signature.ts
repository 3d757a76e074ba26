import { useState } from 'react'
import { initials, writeInitials } from './initials.ts'

export type Signed = { readonly by: string; readonly why?: string }

export type Signature = {
  readonly by: string
  readonly why: string
  /** Was it tried without initials? */
  readonly isMissing: boolean
  readonly writeBy: (text: string) => void
  readonly writeWhy: (text: string) => void
  /** What goes with the decision, or null while there are no initials: then the field says so. */
  readonly sign: () => Signed | null
}

/** Initials and a reason that are being written; initials that were used once stand in the window from then on. */
export function useSignature(): Signature {
  const [by, setBy] = useState(() => initials.getState().by)
  const [why, setWhy] = useState('')
  const [isMissing, setMissing] = useState(false)
  return {
    by,
    why,
    isMissing,
    writeBy(text) {
      setBy(text)
      setMissing(false)
    },
    writeWhy: setWhy,
    sign() {
      const signed = by.trim()
      setMissing(signed === '')
      if (signed === '') return null
      writeInitials(signed)
      return why.trim() === '' ? { by: signed } : { by: signed, why: why.trim() }
    },
  }
}

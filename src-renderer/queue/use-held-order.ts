import { useEffect, useRef, useState } from 'react'

/** A pointer that rests so long is not aiming at a row. */
const AIMING_MS = 4_000

/** The order that stays while somebody aims: rows keep their places, new ones come last. Pure. */
export function holdOrder(held: readonly string[], wanted: readonly string[]): readonly string[] {
  const isWanted = new Set(wanted)
  const isHeld = new Set(held)
  return [...held.filter((id) => isWanted.has(id)), ...wanted.filter((id) => !isHeld.has(id))]
}

export type HeldOrder = {
  readonly ids: readonly string[]
  /** To be put on the element over which the order is held. */
  readonly handlers: { readonly onPointerMove: () => void; readonly onPointerLeave: () => void }
}

/** Keeps rows from moving away under the pointer: a click must not hit another patient's button. */
export function useHeldOrder(wanted: readonly string[]): HeldOrder {
  const [held, setHeld] = useState<readonly string[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    ids: held ? holdOrder(held, wanted) : wanted,
    handlers: {
      onPointerMove() {
        clearTimeout(timer.current)
        timer.current = setTimeout(() => setHeld(null), AIMING_MS)
        setHeld((before) => before ?? wanted)
      },
      onPointerLeave() {
        clearTimeout(timer.current)
        setHeld(null)
      },
    },
  }
}

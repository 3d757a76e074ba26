import { useEffect, useRef, useState } from 'react'

/** A pointer or a key that rests so long is not aiming at a row. */
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
  readonly handlers: {
    readonly onPointerMove: () => void
    readonly onPointerLeave: () => void
    readonly onKeyDown: () => void
    readonly onFocus: () => void
  }
}

/** Keeps rows from moving away under the pointer and the keys: neither must hit another patient's button. */
export function useHeldOrder(wanted: readonly string[]): HeldOrder {
  const [held, setHeld] = useState<readonly string[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const aimsWith = useRef<'pointer' | 'keys'>('pointer')
  useEffect(() => () => clearTimeout(timer.current), [])
  const hold = (by: 'pointer' | 'keys'): void => {
    aimsWith.current = by
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setHeld(null), AIMING_MS)
    setHeld((before) => before ?? wanted)
  }
  return {
    ids: held ? holdOrder(held, wanted) : wanted,
    handlers: {
      onPointerMove: () => hold('pointer'),
      onKeyDown: () => hold('keys'),
      onFocus: () => hold('keys'),
      onPointerLeave() {
        // Whoever has put the mouse aside and goes on by keyboard still aims.
        if (aimsWith.current === 'keys') return
        clearTimeout(timer.current)
        setHeld(null)
      },
    },
  }
}

import { useEffect, useRef, useState } from 'react'

/** A pointer or a key that rests so long is not aiming at a row. */
const AIMING_MS = 4_000

/** The order that stays while somebody aims: rows keep their places, new ones come last. Pure. */
export function stableOrder(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const isWanted = new Set(wanted)
  const isHeld = new Set(current)
  return [...current.filter((id) => isWanted.has(id)), ...wanted.filter((id) => !isHeld.has(id))]
}

export type StableOrder = {
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
export function useStableOrder(wanted: readonly string[]): StableOrder {
  const [frozen, setFrozen] = useState<readonly string[] | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const aimsWith = useRef<'pointer' | 'keys'>('pointer')
  useEffect(() => () => clearTimeout(timer.current), [])
  const freeze = (by: 'pointer' | 'keys'): void => {
    aimsWith.current = by
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setFrozen(null), AIMING_MS)
    setFrozen((before) => before ?? wanted)
  }
  return {
    ids: frozen ? stableOrder(frozen, wanted) : wanted,
    handlers: {
      onPointerMove: () => freeze('pointer'),
      onKeyDown: () => freeze('keys'),
      onFocus: () => freeze('keys'),
      onPointerLeave() {
        // Whoever has put the mouse aside and goes on by keyboard still aims.
        if (aimsWith.current === 'keys') return
        clearTimeout(timer.current)
        setFrozen(null)
      },
    },
  }
}

/** Whether patients' names may be read on the screens just now. Pure. */

/** `byHand`: until somebody shows them again. `whileIdle`: until somebody touches the screens. */
export type NameVisibility = 'shown' | 'hiddenByHand' | 'hiddenWhileIdle'

export type Presence = {
  readonly wish: 'show' | 'hide'
  /** When somebody last moved the pointer or pressed a key, epoch milliseconds. */
  readonly lastInputAt: number
  /** Null: names are never hidden by themselves. */
  readonly hideAfterMs: number | null
}

export function nameVisibility({ wish, lastInputAt, hideAfterMs }: Presence, now: number): NameVisibility {
  if (wish === 'hide') return 'hiddenByHand'
  return hideAfterMs !== null && now - lastInputAt >= hideAfterMs ? 'hiddenWhileIdle' : 'shown'
}

/** How long to wait before looking again; null where nothing changes by itself. */
export function nextCheckMs({ wish, lastInputAt, hideAfterMs }: Presence, now: number): number | null {
  if (wish === 'hide' || hideAfterMs === null) return null
  const left = lastInputAt + hideAfterMs - now
  // A clock that was set back must not keep names in sight for hours.
  return left > 0 ? Math.min(left, hideAfterMs) : null
}

/** A wait by the clock of this computer. */
export type Pause = { readonly since: number; readonly until: number }

/** Also where the clock was set back before it began: then nobody knows how long it is to last still. */
export function isOver({ since, until }: Pause, now: number): boolean {
  return until <= now || now < since
}

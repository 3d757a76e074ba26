/**
 * Is a file of a known format all there?
 *
 * - `whole`      everything that the file says it has lies inside it
 * - `truncated`  something lies beyond its end: it is still being written, or was cut off
 * - `malformed`  it contradicts its own format; `what` says where, without content of the file
 */
export type Structure =
  | { readonly kind: 'whole' }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'malformed'; readonly what: string }

/** Why a file is not whole. */
export type Shortfall = Exclude<Structure, { readonly kind: 'whole' }>

export const WHOLE: Structure = { kind: 'whole' }
export const TRUNCATED: Shortfall = { kind: 'truncated' }

export function malformed(what: string): Shortfall {
  return { kind: 'malformed', what }
}

/**
 * What the service's answers say of this computer's clock.
 *
 * - unknown  nobody has compared it yet, the answers do not agree, or it was set since
 * - right    the latest answers agree with it
 * - wrong    it is ahead, or behind (negative)
 */
export type ClockReading =
  | { readonly kind: 'unknown' | 'right' }
  | { readonly kind: 'wrong'; readonly differenceMs: number }

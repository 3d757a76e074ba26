/** What ends a walk over image data. */

/** A sign of damage, thrown here and caught by `soundness.ts`. `message` says what, without content of the file. */
export class DamageSign extends Error {}

/** Thrown if a walk of this folder meets what it does not know, or what is too large for it: no sign of damage. */
export class NotChecked extends Error {
  readonly what: NotWalked

  constructor(what: NotWalked) {
    super(what)
    this.what = what
  }
}

/**
 * What is not checked. `arithmetic`, `lossless` and `twelveBits` are codings of JPEG; `noTables` leaves the usual tables
 * out; `compression` is one that is not known here; `size` is larger than any photograph.
 */
export type NotWalked = 'arithmetic' | 'lossless' | 'twelveBits' | 'noTables' | 'compression' | 'size'

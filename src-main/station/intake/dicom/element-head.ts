/** The head of one data element, PS3.5 sections 7.1 and 7.5: tag, type where it is written, and length. */

/** How a data set is written down; PS3.5 annex A. */
export type Encoding = { readonly vr: 'explicit' | 'implicit'; readonly order: 'little' | 'big' }

export const EXPLICIT_LITTLE: Encoding = { vr: 'explicit', order: 'little' }
export const IMPLICIT_LITTLE: Encoding = { vr: 'implicit', order: 'little' }

export type ElementHead = {
  /** Group and element: (0010,0020) is 0x00100020. */
  readonly tag: number
  /** Two letters; null where the encoding leaves it to a dictionary. */
  readonly vr: string | null
  /** Of the value; null where it lasts until a delimiter. */
  readonly length: number | null
  /** Of the head itself. */
  readonly headBytes: number
}

export const ITEM = 0xfffee000
export const ITEM_END = 0xfffee00d
export const SEQUENCE_END = 0xfffee0dd

/** The longest head. */
export const HEAD_BYTES = 12

const UNDEFINED_LENGTH = 0xffffffff
const LONG_VRS = ['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']
const SHORT_VRS = 'AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US'.split(' ')

/**
 * Reads the head of the element with which `bytes` begin. `short` where they end before it does; `wrong` where this is
 * no head.
 */
export function readElementHead(bytes: Uint8Array, { vr, order }: Encoding): ElementHead | 'short' | 'wrong' {
  if (bytes.length < 8) return 'short'
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const isLittle = order === 'little'
  const tag = view.getUint16(0, isLittle) * 0x10000 + view.getUint16(2, isLittle)
  // Items and delimiters have no type in any encoding.
  const isDelimiter = tag >= ITEM && tag <= SEQUENCE_END
  if (vr === 'implicit' || isDelimiter) {
    return { tag, vr: null, length: lengthOf(view.getUint32(4, isLittle)), headBytes: 8 }
  }
  const letters = String.fromCharCode(view.getUint8(4), view.getUint8(5))
  if (SHORT_VRS.includes(letters)) {
    return { tag, vr: letters, length: view.getUint16(6, isLittle), headBytes: 8 }
  }
  if (!LONG_VRS.includes(letters)) return 'wrong'
  if (bytes.length < HEAD_BYTES) return 'short'
  return { tag, vr: letters, length: lengthOf(view.getUint32(8, isLittle)), headBytes: HEAD_BYTES }
}

function lengthOf(stated: number): number | null {
  return stated === UNDEFINED_LENGTH ? null : stated
}

/** The elements of a DICOM file, found by their lengths without reading values (PS3.5 section 7). */
import { type ByteWindow, type Extent, Flaw, malformed, truncated, viewOf } from '../formats/bytes.ts'

/** The encoding of a data set; PS3.5 annex A. */
export type Encoding = { readonly vr: 'explicit' | 'implicit'; readonly order: 'little' | 'big' }

export const EXPLICIT_LITTLE: Encoding = { vr: 'explicit', order: 'little' }
export const IMPLICIT_LITTLE: Encoding = { vr: 'implicit', order: 'little' }

export type Element = Extent & {
  /** Group and element: (0010,0020) is 0x00100020. */
  readonly tag: number
  /** Two letters; null if the encoding leaves it to a dictionary. */
  readonly vr: string | null
  /** Of the data set that contains it, and of its own items. */
  readonly encoding: Encoding
  /** Encapsulated pixel data: its items, the offset table first. Null for every other element. */
  readonly fragments: readonly Extent[] | null
}

/** What takes the elements of one level. */
type Elements = { get(tag: number): Element | undefined; add(element: Element): void }

export const PIXEL_DATA = 0x7fe00010
type ElementHead = {
  readonly tag: number
  readonly vr: string | null
  /** Length of the value; null if it lasts until a delimiter. */
  readonly length: number | null
  readonly headBytes: number
}

const ITEM = 0xfffee000
const ITEM_END = 0xfffee00d
const SEQUENCE_END = 0xfffee0dd

const HEAD_BYTES = 12
const DELIMITER_BYTES = 8
const UNDEFINED_LENGTH = 0xffffffff
const LONG_VRS = ['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']
const SHORT_VRS = 'AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US'.split(' ')

/** PS3.5 sections 7.1 and 7.5. Throws `Flaw` if the bytes end too early, or if this is no head. */
function elementHead(bytes: Uint8Array, { vr, order }: Encoding): ElementHead {
  // Preallocated space reads as zeros; no data set has an element (0000,0000).
  if (bytes.length < 8 || bytes.every((byte) => byte === 0)) throw truncated()
  const view = viewOf(bytes)
  const isLittle = order === 'little'
  const tag = view.getUint16(0, isLittle) * 0x10000 + view.getUint16(2, isLittle)
  // Nothing is in a delimiter, whatever length some writers state.
  if (tag === ITEM_END || tag === SEQUENCE_END) return { tag, vr: null, length: 0, headBytes: 8 }
  // Items and delimiters have no VR in any encoding.
  if (vr === 'implicit' || isDelimiter(tag))
    return { tag, vr: null, length: lengthOf(view.getUint32(4, isLittle)), headBytes: 8 }
  const letters = String.fromCharCode(view.getUint8(4), view.getUint8(5))
  if (SHORT_VRS.includes(letters))
    return { tag, vr: letters, length: view.getUint16(6, isLittle), headBytes: 8 }
  if (!LONG_VRS.includes(letters)) throw malformed('a DICOM element has no known type')
  if (bytes.length < HEAD_BYTES) throw truncated()
  return { tag, vr: letters, length: lengthOf(view.getUint32(8, isLittle)), headBytes: HEAD_BYTES }
}

/** Does an element with a type begin here? Files may be written in another way than they state. */
export function beginsExplicit(bytes: Uint8Array): boolean {
  const letters = String.fromCharCode(bytes[4] ?? 0, bytes[5] ?? 0)
  return SHORT_VRS.includes(letters) || LONG_VRS.includes(letters)
}

function isDelimiter(tag: number): boolean {
  return tag >= ITEM && tag <= SEQUENCE_END
}

function lengthOf(stated: number): number | null {
  return stated === UNDEFINED_LENGTH ? null : stated
}

/** Volumes of many frames have about ten thousand; more only prolong the walk. */
export const MAX_ELEMENTS = 200_000
const MAX_FRAGMENTS = 100_000

/** Of sequences inside one another. */
const MAX_DEPTH = 32
export const TOO_MANY = 'a DICOM file has more elements than any real one'
const MISPLACED = 'a DICOM item stands where none may stand'
const META_GROUP = 0x0002

/** A walk over elements and all that they contain, which lies before `to`. Throws `Flaw`. */
export class ElementWalk {
  readonly #window: ByteWindow
  readonly #to: number
  /** Shared with the walks over its parts. */
  readonly #heads: { left: number }
  #depth = 0

  constructor(window: ByteWindow, to: number, heads = { left: MAX_ELEMENTS }) {
    this.#window = window
    this.#to = to
    this.#heads = heads
  }

  /**
   * Adds the elements of one level to `into`: up to the end, up to the delimiter of their item, or, as the meta
   * information of a file, up to another group. Returns the position behind them, and behind the delimiter. What follows the
   * pixels of a file and is no element is padding (PS3.5 8.1.1).
   */
  async elements(
    into: Elements | null,
    from: number,
    encoding: Encoding,
    until: 'end' | 'delimiter' | 'otherGroup' = 'end',
  ): Promise<number> {
    let position = from
    for (;;) {
      if (until === 'end' && position === this.#to) return position
      if (until === 'otherGroup' && (await this.#groupAt(position)) !== META_GROUP) return position
      try {
        const { end, isDelimited } = await this.#element(into, position, encoding)
        if (isDelimited && until !== 'delimiter') throw malformed(MISPLACED)
        if (isDelimited) return end
        position = end
      } catch (error) {
        const isPadding = until === 'end' && into?.get(PIXEL_DATA) !== undefined
        if (!(error instanceof Flaw) || error.message === TOO_MANY || !isPadding) throw error
        return position
      }
    }
  }

  /** Adds one element. Returns the position behind it; `isDelimited` if it ends the item around it. */
  async #element(
    into: Elements | null,
    from: number,
    encoding: Encoding,
  ): Promise<{ readonly end: number; readonly isDelimited: boolean }> {
    const { tag, vr, length, at } = await this.#head(from, encoding)
    if (tag === ITEM_END) return { end: at, isDelimited: true }
    if (isDelimiter(tag)) throw malformed(MISPLACED)
    // The content of an unknown element of undefined length is implicit little endian (PS3.5 6.2.2, note 2).
    const inner = length === null && vr === 'UN' ? IMPLICIT_LITTLE : encoding
    let fragments: Extent[] | null = null
    let position: number
    if (length !== null) position = at + length
    else if (tag === PIXEL_DATA && (vr === 'OB' || vr === 'OW')) {
      fragments = []
      position = await this.#fragments(fragments, at, encoding)
    } else if (vr === null || vr === 'SQ' || vr === 'UN') position = await this.#items(at, inner)
    else throw malformed('a DICOM value states no length')
    into?.add({ tag, vr, at, bytes: position - at, encoding: inner, fragments })
    // The delimiter of a sequence is no part of its value.
    const isSequence = length === null && fragments === null
    return { end: position + (isSequence ? DELIMITER_BYTES : 0), isDelimited: false }
  }

  /** Adds the elements of one item to `into`. Returns the position behind it; null if the sequence ends here. */
  async item(into: Elements | null, from: number, encoding: Encoding): Promise<number | null> {
    const { tag, length, at } = await this.#head(from, encoding)
    if (tag === SEQUENCE_END) return null
    if (tag !== ITEM) throw malformed(MISPLACED)
    if (length === null) return this.elements(into, at, encoding, 'delimiter')
    if (into !== null)
      await new ElementWalk(this.#window, at + length, this.#heads).elements(into, at, encoding)
    return at + length
  }

  /** The items of a sequence of undefined length. Returns the position of its delimiter. */
  async #items(from: number, encoding: Encoding): Promise<number> {
    this.#depth += 1
    if (this.#depth > MAX_DEPTH) throw malformed(TOO_MANY)
    let position = from
    let next: number | null = from
    while (next !== null) {
      position = next
      next = await this.item(null, position, encoding)
    }
    this.#depth -= 1
    return position
  }

  /** Encapsulated pixel data, PS3.5 annex A.4: items of defined length up to the delimiter. */
  async #fragments(into: Extent[], from: number, encoding: Encoding): Promise<number> {
    let position = from
    while (into.length < MAX_FRAGMENTS) {
      const { tag, length, at } = await this.#head(position, encoding, DELIMITER_BYTES)
      if (tag === SEQUENCE_END) return at
      if (length === null) throw malformed('a DICOM frame states no length')
      if (tag !== ITEM) throw malformed('DICOM frames are followed by no end')
      into.push({ at, bytes: length })
      position = at + length
    }
    throw malformed('a DICOM file has more frames than any real one')
  }

  /** The head at a position, whose value begins `at` and lies before the end. */
  async #head(
    position: number,
    encoding: Encoding,
    most = HEAD_BYTES,
  ): Promise<ElementHead & { readonly at: number }> {
    this.#heads.left -= 1
    if (this.#heads.left < 0) throw malformed(TOO_MANY)
    const bytes = await this.#window.read(position, Math.min(most, this.#to - position))
    const head = elementHead(bytes, encoding)
    const at = position + head.headBytes
    if (head.length !== null && at + head.length > this.#to) throw truncated()
    return { ...head, at }
  }

  /** The meta information is little endian in every file. */
  async #groupAt(position: number): Promise<number> {
    const [low = 0, high = 0] = await this.#window.read(position, 2)
    return low + high * 0x100
  }
}

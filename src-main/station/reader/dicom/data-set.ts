/**
 * A DICOM data set: its elements, found by their lengths without reading values (PS3.5 section 7), and the values of
 * single ones (section 6.2).
 */
import { type ByteWindow, type Extent, Flaw, malformed, truncated, viewOf } from '../formats/bytes.ts'
import { type CharacterSet, characterSetOf, decodeLetters } from './character-sets.ts'

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

export const PIXEL_DATA = 0x7fe00010
const SPECIFIC_CHARACTER_SET = 0x00080005

/** Longer values do not belong in a form. */
const MAX_VALUE_BYTES = 64 * 1_024

/** The standard allows 64 characters for an id and five times as many for a name (PS3.5 table 6.2-1). */
const MAX_TEXT_LENGTH = 1_000
const MAX_STORED_ELEMENTS = 20_000

/** The place of what cannot be read. */
export const UNREADABLE = '\uFFFD'

/** Signs that no text has: a value that holds one was cut, or joined from two. */
// oxlint-disable-next-line no-control-regex -- control signs are the subject
const CONTROL = /[\u0000-\u001f\u007f]+/g

/** The elements of one level, by tag, and their values. Reading a value throws only the errors of the disk. */
export class DataSet {
  readonly #window: ByteWindow
  readonly #elements = new Map<number, [Element, ...Element[]]>()
  /** The character set of the file; an item has that of the data set around it. */
  #letters: CharacterSet | null
  #size = 0

  constructor(window: ByteWindow, letters: CharacterSet | null = null) {
    this.#window = window
    this.#letters = letters
  }

  get size(): number {
    return this.#size
  }

  /** The first one, if a tag is repeated: enough for what the picture is made of. */
  get(tag: number): Element | undefined {
    return this.#elements.get(tag)?.[0]
  }

  /** Every one: no tag may be repeated (PS3.5 7.1), some writers do, and readers differ on which one counts. */
  #all(tag: number): readonly Element[] {
    return this.#elements.get(tag) ?? []
  }

  add(element: Element): void {
    const known = this.#elements.get(element.tag)
    if (known === undefined) this.#elements.set(element.tag, [element])
    else known.push(element)
    this.#size += 1
    if (this.#size > MAX_STORED_ELEMENTS) throw malformed(TOO_MANY)
  }

  /** The bytes of a value; null if the element is missing, empty or implausibly long. */
  async bytes(tag: number, most = MAX_VALUE_BYTES): Promise<Uint8Array | null> {
    return this.#bytesOf(this.get(tag), most)
  }

  async #bytesOf(element: Element | undefined, most = MAX_VALUE_BYTES): Promise<Uint8Array | null> {
    if (!element || element.bytes === 0 || element.bytes > most || element.fragments) return null
    const bytes = await this.#window.read(element.at, element.bytes)
    return bytes.length === element.bytes ? bytes : null
  }

  /** What each element with this tag holds. */
  async #each<Value>(
    tag: number,
    valuesIn: (bytes: Uint8Array) => readonly Value[],
  ): Promise<readonly Value[]> {
    const found: Value[] = []
    for (const element of this.#all(tag)) {
      const bytes = await this.#bytesOf(element)
      if (bytes) found.push(...valuesIn(bytes))
    }
    return found
  }

  /** ASCII values: codes, dates, numbers as text. Empty if the element is missing or empty. */
  async codes(tag: number): Promise<readonly string[]> {
    const bytes = await this.bytes(tag)
    return bytes ? codesIn(bytes) : []
  }

  /** Every value of every element with this tag, without empty ones. */
  async eachCode(tag: number): Promise<readonly string[]> {
    return (await this.#each(tag, codesIn)).filter((code) => code !== '')
  }

  /** The first of them; null if missing or empty. */
  async code(tag: number): Promise<string | null> {
    const [code = ''] = await this.codes(tag)
    return code === '' ? null : code
  }

  /** Null if invalid: more than 64 digits and dots (PS3.5 section 9). */
  async uid(tag: number): Promise<string | null> {
    const uid = await this.code(tag)
    return uid !== null && /^[0-9.]{1,64}$/.test(uid) ? uid : null
  }

  isLittle(tag: number): boolean {
    return this.get(tag)?.encoding.order === 'little'
  }

  /** US, or UL if a writer used that. */
  async count(tag: number): Promise<number | null> {
    const bytes = await this.bytes(tag)
    if (bytes?.length === 2) return viewOf(bytes).getUint16(0, this.isLittle(tag))
    return bytes?.length === 4 ? viewOf(bytes).getUint32(0, this.isLittle(tag)) : null
  }

  /** Several US. */
  async counts(tag: number): Promise<readonly number[]> {
    const bytes = (await this.bytes(tag)) ?? new Uint8Array(0)
    const count = Math.floor(bytes.length / 2)
    return Array.from({ length: count }, (_, at) => viewOf(bytes).getUint16(at * 2, this.isLittle(tag)))
  }

  /** FL, FD, and text (DS, IS); NaN if the value is no number, null if it is missing. */
  async decimal(tag: number): Promise<number | null> {
    const element = this.get(tag)
    const bytes = await this.bytes(tag)
    if (!element || !bytes) return null
    const isLow = this.isLittle(tag)
    if (element.vr === 'FD') return bytes.length === 8 ? viewOf(bytes).getFloat64(0, isLow) : Number.NaN
    if (element.vr === 'FL' || element.vr === null) {
      if (bytes.length !== 4) return Number.NaN
      // A float has seven digits: 15.3 must not become 15.300000190734863.
      return Number(viewOf(bytes).getFloat32(0, isLow).toPrecision(7))
    }
    const text = await this.code(tag)
    if (text === null) return null
    return /^[+-]?\d{0,9}\.?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  }

  async #characterSet(): Promise<CharacterSet> {
    this.#letters ??= characterSetOf(await this.codes(SPECIFIC_CHARACTER_SET))
    return this.#letters
  }

  /** One text for display, in patients' character sets; empty if it is missing or cannot be decoded. */
  async text(tag: number): Promise<string> {
    const letters = await this.#characterSet()
    const bytes = await this.bytes(tag)
    const decoded = bytes && decodeLetters(bytes, letters)
    return trimPadding(decoded ?? '')
      .replaceAll(CONTROL, (signs) => (/[\t\n\r]/.test(signs) ? '\n' : ' '))
      .trim()
  }

  /** Every value of every element with this tag, each once, without padding. What cannot be read is `UNREADABLE` there. */
  async texts(tag: number): Promise<readonly string[]> {
    const letters = await this.#characterSet()
    const texts = await this.#each(tag, (bytes) => {
      const decoded = decodeLetters(bytes, letters)
      if (decoded === null || decoded.length > MAX_TEXT_LENGTH) return [UNREADABLE]
      return decoded.split('\\').map((value) => trimPadding(value).trim().replaceAll(CONTROL, UNREADABLE))
    })
    return [...new Set(texts)].filter((text) => text !== '')
  }

  /**
   * The items of a sequence, or of several with this tag; empty if the element is missing, or is no sequence. Throws
   * `Flaw` if they hold too many elements: what is not read could contradict the rest.
   */
  async items(tag: number): Promise<readonly DataSet[]> {
    const letters = await this.#characterSet()
    const items: DataSet[] = []
    const heads = { left: MAX_ELEMENTS }
    for (const { at, bytes, encoding, fragments } of this.#all(tag)) {
      const walk = new ElementWalk(this.#window, at + bytes, heads)
      let position: number | null = fragments ? null : at
      try {
        while (position !== null && position < at + bytes) {
          const item = new DataSet(this.#window, letters)
          position = await walk.item(item, position, encoding)
          if (position !== null) items.push(item)
        }
      } catch (error) {
        // What follows is no item.
        if (!(error instanceof Flaw) || error.message === TOO_MANY) throw error
      }
    }
    return items
  }
}

function codesIn(bytes: Uint8Array): readonly string[] {
  return new TextDecoder('latin1').decode(bytes).split('\\').map(trimPadding)
}

/** Values are padded to an even length with a space or a zero. */
function trimPadding(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the padding of UIDs and of careless writers
  return text.replaceAll(/^[\u0000 ]+|[\u0000 ]+$/g, '')
}

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

function isDelimiter(tag: number): boolean {
  return tag >= ITEM && tag <= SEQUENCE_END
}

function lengthOf(stated: number): number | null {
  return stated === UNDEFINED_LENGTH ? null : stated
}

/** Volumes of many frames have about ten thousand; more only prolong the walk. */
const MAX_ELEMENTS = 200_000
const MAX_FRAGMENTS = 100_000

/** Of sequences inside one another. */
const MAX_DEPTH = 32
const TOO_MANY = 'a DICOM file has more elements than any real one'
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
   * information of a file, up to another group. Returns the position behind them, and behind the delimiter.
   */
  async elements(
    into: DataSet | null,
    from: number,
    encoding: Encoding,
    until: 'end' | 'delimiter' | 'otherGroup' = 'end',
  ): Promise<number> {
    let position = from
    for (;;) {
      if (until === 'end' && position === this.#to) return position
      if (until === 'otherGroup' && (await this.#groupAt(position)) !== META_GROUP) return position
      const { tag, vr, length, at } = await this.#head(position, encoding)
      if (tag === ITEM_END && length === 0 && until === 'delimiter') return at
      if (isDelimiter(tag)) throw malformed(MISPLACED)
      // The content of an unknown element of undefined length is implicit little endian (PS3.5 6.2.2, note 2).
      const inner = length === null && vr === 'UN' ? IMPLICIT_LITTLE : encoding
      let fragments: Extent[] | null = null
      if (length !== null) position = at + length
      else if (tag === PIXEL_DATA && (vr === 'OB' || vr === 'OW')) {
        fragments = []
        position = await this.#fragments(fragments, at, encoding)
      } else if (vr === null || vr === 'SQ' || vr === 'UN') position = await this.#items(at, inner)
      else throw malformed('a DICOM value states no length')
      into?.add({ tag, vr, at, bytes: position - at, encoding: inner, fragments })
      // The delimiter of a sequence is no part of its value.
      if (length === null && fragments === null) position += DELIMITER_BYTES
    }
  }

  /** Adds the elements of one item to `into`. Returns the position behind it; null if the sequence ends here. */
  async item(into: DataSet | null, from: number, encoding: Encoding): Promise<number | null> {
    const { tag, length, at } = await this.#head(from, encoding)
    if (tag === SEQUENCE_END && length === 0) return null
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
      if (length === null) throw malformed('a DICOM frame states no length')
      if (tag === SEQUENCE_END && length === 0) return at
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

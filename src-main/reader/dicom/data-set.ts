/** The elements of a DICOM data set, the values of single ones (PS3.5 section 6.2), and those of a file that leave the reader. */
import {
  type Decoding,
  type DicomElements,
  type Elements,
  UNREADABLE,
  WANTED,
  type Wanted,
  WANTED_OF_META,
} from '../dicom-messages.ts'
import { type ByteWindow, Flaw, malformed, viewOf } from '../formats/bytes.ts'
import { type CharacterSet, characterSetOf, decodeLetters } from './character-sets.ts'
import { type Element, ElementWalk, MAX_ELEMENTS, TOO_MANY } from './element-walk.ts'

const SPECIFIC_CHARACTER_SET = 0x00080005

/** Longer values do not belong in a form. */
const MAX_VALUE_BYTES = 64 * 1_024

/** The standard allows 64 characters for an id and five times as many for a name (PS3.5 table 6.2-1). */
const MAX_TEXT_LENGTH = 1_000
const MAX_STORED_ELEMENTS = 20_000

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

/** Values and items: several of each frame of a film, and no more than one message should have. */
const MAX_VALUES = 50_000
const MAX_CHARACTERS = 1_024 * 1_024
/** Of texts, each of which the station searches for words: more than one of each wanted element has. */
const MAX_LETTERS = 64 * 1_024

/** Reads a few values, never pixels. Throws `Flaw` for too many elements, as what is not read could contradict the rest, and the errors of the disk. */
export async function readElements({
  meta,
  dataSet,
}: {
  readonly meta: DataSet
  readonly dataSet: DataSet
}): Promise<DicomElements> {
  const left = { values: MAX_VALUES, characters: MAX_CHARACTERS, letters: MAX_LETTERS }
  return {
    ...(await elementsOf(dataSet, WANTED, left)),
    meta: await elementsOf(meta, WANTED_OF_META, left),
  }
}

type Left = { values: number; characters: number; letters: number }

const DECODED: Readonly<Record<Decoding, (dataSet: DataSet, tag: number) => Promise<readonly string[]>>> = {
  first: (dataSet, tag) => dataSet.codes(tag),
  every: (dataSet, tag) => dataSet.eachCode(tag),
  letters: (dataSet, tag) => dataSet.texts(tag),
  line: async (dataSet, tag) => [await dataSet.text(tag)].filter((text) => text !== ''),
  number: async (dataSet, tag) => {
    const value = await dataSet.decimal(tag)
    return value === null ? [] : [String(value)]
  },
}

function take(left: Left, values: number, characters = 0, letters = 0): void {
  left.values -= values
  left.characters -= characters
  left.letters -= letters
  if (left.values < 0 || left.characters < 0 || left.letters < 0) throw malformed(TOO_MANY)
}

async function elementsOf<Names extends Wanted>(
  dataSet: DataSet,
  wanted: Names,
  left: Left,
): Promise<Elements<Names>> {
  const found: Record<string, readonly string[] | readonly Elements[]> = {}
  for (const [name, one] of Object.entries(wanted))
    if (one.as === 'items') {
      const items: Elements[] = []
      for (const item of await dataSet.items(one.tag)) {
        take(left, 1)
        items.push(await elementsOf(item, one.inside, left))
      }
      found[name] = items
    } else {
      const values: string[] = []
      for (const tag of one.tags) {
        const read = await DECODED[one.as](dataSet, tag)
        const characters = read.reduce((sum, { length }) => sum + length, 0)
        // First: a call takes only so many parameters.
        take(left, read.length, characters, one.as === 'letters' ? characters : 0)
        values.push(...read)
      }
      found[name] = values
    }
  return found as Elements<Names>
}

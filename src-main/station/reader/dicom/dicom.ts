/** Walks a DICOM data set by its lengths, without reading values; PS3.5 section 7. */
import { type ByteWindow, type Extent, type Flaw, malformed, truncated, viewOf } from '../formats/bytes.ts'

/** The encoding of a data set; PS3.5 annex A. */
export type Encoding = { readonly vr: 'explicit' | 'implicit'; readonly order: 'little' | 'big' }

export const EXPLICIT_LITTLE: Encoding = { vr: 'explicit', order: 'little' }
const IMPLICIT_LITTLE: Encoding = { vr: 'implicit', order: 'little' }

type ElementHead = {
  /** Group and element: (0010,0020) is 0x00100020. */
  readonly tag: number
  /** Two letters; null if the encoding leaves it to a dictionary. */
  readonly vr: string | null
  /** Length of the value; null if it lasts until a delimiter. */
  readonly length: number | null
  readonly headBytes: number
}

export const ITEM = 0xfffee000
const ITEM_END = 0xfffee00d
const SEQUENCE_END = 0xfffee0dd

const HEAD_BYTES = 12
const UNDEFINED_LENGTH = 0xffffffff
const LONG_VRS = ['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV']
const SHORT_VRS = 'AE AS AT CS DA DS DT FL FD IS LO LT PN SH SL SS ST TM UI UL US'.split(' ')

/** PS3.5 sections 7.1 and 7.5. `short` if the bytes end too early; `wrong` if this is no head. */
export function readElementHead(bytes: Uint8Array, { vr, order }: Encoding): ElementHead | 'short' | 'wrong' {
  if (bytes.length < 8) return 'short'
  const view = viewOf(bytes)
  const isLittle = order === 'little'
  const tag = view.getUint16(0, isLittle) * 0x10000 + view.getUint16(2, isLittle)
  // Items and delimiters have no VR in any encoding.
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

export type Element = Extent & {
  readonly tag: number
  readonly vr: string | null
  /** Of the data set that contains it, and of its own items. */
  readonly encoding: Encoding
  /** Encapsulated pixel data: its items, the offset table first. Null for every other element. */
  readonly fragments: readonly Extent[] | null
}

/** The elements of one level, by tag, and the file that holds their values. */
export class DataSet {
  readonly window: ByteWindow
  readonly #elements = new Map<number, [Element, ...Element[]]>()
  #size = 0

  constructor(window: ByteWindow) {
    this.window = window
  }

  get size(): number {
    return this.#size
  }

  /** The first one, if a tag is repeated: enough for what the picture is made of. */
  get(tag: number): Element | undefined {
    return this.#elements.get(tag)?.[0]
  }

  /** Every one: no tag may be repeated (PS3.5 7.1), some writers do, and readers differ on which one counts. */
  all(tag: number): readonly Element[] {
    return this.#elements.get(tag) ?? []
  }

  add(element: Element): void {
    const known = this.#elements.get(element.tag)
    if (known === undefined) this.#elements.set(element.tag, [element])
    else known.push(element)
    this.#size += 1
  }
}

/** `elements` holds everything before the walk stopped, whatever its flaw. */
type Walk = { readonly flaw: Flaw | null; readonly elements: DataSet; readonly end: number }

export const PIXEL_DATA = 0x7fe00010

/** Volumes of many frames have about ten thousand; more only prolong the walk. */
const MAX_ELEMENTS = 200_000
const MAX_STORED_ELEMENTS = 20_000
const MAX_FRAGMENTS = 100_000
const MAX_DEPTH = 64

/** A sequence or item of undefined length that the walk is inside of. */
type Level = { readonly kind: 'sequence' | 'item'; readonly encoding: Encoding }

/** The range of a data set and how it ends: at a position, or at the delimiter of its item. */
type Stretch = { readonly from: number; readonly to: number; readonly ends: 'there' | 'atDelimiter' }

export async function walkDataSet(
  window: ByteWindow,
  { from, to, ends }: Stretch,
  encoding: Encoding,
): Promise<Walk> {
  const elements = new DataSet(window)
  const levels: Level[] = []
  let position = from
  /** The top-level sequence of undefined length that is being walked. */
  let open: Omit<Element, 'bytes' | 'fragments'> | null = null
  const stop = (flaw: Flaw | null): Walk => ({ flaw, elements, end: position })
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    const level = levels.at(-1)
    if (!level && position === to && ends === 'there') return stop(null)
    const current: Encoding = level?.encoding ?? encoding
    const bytes = await window.read(position, Math.min(HEAD_BYTES, to - position))
    const head = readElementHead(bytes, current)
    if (head === 'short') return stop(truncated())
    if (isUnwritten(bytes)) return stop(truncated())
    if (head === 'wrong') return stop(malformed('a DICOM element has no known type'))
    const at = position + head.headBytes
    if (head.length !== null && at + head.length > to) return stop(truncated())
    const location = locate(head, level?.kind ?? 'top')
    switch (location) {
      case 'misplaced':
        return stop(malformed('a DICOM item stands where none may stand'))
      case 'endOfDataSet':
        if (ends === 'there') return stop(malformed('a DICOM item ends that never began'))
        return stop(null)
      case 'end': {
        levels.pop()
        position = at
        if (levels.length === 0 && open) {
          elements.add({ ...open, bytes: position - head.headBytes - open.at, fragments: null })
          open = null
        }
        break
      }
      case 'item':
        position = head.length === null ? at : at + head.length
        if (head.length === null) levels.push({ kind: 'item', encoding: current })
        break
      case 'element': {
        if (head.length !== null) {
          position = at + head.length
          if (!level) elements.add({ ...head, at, bytes: head.length, encoding: current, fragments: null })
          break
        }
        if (head.vr === 'OB' || head.vr === 'OW') {
          if (head.tag !== PIXEL_DATA) return stop(malformed('a DICOM value states no length'))
          const walk = await walkFragments(window, at, to, current)
          position = walk.end
          if (walk.flaw !== null) return stop(walk.flaw)
          if (!level)
            elements.add({ ...head, at, bytes: position - at, encoding: current, fragments: walk.fragments })
          break
        }
        if (head.vr !== null && head.vr !== 'SQ' && head.vr !== 'UN') {
          return stop(malformed('a DICOM value states no length'))
        }
        // The content of an unknown element of undefined length is implicit little endian (PS3.5 6.2.2, note 2).
        const inner = head.vr === 'UN' ? IMPLICIT_LITTLE : current
        if (!level) open = { tag: head.tag, vr: head.vr, at, encoding: inner }
        levels.push({ kind: 'sequence', encoding: inner })
        position = at
        break
      }
    }
    if (levels.length > MAX_DEPTH || elements.size > MAX_STORED_ELEMENTS) break
  }
  return stop(malformed('a DICOM file has more elements than any real one'))
}

/** Preallocated space reads as zeros; no data set has an element (0000,0000). */
function isUnwritten(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}

function locate(
  { tag, length }: ElementHead,
  within: 'top' | Level['kind'],
): 'element' | 'item' | 'end' | 'endOfDataSet' | 'misplaced' {
  if (within === 'sequence') {
    if (tag === ITEM) return 'item'
    return tag === SEQUENCE_END && length === 0 ? 'end' : 'misplaced'
  }
  if (tag === ITEM_END && length === 0) return within === 'item' ? 'end' : 'endOfDataSet'
  return tag >= ITEM && tag <= SEQUENCE_END ? 'misplaced' : 'element'
}

type FragmentWalk = {
  readonly flaw: Flaw | null
  readonly fragments: readonly Extent[]
  readonly end: number
}

/** Encapsulated pixel data, PS3.5 annex A.4: items of defined length up to the delimiter. */
async function walkFragments(
  window: ByteWindow,
  from: number,
  to: number,
  encoding: Encoding,
): Promise<FragmentWalk> {
  const fragments: Extent[] = []
  let position = from
  const stop = (flaw: Flaw | null): FragmentWalk => ({ flaw, fragments, end: position })
  while (fragments.length < MAX_FRAGMENTS) {
    const bytes = await window.read(position, Math.min(8, to - position))
    const head = readElementHead(bytes, encoding)
    if (head === 'short' || isUnwritten(bytes)) return stop(truncated())
    if (head === 'wrong' || head.length === null) return stop(malformed('a DICOM frame states no length'))
    const at = position + head.headBytes
    if (head.tag === SEQUENCE_END && head.length === 0) {
      position = at
      return stop(null)
    }
    if (head.tag !== ITEM) return stop(malformed('DICOM frames are followed by no end'))
    if (at + head.length > to) return stop(truncated())
    fragments.push({ at, bytes: head.length })
    position = at + head.length
  }
  return stop(malformed('a DICOM file has more frames than any real one'))
}

const ROOT = '1.2.840.10008.1.2'

/** The whole data set is deflated and cannot be read without inflating all of it. */
const DEFLATED = [`${ROOT}.1.99`, `${ROOT}.4.95`, `${ROOT}.4.205`]

/** The encoding of a data set by its transfer syntax (PS3.5 section 10, PS3.6 annex A); null if it cannot be read. */
export function encodingOf(transferSyntax: string): Encoding | null {
  if (DEFLATED.includes(transferSyntax)) return null
  if (transferSyntax === ROOT) return IMPLICIT_LITTLE
  if (transferSyntax === `${ROOT}.2`) return { vr: 'explicit', order: 'big' }
  // All others, including private ones (PS3.5 A.4 for the encapsulated).
  return EXPLICIT_LITTLE
}

/**
 * The compression of the pixels.
 *
 * - `native`  none
 * - `jpeg`    8 bit JPEG that every viewer shows: baseline, extended, progressive
 * - `rle`     PS3.5 annex G
 * - others    known by name, not decoded
 */
export type Packing = 'native' | 'jpeg' | 'rle' | 'jpegLossless' | 'jpegLs' | 'jpeg2000' | 'video' | 'other'

const PACKINGS: readonly (readonly [Packing, ends: readonly string[]])[] = [
  ['native', ['', '.1', '.2']],
  ['rle', ['.5']],
  // The last two are retired, and still written: spectral selection and full progression.
  ['jpeg', ['.4.50', '.4.51', '.4.53', '.4.55']],
  ['jpegLossless', ['.4.57', '.4.70']],
  ['jpegLs', ['.4.80', '.4.81']],
  ['jpeg2000', ['.4.90', '.4.91', '.4.92', '.4.93', '.4.201', '.4.202', '.4.203']],
]

export function packingOf(transferSyntax: string): Packing {
  // MPEG2, MPEG-4 and HEVC.
  if (/^1\.2\.840\.10008\.1\.2\.4\.10[0-8](\.1)?$/.test(transferSyntax)) return 'video'
  return PACKINGS.find(([, ends]) => ends.some((end) => `${ROOT}${end}` === transferSyntax))?.[0] ?? 'other'
}

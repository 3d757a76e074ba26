/** Walks along a data set by its lengths, PS3.5 section 7, without looking at values. */
import { malformed, TRUNCATED, WHOLE, type Structure } from '../structure-finding.ts'
import {
  HEAD_BYTES,
  IMPLICIT_LITTLE,
  ITEM,
  ITEM_END,
  readElementHead,
  SEQUENCE_END,
  type ElementHead,
  type Encoding,
} from './element-head.ts'
import type { FileWindow } from './file-window.ts'

/** Where bytes lie in the file. */
export type Extent = { readonly at: number; readonly bytes: number }

export type Element = Extent & {
  readonly tag: number
  /** Null where the encoding leaves it to a dictionary. */
  readonly vr: string | null
  /** Of the data set that it stands in, and of its own items. */
  readonly encoding: Encoding
  /** Encapsulated pixel data: its items, the table of offsets first. Null for every other element. */
  readonly fragments: readonly Extent[] | null
}

/** The elements of one level, by tag; of a tag that stands twice, the first. */
export type DataSet = ReadonlyMap<number, Element>

/** `elements` holds what was passed before the walk stopped, also where the structure is not whole. */
export type Walk = { readonly structure: Structure; readonly elements: DataSet; readonly end: number }

export const PIXEL_DATA = 0x7fe00010

/** Volumes of many frames have some ten thousand; more only make the walk long. */
const MAX_ELEMENTS = 200_000
const MAX_STORED_ELEMENTS = 20_000
const MAX_FRAGMENTS = 100_000
const MAX_DEPTH = 64

const TOO_MANY = malformed('a DICOM file has more elements than any real one')

/** A sequence or item of undefined length that the walk is inside of. */
type Level = { readonly kind: 'sequence' | 'item'; readonly encoding: Encoding }

/** Where a data set lies and how it ends: at a position, or at the delimiter of the item that it is. */
export type Stretch = { readonly from: number; readonly to: number; readonly ends: 'there' | 'atDelimiter' }

/** Walks from the first element of a data set to its end. */
export async function walkDataSet(
  window: FileWindow,
  { from, to, ends }: Stretch,
  encoding: Encoding,
): Promise<Walk> {
  const elements = new Map<number, Element>()
  const levels: Level[] = []
  let position = from
  /** The sequence of undefined length at the top level that is being walked through. */
  let open: { readonly head: ElementHead; readonly at: number; readonly encoding: Encoding } | null = null
  const stop = (structure: Structure): Walk => ({ structure, elements, end: position })
  const store = (element: Element): void => {
    if (!elements.has(element.tag)) elements.set(element.tag, element)
  }
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    const level = levels.at(-1)
    if (!level && position === to && ends === 'there') return stop(WHOLE)
    const current: Encoding = level?.encoding ?? encoding
    const bytes = await window.read(position, Math.min(HEAD_BYTES, to - position))
    const head = readElementHead(bytes, current)
    if (head === 'short') return stop(TRUNCATED)
    if (isUnwritten(bytes)) return stop(TRUNCATED)
    if (head === 'wrong') return stop(malformed('a DICOM element has no known type'))
    const at = position + head.headBytes
    if (head.length !== null && at + head.length > to) return stop(TRUNCATED)
    const location = locate(head, level?.kind ?? 'top')
    switch (location) {
      case 'misplaced':
        return stop(malformed('a DICOM item stands where none may stand'))
      case 'endOfDataSet':
        if (ends === 'there') return stop(malformed('a DICOM item ends that never began'))
        return { structure: WHOLE, elements, end: position }
      case 'end': {
        levels.pop()
        position = at
        if (levels.length === 0 && open) {
          store({
            tag: open.head.tag,
            vr: open.head.vr,
            at: open.at,
            bytes: position - head.headBytes - open.at,
            encoding: open.encoding,
            fragments: null,
          })
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
          if (!level) store({ ...head, at, bytes: head.length, encoding: current, fragments: null })
          break
        }
        if (head.vr === 'OB' || head.vr === 'OW') {
          if (head.tag !== PIXEL_DATA) return stop(malformed('a DICOM value states no length'))
          const walk = await walkFragments(window, at, to, current)
          position = walk.end
          if (walk.structure.kind !== 'whole') return stop(walk.structure)
          if (!level)
            store({ ...head, at, bytes: position - at, encoding: current, fragments: walk.fragments })
          break
        }
        if (head.vr !== null && head.vr !== 'SQ' && head.vr !== 'UN') {
          return stop(malformed('a DICOM value states no length'))
        }
        // What stands in an unknown element of undefined length is implicit little endian (PS3.5 6.2.2, note 2).
        const inner = head.vr === 'UN' ? IMPLICIT_LITTLE : current
        if (!level) open = { head, at, encoding: inner }
        levels.push({ kind: 'sequence', encoding: inner })
        position = at
        break
      }
    }
    if (levels.length > MAX_DEPTH || elements.size > MAX_STORED_ELEMENTS) return stop(TOO_MANY)
  }
  return stop(TOO_MANY)
}

/** A size that was reserved reads as zeros; no data set has an element (0000,0000). */
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
  readonly structure: Structure
  readonly fragments: readonly Extent[]
  readonly end: number
}

/** Encapsulated pixel data, PS3.5 annex A.4: items of defined length up to the delimiter. */
async function walkFragments(
  window: FileWindow,
  from: number,
  to: number,
  encoding: Encoding,
): Promise<FragmentWalk> {
  const fragments: Extent[] = []
  let position = from
  const stop = (structure: Structure): FragmentWalk => ({ structure, fragments, end: position })
  while (fragments.length < MAX_FRAGMENTS) {
    const bytes = await window.read(position, Math.min(8, to - position))
    const head = readElementHead(bytes, encoding)
    if (head === 'short' || isUnwritten(bytes)) return stop(TRUNCATED)
    if (head === 'wrong' || head.length === null) return stop(malformed('a DICOM frame states no length'))
    const at = position + head.headBytes
    if (head.tag === SEQUENCE_END && head.length === 0) {
      position = at
      return stop(WHOLE)
    }
    if (head.tag !== ITEM) return stop(malformed('DICOM frames are followed by no end'))
    if (at + head.length > to) return stop(TRUNCATED)
    fragments.push({ at, bytes: head.length })
    position = at + head.length
  }
  return stop(malformed('a DICOM file has more frames than any real one'))
}

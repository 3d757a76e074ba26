import type { ReadAt } from '../read-at.ts'
import { malformed, TRUNCATED, type Structure } from '../structure-finding.ts'
import { EXPLICIT_LITTLE, readElementHead, type Encoding } from './element-head.ts'
import { FileWindow } from './file-window.ts'
import { readUid } from './read-value.ts'
import { encodingOf } from './transfer-syntax.ts'
import { walkDataSet, type DataSet, type Element } from './walk-data-set.ts'

/** What a walk along a DICOM file found; values are read from `window` when they are asked for. */
export type OpenedDicom = {
  readonly structure: Structure
  readonly window: FileWindow
  /** A UID of PS3.5 section 10; null where the file states none. */
  readonly transferSyntax: string | null
  /** Group 0002. */
  readonly meta: DataSet
  /** What was passed before the walk stopped, also where the structure is not whole. */
  readonly dataSet: DataSet
}

const PREAMBLE_BYTES = 132
const META_GROUP = 0x0002
const TRANSFER_SYNTAX = 0x00020010
/** Of the meta information real files have a dozen. */
const MAX_META_ELEMENTS = 1_000

const NOTHING: DataSet = new Map()

/**
 * Walks a DICOM file (PS3.10) from end to end by its lengths. Reads heads only, never pixels. Never throws for what
 * stands in the file; errors are those of `readAt`.
 */
export async function openDicom(readAt: ReadAt, sizeBytes: number): Promise<OpenedDicom> {
  const window = new FileWindow(readAt, sizeBytes)
  const nothing = { window, transferSyntax: null, meta: NOTHING, dataSet: NOTHING }
  const preamble = await window.read(0, PREAMBLE_BYTES)
  if (preamble.length < PREAMBLE_BYTES) return { structure: TRUNCATED, ...nothing }
  if (String.fromCharCode(...preamble.subarray(128)) !== 'DICM') {
    return { structure: malformed('a DICOM file lacks its mark'), ...nothing }
  }
  const meta = await readMeta(window)
  if (!('elements' in meta)) return { structure: meta, ...nothing }
  const transferSyntax = await readUid(window, meta.elements, TRANSFER_SYNTAX)
  const found = { window, transferSyntax, meta: meta.elements }
  const encoding = transferSyntax === null ? null : encodingOf(transferSyntax)
  if (encoding === null) {
    const isUnwritten = transferSyntax === null && (await startsWithZeros(window, meta.end))
    const what = 'a DICOM file is written in a way that is not read: deflated, or unnamed'
    return { structure: isUnwritten ? TRUNCATED : malformed(what), ...found, dataSet: NOTHING }
  }
  const walk = await walkDataSet(window, { from: meta.end, to: sizeBytes, ends: 'there' }, encoding)
  return { structure: walk.structure, ...found, dataSet: walk.elements }
}

/** The meta information is explicit little endian always, and ends where another group begins (PS3.10 7.1). */
async function readMeta(
  window: FileWindow,
): Promise<Structure | { readonly elements: DataSet; readonly end: number }> {
  const elements = new Map<number, Element>()
  const encoding: Encoding = EXPLICIT_LITTLE
  let position = PREAMBLE_BYTES
  while (elements.size < MAX_META_ELEMENTS) {
    const bytes = await window.read(position, 12)
    // Cut or not: what follows here is the business of the data set.
    if (bytes.length < 4 || (bytes[0] ?? 0) + (bytes[1] ?? 0) * 0x100 !== META_GROUP) {
      return { elements, end: position }
    }
    const head = readElementHead(bytes, encoding)
    if (head === 'short') return TRUNCATED
    if (head === 'wrong' || head.length === null) {
      return malformed('the first group of a DICOM file is damaged')
    }
    const at = position + head.headBytes
    if (at + head.length > window.sizeBytes) return TRUNCATED
    elements.set(head.tag, { tag: head.tag, vr: head.vr, at, bytes: head.length, encoding, fragments: null })
    position = at + head.length
  }
  return malformed('the first group of a DICOM file is damaged')
}

async function startsWithZeros(window: FileWindow, position: number): Promise<boolean> {
  const bytes = await window.read(position, 8)
  return bytes.every((byte) => byte === 0)
}

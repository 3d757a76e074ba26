/**
 * Opens a DICOM file and reads values of single elements, PS3.5 section 6.2. Text in patients' character sets is
 * decoded elsewhere.
 */
import { ByteWindow, Flaw, malformed, type ReadAt, truncated, viewOf } from '../formats/bytes.ts'
import {
  DataSet,
  type Element,
  encodingOf,
  EXPLICIT_LITTLE,
  ITEM,
  readElementHead,
  walkDataSet,
} from './dicom.ts'

/** Longer values do not belong in a form. */
const MAX_VALUE_BYTES = 64 * 1_024

/** One item suffices for any sequence read here; frames need a few thousand. */
const MAX_ITEMS = 5_000

/** The bytes of a value; null if the element is missing, empty or implausibly long. */
export async function readBytes(
  dataSet: DataSet,
  tag: number,
  most = MAX_VALUE_BYTES,
): Promise<Uint8Array | null> {
  return bytesOf(dataSet, dataSet.get(tag), most)
}

/** The same of each element with this tag. */
export async function readEachBytes(dataSet: DataSet, tag: number): Promise<readonly Uint8Array[]> {
  const found: Uint8Array[] = []
  for (const element of dataSet.all(tag)) {
    const bytes = await bytesOf(dataSet, element, MAX_VALUE_BYTES)
    // The window moves on with the next one.
    if (bytes) found.push(bytes.slice())
  }
  return found
}

async function bytesOf(
  { window }: DataSet,
  element: Element | undefined,
  most: number,
): Promise<Uint8Array | null> {
  if (!element || element.bytes === 0 || element.bytes > most || element.fragments) return null
  const bytes = await window.read(element.at, element.bytes)
  return bytes.length === element.bytes ? bytes : null
}

/** ASCII values: codes, dates, numbers as text. Empty if the element is missing or empty. */
export async function readCodes(dataSet: DataSet, tag: number): Promise<readonly string[]> {
  const bytes = await readBytes(dataSet, tag)
  return bytes ? codesIn(bytes) : []
}

/** Every value of every element with this tag, without empty ones. */
export async function readEachCode(dataSet: DataSet, tag: number): Promise<readonly string[]> {
  return (await readEachBytes(dataSet, tag)).flatMap(codesIn).filter((code) => code !== '')
}

function codesIn(bytes: Uint8Array): readonly string[] {
  const values = new TextDecoder('latin1').decode(bytes).split('\\')
  return values.map((value) => trimPadding(value))
}

/** The first of them; null if missing or empty. */
export async function readCode(dataSet: DataSet, tag: number): Promise<string | null> {
  const [code] = await readCodes(dataSet, tag)
  return code === undefined || code === '' ? null : code
}

/** Null if invalid: more than 64 digits and dots (PS3.5 section 9). */
export async function readUid(dataSet: DataSet, tag: number): Promise<string | null> {
  const uid = await readCode(dataSet, tag)
  return uid !== null && /^[0-9.]{1,64}$/.test(uid) ? uid : null
}

/** US, or UL if a writer used that. */
export async function readCount(dataSet: DataSet, tag: number): Promise<number | null> {
  const bytes = await readBytes(dataSet, tag)
  if (bytes?.length === 2) return viewOf(bytes).getUint16(0, isLittle(dataSet, tag))
  return bytes?.length === 4 ? viewOf(bytes).getUint32(0, isLittle(dataSet, tag)) : null
}

export function isLittle(dataSet: DataSet, tag: number): boolean {
  return dataSet.get(tag)?.encoding.order === 'little'
}

/** Several US. */
export async function readCounts(dataSet: DataSet, tag: number): Promise<readonly number[]> {
  const bytes = (await readBytes(dataSet, tag)) ?? new Uint8Array(0)
  const count = Math.floor(bytes.length / 2)
  return Array.from({ length: count }, (_, at) => viewOf(bytes).getUint16(at * 2, isLittle(dataSet, tag)))
}

/** FL, FD, and text (DS, IS); NaN if the value is no number, null if it is missing. */
export async function readDecimal(dataSet: DataSet, tag: number): Promise<number | null> {
  const element = dataSet.get(tag)
  const bytes = await readBytes(dataSet, tag)
  if (!element || !bytes) return null
  const isLow = isLittle(dataSet, tag)
  if (element.vr === 'FD') return bytes.length === 8 ? viewOf(bytes).getFloat64(0, isLow) : Number.NaN
  if (element.vr === 'FL' || element.vr === null) {
    if (bytes.length !== 4) return Number.NaN
    // A float has seven digits: 15.3 must not become 15.300000190734863.
    return Number(viewOf(bytes).getFloat32(0, isLow).toPrecision(7))
  }
  const text = await readCode(dataSet, tag)
  if (text === null) return null
  return /^[+-]?\d{0,9}\.?\d{1,9}$/.test(text) ? Number(text) : Number.NaN
}

/** The items of a sequence, or of several with this tag; empty if the element is missing, or is no sequence. */
export async function readItems(dataSet: DataSet, tag: number): Promise<readonly DataSet[]> {
  const items: DataSet[] = []
  for (const element of dataSet.all(tag)) items.push(...(await itemsOf(dataSet, element)))
  return items
}

async function itemsOf(dataSet: DataSet, element: Element): Promise<readonly DataSet[]> {
  if (element.fragments) return []
  const items: DataSet[] = []
  const end = element.at + element.bytes
  let position = element.at
  while (position < end && items.length < MAX_ITEMS) {
    const next = await readItem(dataSet.window, element, position)
    if (next === null) break
    items.push(next.item)
    position = next.end
  }
  return items
}

async function readItem(
  window: ByteWindow,
  { at, bytes, encoding }: Element,
  position: number,
): Promise<{ readonly item: DataSet; readonly end: number } | null> {
  const sequenceEnd = at + bytes
  const head = readElementHead(await window.read(position, Math.min(8, sequenceEnd - position)), encoding)
  if (typeof head === 'string' || head.tag !== ITEM) return null
  const from = position + head.headBytes
  const to = head.length === null ? sequenceEnd : from + head.length
  if (to > sequenceEnd) return null
  const ends = head.length === null ? 'atDelimiter' : 'there'
  const walk = await walkDataSet(window, { from, to, ends }, encoding)
  if (walk.flaw !== null) return null
  // An item of undefined length is followed by a delimiter of eight bytes.
  return { item: walk.elements, end: head.length === null ? walk.end + 8 : to }
}

/** Values are padded to an even length with a space or a zero. */
export function trimPadding(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the padding of UIDs and of careless writers
  return text.replaceAll(/^[\u0000 ]+|[\u0000 ]+$/g, '')
}

/** An opened DICOM file: walked once, values are read on demand. */
export type OpenedDicom = {
  readonly readAt: ReadAt
  readonly flaw: Flaw | null
  /** A UID of PS3.5 section 10; null if the file states none. */
  readonly transferSyntax: string | null
  /** Group 0002. */
  readonly meta: DataSet
  /** Everything before the walk stopped, whatever its flaw. */
  readonly dataSet: DataSet
}

/** A header fits into one window, and a jump between frames costs no more than this. */
const WINDOW_BYTES = 16 * 1_024
const PREAMBLE_BYTES = 132
const META_GROUP = 0x0002
const TRANSFER_SYNTAX = 0x00020010

/** Real files have a dozen elements of meta information. */
const MAX_META_ELEMENTS = 1_000

/** Walks a file (PS3.10) by its lengths: heads only, never pixels. Throws only the errors of `readAt`. */
export async function openDicom(readAt: ReadAt, sizeBytes: number): Promise<OpenedDicom> {
  const window = new ByteWindow(readAt, sizeBytes, WINDOW_BYTES)
  const empty = new DataSet(window)
  const nothing = { readAt, transferSyntax: null, meta: empty, dataSet: empty }
  const preamble = await window.read(0, PREAMBLE_BYTES)
  if (preamble.length < PREAMBLE_BYTES) return { ...nothing, flaw: truncated() }
  if (String.fromCharCode(...preamble.subarray(128)) !== 'DICM')
    return { ...nothing, flaw: malformed('a DICOM file lacks its mark') }
  const meta = await readMeta(window)
  if (meta instanceof Flaw) return { ...nothing, flaw: meta }
  const transferSyntax = await readUid(meta.elements, TRANSFER_SYNTAX)
  const found = { ...nothing, transferSyntax, meta: meta.elements }
  const encoding = transferSyntax === null ? null : encodingOf(transferSyntax)
  if (encoding === null) {
    const next = await window.read(meta.end, 8)
    const isUnwritten = transferSyntax === null && next.every((byte) => byte === 0)
    const what = 'a DICOM file is written in a way that is not read: deflated, or unnamed'
    return { ...found, flaw: isUnwritten ? truncated() : malformed(what) }
  }
  const walk = await walkDataSet(window, { from: meta.end, to: sizeBytes, ends: 'there' }, encoding)
  return { ...found, flaw: walk.flaw, dataSet: walk.elements }
}

/** The meta information is always explicit little endian, and ends where another group begins (PS3.10 7.1). */
async function readMeta(
  window: ByteWindow,
): Promise<Flaw | { readonly elements: DataSet; readonly end: number }> {
  const elements = new DataSet(window)
  let position = PREAMBLE_BYTES
  while (elements.size < MAX_META_ELEMENTS) {
    const bytes = await window.read(position, 12)
    // Complete or not: what follows belongs to the data set.
    if (bytes.length < 4 || (bytes[0] ?? 0) + (bytes[1] ?? 0) * 0x100 !== META_GROUP) {
      return { elements, end: position }
    }
    const head = readElementHead(bytes, EXPLICIT_LITTLE)
    if (head === 'short') return truncated()
    if (head === 'wrong' || head.length === null) break
    const at = position + head.headBytes
    if (at + head.length > window.sizeBytes) return truncated()
    elements.add({ ...head, at, bytes: head.length, encoding: EXPLICIT_LITTLE, fragments: null })
    position = at + head.length
  }
  return malformed('the first group of a DICOM file is damaged')
}

/** A DICOM file (PS3.10), opened once: its elements, how its pixels are packed, and which kind of file it is. */
import { inflateRawSync } from 'node:zlib'
import { errorCode } from '../../station/lib/errors.ts'
import {
  ByteWindow,
  isHalfUnwritten,
  malformed,
  MAX_LEFT_BYTES,
  type ReadAt,
  readAtOfBytes,
  truncated,
} from '../formats/bytes.ts'
import { DataSet } from './data-set.ts'
import {
  beginsExplicit,
  ElementWalk,
  type Encoding,
  EXPLICIT_LITTLE,
  IMPLICIT_LITTLE,
  PIXEL_DATA,
} from './element-walk.ts'
import type { DicomKind } from '../messages.ts'

/** An opened DICOM file: walked once and whole; values are read on demand. */
export type DicomFile = {
  readonly readAt: ReadAt
  /** Group 0002. */
  readonly meta: DataSet
  readonly dataSet: DataSet
  readonly packing: Packing
}

/** A header fits into one window, and a jump between frames costs no more than this. */
const WINDOW_BYTES = 16 * 1_024
const PREAMBLE_BYTES = 132
const TRANSFER_SYNTAX = 0x00020010

/** Walks a file by its lengths: heads only, never pixels. Throws `Flaw` and the errors of `readAt`. */
export async function openDicom(readAt: ReadAt, sizeBytes: number): Promise<DicomFile> {
  const window = new ByteWindow(readAt, sizeBytes, WINDOW_BYTES)
  const preamble = await window.read(0, PREAMBLE_BYTES)
  if (preamble.length < PREAMBLE_BYTES) throw truncated()
  if (String.fromCharCode(...preamble.subarray(128)) !== 'DICM')
    throw malformed('a DICOM file lacks its mark')
  const meta = new DataSet(window)
  const walk = new ElementWalk(window, sizeBytes)
  // The meta information is always explicit little endian, and ends where another group begins (PS3.10 7.1).
  const from = await walk.elements(meta, PREAMBLE_BYTES, EXPLICIT_LITTLE, 'otherGroup')
  const transferSyntax = await meta.uid(TRANSFER_SYNTAX)
  const next = await window.read(from, 8)
  if (transferSyntax === null && next.every((byte) => byte === 0)) throw truncated()
  if (transferSyntax === DEFLATED) return openDeflated(await readAt(from, sizeBytes - from), meta)
  const stated = encodingOf(transferSyntax ?? SYNTAX)
  if (stated === null) throw malformed('a DICOM file is deflated, and its pixels are elsewhere')
  // Some writers state one and write the other; no element is so long that its length reads as a type.
  const encoding = stated.order === 'big' ? stated : beginsExplicit(next) ? EXPLICIT_LITTLE : IMPLICIT_LITTLE
  const dataSet = new DataSet(window)
  await walk.elements(dataSet, from, encoding)
  return { readAt, meta, dataSet, packing: packingOf(transferSyntax ?? SYNTAX) }
}

/** Held in memory, packed or not. */
const MAX_DEFLATED_BYTES = 256 * 1_024 * 1_024

/** The data set behind the meta information is one deflated stream (PS3.5 A.5): its positions are those in it. */
async function openDeflated(packed: Uint8Array, meta: DataSet): Promise<DicomFile> {
  if (packed.length > MAX_DEFLATED_BYTES)
    throw malformed('a deflated DICOM file is larger than any photograph')
  const bytes = inflated(packed)
  const readAt = readAtOfBytes(bytes)
  const window = new ByteWindow(readAt, bytes.length, WINDOW_BYTES)
  const dataSet = new DataSet(window)
  const end = await new ElementWalk(window, bytes.length).elements(dataSet, 0, EXPLICIT_LITTLE)
  if (bytes.subarray(end).some((byte) => byte !== 0))
    throw malformed('a deflated DICOM file goes on after its elements')
  return { readAt, meta, dataSet, packing: 'native' }
}

function inflated(packed: Uint8Array): Buffer {
  try {
    // With `info`, which the types leave out, the answer says how much was read.
    const { buffer, engine } = inflateRawSync(packed, {
      maxOutputLength: MAX_DEFLATED_BYTES,
      info: true,
    }) as unknown as { readonly buffer: Buffer; readonly engine: { readonly bytesWritten: number } }
    const rest = packed.subarray(engine.bytesWritten)
    if (rest.length > MAX_LEFT_BYTES || rest.some((byte) => byte !== 0))
      throw malformed('a deflated DICOM file goes on after its data')
    return buffer
  } catch (error) {
    const code = errorCode(error)
    if (code === undefined) throw error
    throw code === 'Z_BUF_ERROR' ? truncated() : malformed('a DICOM file holds no deflated data')
  }
}

const SYNTAX = '1.2.840.10008.1.2'
const DEFLATED = `${SYNTAX}.1.99`

/** The whole data set is deflated, and refers to pixels elsewhere. */
const DEFLATED_REFERENCES = [`${SYNTAX}.4.95`, `${SYNTAX}.4.205`]

/** The encoding of a data set by its transfer syntax (PS3.5 section 10, PS3.6 annex A); null if it cannot be read. */
function encodingOf(transferSyntax: string): Encoding | null {
  if (DEFLATED_REFERENCES.includes(transferSyntax)) return null
  if (transferSyntax === SYNTAX) return IMPLICIT_LITTLE
  if (transferSyntax === `${SYNTAX}.2`) return { vr: 'explicit', order: 'big' }
  // All others, including private ones (PS3.5 A.4 for the encapsulated).
  return EXPLICIT_LITTLE
}

/**
 * The compression of the pixels.
 *
 * - `native`   none
 * - `jpeg`     8 bit JPEG that every viewer shows: baseline, extended, progressive
 * - `rle`      PS3.5 annex G
 * - `jpegLossless`, `jpegLs`, `jpeg2000`  decoded by `codecs.ts`
 * - others     not decoded
 */
export type Packing = 'native' | 'jpeg' | 'rle' | 'jpegLossless' | 'jpegLs' | 'jpeg2000' | 'video' | 'other'

const PACKINGS: readonly (readonly [Packing, ends: readonly string[]])[] = [
  ['native', ['', '.1', '.2']],
  ['rle', ['.5']],
  // The last two are retired, and still written: spectral selection and full progression.
  ['jpeg', ['.4.50', '.4.51', '.4.53', '.4.55']],
  ['jpegLossless', ['.4.57', '.4.70']],
  ['jpegLs', ['.4.80', '.4.81']],
  // The last three with high throughput (ISO/IEC 15444-15); those of several components of part 2 are left out.
  ['jpeg2000', ['.4.90', '.4.91', '.4.201', '.4.202', '.4.203']],
]

function packingOf(transferSyntax: string): Packing {
  // MPEG2, MPEG-4 and HEVC.
  if (/^1\.2\.840\.10008\.1\.2\.4\.10[0-8](\.1)?$/.test(transferSyntax)) return 'video'
  return PACKINGS.find(([, ends]) => ends.some((end) => `${SYNTAX}${end}` === transferSyntax))?.[0] ?? 'other'
}

const SOP_CLASS = 0x00080016
const MEDIA_STORAGE_SOP_CLASS = 0x00020002
const ROWS = 0x00280010
const SURFACES = 0x00660002
const DIRECTORY = 0x00041220

/** With those of floating point, PS3.3 C.7.6.24 and C.7.6.25. */
const PIXELS = [PIXEL_DATA, 0x7fe00008, 0x7fe00009]

/** With documents and the trees of structured reports. */
const REPORT = [...PIXELS, 0x00420011, 0x0040a730]

/** A kind, and what such a file holds, one of these; nothing is required of what is no picture. */
type DicomClass = readonly [DicomKind, content: readonly number[] | null]

const STORAGE = '1.2.840.10008.5.1.4.1.1'
const DIRECTORY_CLASS = '1.2.840.10008.1.3.10'

/** Photographs as fundus cameras write them: Ophthalmic Photography, VL Photographic, Secondary Capture. */
const CLASSES: readonly (readonly [...DicomClass, ends: string])[] = [
  ['photo', PIXELS, '.77.1.5.1 .77.1.5.2 .77.1.5.5 .77.1.5.6 .77.1.4 .7 .7.2 .7.3 .7.4'],
  ['dicomOct', PIXELS, '.77.1.5.4 .77.1.5.7 .77.1.5.8'],
  ['dicomSegmentation', [...PIXELS, SURFACES], '.66.4 .66.5 .66.7 .66.8'],
  ['dicomOther', PIXELS, '.77.1.1.1 .77.1.2.1 .77.1.4.1'],
  ['dicomReport', REPORT, '.79.1'],
]

function classOf({ dataSet, packing }: DicomFile, sopClass: string): DicomClass {
  if (packing === 'video') return ['dicomOther', PIXELS]
  if (sopClass === DIRECTORY_CLASS) return ['dicomDirectory', [DIRECTORY]]
  const known = CLASSES.find(([, , ends]) => ends.split(' ').some((end) => sopClass === `${STORAGE}${end}`))
  if (known) return [known[0], known[1]]
  // Encapsulated documents and structured reports.
  if (sopClass.startsWith(`${STORAGE}.104.`) || sopClass.startsWith(`${STORAGE}.88.`))
    return ['dicomReport', REPORT]
  return ['dicomOther', dataSet.get(ROWS) || dataSet.get(PIXEL_DATA) ? PIXELS : null]
}

/**
 * Which kind of file it is. Follows every element to its end, and requires the content that the SOP class promises: so a
 * cut between elements is noticed, but for one before trailing padding, or in an object that never counts as a picture.
 * Throws `Flaw` and the errors of `readAt`.
 */
export async function walkDicom(readAt: ReadAt, sizeBytes: number): Promise<DicomKind> {
  const file = await openDicom(readAt, sizeBytes)
  const { meta, dataSet } = file
  // Every file states what it is in its first elements; many writers produce sloppy meta information.
  const sopClass = (await dataSet.uid(SOP_CLASS)) ?? (await meta.uid(MEDIA_STORAGE_SOP_CLASS))
  if (sopClass === null)
    throw dataSet.size === 0 ? truncated() : malformed('a DICOM file does not say what it is')
  const [kind, content] = classOf(file, sopClass)
  const isThere = content?.some((tag) => {
    const element = dataSet.get(tag)
    return element !== undefined && (element.bytes > 0 || !PIXELS.includes(tag))
  })
  if (isThere === false) throw truncated()
  const pixels = dataSet.get(PIXEL_DATA)
  const isPlain = kind === 'photo' && pixels && !pixels.fragments
  if (isPlain && (await isHalfUnwritten(file.readAt, pixels.at, pixels.at + pixels.bytes, 1)))
    throw truncated()
  return kind
}

/**
 * JPEG files, ISO/IEC 10918-1 annex B: whether one is complete, and whether its scans have holes.
 *
 * A JPEG that was copied out of order, or into preallocated space, may have its beginning and its end with zeros in
 * between. Decoders skip them: libjpeg reports unusable data of a scan as "extraneous bytes", just like harmless
 * stray bytes.
 */
import { open } from 'node:fs/promises'
import { withFile } from '../../lib/files.ts'
import {
  ByteWindow,
  malformed,
  type ReadAt,
  readAtOfHandle,
  type Structure,
  TRUNCATED,
  WHOLE,
} from '../file-structure.ts'

const SOI = 0xd8
const EOI = 0xd9
const SOS = 0xda
const TEM = 0x01

/** Progressive writers make about ten scans; thousands only keep a reader busy. */
const MAX_SCANS = 1_000

/**
 * Whole if a walk over segments (by their lengths) and scans (to a marker) reaches the end marker, and likewise each
 * image that follows. The last two bytes prove nothing: thumbnails have end markers, and cameras pad files.
 */
export async function jpegStructure(readAt: ReadAt, sizeBytes: number): Promise<Structure> {
  const window = new ByteWindow(readAt, sizeBytes)
  let walk = await walkImage(window, 0)
  while (walk.kind === 'ended') {
    const next = await afterPadding(window, walk.end)
    // Multi-picture files (CIPA DC-007) append further images to the first; other trailers are vendor-specific.
    if (!(await beginsImage(window, next))) return WHOLE
    walk = await walkImage(window, next)
    if (walk.kind === 'malformed') return WHOLE
  }
  return walk
}

/** The range of entropy-coded data, restart markers included: from its first byte to the marker that ends it. */
type JpegScan = { readonly from: number; readonly to: number }

/** The layout of an image, as far as a walk gets. `hasStrays`: stray bytes between segments. */
type JpegLayout = { readonly scans: JpegScan[]; hasStrays: boolean }

type Walk = Structure | { readonly kind: 'ended'; readonly end: number }

async function walkImage(window: ByteWindow, start: number, layout?: JpegLayout): Promise<Walk> {
  let position = start + 2
  let scanFrom: number | null = null
  let hasFrame = false
  let hasScan = false
  for (;;) {
    const marker = await findMarker(window, position)
    if (marker === null) return TRUNCATED
    position = marker.end
    const { code } = marker
    if (layout && scanFrom === null && marker.hasStrayBytes) layout.hasStrays = true
    if (scanFrom !== null && !isRestart(code)) {
      if (layout && layout.scans.length < MAX_SCANS) layout.scans.push({ from: scanFrom, to: position - 2 })
      scanFrom = null
    }
    if (code === EOI) {
      return hasFrame && hasScan
        ? { kind: 'ended', end: position }
        : malformed('a JPEG ends before its image')
    }
    if (code === SOI) return malformed('a JPEG starts again inside itself')
    if (isRestart(code) || code === TEM) continue
    if (!(await window.hold(position, 2))) return TRUNCATED
    const length = window.at(position) * 0x100 + window.at(position + 1)
    if (length < 2) return malformed('a JPEG segment is shorter than its own length')
    position += length
    hasFrame ||= isFrameHeader(code)
    if (code !== SOS) continue
    hasScan = true
    scanFrom = position
  }
}

function isRestart(code: number): boolean {
  return code >= 0xd0 && code <= 0xd7
}

/** Frame headers are C0 to CF without DHT (C4), JPG (C8) and DAC (CC). */
function isFrameHeader(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc
}

type Marker = { readonly code: number; readonly end: number; readonly hasStrayBytes: boolean }

/** Skips scan data (FF followed by 00), fill bytes (FF before a marker, B.1.1.2) and stray bytes between segments. */
async function findMarker(window: ByteWindow, from: number): Promise<Marker | null> {
  let position = from
  let hasStrayBytes = false
  for (;;) {
    if (!(await window.hold(position, 2))) return null
    const found = window.indexOf(0xff, position)
    hasStrayBytes ||= found > position
    if (!window.holds(found, 2)) {
      position = found
      continue
    }
    const code = window.at(found + 1)
    if (code === 0xff) position = found + 1
    else if (code === 0x00) position = found + 2
    else return { code, end: found + 2, hasStrayBytes }
  }
}

/** Cameras pad the last block of a file with zeros or with FF. */
async function afterPadding(window: ByteWindow, end: number): Promise<number> {
  let position = end
  while (await window.hold(position, 1)) {
    const byte = window.at(position)
    if (byte !== 0x00 && byte !== 0xff) return position
    const next = window.indexOfOther(byte, position)
    // The FF that starts the marker of a further image belongs to it.
    if (byte === 0xff && window.holds(next, 1) && window.at(next) === SOI) return next - 1
    position = next
  }
  return position
}

async function beginsImage(window: ByteWindow, position: number): Promise<boolean> {
  if (!(await window.hold(position, 3))) return false
  return window.at(position) === 0xff && window.at(position + 1) === SOI && window.at(position + 2) === 0xff
}

/** Disks write this much at once. Valid black may be zeros too, so this is checked only after a decoder's warning. */
const HOLE_BYTES = 2_048
const CHUNK_BYTES = 256 * 1_024

/** True if a hole explains a decoder's warning of extraneous bytes. False if the file cannot be read. */
export async function hasHoleInScans(path: string): Promise<boolean> {
  try {
    return await withFile(open(path, 'r'), async (handle) => {
      const readAt = readAtOfHandle(handle)
      const layout: JpegLayout = { scans: [], hasStrays: false }
      await walkImage(new ByteWindow(readAt, (await handle.stat()).size), 0, layout)
      // Then the warning is about these, and they are harmless.
      if (layout.hasStrays) return false
      for (const { from, to } of layout.scans) if (await hasZeros(readAt, from, to)) return true
      return false
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    return false
  }
}

async function hasZeros(readAt: ReadAt, from: number, to: number): Promise<boolean> {
  let run = 0
  for (let position = from; position < to; position += CHUNK_BYTES) {
    for (const byte of await readAt(position, Math.min(CHUNK_BYTES, to - position))) {
      run = byte === 0 ? run + 1 : 0
      if (run >= HOLE_BYTES) return true
    }
  }
  return false
}

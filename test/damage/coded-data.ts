/** Where in a file the coded data of its picture lie; written apart from the program that is measured. */

/** `part` names what is damaged with a result of its own. */
export type CodedRange = { readonly from: number; readonly to: number; readonly part: string }

/** The scans of a JPEG that begins at `start`. */
export function scansOfJpeg(bytes: Buffer, start = 0): readonly CodedRange[] {
  const ranges: CodedRange[] = []
  let isProgressive = false
  for (let at = start + 2; ;) {
    const code = bytes[at + 1] ?? 0
    if (code === 0xd9 || at >= bytes.length) return ranges
    const length = bytes.readUInt16BE(at + 2)
    isProgressive ||= code === 0xc2
    if (code !== 0xda) {
      at += 2 + length
      continue
    }
    const components = bytes[at + 4] ?? 0
    const first = bytes[at + 5 + components * 2] ?? 0
    const high = (bytes[at + 7 + components * 2] ?? 0) >> 4
    const from = at + 2 + length
    at = endOfScan(bytes, from)
    ranges.push({ from, to: at, part: isProgressive ? partOf(first, high) : '' })
  }
}

function partOf(first: number, high: number): string {
  if (high === 0) return 'first bits'
  return first === 0 ? 'refined DC (raw bits)' : 'refined AC'
}

function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); ; at = bytes.indexOf(0xff, at + 2)) {
    const code = bytes[at + 1] ?? 0
    if (code !== 0 && (code < 0xd0 || code > 0xd7)) return at
  }
}

/** The data of the image chunks of a PNG. */
export function chunksOfPng(bytes: Buffer): readonly CodedRange[] {
  const ranges: CodedRange[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      ranges.push({ from: at + 8, to: at + 8 + bytes.readUInt32BE(at), part: '' })
  return ranges
}

/** The positions of the values of an entry in the first directory of a little-endian TIFF: LONG or SHORT. */
export function valuesOfTiff(
  bytes: Buffer,
  tag: number,
): { readonly at: readonly number[]; readonly size: 2 | 4 } {
  const directory = bytes.readUInt32LE(4)
  for (let nth = 0; nth < bytes.readUInt16LE(directory); nth += 1) {
    const entry = directory + 2 + nth * 12
    if (bytes.readUInt16LE(entry) !== tag) continue
    const size = bytes.readUInt16LE(entry + 2) === 3 ? 2 : 4
    const count = bytes.readUInt32LE(entry + 4)
    const from = count * size <= 4 ? entry + 8 : bytes.readUInt32LE(entry + 8)
    return { at: Array.from({ length: count }, (_, index) => from + index * size), size }
  }
  return { at: [], size: 4 }
}

/** The strips of a TIFF. */
export function stripsOfTiff(bytes: Buffer): readonly CodedRange[] {
  const numbers = (tag: number): readonly number[] => {
    const { at, size } = valuesOfTiff(bytes, tag)
    return at.map((position) => bytes.readUIntLE(position, size))
  }
  const sizes = numbers(279)
  return numbers(273).map((from, index) => ({ from, to: from + (sizes[index] ?? 0), part: '' }))
}

/** The scans of the JPEGs in the strips of a TIFF. */
export function scansOfTiff(bytes: Buffer): readonly CodedRange[] {
  return stripsOfTiff(bytes).flatMap(({ from }) => scansOfJpeg(bytes, from))
}

/** What follows the head of the only frame in a DICOM file, up to the delimiter. */
export function fragmentOfDicom(bytes: Buffer, headBytes: number): readonly CodedRange[] {
  const pixels = bytes.lastIndexOf(Buffer.from([0xe0, 0x7f, 0x10, 0x00]))
  // Its own head, the empty offset table, and the head of the fragment.
  const table = bytes.readUInt32LE(pixels + 16)
  return [{ from: pixels + 12 + 8 + table + 8 + headBytes, to: bytes.length - 8, part: '' }]
}

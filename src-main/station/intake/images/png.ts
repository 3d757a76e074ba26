/** PNG files, W3C Recommendation section 5: checking their structure, and writing one row by row. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, crc32, createDeflate } from 'node:zlib'
import { removeBestEffort } from '../../lib/files.ts'
import { malformed, type ReadAt, type Structure, TRUNCATED, WHOLE } from '../file-structure.ts'

const SIGNATURE_BYTES = 8

/** Length and type before the data; the CRC follows it. */
const CHUNK_HEAD_BYTES = 8
const CRC_BYTES = 4

/** The last chunk is empty, so its CRC is the same in every PNG. */
const END_CRC = [0xae, 0x42, 0x60, 0x82]

/** Writers use chunks of 8 KiB and more; more chunks than this only keep a reader busy. */
const MAX_CHUNKS = 100_000

/** Reads chunk heads and skips their data: decoding finds wrong data, this finds missing data. */
export async function pngStructure(readAt: ReadAt): Promise<Structure> {
  let position = SIGNATURE_BYTES
  let isFirst = true
  let hasData = false
  for (let chunk = 0; chunk < MAX_CHUNKS; chunk += 1) {
    const head = await readAt(position, CHUNK_HEAD_BYTES)
    if (head.length < CHUNK_HEAD_BYTES) return TRUNCATED
    const length = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(0)
    const name = String.fromCharCode(...head.subarray(4))
    // Zeros instead of a chunk: the space is preallocated and the rest not written yet.
    if (head.every((byte) => byte === 0)) return TRUNCATED
    if (!/^[A-Za-z]{4}$/.test(name) || length > 0x7fff_ffff)
      return malformed('a PNG chunk has no proper head')
    if (isFirst && (name !== 'IHDR' || length !== 13))
      return malformed('a PNG does not begin with its header')
    position += CHUNK_HEAD_BYTES + length + CRC_BYTES
    if (name === 'IEND') {
      const crc = await readAt(position - CRC_BYTES, CRC_BYTES)
      if (!END_CRC.every((byte, index) => crc[index] === byte)) return TRUNCATED
      return hasData ? WHOLE : malformed('a PNG ends before its image')
    }
    hasData ||= name === 'IDAT'
    isFirst = false
  }
  return malformed('a PNG has too many chunks')
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Filter 2 stores the difference from the row above: a photograph shrinks by about a third more. */
const UP = 2

/** Writes rows of RGB as a new PNG in `folder` and returns its path (section 11). Errors leave nothing behind. */
export async function writePng(
  folder: string,
  picture: {
    readonly width: number
    readonly height: number
    readonly rows: AsyncIterable<Uint8Array>
  },
): Promise<string> {
  const path = join(folder, `${randomUUID()}.png`)
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(SIGNATURE)
    await writeChunk(file, 'IHDR', headerOf(picture.width, picture.height))
    await pipeline(
      filtered(picture.rows, picture.width * 3),
      createDeflate({ level: 1, strategy: constants.Z_FILTERED, chunkSize: 64 * 1_024 }),
      async (packed: AsyncIterable<Buffer>) => {
        for await (const bytes of packed) await writeChunk(file, 'IDAT', bytes)
      },
    )
    await writeChunk(file, 'IEND', Buffer.alloc(0))
  } catch (error) {
    await file.close()
    await removeBestEffort(path)
    throw error
  }
  await file.close()
  return path
}

/** Eight bits a channel, colour type 2 (red, green, blue), not interlaced. */
function headerOf(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return header
}

async function* filtered(rows: AsyncIterable<Uint8Array>, rowBytes: number): AsyncGenerator<Buffer> {
  const above = new Uint8Array(rowBytes)
  for await (const row of rows) {
    // The stream retains its input, so each row needs a buffer of its own.
    const line = Buffer.allocUnsafe(rowBytes + 1)
    line[0] = UP
    for (let index = 0; index < rowBytes; index += 1)
      line[index + 1] = (row[index] ?? 0) - (above[index] ?? 0)
    above.set(row)
    yield line
  }
}

async function writeChunk(file: FileHandle, type: string, data: Buffer): Promise<void> {
  const chunk = Buffer.allocUnsafe(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  chunk.set(data, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  await file.writeFile(chunk)
}

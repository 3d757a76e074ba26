/** Real files for the events of a clinic: drawn eyes, each photograph its own, in the format that the event names. */
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { drawFundus, encodeBmp } from '../camera/draw-fundus.ts'
import { dicomBytes } from './dicom-bytes.ts'
import type { DataFile, Eye, FileEvent, Picture } from './world.ts'

const SIZE = { width: 240, height: 200 } as const
const CHANNELS = 3
/** So many eyes are drawn for each side; every photograph is one of them with marks of its own. */
const EYES = 6
const MARKS = 12
const MARK_SIZE = 9

const eyes = new Map<string, Promise<Buffer>>()

function drawnEye(eye: Eye, seed: number): Promise<Buffer> {
  const key = `${eye}${seed}`
  const pixels =
    eyes.get(key) ??
    drawFundus({ eye, seed, ...SIZE }).then((jpeg) => sharp(jpeg).removeAlpha().raw().toBuffer())
  eyes.set(key, pixels)
  return pixels
}

/** The pixels of a photograph: the same for every file of it. */
async function photographPixels(photograph: string, eye: Eye): Promise<Buffer> {
  const digest = createHash('sha256').update(photograph).digest()
  const pixels = Buffer.from(await drawnEye(eye, digest[0]! % EYES))
  for (let mark = 0; mark < MARKS; mark += 1) {
    // Within the lit round of the photograph.
    const left = 70 + (digest[1 + mark]! % 90)
    const top = 50 + (digest[13 + mark]! % 90)
    const value = digest[mark + 2]!
    for (let row = top; row < top + MARK_SIZE; row += 1) {
      const start = (row * SIZE.width + left) * CHANNELS
      pixels.fill(value, start, start + MARK_SIZE * CHANNELS)
    }
  }
  return pixels
}

/** A comment (COM) before the image data: other bytes, the same photograph. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const comment = Buffer.from(text)
  const head = Buffer.from([0xff, 0xfe, 0, comment.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, comment, jpeg.subarray(2)])
}

async function pictureBytes(picture: Picture, eye: Eye, scope: string): Promise<Buffer> {
  const pixels = await photographPixels(`${scope}/${picture.photograph}`, eye)
  const image = sharp(pixels, { raw: { ...SIZE, channels: CHANNELS } })
  switch (picture.format) {
    case 'jpeg':
      return withComment(await image.jpeg({ quality: 90 }).toBuffer(), `${scope}/${picture.bytes}`)
    case 'png':
      return image.png().toBuffer()
    case 'tiff':
      return image.tiff({ compression: 'lzw' }).toBuffer()
    case 'bmp':
      return encodeBmp(pixels, SIZE)
    case 'dicom':
      return dicomBytes(picture.dicom ?? {}, { jpeg: await image.jpeg({ quality: 90 }).toBuffer(), ...SIZE })
  }
}

function textBytes({ text, encoding }: DataFile): Buffer {
  switch (encoding) {
    case 'utf8':
      return Buffer.from(text)
    case 'utf8 with BOM':
      return Buffer.from(`\uFEFF${text}`)
    case 'utf16le':
      return Buffer.from(`\uFEFF${text}`, 'utf16le')
    case 'latin1':
      return Buffer.from(text, 'latin1')
  }
}

/**
 * The bytes of an event's file; equal ids give equal bytes within a scope, and different ids different ones. A damaged
 * picture ends in the middle of its image data.
 */
export async function bytesOf({ content }: FileEvent, eye: Eye, scope: string): Promise<Buffer> {
  if (content.kind === 'data') return textBytes(content)
  const bytes = await pictureBytes(content, eye, scope)
  return content.isDamaged ? bytes.subarray(0, Math.floor(bytes.length * 0.6)) : bytes
}

const IN_ARCHIVE = /^(.+?\.zip)\/(.+)$/i

/** The archive that a path leads into, and the name of the entry; null for a file of its own. */
export function archiveEntry(path: string): { readonly archive: string; readonly entry: string } | null {
  const [, archive, entry] = IN_ARCHIVE.exec(path) ?? []
  return archive === undefined || entry === undefined ? null : { archive, entry }
}

/** An archive with these entries, also several of one name. */
export function archiveOf(
  entries: readonly { readonly entry: string; readonly bytes: Buffer }[],
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const { entry, bytes } of entries) zip.addBuffer(bytes, entry)
  zip.end()
  return buffer(zip.outputStream)
}

/** What one submission looks like on the wire: every field under its exact name, every image as `images[]`. */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { FIELD_NAMES, type Fields } from '../../../src-shared/fields.ts'
import { type Eye, EYE_CODES } from '../../../src-shared/measurement-ranges.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Image } from '../../../src-shared/submission.ts'
import { errorCode } from '../lib/errors.ts'
import type { RequestBody } from '../service/client.ts'

type FormField = { readonly name: string; readonly value: string }

export type FormFile = {
  readonly imageId: string
  /** The name at the service: reference, eye and number, no patient data. */
  readonly fileName: string
  readonly path: string
  readonly contentType: Image['contentType']
  readonly sizeBytes: number
  readonly sha256: string
}

export type CaseForm = { readonly fields: readonly FormField[]; readonly files: readonly FormFile[] }

const EXTENSIONS: Readonly<Record<Image['contentType'], string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/tiff': 'tif',
  'image/bmp': 'bmp',
  'application/dicom': 'dcm',
}

/** The reference on a last line of its own, the original text first. */
function withReference(text: string | undefined, reference: string): string {
  return text === undefined || text === '' ? reference : `${text}\n${reference}`
}

const REMARKS_FIELD = 'other_relevant_info'

export type FormImage = {
  readonly id: string
  readonly eye: Eye
  readonly path: string
  readonly contentType: Image['contentType']
  readonly sizeBytes: number
  readonly sha256: string
}

/** The form of a submission. A field that was not stated has no part: an empty text or a zero would be a statement. */
export function caseForm(options: {
  readonly reference: string
  readonly fields: Fields
  /** Lines for the reader, behind what the clinic wrote in `REMARKS_FIELD`. */
  readonly remarks?: readonly string[]
  readonly images: readonly FormImage[]
  readonly service: Pick<ServiceSettings, 'callbackUrl' | 'referenceField'>
}): CaseForm {
  const { reference, service } = options
  const fields: FormField[] = []
  for (const name of FIELD_NAMES) {
    const written = options.fields[name]
    const stated =
      name === REMARKS_FIELD
        ? [written, ...(options.remarks ?? [])].filter((line) => line !== undefined).join('\n')
        : written
    const value =
      name === service.referenceField ? withReference(stated?.toString(), reference) : stated?.toString()
    if (value !== undefined && value !== '') fields.push({ name, value })
  }
  if (service.callbackUrl !== null) fields.push({ name: 'callback_url', value: service.callbackUrl })
  const numbers: Record<Eye, number> = { right: 0, left: 0, unknown: 0 }
  const files = options.images.map((image): FormFile => {
    numbers[image.eye] += 1
    return {
      imageId: image.id,
      fileName: `${reference}_${EYE_CODES[image.eye]}_${numbers[image.eye]}.${EXTENSIONS[image.contentType]}`,
      path: image.path,
      contentType: image.contentType,
      sizeBytes: image.sizeBytes,
      sha256: image.sha256,
    }
  })
  return { fields, files }
}

// A multipart/form-data body of exactly known length, streamed from the spool (RFC 7578).
//
// Own code because the length must be exact, every handed-over byte counted, each image hashed again on its way,
// and the last bytes held back until that has been written down; and because it costs 40 % of FormData.

/** Measured: 256 KiB reads are near the speed of larger ones at a third of their memory. */
const READ_BYTES = 256 * 1024

/** An image in the spool is no longer what the camera wrote. */
export class ImageDamaged extends Error {
  override name = 'ImageDamaged' as const
  readonly imageId: string

  constructor(imageId: string, options?: ErrorOptions) {
    super('an image in the spool is not what it was', options)
    this.imageId = imageId
  }
}

export type MultipartBody = RequestBody & {
  /** The image that stopped the stream, or null. */
  damagedImage(): string | null
  /** Was the stream stopped by our own disk, which says nothing about the line? */
  isUnread(): boolean
}

/** Field names are the interface's own and file names ours: nothing in them needs escaping. */
function fieldPart(boundary: string, name: string, value: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
}

function fileHead(boundary: string, file: FormFile): Buffer {
  return Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="images[]"; filename="${file.fileName}"\r\n` +
      `Content-Type: ${file.contentType}\r\n\r\n`,
  )
}

const FILE_END = Buffer.from('\r\n')

/** Each piece has a buffer of its own: nothing says how long the connection reads from one that it was given. */
async function readPiece(handle: FileHandle, file: FormFile, position: number): Promise<Buffer> {
  const wanted = Math.min(READ_BYTES, file.sizeBytes - position)
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position)
  if (bytesRead === 0) throw new ImageDamaged(file.imageId)
  return buffer.subarray(0, bytesRead)
}

/**
 * Reads exactly the file that was promised: same length, same hash, or nothing that could be taken for it.
 *
 * While the connection takes one piece, the next is read and hashed; never more than that one.
 */
async function* readImage(file: FormFile): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const handle = await open(file.path, 'r').catch((error: unknown) => {
    // What only keeps a file shut for a moment (a virus scanner, too many open) is no damage.
    const isMissing = errorCode(error) === 'ENOENT'
    throw isMissing ? new ImageDamaged(file.imageId, { cause: error }) : error
  })
  const prepare = async (position: number): Promise<Buffer> => {
    const piece = await readPiece(handle, file, position)
    hash.update(piece)
    return piece
  }
  let ahead: Promise<Buffer> | null = null
  try {
    let position = 0
    while (position < file.sizeBytes) {
      const piece: Buffer = await (ahead ?? prepare(position))
      position += piece.length
      ahead = position < file.sizeBytes ? prepare(position) : null
      // Whoever asks for the next piece hears of what went wrong; nobody may ask any more.
      ahead?.catch(() => undefined)
      yield piece
    }
    if (hash.digest('hex') !== file.sha256) throw new ImageDamaged(file.imageId)
  } finally {
    await ahead?.catch(() => undefined)
    await handle.close()
  }
}

/**
 * Makes the body of a form.
 *
 * `beforeLastBytes` is called when everything but what ends the last part has been taken: until it returns, the
 * request is provably incomplete.
 */
export function multipartBody(form: CaseForm, beforeLastBytes: () => void): MultipartBody {
  const boundary = `fundus-courier-${randomUUID()}`
  const frames: Buffer[] = []
  // What stands between two files goes as one piece: each costs a call of the system.
  let before = Buffer.concat(form.fields.map((field) => fieldPart(boundary, field.name, field.value)))
  for (const file of form.files) {
    frames.push(Buffer.concat([before, fileHead(boundary, file)]))
    before = FILE_END
  }
  const closing = Buffer.concat([before, Buffer.from(`--${boundary}--\r\n`)])
  const contentLength =
    frames.reduce((sum, frame) => sum + frame.length, 0) +
    form.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) +
    closing.length
  let damaged: string | null = null
  let isUnread = false

  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const [index, file] of form.files.entries()) {
      const frame = frames[index]
      if (frame) yield frame
      try {
        yield* readImage(file)
      } catch (error) {
        if (error instanceof ImageDamaged) damaged = error.imageId
        else isUnread = true
        throw error
      }
    }
    beforeLastBytes()
    yield closing
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength,
    stream,
    damagedImage: () => damaged,
    isUnread: () => isUnread,
  }
}

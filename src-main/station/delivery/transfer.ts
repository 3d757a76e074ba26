/**
 * A case on its way: its multipart/form-data body of exactly known length, streamed from the spool (RFC 7578), its
 * rate, its progress, and a person who stops it.
 *
 * Own code because the length must be exact, every byte counted, each image hashed again on its way, and the
 * last bytes held back until the outbox has recorded them; and because it costs 40 % of FormData.
 */
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { EventPayload } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../src-shared/failure.ts'
import { ENDINGS } from '../../../src-shared/image-files.ts'
import { FIELD_NAMES, type Fields } from '../../../src-shared/fields.ts'
import { type Eye, EYE_CODES } from '../../../src-shared/measurement-ranges.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { Image } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import type { Clock } from '../ports.ts'
import type { RequestBody, Throttle } from '../service/client.ts'
import type { DeliveryContext } from './context.ts'

type FormField = { readonly name: string; readonly value: string }

/** An image as it is sent: the camera's bytes, or the picture made from them. */
export type FormImage = {
  readonly id: string
  readonly eye: Eye
  readonly path: string
  readonly contentType: Image['contentType']
  readonly sizeBytes: number
  readonly sha256: string
}

/** `fileName`: the name at the service, of reference, eye and number, without patient data. */
export type FormFile = FormImage & { readonly fileName: string }

export type CaseForm = { readonly fields: readonly FormField[]; readonly files: readonly FormFile[] }

const REMARKS_FIELD = 'other_relevant_info'

/** Builds the form. Fields without a statement are left out: an empty text or a zero would be a statement. */
export function caseForm(options: {
  readonly reference: string
  readonly fields: Fields
  /** Lines for the reader, appended to what the clinic wrote in `REMARKS_FIELD`. */
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
  const files = options.images.map((image) => {
    numbers[image.eye] += 1
    const name = `${reference}_${EYE_CODES[image.eye]}_${numbers[image.eye]}`
    return { ...image, fileName: `${name}.${ENDINGS[image.contentType][0]}` }
  })
  return { fields, files }
}

function withReference(text: string | undefined, reference: string): string {
  return text === undefined || text === '' ? reference : `${text}\n${reference}`
}

/** Measured: 256 KiB reads are about as fast as larger ones at a third of their memory. */
const READ_BYTES = 256 * 1024

/** A spooled image is no longer what the camera wrote. */
export class ImageDamaged extends Error {
  override name = 'ImageDamaged' as const
}

export type MultipartBody = RequestBody & {
  /** What stopped the stream: a damaged image, or our own disk, which says nothing about the line; null for nothing. */
  stoppedBy(): 'damage' | 'disk' | null
}

const FILE_END = Buffer.from('\r\n')

/** The body of a form. Until `beforeLastBytes`, called before the end of the last part, it is provably incomplete. */
export function multipartBody(form: CaseForm, beforeLastBytes: () => Promise<void>): MultipartBody {
  const boundary = `fundus-courier-${randomUUID()}`
  const frames: Buffer[] = []
  // Everything between two files goes as one piece: each piece costs a system call.
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
  let stoppedBy: 'damage' | 'disk' | null = null

  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const [index, file] of form.files.entries()) {
      const frame = frames[index]
      if (frame) yield frame
      try {
        yield* readImage(file)
      } catch (error) {
        // Damage that was seen stays: an error of the disk would only have it tried again.
        if (stoppedBy !== 'damage') stoppedBy = error instanceof ImageDamaged ? 'damage' : 'disk'
        throw error
      }
    }
    await beforeLastBytes()
    yield closing
  }

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength,
    stream,
    stoppedBy: () => stoppedBy,
  }
}

/** Streams a file only while length and hash are as promised; else the body stays incomplete. Reads one piece ahead. */
async function* readImage(file: FormFile): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  const handle = await open(file.path, 'r').catch((error: unknown) => {
    // A file that is locked for a moment (virus scanner, too many open files) is not damaged.
    const isMissing = errorCode(error) === 'ENOENT'
    throw isMissing ? new ImageDamaged('an image is missing', { cause: error }) : error
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
      // The error surfaces with the next piece; without a reader it must not become an unhandled rejection.
      ahead?.catch(() => undefined)
      yield piece
    }
    if (hash.digest('hex') !== file.sha256) throw new ImageDamaged('an image has changed')
  } finally {
    await ahead?.catch(() => undefined)
    await handle.close()
  }
}

/** Each piece gets its own buffer: the connection may still be reading from earlier ones. */
async function readPiece(handle: FileHandle, file: FormFile, position: number): Promise<Buffer> {
  const wanted = Math.min(READ_BYTES, file.sizeBytes - position)
  const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, position)
  if (bytesRead === 0) throw new ImageDamaged('an image is cut short')
  return buffer.subarray(0, bytesRead)
}

/** Field names come from the interface and file names from us: nothing needs escaping. */
function fieldPart(boundary: string, name: string, value: string): Buffer {
  return Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
}

function fileHead(boundary: string, file: FormFile): Buffer {
  return Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="images[]"; filename="${file.fileName}"\r\n` +
      `Content-Type: ${file.contentType}\r\n\r\n`,
  )
}

/** Pauses are divided into steps of this length, so that a changed limit or a stop takes effect at once. */
const MAX_WAIT_MS = 250

/** Fewer pieces a second would make the rate uneven. */
const PIECES_PER_SECOND = 4

/** Smaller pieces would cost more in framing than they smooth. */
const SMALLEST_PIECE_BYTES = 1_024

/**
 * The throttle of all transfers; the limit is read before each piece, null for none. A piece may go while no debt is
 * left, and its excess becomes debt: so no transfer waits between its last piece and the record of it.
 */
export function createThrottle(
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
  bytesPerSecond: () => number | null,
): Throttle {
  let owed = 0
  let paidAt = 0
  return {
    delay: () => {
      const limit = bytesPerSecond()
      const now = clock.monotonicMs()
      const paid = limit === null ? owed : (Math.max(now - paidAt, 0) / SECOND) * limit
      owed = Math.max(owed - paid, 0)
      paidAt = now
      if (limit === null || owed === 0) return null
      const ms = Math.min(Math.max(Math.ceil((owed / limit) * SECOND), 1), MAX_WAIT_MS)
      return new Promise((resolve) => void clock.after(ms, resolve))
    },
    pieceBytes: () => {
      const limit = bytesPerSecond()
      return limit === null ? null : Math.max(Math.floor(limit / PIECES_PER_SECOND), SMALLEST_PIECE_BYTES)
    },
    consume: (bytes) => {
      owed += bytes
    },
  }
}

/** A stall this long is worth reporting; the transfer is ended only after minutes. */
const STALL_NOTICE_MS = 15 * SECOND

/** Reports the progress of one transfer: what was handed over, never what arrived. Only an answer shows that. */
export function createProgressReporter(options: {
  readonly clock: Clock
  readonly id: string
  readonly requestBytes: number
  readonly emit: (progress: EventPayload<'deliveryProgressed'>) => void
}) {
  const { clock, id, requestBytes } = options
  let handedOverBytes = 0
  let stalledSince: number | null = null
  let cancelNotice: (() => void) | null = null
  const emit = (): void => options.emit({ id, handedOverBytes, requestBytes, stalledSince })
  const end = (): void => {
    cancelNotice?.()
    cancelNotice = null
  }
  return {
    /** A piece is about to go; the count includes it. */
    handedOver: (bytes: number): void => {
      handedOverBytes = bytes
      end()
      cancelNotice = clock.after(STALL_NOTICE_MS, () => {
        stalledSince = clock.now() - STALL_NOTICE_MS
        emit()
      })
      emit()
    },
    /** The connection has taken everything handed over so far. */
    accepted: (): void => {
      end()
      if (stalledSince === null) return
      stalledSince = null
      emit()
    },
    /** The transfer is over: no more reports. */
    end,
  }
}

/** Who canceled and why, for the audit trail. */
export type CancelRequest = { readonly by?: string | undefined; readonly why?: string | undefined }

/** `stopping`: goes on hold. `tooLate`: all bytes were handed over. `notSending`: it is not being transferred. */
export type CancelResult = 'stopping' | 'tooLate' | 'notSending'

/** The abort reason if a person canceled; a station that stops gives another. */
class StoppedByPerson extends Error {
  override name = 'StoppedByPerson' as const
  readonly request: CancelRequest

  constructor(who: CancelRequest) {
    super('a person stopped the transfer')
    this.request = who
  }
}

export function stoppedByPerson(): Failure {
  return failureOf('interrupted', { endedBy: 'person', ...worded('sending:cancel.byPerson') })
}

/** The person's request behind an aborted transfer; null if there is none. */
export function cancelRequestOf(signal: AbortSignal): CancelRequest | null {
  return signal.reason instanceof StoppedByPerson ? signal.reason.request : null
}

/** Stops the transfer that `abort` controls; undefined if there is none. */
export function cancelTransfer(
  { outbox, clock }: Pick<DeliveryContext, 'outbox' | 'clock'>,
  submissionId: string,
  request: CancelRequest,
  abort: AbortController | undefined,
): CancelResult {
  const row = outbox.rowOf(submissionId)
  if (!abort || !row) return 'notSending'
  if (row.state === 'waiting') {
    // Chosen, but still waiting for a request before its attempt: a held case is not attempted.
    holdForPerson({ outbox }, submissionId, request, clock.now())
    outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
    return 'stopping'
  }
  const attempt = outbox.attemptsOf(submissionId).at(-1)
  if (row.state !== 'sending' || !attempt || attempt.outcome !== null) return 'notSending'
  if (attempt.phase === 'handedOver') return 'tooLate'
  outbox.afterCommit(() => abort.abort(new StoppedByPerson(request)))
  return 'stopping'
}

/** Puts a waiting submission on hold for the person who stopped it. */
export function holdForPerson(
  { outbox }: Pick<DeliveryContext, 'outbox'>,
  submissionId: string,
  { by, why }: CancelRequest,
  at: number,
): void {
  outbox.moveSubmission(
    submissionId,
    'held',
    { failure: null, notBefore: null },
    { at, by, details: { decision: 'transferStopped', ...(why === undefined ? {} : { why }) } },
  )
}

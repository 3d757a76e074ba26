/**
 * Files that a person uploads through the screens for a new case: a browser reveals no paths. They stay in a folder of
 * their own until a case copies them into the spool, or a day has passed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { UploadedFile } from '../../../src-shared/desktop.ts'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import {
  fail,
  type Failure,
  type FailureKind,
  failureOf,
  type Result,
  succeed,
} from '../../../src-shared/failure.ts'
import { MAX_IMAGE_BYTES } from '../../../src-shared/image-files.ts'
import { worded } from '../../../src-shared/wording.ts'
import { errorCode, isFullDisk } from '../lib/errors.ts'
import { flushFolder, sanitiseFileName } from '../lib/files.ts'
import { openLoop } from '../lib/schedule.ts'
import type { Clock, Logger } from '../ports.ts'

/** For a file of unknown size, space is checked after each of these portions. */
const SPACE_CHECK_BYTES = 8 * 1_024 * 1_024

/** An upload without a case belongs to an abandoned form. */
const MAX_UPLOAD_AGE_MS = DAY
const CLEANUP_INTERVAL_MS = MINUTE

export type Upload = {
  readonly name: string
  /** As stated by the sender; null if unknown. */
  readonly sizeBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

export type UploadsOptions = {
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  readonly mayIngest: (fileBytes: number) => Promise<boolean>
  /** The limit for any image, unless a test lowers it. */
  readonly mostBytes?: number
}

const REFUSALS = {
  tooLarge: 'badRequest',
  incomplete: 'badRequest',
  empty: 'badRequest',
  stopping: 'notAllowed',
  noSpace: 'diskLow',
} as const satisfies Readonly<Record<string, FailureKind>>

/** The file is not stored, and nothing of it stays. */
class UploadRefused extends Error {
  override name = 'UploadRefused' as const
  readonly failure: Failure

  constructor(why: keyof typeof REFUSALS, options?: ErrorOptions) {
    const limit = MAX_IMAGE_BYTES / 1_024 / 1_024
    const failure = failureOf(REFUSALS[why], worded(`outbox:upload.${why}`, { limit }))
    super(failure.message, options)
    this.failure = failure
  }
}

export type Uploads = ReturnType<typeof openUploads>

export function openUploads(options: UploadsOptions) {
  const { folder, clock, logger, mayIngest, mostBytes = MAX_IMAGE_BYTES } = options
  /** Files that are still being written are not leftovers. */
  const writing = new Set<string>()
  /** Aborts waiting for the bytes of a sender, who may never send them. */
  const closing = new AbortController()
  const running = new Set<Promise<unknown>>()
  const run = <Value>(work: Promise<Value>): Promise<Value> => {
    const done = work.finally(() => running.delete(done))
    running.add(done)
    return done
  }

  const clear = async (): Promise<void> => {
    for (const name of await readdir(folder)) {
      if (closing.signal.aborted) return
      const found = await stat(join(folder, name)).catch(() => null)
      if (found === null || writing.has(name) || clock.now() - found.mtimeMs < MAX_UPLOAD_AGE_MS) continue
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
  const cleaning = openLoop({
    name: 'removing uploads',
    clock,
    logger,
    run: async () => {
      await clear()
      return clock.now() + CLEANUP_INTERVAL_MS
    },
  })

  const save = async ({ name, sizeBytes, bytes }: Upload): Promise<Result<UploadedFile>> => {
    if (closing.signal.aborted) return fail(new UploadRefused('stopping').failure)
    if (sizeBytes !== null && sizeBytes > mostBytes) return fail(new UploadRefused('tooLarge').failure)
    if (!(await mayIngest(sizeBytes ?? 0))) return fail(new UploadRefused('noSpace').failure)
    const id = randomUUID()
    const own = join(folder, id)
    const path = join(own, sanitiseFileName(name))
    writing.add(id)
    try {
      await mkdir(own, { mode: 0o700 })
      const written = await writeUpload(path, bytes, mostBytes, {
        closing: closing.signal,
        askAgain: async () => {
          if (sizeBytes === null && !(await mayIngest(SPACE_CHECK_BYTES))) throw new UploadRefused('noSpace')
        },
      })
      if (written.sizeBytes === 0) throw new UploadRefused('empty')
      if (sizeBytes !== null && written.sizeBytes !== sizeBytes) throw new UploadRefused('incomplete')
      await flushFolder(own)
      return succeed({ path, ...written })
    } catch (error) {
      await rm(own, { recursive: true, force: true }).catch(() => undefined)
      return fail(uploadFailure(error))
    } finally {
      writing.delete(id)
    }
  }
  return {
    /** Stores a file and flushes it, or leaves nothing of it. */
    save: (file: Upload) => run(save(file)),
    /** A case has its own copies of these now. Paths elsewhere are ignored. */
    taken: async (paths: readonly string[]): Promise<void> => {
      for (const path of paths) {
        const [id, ...rest] = relative(folder, path).split(sep)
        if (id === undefined || id === '..' || rest.length !== 1 || rest[0] === '..') continue
        await rm(join(folder, id), { recursive: true, force: true }).catch(() =>
          logger.warn('what was handed over could not be removed; it is tried again'),
        )
      }
    },
    /** Accepts nothing more; aborts running uploads and removes their parts. */
    close: async (): Promise<void> => {
      closing.abort()
      await Promise.allSettled([...running, cleaning.close()])
    },
  }
}

/** Streams to the disk while hashing; aborts beyond the size of an image. */
async function writeUpload(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number,
  { closing, askAgain }: { readonly closing: AbortSignal; readonly askAgain: () => Promise<void> },
): Promise<Omit<UploadedFile, 'path'>> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let askAt = SPACE_CHECK_BYTES
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of received(bytes, closing)) {
      sizeBytes += piece.length
      if (sizeBytes > mostBytes) throw new UploadRefused('tooLarge')
      if (sizeBytes >= askAt) {
        await askAgain()
        askAt = sizeBytes + SPACE_CHECK_BYTES
      }
      hash.update(piece)
      for (let written = 0; written < piece.length;)
        written += (await file.write(piece, written, piece.length - written)).bytesWritten
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

/** Separates errors of the sender from those of our own disk. */
async function* received(bytes: AsyncIterable<Uint8Array>, closing: AbortSignal): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]()
  for (;;) {
    let next: IteratorResult<Uint8Array>
    try {
      next = await unlessClosed(pieces.next(), closing)
    } catch (error) {
      if (error instanceof UploadRefused) throw error
      throw new UploadRefused('incomplete', { cause: error })
    }
    if (next.done === true) return
    yield next.value
  }
}

/** Throws UploadRefused once the station closes. Leaves no listener behind: a file has many chunks. */
async function unlessClosed<Value>(waited: Promise<Value>, closing: AbortSignal): Promise<Value> {
  const { promise: closed, reject } = Promise.withResolvers<never>()
  const onClosing = (): void => reject(new UploadRefused('stopping'))
  if (closing.aborted) onClosing()
  closing.addEventListener('abort', onClosing)
  try {
    return await Promise.race([waited, closed])
  } finally {
    closing.removeEventListener('abort', onClosing)
  }
}

function uploadFailure(error: unknown): Failure {
  if (error instanceof UploadRefused) return error.failure
  if (isFullDisk(error)) return new UploadRefused('noSpace').failure
  if (errorCode(error) !== undefined) return failureOf('storage')
  throw error
}

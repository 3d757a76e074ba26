/** What both hosts serve: the built screens, and by id images, thumbnails, reports, pictures of what browsers cannot show. */
import { mkdir, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, extname, join, resolve, sep } from 'node:path'
import type { BytesKind } from '../../../src-shared/contract.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import type { ServedBytes } from '../api.ts'
import { errorCode } from '../lib/errors.ts'
import { removeBestEffort, renameWithRetry, withFile } from '../lib/files.ts'
import type { ReadingNow } from '../lib/poison.ts'
import { serially } from '../lib/schedule.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'

type BytesSources = {
  readonly spoolFolder: string
  readonly thumbnailOf: (spoolName: string) => string
  readonly reportsFolder: string
  readonly makeThumbnail: (imagePath: string, thumbnailPath: string) => Promise<unknown>
  /** A full-size picture of an image that browsers cannot show. */
  readonly screenPicture: (imageId: string, imagePath: string) => Promise<string | null>
}

/** The bytes for an id; null if unknown or removed. Ids come from the outbox: a caller's text never becomes a path. */
export async function findBytes(
  outbox: Outbox,
  sources: BytesSources,
  kind: BytesKind,
  id: string,
): Promise<ServedBytes | null> {
  if (kind === 'report') {
    const version = outbox.reportVersion(id)
    return version ? servedFile(join(sources.reportsFolder, version.file_name), version.content_type) : null
  }
  const image = outbox.imageById(id)
  if (!image) return null
  const thumbnailPath = sources.thumbnailOf(image.spool_name)
  const servedThumbnail = (): Promise<ServedBytes | null> => servedJpeg(thumbnailPath)
  if (image.removed_at !== null) return kind === 'thumbnail' ? servedThumbnail() : null
  const originalPath = join(sources.spoolFolder, image.spool_name)
  if (kind === 'original') return servedFile(originalPath, image.content_type)
  const imagePath =
    image.picture_spool_name === null ? originalPath : join(sources.spoolFolder, image.picture_spool_name)
  const contentType = image.picture_content_type ?? image.content_type
  if (kind === 'image' && contentType === 'image/tiff') {
    const path = await sources.screenPicture(image.id, imagePath)
    return path === null ? null : servedFile(path, 'image/png')
  }
  if (kind === 'image') return servedFile(imagePath, contentType)
  const made = await servedThumbnail()
  if (made !== null) return made
  await sources.makeThumbnail(imagePath, thumbnailPath)
  return servedThumbnail()
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9])

/** Null if it is missing, or not whole: nothing flushes a thumbnail, and a power cut may leave zeros of it. */
async function servedJpeg(path: string): Promise<ServedBytes | null> {
  const served = await servedFile(path, 'image/jpeg')
  if (served === null || served.sizeBytes < END_OF_JPEG.length) return null
  const end = Buffer.alloc(END_OF_JPEG.length)
  await withFile(open(path, 'r'), (file) => file.read(end, 0, end.length, served.sizeBytes - end.length))
  return end.equals(END_OF_JPEG) ? served : null
}

/** Makes a picture of one of our copies; false if it cannot be made. `onDeath`: the process died that was to make it. */
export type PreviewMaker = (imagePath: string, picturePath: string, onDeath?: () => void) => Promise<boolean>

/** The same, but not for what has ended its process twice: a list of cases asks for it whenever it is shown. */
export function sparingPreviews(
  outbox: Outbox,
  readingNow: () => ReadingNow,
  make: PreviewMaker,
): PreviewMaker {
  return async (imagePath, picturePath) => {
    const copy = { folderPath: '', relativePath: basename(imagePath), sizeBytes: 0, mtimeMs: 0 }
    const before = outbox.suspicionOf(copy, readingNow())
    if (before.kind === 'setAside' || (before.kind === 'suspect' && before.inMs > 0)) return false
    const recordDeath = (): void =>
      void ignoringStorageErrors(() => outbox.recordDeaths([copy], readingNow(), true))
    const isMade = await make(imagePath, picturePath, recordDeath)
    if (isMade && before.kind === 'suspect') ignoringStorageErrors(() => outbox.forgetDeaths(copy))
    return isMade
  }
}

async function servedFile(path: string, contentType: string): Promise<ServedBytes | null> {
  try {
    const { size } = await stat(path)
    return { path, contentType, sizeBytes: size }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

export type ScreenPicturesOptions = {
  /** The thumbnail folder. The pictures use a subfolder, which is removed at start and close. */
  readonly beside: string
  readonly clock: Clock
  readonly logger: Logger
  /** False if it cannot be made. */
  readonly make: (imagePath: string, picturePath: string) => Promise<boolean>
  readonly mayTakeSpace: (bytes: number) => Promise<boolean>
}

/** As long as a person views the images of a case. */
const CACHED_FOR_MS = 10 * MINUTE

/** Of such a picture: three for each pixel of the largest image that is decoded. */
const MOST_BYTES = 384 * 1_024 * 1_024

/** Two side by side, and their neighbours. */
const MAX_CACHED = 6

type CachedPicture = { readonly path: string; cancel: () => void }

/** Pictures of what browsers cannot show, made on demand and soon removed: they never outlive the image. */
export function openScreenPictures(options: ScreenPicturesOptions) {
  const { beside, clock, logger, make, mayTakeSpace } = options
  const folder = join(beside, 'whole')
  /** The least recently requested comes first. */
  const cache = new Map<string, CachedPicture>()
  let isClosed = false
  const clearFolder = async (): Promise<void> => {
    try {
      await rm(folder, { recursive: true, force: true })
    } catch {
      logger.warn('pictures for the screen could not be removed')
    }
  }

  const evict = async (imageId: string): Promise<void> => {
    const one = cache.get(imageId)
    if (!one) return
    cache.delete(imageId)
    one.cancel()
    await removeBestEffort(one.path)
  }
  const cachePicture = (imageId: string, path: string): void => {
    cache.get(imageId)?.cancel()
    cache.delete(imageId)
    cache.set(imageId, { path, cancel: clock.after(CACHED_FOR_MS, () => void evict(imageId)) })
  }
  const makePicture = async (imageId: string, imagePath: string): Promise<string | null> => {
    const one = cache.get(imageId)
    if (one || isClosed) {
      if (one) cachePicture(imageId, one.path)
      return one?.path ?? null
    }
    if (!(await mayTakeSpace(MOST_BYTES))) return null
    const path = join(folder, `${imageId}.png`)
    const unfinished = `${path}.tmp`
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      if (!(await make(imagePath, unfinished))) {
        await removeBestEffort(unfinished)
        return null
      }
      await renameWithRetry(unfinished, path)
    } catch (error) {
      // A failed disk is reported elsewhere; here only one picture is missing.
      const code = errorCode(error) ?? null
      logger.warn('a picture for the screen could not be written', { code })
      await removeBestEffort(unfinished)
      return null
    }
    cachePicture(imageId, path)
    const [oldest] = cache.keys()
    if (cache.size > MAX_CACHED && oldest !== undefined) await evict(oldest)
    return path
  }

  /** One at a time: each needs a core and the memory of an image. */
  const inTurn = serially()
  void inTurn(clearFolder)
  return {
    /** The path of the picture for the next minutes; null if none can be made now. */
    of: (imageId: string, imagePath: string): Promise<string | null> =>
      inTurn(() => makePicture(imageId, imagePath)),
    close: (): Promise<void> => {
      isClosed = true
      return inTurn(async () => {
        for (const { cancel } of cache.values()) cancel()
        cache.clear()
        await clearFolder()
      })
    },
  }
}

/**
 * The screens may load only what we built and serve. Inline styles are allowed because the component library writes
 * its theme into a style element; inline scripts are not. Sent as a header, because a meta element can be bypassed.
 */
export const SCREEN_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' blob: data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  // Frames that the screens fill with `srcdoc` need no permission; nothing else is ever framed.
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Chromium refuses module scripts and workers with a wrong type, because both hosts send `nosniff`. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
}

/** Codes of paths that lead to nothing; the last two are too long, or hold a zero byte. */
const NOTHING_THERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']

/** The file of this decoded path; null if there is none, or if the path or a link leads out of the folder. */
export async function findScreen(folder: string, path: string): Promise<ServedBytes | null> {
  const root = await resolveLinks(resolve(folder))
  const file = await resolveLinks(join(resolve(folder), path))
  if (root === null || !file?.startsWith(root + sep)) return null
  const found = await stat(file)
  const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'
  return found.isFile() ? { path: file, contentType, sizeBytes: found.size } : null
}

/** The path with links resolved; null if there is nothing. Any other error may pass and is thrown. */
async function resolveLinks(path: string): Promise<string | null> {
  return realpath(path).catch((error: unknown) => {
    if (NOTHING_THERE.includes(errorCode(error) ?? '')) return null
    throw error
  })
}

/** A part of an address; null if it cannot be decoded. */
export function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

import { access, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BytesKind } from '../../src-shared/contract.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { ServedBytes } from './station-api.ts'
import { errorCode } from './lib/errors.ts'

export type BytesSources = {
  readonly spoolFolder: string
  readonly thumbnailsFolder: string
  readonly reportsFolder: string
  readonly makeThumbnail: (imagePath: string, thumbnailPath: string) => Promise<unknown>
  /** A picture with all pixels of an image that browsers do not draw. */
  readonly screenPicture: (imageId: string, imagePath: string) => Promise<string | null>
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * Where the bytes of an id lie; null also where they were removed when their time was over. Ids come from the outbox only, so no path is
 * ever made of what a caller sends.
 */
export async function findBytes(
  outbox: Outbox,
  sources: BytesSources,
  kind: BytesKind,
  id: string,
): Promise<ServedBytes | null> {
  if (kind === 'report') {
    const version = outbox.reports.version(id)
    return version ? servedFile(join(sources.reportsFolder, version.file_name), version.content_type) : null
  }
  const image = outbox.images.byId(id)
  if (!image) return null
  const thumbnailPath = join(sources.thumbnailsFolder, `${image.id}.jpg`)
  if (image.removed_at !== null) return kind === 'thumbnail' ? servedFile(thumbnailPath, 'image/jpeg') : null
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
  if (!(await exists(thumbnailPath))) await sources.makeThumbnail(imagePath, thumbnailPath)
  return servedFile(thumbnailPath, 'image/jpeg')
}

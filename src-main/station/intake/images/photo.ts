/** Inspects a photograph: whether it is complete, what its file states, a picture for the screen, and warnings. */
import { randomUUID } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImageType } from '../../../../src-shared/measurement-ranges.ts'
import type { Profile } from '../../../../src-shared/profile.ts'
import { type Message, worded } from '../../../../src-shared/wording.ts'
import { removeBestEffort, withFile } from '../../lib/files.ts'
import { readDicomFacts } from '../dicom/facts.ts'
import { type DicomPicture, renderDicom } from '../dicom/render.ts'
import type { ContentFacts } from '../evidence.ts'
import { readAtOfHandle } from '../file-structure.ts'
import { hasUnwrittenEnd, isBlank } from './blank.ts'
import { readBmpPixels } from './bmp.ts'
import { decodePicture } from './decode.ts'
import { writePng } from './png.ts'

export type PhotoRequest = {
  /** Our own copy, which no longer changes. */
  readonly path: string
  readonly contentType: ImageType
  readonly nameOrder: Profile['nameOrder']
  /** An existing folder; a converted picture is created in it under a new name. */
  readonly pictureFolder: string
}

/**
 * A picture for browsers and sharp, converted from an original that they cannot read; complete, closed, owned by the
 * caller.
 */
export type MadePicture = { readonly path: string; readonly contentType: 'image/jpeg' | 'image/png' }

/** Something a person should see, which blocks nothing. */
export type PhotoWarning = { readonly kind: 'blankImage' | 'noPreview' } & Message

/**
 * The result of inspecting a photograph.
 *
 * - `whole`      decodable to its last line; `picture` is null if the file itself can be shown, or if nothing can be
 *                (then `noPreview` says why)
 * - `damaged`    permanently undecodable
 * - `notOpened`  the disk or memory failed; it may pass
 */
export type PhotoReading =
  | {
      readonly kind: 'whole'
      readonly facts: ContentFacts | null
      readonly picture: MadePicture | null
      readonly oddities: readonly PhotoWarning[]
    }
  | ({ readonly kind: 'damaged' } & Message)
  | { readonly kind: 'notOpened' }

const damaged = (): PhotoReading => ({ kind: 'damaged', ...worded('intake:image.damaged') })
const NOT_OPENED: PhotoReading = { kind: 'notOpened' }

/**
 * Inspects a photograph. Never throws for its content or for disk errors; never writes outside of `pictureFolder`.
 * Takes up to seconds of one core, so run it in a thread of its own.
 */
export async function readPhoto(request: PhotoRequest): Promise<PhotoReading> {
  try {
    switch (request.contentType) {
      case 'image/jpeg':
      case 'image/png':
        return await inspectPicture(request.path, { made: null, endOfFile: null })
      case 'image/tiff':
        return await inspectPicture(request.path, { made: null, endOfFile: 'bottom' })
      case 'image/bmp':
        return await readBitmap(request)
      case 'application/dicom':
        return await readDicom(request)
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'syscall' in error) return NOT_OPENED
    throw error
  }
}

async function readBitmap(request: PhotoRequest): Promise<PhotoReading> {
  return await withFile(open(request.path, 'r'), async (handle) => {
    // Its lines are read while the PNG is written.
    const pixels = await readBmpPixels(readAtOfHandle(handle), (await handle.stat()).size)
    if (pixels === null) return damaged()
    const path = await writePng(request.pictureFolder, pixels)
    return inspectPicture(path, { made: { path, contentType: 'image/png' }, endOfFile: pixels.endOfFile })
  })
}

async function readDicom(request: PhotoRequest): Promise<PhotoReading> {
  const rendered = await renderDicom(request.path)
  if (rendered.kind === 'damaged') return damaged()
  const facts = await factsOf(request)
  if (rendered.kind === 'declined') {
    return { kind: 'whole', facts, picture: null, oddities: [{ kind: 'noPreview', ...rendered.why }] }
  }
  const made = await writePicture(request.pictureFolder, rendered)
  const reading = await inspectPicture(made.path, {
    made,
    // A contained JPEG has its own end marker; a PNG was plain pixels from the top.
    endOfFile: rendered.contentType === 'image/png' ? 'bottom' : null,
  })
  if (reading.kind !== 'whole') return reading
  if (rendered.frames === 1) return { ...reading, facts }
  const firstOfSeveral = worded('intake:image.firstOfSeveral', { pictures: rendered.frames })
  return { ...reading, facts, oddities: [{ kind: 'noPreview', ...firstOfSeveral }, ...reading.oddities] }
}

async function factsOf({ path, nameOrder }: PhotoRequest): Promise<ContentFacts> {
  return await withFile(open(path, 'r'), async (handle) =>
    readDicomFacts(readAtOfHandle(handle), (await handle.stat()).size, { nameOrder }),
  )
}

async function writePicture(
  folder: string,
  { bytes, contentType }: Extract<DicomPicture, { kind: 'picture' }>,
): Promise<MadePicture> {
  const path = join(folder, `${randomUUID()}.${contentType === 'image/png' ? 'png' : 'jpg'}`)
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    await removeBestEffort(path)
    throw error
  }
  return { path, contentType }
}

/** `endOfFile` is the side of the picture stored last in a file whose pixels may have no end marker. */
type PictureSource = { readonly made: MadePicture | null; readonly endOfFile: 'top' | 'bottom' | null }

/** Decodes the original, or the picture converted from it, and collects its warnings. */
async function inspectPicture(path: string, { made, endOfFile }: PictureSource): Promise<PhotoReading> {
  const decoded = await decodePicture(path)
  if (decoded.kind !== 'whole') {
    if (made !== null) await removeBestEffort(made.path)
    return decoded.kind === 'damaged' ? damaged() : NOT_OPENED
  }
  const oddities: PhotoWarning[] = []
  if (isBlank(decoded.small)) oddities.push({ kind: 'blankImage', ...worded('intake:image.blank') })
  else if (endOfFile !== null && hasUnwrittenEnd(decoded.small, endOfFile))
    oddities.push({ kind: 'blankImage', ...worded('intake:image.unwritten') })
  return { kind: 'whole', facts: null, picture: made, oddities }
}

/** Inspects a photograph: whether it is complete, what its file states, a picture for the screen, and warnings. */
import { randomUUID } from 'node:crypto'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { worded } from '../../../src-shared/wording.ts'
import { removeBestEffort, withFile } from '../../station/lib/files.ts'
import { type DicomFile, openDicom } from '../dicom/dicom.ts'
import { readElements } from '../dicom/data-set.ts'
import { checkFrames } from '../dicom/frames.ts'
import { type Coding, notShownAs, renderDicom } from '../dicom/picture.ts'
import { readBmpPixels } from '../formats/bmp.ts'
import { Flaw, MAX_PIXELS, readAtOfHandle } from '../formats/bytes.ts'
import { type Soundness, soundnessBy, soundnessOf } from '../inspect-file.ts'
import type { MadePicture, PhotoReading, PhotoRequest, PhotoWarning } from '../messages.ts'
import { decodePicture, type Findings, saveThumbnail, type SmallPicture } from './decode.ts'
import { sharp } from './sharp.ts'

const damaged = (): PhotoReading => ({ kind: 'damaged', ...worded('intake:image.damaged') })
const NOT_OPENED: PhotoReading = { kind: 'notOpened' }

/** Throws nothing for content or disk errors; writes only to `pictureFolder` and `thumbnailPath`. Takes seconds of a core: use a process of its own. */
export async function readPhoto(request: PhotoRequest): Promise<PhotoReading> {
  const { path, contentType, thumbnailPath } = request
  try {
    return await withFile(open(path, 'r'), async (handle) => {
      const readAt = readAtOfHandle(handle)
      const { size } = await handle.stat()
      if (contentType === 'application/dicom') return readDicom(request, await openDicom(readAt, size))
      const soundness = await soundnessOf(readAt, size, contentType)
      if (contentType === 'image/bmp') {
        if (soundness.kind === 'notChecked' && soundness.what === 'bitmap') return notShown('bitmap')
        const { pixels, endOfFile, width, height } = await readBmpPixels(readAt, size)
        const raw = { width, height, channels: 3 } as const
        // A photograph shrinks little more at a higher compression.
        const png = sharp(pixels, { raw, limitInputPixels: MAX_PIXELS }).png({
          compressionLevel: 1,
          adaptiveFiltering: true,
        })
        const made = await writePicture(request.pictureFolder, {
          bytes: await png.toBuffer(),
          contentType: 'image/png',
        })
        return inspectPicture(made.path, { made, endOfFile, soundness, trust: NO_TRUST, thumbnailPath })
      }
      const endOfFile = contentType === 'image/tiff' ? 'bottom' : null
      return inspectPicture(path, {
        made: null,
        endOfFile,
        soundness,
        trust: trustIn(contentType, soundness),
        thumbnailPath,
      })
    })
  } catch (error) {
    if (error instanceof Flaw) return damaged()
    if (error instanceof Error && 'code' in error && 'syscall' in error) return NOT_OPENED
    throw error
  }
}

async function readDicom(
  { pictureFolder, thumbnailPath }: PhotoRequest,
  dicom: DicomFile,
): Promise<PhotoReading> {
  const soundness = await soundnessBy(checkFrames(dicom))
  const rendered = await renderDicom(dicom)
  const elements = await readElements(dicom)
  if (rendered.kind === 'declined') {
    const oddities: PhotoWarning[] = [{ kind: 'noPreview', ...rendered.why }, ...doubtsOf(soundness)]
    return { kind: 'whole', elements, picture: null, grey: null, oddities }
  }
  const made = await writePicture(pictureFolder, rendered)
  // A contained JPEG has its own end marker; a PNG was plain pixels from the top.
  const endOfFile = rendered.contentType === 'image/png' ? 'bottom' : null
  const isFlawless = rendered.contentType === 'image/jpeg' && soundness.kind === 'sound'
  const trust: Trust = isFlawless ? { ...NO_TRUST, findings: 'sound' } : NO_TRUST
  const reading = await inspectPicture(made.path, { made, soundness, endOfFile, trust, thumbnailPath })
  if (reading.kind !== 'whole') return reading
  if (rendered.frames === 1) return { ...reading, elements }
  const firstOfSeveral = worded('intake:image.firstOfSeveral', { pictures: rendered.frames })
  return {
    ...reading,
    elements,
    grey: null,
    oddities: [{ kind: 'noPreview', ...firstOfSeveral }, ...reading.oddities],
  }
}

async function writePicture(
  folder: string,
  { bytes, contentType }: { readonly bytes: Buffer; readonly contentType: MadePicture['contentType'] },
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

/** Kept, and sent as it is once a person has agreed: nothing of it can be shown. */
function notShown(coding: Coding): PhotoReading {
  return {
    kind: 'whole',
    elements: null,
    picture: null,
    grey: null,
    oddities: [{ kind: 'noPreview', ...notShownAs(coding) }],
  }
}

/** What the decoder's word is worth beside our own walk. `refusedFor`: why it may refuse what is not damaged; null for nothing. */
type Trust = { readonly findings: Findings; readonly refusedFor: Coding | null }

const NO_TRUST: Trust = { findings: 'doubtful', refusedFor: null }

function trustIn(type: 'image/jpeg' | 'image/png' | 'image/tiff', soundness: Soundness): Trust {
  // The walk over a PNG leaves its data to the decoder.
  if (type === 'image/png') return { findings: 'unknown', refusedFor: null }
  switch (soundness.kind) {
    case 'notChecked':
      return { findings: 'unknown', refusedFor: soundness.what === 'size' ? null : soundness.what }
    case 'sound':
      return { findings: soundness.isPlain ? 'plain' : 'sound', refusedFor: 'layout' }
    case 'doubtful':
      return type === 'image/jpeg' ? NO_TRUST : { findings: 'unknown', refusedFor: null }
  }
}

/** `endOfFile`: the side stored last, of pixels without an end marker. `soundness`: of the coded data so far. */
type PictureSource = {
  readonly made: MadePicture | null
  readonly endOfFile: 'top' | 'bottom' | null
  readonly soundness: Soundness
  readonly trust: Trust
  readonly thumbnailPath: string | undefined
}

async function inspectPicture(
  path: string,
  { made, endOfFile, soundness, trust, thumbnailPath }: PictureSource,
): Promise<PhotoReading> {
  const decoded = await decodePicture(path, trust.findings)
  if (decoded.kind === 'refused' || decoded.kind === 'notOpened') {
    if (made !== null) await removeBestEffort(made.path)
    if (decoded.kind === 'notOpened') return NOT_OPENED
    return trust.refusedFor === null ? damaged() : notShown(trust.refusedFor)
  }
  if (decoded.kind === 'whole' && thumbnailPath !== undefined) await saveThumbnail(decoded, thumbnailPath)
  const isWarned = decoded.kind === 'whole' && decoded.isWarned
  const oddities = isWarned ? [DOUBT] : doubtsOf(soundness)
  if (decoded.kind === 'tooCostly') oddities.push({ kind: 'noPreview', ...worded('intake:image.notOpened') })
  else if (isBlank(decoded.small)) oddities.push({ kind: 'blankImage', ...worded('intake:image.blank') })
  else if (endOfFile !== null && hasUnwrittenEnd(decoded.small, endOfFile))
    oddities.push({ kind: 'blankImage', ...worded('intake:image.unwritten') })
  const grey = decoded.kind === 'whole' ? greyOf(decoded.small) : null
  return { kind: 'whole', elements: null, picture: made, grey, oddities }
}

const DOUBT: PhotoWarning = { kind: 'maybeDamaged', ...worded('intake:image.maybeDamaged') }

function doubtsOf({ kind }: Soundness): PhotoWarning[] {
  return kind === 'doubtful' ? [DOUBT] : []
}

/** Cells along the longer side: large enough to average out sensor noise, small enough to see a vessel arch. */
const AREAS = 24

/**
 * Levels of 256 between darker and brighter cells. Measured on drawn pictures of 640 by 480 pixels and more: sensor
 * noise 0 to 1.6, a fundus at a tenth of its light 4.6 and more, at full light 50.
 */
const MIN_CONTRAST = 3

/** The minimum level of every colour if only the flash is left. */
const WHITE = 250

/** Captions that a camera prints into a frame cover fewer cells than this at either end. */
const LEFT_OUT = 0.05

/** A cell belongs to the picture, not to the rim, if it has this share of the light of the bright ones. */
const LIT_SHARE = 0.5

/**
 * True for black, white or one even tone, as behind a lens cap. A round picture in a black rim only if the flash washed
 * it out: another even tone may be what a camera saw. Pure.
 */
export function isBlank(picture: SmallPicture): boolean {
  const longer = Math.max(picture.width, picture.height)
  const countOf = (length: number): number => Math.max(1, Math.round((length / longer) * AREAS))
  const cells = cellsOf(picture, countOf(picture.width), countOf(picture.height))
  return contrastOf(cells) < MIN_CONTRAST || isWhite(litCells(cells))
}

function isWhite(cells: Cells['colours']): boolean {
  const least = cells.map((colour) => Math.min(...colour)).sort((one, other) => one - other)
  return quantile(least, LEFT_OUT) >= WHITE
}

/** The widest range of any colour over these cells, without outliers. */
function contrastOf({ colours }: Cells): number {
  const count = colours[0]?.length ?? 0
  const ranges = Array.from({ length: count }, (_, channel) => {
    const levels = colours.map((colour) => colour[channel] ?? 0).sort((one, other) => one - other)
    return quantile(levels, 1 - LEFT_OUT) - quantile(levels, LEFT_OUT)
  })
  return Math.max(0, ...ranges)
}

/** The cells inside the lit area: lit, and with lit ones on all four sides. */
function litCells({ columns, rows, colours }: Cells): Cells['colours'] {
  const light = colours.map((colour) => Math.max(...colour))
  const bright = quantile(
    [...light].sort((one, other) => one - other),
    0.9,
  )
  const isLit = (column: number, row: number): boolean => {
    if (column < 0 || row < 0 || column >= columns || row >= rows) return true
    return (light[row * columns + column] ?? 0) >= bright * LIT_SHARE
  }
  return colours.filter((_, index) => {
    const column = index % columns
    const row = (index - column) / columns
    return (
      isLit(column, row) &&
      isLit(column - 1, row) &&
      isLit(column + 1, row) &&
      isLit(column, row - 1) &&
      isLit(column, row + 1)
    )
  })
}

/** Mean colours of each cell, row by row. */
type Cells = {
  readonly columns: number
  readonly rows: number
  readonly colours: readonly (readonly number[])[]
}

/** A pixel counts in every cell that it covers, by the part that lies in it: so sizes do not matter. */
function cellsOf({ pixels, width, height, channels }: SmallPicture, columns: number, rows: number): Cells {
  // Two and four channels end with transparency.
  const shown = channels >= 3 ? 3 : 1
  const cells = Array.from({ length: columns * rows }, () => new Float64Array(shown))
  const sharesAcross = Array.from({ length: width }, (_, x) => sharesOf(x, width, columns))
  for (let y = 0; y < height; y += 1)
    for (const [row, down] of sharesOf(y, height, rows))
      for (let x = 0; x < width; x += 1)
        for (const [column, across] of sharesAcross[x] ?? []) {
          const cell = cells[row * columns + column]
          const [at, share] = [(y * width + x) * channels, across * down]
          cell?.forEach((sum, channel) => {
            cell[channel] = sum + (pixels[at + channel] ?? 0) * share
          })
        }
  const pixelsOfCell = (width / columns) * (height / rows)
  return { columns, rows, colours: cells.map((cell) => Array.from(cell, (sum) => sum / pixelsOfCell)) }
}

/** The cells over which pixel `index` of `length` lies, with its part in each. */
function sharesOf(
  index: number,
  length: number,
  cells: number,
): readonly (readonly [cell: number, share: number])[] {
  const [from, to] = [(index * cells) / length, ((index + 1) * cells) / length]
  const shares: (readonly [number, number])[] = []
  for (let cell = Math.floor(from); cell < Math.min(to, cells); cell += 1) {
    const share = Math.min(to, cell + 1) - Math.max(from, cell)
    if (share > 0) shares.push([cell, (share * length) / cells])
  }
  return shares
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.round((sorted.length - 1) * share)] ?? 0
}

/** A share of the height: a round image touches its frame, or leaves about as much above as below. */
const MUCH = 0.15

const LOPSIDED = 4

/**
 * True if the side stored last (`end`) has many more plain black rows than the other: a copy into preallocated space
 * may have stopped, which formats without an end marker do not reveal. Pure.
 */
export function hasUnwrittenEnd(picture: SmallPicture, end: 'top' | 'bottom'): boolean {
  const atTop = blackRows(picture, 'top')
  const atBottom = blackRows(picture, 'bottom')
  const [atEnd, atBeginning] = end === 'top' ? [atTop, atBottom] : [atBottom, atTop]
  return atEnd >= picture.height * MUCH && atEnd > atBeginning * LOPSIDED
}

function blackRows({ pixels, width, height, channels }: SmallPicture, edge: 'top' | 'bottom'): number {
  // Two and four channels end with transparency.
  const isLit = (level: number, index: number): boolean =>
    level > 0 && (channels % 2 === 1 || index % channels < channels - 1)
  const lit = edge === 'top' ? pixels.findIndex(isLit) : pixels.findLastIndex(isLit)
  if (lit === -1) return height
  const row = Math.floor(lit / (width * channels))
  return edge === 'top' ? row : height - 1 - row
}

/** Cells in each direction: enough for the arches of the vessels, few enough that compression and size change little. */
const CELLS = 32

/** The mean grey level of each cell, row by row, as hexadecimal bytes. */
export function greyOf(picture: SmallPicture): string {
  const levels = cellsOf(picture, CELLS, CELLS).colours.map((colour) =>
    Math.round(colour.reduce((sum, level) => sum + level, 0) / colour.length),
  )
  return Buffer.from(levels).toString('hex')
}

/** What every kind of camera is described by: the files that it leaves for some visits. */
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { ZipFile } from 'yazl'
import { drawFundus, type ImageFormat } from '../draw-fundus.ts'
import { syntheticPatient } from '../export-visit.ts'
import { randomFrom } from '../random.ts'
import { type Way, writeAsCamera } from '../write-as-camera.ts'

/** Only an image, a DICOM image and what lies in an archive reach a case. */
type FileKind =
  | 'image'
  | 'dicomImage'
  | 'otherDicom'
  | 'dicomDirectory'
  | 'archive'
  | 'report'
  | 'sidecar'
  | 'raw'
  | 'junk'

export type ExportedFile = {
  /** Below the watched folder, with forward slashes. */
  readonly relativePath: string
  readonly kind: FileKind
  readonly bytes: () => Promise<Buffer>
  readonly modifiedAt: Date
  /** What an archive holds; their paths are those inside of it. */
  readonly entries?: readonly ExportedFile[]
}

export type LayoutVisit = {
  /** The patient's number, 1 to 999; each layout spells an id of its own of it. */
  readonly number: number
  readonly firstName: string
  readonly lastName: string
  /** `YYYY-MM-DD`; the birthday lies early in the year. */
  readonly birthDate: string
  readonly sex: 'M' | 'F'
  readonly age: number
  readonly visitDate: string
  /** `HH:MM`, when the first photograph was taken. */
  readonly time: string
}

/** What a camera of one kind leaves for these visits, in the order in which it writes. */
export type CameraLayout = (visits: readonly LayoutVisit[]) => readonly ExportedFile[]

type VisitChoice = Pick<LayoutVisit, 'number'> &
  Partial<Pick<LayoutVisit, 'visitDate' | 'time' | 'firstName' | 'lastName'>>

/** A visit of an invented patient; the same number is the same patient. */
export function layoutVisit(choice: VisitChoice): LayoutVisit {
  const patient = syntheticPatient(choice.number)
  const visitDate = choice.visitDate ?? '2026-06-02'
  const year = Number(visitDate.slice(0, 4))
  return {
    number: choice.number,
    firstName: choice.firstName ?? patient.first_name,
    lastName: choice.lastName ?? patient.last_name,
    birthDate: `${year - patient.age}-01-14`,
    sex: patient.gender === 0 ? 'M' : 'F',
    age: patient.age,
    visitDate,
    time: choice.time ?? '12:18',
  }
}

export function padded(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}

/** When the photograph of this index was taken, by this machine's clock: 39 seconds after the one before it. */
export function momentOf(visit: LayoutVisit, index: number) {
  const [year = 0, month = 0, dayOfMonth = 0] = visit.visitDate.split('-').map(Number)
  const [hours = 0, minutes = 0] = visit.time.split(':').map(Number)
  const at = new Date(year, month - 1, dayOfMonth, hours, minutes, 2 + index * 39)
  const [hour, minute, second] = [at.getHours(), at.getMinutes(), at.getSeconds()]
  const half = `${hour % 12 === 0 ? 12 : hour % 12}.${padded(minute, 2)}.${padded(second, 2)}.120`
  return {
    at,
    day: visit.visitDate.replaceAll('-', ''),
    clock: [hour, minute, second].map((part) => padded(part, 2)).join(''),
    /** `02-06-2026`, which could be the second of June or the sixth of February. */
    dayFirst: visit.visitDate.split('-').toReversed().join('-'),
    /** `3.00.05.120_PM`. */
    twelveHours: `${half}_${hour < 12 ? 'AM' : 'PM'}`,
  }
}

export const PICTURE_SIZE = { width: 320, height: 240 }

export type Shot = {
  readonly eye: 'right' | 'left'
  /** The how-many-eth photograph of the visit, from 0; no two of one visit show the same. */
  readonly index: number
}

export function shotsOfBothEyes(perEye: number): readonly Shot[] {
  const shotOf = (index: number): Shot => ({ eye: index % 2 === 0 ? 'right' : 'left', index })
  return Array.from({ length: perEye * 2 }, (_, index) => shotOf(index))
}

export const EYE_CODES = { right: 'OD', left: 'OS' } as const
export const EYE_LETTERS = { right: 'R', left: 'L' } as const

/** Draws the photograph of a shot. Another visit of the same patient gives another picture. */
export async function drawShot(
  visit: LayoutVisit,
  shot: Shot,
  format: ImageFormat = 'jpeg',
): Promise<Buffer> {
  const minutes = Math.round(momentOf(visit, 0).at.getTime() / 60_000) % 50_000
  return drawFundus({
    eye: shot.eye,
    seed: visit.number,
    shot: 1 + minutes + shot.index * 50_000,
    format,
    ...PICTURE_SIZE,
  })
}

/** The pixels of a shot, three bytes each, for files that hold them bare. */
export async function drawPixels(visit: LayoutVisit, shot: Shot): Promise<Buffer> {
  const image = sharp(await drawShot(visit, shot, 'png'))
  return image.removeAlpha().raw().toBuffer()
}

/** A file that is made at the first call and then kept. */
export function fileOf(
  relativePath: string,
  kind: FileKind,
  modifiedAt: Date,
  make: () => Promise<Buffer> | Buffer,
): ExportedFile {
  let made: Promise<Buffer> | null = null
  const bytes = (): Promise<Buffer> => {
    made ??= Promise.resolve(make())
    return made
  }
  return { relativePath, kind, modifiedAt, bytes }
}

export function imageFile(
  relativePath: string,
  visit: LayoutVisit,
  shot: Shot,
  format: ImageFormat = 'jpeg',
): ExportedFile {
  return fileOf(relativePath, 'image', momentOf(visit, shot.index).at, () => drawShot(visit, shot, format))
}

/** Four times the size and without compression, as old cameras write it. */
export function bigTiffFile(relativePath: string, visit: LayoutVisit, shot: Shot): ExportedFile {
  const [width, height] = [PICTURE_SIZE.width * 4, PICTURE_SIZE.height * 4]
  return fileOf(relativePath, 'image', momentOf(visit, shot.index).at, async () => {
    const image = sharp(await drawShot(visit, shot, 'png'))
    return image.resize(width, height).tiff({ compression: 'none' }).toBuffer()
  })
}

/** The same photograph with a remark in it: other bytes, the same picture (JPEG's COM segment). */
export function withRemark(jpeg: Buffer, remark: string): Buffer {
  const text = Buffer.from(remark, 'latin1')
  const segment = Buffer.alloc(4)
  segment.writeUInt16BE(0xff_fe, 0)
  segment.writeUInt16BE(text.length + 2, 2)
  return Buffer.concat([jpeg.subarray(0, 2), segment, text, jpeg.subarray(2)])
}

export function htmlReport(relativePath: string, visit: LayoutVisit, at: Date): ExportedFile {
  const html = `<!doctype html><title>Retina report</title><h1>${visit.firstName} ${visit.lastName}</h1>\n`
  return fileOf(relativePath, 'report', at, () => Buffer.from(html))
}

export function pdfReport(relativePath: string, at: Date): ExportedFile {
  const body = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
trailer<</Root 1 0 R>>
%%EOF\n`
  return fileOf(relativePath, 'report', at, () => Buffer.from(body, 'latin1'))
}

export function rawFile(relativePath: string, at: Date): ExportedFile {
  const bytes = Buffer.concat([Buffer.from('FOCTFDA', 'latin1'), Buffer.alloc(4_000, 7)])
  return fileOf(relativePath, 'raw', at, () => bytes)
}

/** What operating systems and half-done copies leave: none of it is worth a word. */
export function junkFiles(folder: string, at: Date): readonly ExportedFile[] {
  const junk = (name: string, bytes: Buffer): ExportedFile =>
    fileOf(`${folder}${name}`, 'junk', at, () => bytes)
  return [
    junk('._IMG_0001.jpg', Buffer.from('0005160700020000', 'hex')),
    junk('.DS_Store', Buffer.from('0000000142756431', 'hex')),
    junk('Thumbs.db', Buffer.from('d0cf11e0a1b11ae1', 'hex')),
    junk('desktop.ini', Buffer.from('[.ShellClassInfo]\r\n')),
    junk('IMG_0002.jpg.part', Buffer.from('ffd8ffe000104a464946', 'hex')),
    junk('~export.tmp', Buffer.from('half')),
  ]
}

export function zipFile(relativePath: string, at: Date, entries: readonly ExportedFile[]): ExportedFile {
  return { ...fileOf(relativePath, 'archive', at, () => zipped(entries)), entries }
}

async function zipped(entries: readonly ExportedFile[]): Promise<Buffer> {
  const archive = new ZipFile()
  for (const entry of entries)
    archive.addBuffer(await entry.bytes(), entry.relativePath, { mtime: entry.modifiedAt })
  archive.end()
  return buffer(archive.outputStream)
}

/** Text with a byte order mark, little end first, as Windows programs call "Unicode". */
export function utf16(text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
}

export type ExportOptions = {
  /** `as taken`, or any order; the same seed is the same order. */
  readonly order?: 'as taken' | { readonly seed: number }
  readonly ways?: readonly [Way, ...Way[]]
  readonly atOnce?: number
}

export async function exportFiles(
  folder: string,
  files: readonly ExportedFile[],
  options: ExportOptions = {},
): Promise<void> {
  const { order = 'as taken', ways = ['at once'], atOnce = 1 } = options
  const waiting = (order === 'as taken' ? files : shuffled(files, order.seed)).entries()
  const writeInTurn = async (): Promise<void> => {
    for (const [index, file] of waiting) {
      const way = ways[index % ways.length] ?? ways[0]
      await writeAsCamera(join(folder, file.relativePath), await file.bytes(), way, file.modifiedAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, writeInTurn))
}

export function shuffled<Value>(values: readonly Value[], seed: number): readonly Value[] {
  const random = randomFrom(seed)
  const left = [...values]
  return values.flatMap(() => left.splice(Math.floor(random() * left.length), 1))
}

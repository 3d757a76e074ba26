/** What lies beside the images: reports, archives, data files, and what nobody needs. */
import { ZipFile } from 'yazl'
import { fileOf } from './pictures.ts'
import type { ExportedFile, LayoutVisit } from './layout.ts'

export function htmlReport(relativePath: string, visit: LayoutVisit, at: Date): ExportedFile {
  const name = `${visit.firstName} ${visit.lastName}`
  return fileOf(relativePath, 'report', at, () =>
    Buffer.from(`<!doctype html><title>Retina report</title><h1>${name}</h1><p>Synthetic.</p>\n`),
  )
}

/** One empty page. */
export function pdfReport(relativePath: string, at: Date): ExportedFile {
  const body = [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj',
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ]
  return fileOf(relativePath, 'report', at, () => Buffer.from(`${body.join('\n')}\n`, 'latin1'))
}

/** A raw file in a maker's own format, which nobody else reads. */
export function rawFile(relativePath: string, at: Date): ExportedFile {
  return fileOf(relativePath, 'raw', at, () =>
    Buffer.concat([Buffer.from('FOCTFDA', 'latin1'), Buffer.alloc(4_000, 7)]),
  )
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

/** A ZIP archive of these files, deflated, each with its own time. */
export function zipFile(relativePath: string, at: Date, entries: readonly ExportedFile[]): ExportedFile {
  return { ...fileOf(relativePath, 'archive', at, () => zipped(entries)), entries }
}

async function zipped(entries: readonly ExportedFile[]): Promise<Buffer> {
  const archive = new ZipFile()
  for (const entry of entries)
    archive.addBuffer(await entry.bytes(), entry.relativePath, { mtime: entry.modifiedAt })
  archive.end()
  const pieces: Buffer[] = []
  for await (const piece of archive.outputStream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

/** Text with a byte order mark, little end first, as Windows programs call "Unicode". */
export function utf16(text: string): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
}

import { stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { contentKindOf, HEAD_BYTES, inspectFile } from '../../../src-main/reader/inspect-file.ts'
import type { ContentKind, FileStamp } from '../../../src-main/reader/messages.ts'
import { dicomFile } from '../../camera/write-dicom.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { drawnBitmaps } from './draw-bitmaps.ts'
import { drawing } from './draw-images.ts'
import { drawnZip } from './draw-zips.ts'

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')
const jpeg = await drawing().jpeg().toBuffer()
const png = await drawing().png().toBuffer()
const tiff = await drawing().tiff().toBuffer()
const bitmap = (await drawnBitmaps())[0]!.bytes
const dicom = Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')])

function withBytes(bytes: Buffer, at: number, byte: number): Buffer {
  return Buffer.from(bytes).fill(byte, at, at + 1)
}

it.each<readonly [what: string, bytes: Uint8Array, kind: ContentKind]>([
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a PNG', png, 'image/png'],
  ['a TIFF', tiff, 'image/tiff'],
  [
    'a TIFF with wide offsets, which no camera writes',
    await drawing().tiff({ bigtiff: true }).toBuffer(),
    'unknown',
  ],
  ['a TIFF of the other byte order', latin1('MM\0\u002a\0\0\0\u0008'), 'image/tiff'],
  ['a WebP', await drawing().webp().toBuffer(), 'webp'],
  ['an AVIF', await drawing(32, 32).avif().toBuffer(), 'heif'],
  ['a GIF', await drawing().gif().toBuffer(), 'gif'],
  ['a bitmap', bitmap, 'image/bmp'],
  ['a bitmap of run lengths', withBytes(bitmap, 30, 1), 'image/bmp'],
  ['a bitmap of 16 bits', withBytes(bitmap, 28, 16), 'image/bmp'],
  ['a bitmap of OS/2', withBytes(bitmap, 14, 12), 'image/bmp'],
  ['a bitmap whose depth is not written yet', withBytes(bitmap, 28, 0), 'image/bmp'],
  ['the first two letters of a bitmap', latin1('BM'), 'beginning'],
  ['the first three bytes of a ZIP', latin1('PK\u0003'), 'beginning'],
  ['a DICOM file without an extension', dicom, 'application/dicom'],
  [
    'a DICOM file that is also a TIFF',
    Buffer.concat([latin1('II*\0'), dicom.subarray(4)]),
    'application/dicom',
  ],
  ['a PDF', latin1('%PDF-1.7\n'), 'pdf'],
  ['a ZIP', latin1('PK\u0003\u0004'), 'zip'],
  ['JPEG 2000 in its box', latin1('\0\0\0\u000cjP  \r\n'), 'jpeg2000'],
  ['nothing at all', Buffer.alloc(0), 'empty'],
  ['a reserved size', Buffer.alloc(HEAD_BYTES), 'blank'],
  ['the first byte of a JPEG', Buffer.of(0xff), 'beginning'],
  ['the first seven bytes of a PNG', latin1('\u0089PNG\r\n\u001a'), 'beginning'],
  ['a note', latin1('not an image\r\n'), 'text'],
  ['a note with accents', Buffer.from('Señora, año'), 'text'],
  ['a note in UTF-16', Buffer.from('\ufeffnote', 'utf16le'), 'text'],
  ['two letters that a bitmap has, too', latin1('BMW is a car maker, says this text.'), 'text'],
  ['something else', Buffer.of(1, 2, 3, 4, 5), 'unknown'],
])('the content of %s', (_, bytes, kind) => {
  expect(contentKindOf(bytes.subarray(0, HEAD_BYTES))).toBe(kind)
})

describe('inspecting a file', async () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder()
  })

  async function write(bytes: Uint8Array): Promise<{ path: string; stamp: FileStamp }> {
    const path = join(folder, 'file')
    await writeFile(path, bytes)
    const { size, mtimeMs } = await stat(path)
    return { path, stamp: { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) } }
  }

  /** The finding is written as `kind detail`. */
  it.each<readonly [what: string, bytes: Uint8Array, finding: string]>([
    ['a JPEG', jpeg, 'whole image/jpeg'],
    ['a DICOM photograph', await dicomFile(), 'whole application/dicom'],
    ['a DICOM section', await dicomFile({ sop: 'oct' }), 'other dicomOct'],
    ['a DICOM segmentation', await dicomFile({ sop: 'segmentation' }), 'other dicomSegmentation'],
    ['a DICOM document', await dicomFile({ sop: 'pdf' }), 'other dicomReport'],
    ['a DICOMDIR', await dicomFile({ sop: 'directory' }), 'other dicomDirectory'],
    ['a DICOM visual field', await dicomFile({ sop: 'visualField' }), 'other dicomOther'],
    ['half a DICOM photograph', (await dicomFile()).subarray(0, 6_000), 'incomplete truncated'],
    ['a ZIP', await drawnZip(), 'whole zip'],
    ['half a ZIP', (await drawnZip()).subarray(0, 500), 'incomplete truncated'],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), 'incomplete truncated'],
    ['one byte of a JPEG', jpeg.subarray(0, 1), 'incomplete truncated'],
    ['a reserved size', Buffer.alloc(50_000), 'incomplete truncated'],
    ['nothing', Buffer.alloc(0), 'incomplete empty'],
    ['a JPEG without an image', Buffer.of(0xff, 0xd8, 0xff, 0xd9), 'incomplete malformed'],
    ['text', latin1('no image'), 'other text'],
    ['a PDF', latin1('%PDF-1.7'), 'other pdf'],
  ])('finds %s', async (_, bytes, finding) => {
    const { path, stamp } = await write(bytes)
    expect(Object.values(await inspectFile(path, stamp))).toEqual(finding.split(' '))
  })

  it('finds that a file is gone, or is no longer what was observed', async () => {
    const { path, stamp } = await write(jpeg)
    for (const [where, expected] of [
      [join(folder, 'other'), stamp],
      [join(path, 'below'), stamp],
      [path, { ...stamp, sizeBytes: stamp.sizeBytes + 1 }],
      [path, { ...stamp, mtimeMs: stamp.mtimeMs - 1 }],
    ] as const)
      expect(await inspectFile(where, expected)).toEqual({ kind: 'changed' })
  })

  it('finds that a file changed meanwhile', async () => {
    const { path } = await write(jpeg)
    // Padding that costs no disk and takes a while to read.
    await truncate(path, 200_000_000)
    const { size, mtimeMs } = await stat(path)
    const inspecting = inspectFile(path, { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) })
    // After the check that it is as it was observed.
    await sleep(20)
    await utimes(path, new Date(), new Date(mtimeMs + 5_000))
    expect(await inspecting).toEqual({ kind: 'changed' })
  })

  it('takes a file that cannot be opened for one that is not finished', async () => {
    // Permissions do not stop root, a ring of links does.
    const ring = join(folder, 'ring')
    await symlink(ring, ring)
    expect(await inspectFile(ring, { sizeBytes: 1, mtimeMs: 1 })).toEqual({ kind: 'incomplete', why: 'busy' })
  })
})

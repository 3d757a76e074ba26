import { mkdtemp, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inspectFile, type FileStamp } from '../../../../src-main/station/intake/inspect-file.ts'
import { dicomFile } from '../../../camera/write-dicom.ts'
import { drawnBitmaps } from './draw-bitmaps.ts'
import { drawing } from './draw-images.ts'
import { drawnZip } from './draw-zips.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'inspect-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function write(bytes: Uint8Array): Promise<{ path: string; look: FileStamp }> {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  const { size, mtimeMs } = await stat(path)
  return { path, look: { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) } }
}

describe('opening a file', async () => {
  const jpeg = await drawing().jpeg().toBuffer()

  const table: readonly (readonly [what: string, bytes: Uint8Array, found: unknown])[] = [
    ['a JPEG', jpeg, { kind: 'whole', content: 'image/jpeg' }],
    ['a PNG', await drawing().png().toBuffer(), { kind: 'whole', content: 'image/png' }],
    ['a TIFF', await drawing().tiff().toBuffer(), { kind: 'whole', content: 'image/tiff' }],
    ['a BMP', (await drawnBitmaps())[0]!.bytes, { kind: 'whole', content: 'image/bmp' }],
    ['a DICOM photograph', await dicomFile(), { kind: 'whole', content: 'application/dicom' }],
    ['a DICOM section', await dicomFile({ sop: 'oct' }), { kind: 'other', content: 'dicomOct' }],
    [
      'a DICOM segmentation',
      await dicomFile({ sop: 'segmentation' }),
      { kind: 'other', content: 'dicomSegmentation' },
    ],
    ['a DICOM document', await dicomFile({ sop: 'pdf' }), { kind: 'other', content: 'dicomReport' }],
    ['a DICOMDIR', await dicomFile({ sop: 'directory' }), { kind: 'other', content: 'dicomDirectory' }],
    [
      'a DICOM visual field',
      await dicomFile({ sop: 'visualField' }),
      { kind: 'other', content: 'dicomOther' },
    ],
    [
      'half a DICOM photograph',
      (await dicomFile()).subarray(0, 6_000),
      { kind: 'incomplete', why: 'truncated' },
    ],
    ['a ZIP', await drawnZip(), { kind: 'whole', content: 'zip' }],
    ['half a ZIP', (await drawnZip()).subarray(0, 500), { kind: 'incomplete', why: 'truncated' }],
    ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), { kind: 'incomplete', why: 'truncated' }],
    ['one byte of a JPEG', jpeg.subarray(0, 1), { kind: 'incomplete', why: 'truncated' }],
    ['a reserved size', Buffer.alloc(50_000), { kind: 'incomplete', why: 'truncated' }],
    ['nothing', Buffer.alloc(0), { kind: 'incomplete', why: 'empty' }],
    [
      'a JPEG without an image',
      Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
      { kind: 'incomplete', why: 'malformed' },
    ],
    ['text', Buffer.from('no image'), { kind: 'other', content: 'text' }],
    ['a PDF', Buffer.from('%PDF-1.7'), { kind: 'other', content: 'pdf' }],
  ]
  it.each(table)('tells %s', async (_, bytes, found) => {
    const { path, look } = await write(bytes)
    expect(await inspectFile(path, look)).toEqual(found)
  })

  it('tells that a file is gone, or is no longer what was looked at', async () => {
    const { path, look } = await write(jpeg)
    expect(await inspectFile(join(folder, 'other'), look)).toEqual({ kind: 'changed' })
    expect(await inspectFile(join(path, 'below'), look)).toEqual({ kind: 'changed' })
    expect(await inspectFile(path, { ...look, sizeBytes: look.sizeBytes + 1 })).toEqual({ kind: 'changed' })
    expect(await inspectFile(path, { ...look, mtimeMs: look.mtimeMs - 1 })).toEqual({ kind: 'changed' })
  })

  it('tells that a file changed while it was looked at', async () => {
    const { path } = await write(jpeg)
    // Padding that costs no disk and takes a while to read.
    await truncate(path, 400_000_000)
    const { size, mtimeMs } = await stat(path)
    const inspecting = inspectFile(path, { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await utimes(path, new Date(), new Date(mtimeMs + 5_000))
    expect(await inspecting).toEqual({ kind: 'changed' })
  })

  it('takes a file that cannot be opened for one that is not finished', async () => {
    // Rights do not stop an administrator, a ring of links stops everybody.
    const ring = join(folder, 'ring')
    await symlink(ring, ring)
    expect(await inspectFile(ring, { sizeBytes: 1, mtimeMs: 1 })).toEqual({ kind: 'incomplete', why: 'busy' })
  })
})

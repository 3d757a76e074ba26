import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { inspectFile } from '../../../src-main/reader/inspect-file.ts'
import { expandZip } from '../../../src-main/reader/formats/zip.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { drawing } from './draw-images.ts'
import { drawnZip, NIGHT, renamed, restated, zipOf } from './draw-zips.ts'

let root: string
let targetFolder: string
beforeEach(async () => {
  root = temporaryFolder()
  targetFolder = join(root, 'target')
  await mkdir(targetFolder)
})

const isJunk = (name: string): boolean => name === 'Thumbs.db'

type Seen = { readonly name: string | null; readonly content: string }

/** Everything that comes out, in order; of what is refused the sentence. */
async function expanded(zip: Uint8Array): Promise<readonly Seen[]> {
  const path = join(root, 'archive.zip')
  await writeFile(path, zip)
  const seen: Seen[] = []
  for await (const entry of expandZip(path, targetFolder, isJunk)) {
    if (entry.kind === 'refused') seen.push({ name: entry.name, content: entry.message })
    else {
      expect(relative(targetFolder, entry.path)).toMatch(/^[^/\\]+$/)
      const bytes = await readFile(entry.path)
      expect(bytes.length).toBe(entry.sizeBytes)
      seen.push({ name: entry.name, content: bytes.toString('latin1') })
    }
  }
  expect(await readdir(targetFolder)).toEqual([])
  return seen
}

const [one, two] = [Buffer.from('one'), Buffer.from('two')]
const good: Seen = { name: 'good.jpg', content: 'two' }
/** An archive of this entry and of a good one. */
const withGood = (name: string): Promise<Buffer> =>
  zipOf([
    { name, bytes: one, options: { compress: false } },
    { name: 'good.jpg', bytes: two },
  ])
/** Writes other bytes as the name of the first entry, which has `x` for each of them. */
const withName = async (zipNamed: (placeholder: string) => Promise<Buffer>, raw: string | Buffer) => {
  const placeholder = 'x'.repeat(Buffer.from(raw as string).length)
  return renamed(await zipNamed(placeholder), placeholder, raw)
}
const alone = (name: string): Promise<Buffer> => zipOf([{ name, bytes: one }])
const refused = (name: string | null, part: string): Seen => ({
  name,
  content: expect.stringContaining(part) as string,
})
/** Changes what the directory states of the first entry. */
const stating =
  (change: (entry: Buffer) => void) =>
  (zip: Buffer): Buffer =>
    restated(zip, 0, change)

describe('an archive', () => {
  it('gives its files in order, with their folders, sizes and times, ready to be inspected', async () => {
    const path = join(root, 'archive.zip')
    await writeFile(path, await drawnZip())
    const seen: unknown[] = []
    for await (const entry of expandZip(path, targetFolder, isJunk)) {
      if (entry.kind !== 'file') throw new Error(entry.message)
      expect(entry.mtimeMs).toBe(NIGHT.getTime())
      seen.push([entry.name, await inspectFile(entry.path, entry)])
      expect(await readdir(targetFolder)).toHaveLength(1)
    }
    expect(seen).toEqual([
      ['Ana_Prueba_10000001_14-02-2025/FOP/3.00.05.120_PM.jpg', { kind: 'whole', content: 'image/jpeg' }],
      ['Ana_Prueba_10000001_14-02-2025/FOP/3.00.31.001_PM.jpg', { kind: 'whole', content: 'image/jpeg' }],
      ['Ana_Prueba_10000001_14-02-2025/REPORTS/3.02.11.001_PM.pdf', { kind: 'other', content: 'pdf' }],
    ])
    expect(await readdir(targetFolder)).toEqual([])
  })

  it('leaves nothing behind when the rest is not wanted', async () => {
    const path = join(root, 'archive.zip')
    await writeFile(path, await drawnZip())
    for await (const entry of expandZip(path, targetFolder, isJunk)) {
      expect(entry.kind).toBe('file')
      break
    }
    expect(await readdir(targetFolder)).toEqual([])
  })

  it('of wide numbers is read too', async () => {
    const zip = await zipOf([{ name: 'good.jpg', bytes: two, options: { forceZip64Format: true } }])
    expect(await expanded(zip)).toEqual([good])
  })

  it('of nothing gives nothing', async () => {
    expect(await expanded(await zipOf([]))).toEqual([])
  })

  it('that is missing, or has no folder to be expanded into, is an error of the disk', async () => {
    await writeFile(join(root, 'archive.zip'), await alone('a.jpg'))
    for (const [archive, folder] of [
      ['nothing.zip', 'target'],
      ['archive.zip', 'nothing'],
    ] as const) {
      const entries = expandZip(join(root, archive), join(root, folder), isJunk)
      await expect(entries.next()).rejects.toMatchObject({ code: 'ENOENT' })
    }
  })
})

describe('names', () => {
  it.each<readonly [what: string, raw: string | Buffer, name: string]>([
    ['in the code page of old computers', Buffer.from('se\u00a4ora.jpeg.', 'latin1'), 'señora.jpeg.'],
    ['in UTF-8 without notice', Buffer.from('niño.jpg....'), 'niño.jpg....'],
    ['with backslashes', 'a\\b\\good.jpg', 'a/b/good.jpg'],
  ])('%s are read', async (_, raw, name) => {
    // Bit 11 says UTF-8; yazl always sets it.
    const zip = stating((entry) => entry.writeUInt16LE(entry.readUInt16LE(8) & ~0x800, 8))(
      await withName(alone, raw),
    )
    expect(await expanded(zip)).toEqual([{ name, content: 'one' }])
  })

  it.each([
    '__MACOSX/._a.jpg',
    'folder/._a.jpg',
    'folder/Thumbs.db',
    '.hidden/a.jpg',
    'x/#snapshot/a.jpg',
    'Recycled/v/a.jpg',
  ])('%s is skipped in silence', async (name) => {
    expect(await expanded(await withGood(name))).toEqual([good])
  })

  it.each(['../aaaa.jpg', '/aaaaaa.jpg', 'C:/aaaa.jpg', 'a/../../b.x', '..\\aaaa.jpg', '\\\\srv\\a.jpg'])(
    '%s leads out and is refused, and the others hold',
    async (name) => {
      expect(await expanded(await withName(withGood, name))).toEqual([refused(null, 'leads out'), good])
      expect(await readdir(root)).toEqual(['archive.zip', 'target'])
    },
  )

  it.each(['aa\u0000aa.jpg', 'aa\u0007aa.jpg', 'aa//aaa.jpg', './aaaaa.jpg'])(
    '%j is refused',
    async (name) => {
      expect(await expanded(await withName(alone, name))).toEqual([refused(null, 'Invalid name')])
    },
  )

  it.each([
    ['that differ by case only', 'GOOD.JPG'],
    ['that come twice', 'good.jpg'],
    ['that differ by case in their extension', 'good.JPG'],
  ])('%s are of two files', async (_what, name) => {
    const zip = await zipOf([
      { name: 'good.jpg', bytes: two },
      { name, bytes: one },
    ])
    expect(await expanded(zip)).toEqual([good, { name, content: 'one' }])
  })
})

describe('a file in an archive', () => {
  it.each<readonly [what: string, why: string, spoil: (zip: Buffer) => Buffer]>([
    ['with a password', 'password', stating((entry) => entry.writeUInt16LE(0x801, 8))],
    ['packed otherwise', 'compression', stating((entry) => entry.writeUInt16LE(14, 10))],
    ['that is a link', 'link', stating((entry) => entry.writeUInt32LE(0xa1ff_0000, 38))],
    ['with another checksum', 'Damaged', stating((entry) => entry.writeUInt32LE(1, 16))],
    ['longer than it says', 'Damaged', stating((entry) => entry.writeUInt32LE(2, 24))],
    ['shorter than it says', 'Damaged', stating((entry) => entry.writeUInt32LE(9, 24))],
    ['that says to be giant', 'Larger than 512 MB', stating((entry) => entry.writeUInt32LE(0x3000_0000, 24))],
    ['that says to grow', 'many times', stating((entry) => entry.writeUInt32LE(0x1000_0000, 24))],
  ])('%s is refused, and the others hold', async (_, why, spoil) => {
    expect(await expanded(spoil(await withGood('spoiled.jpg')))).toEqual([
      { name: 'spoiled.jpg', content: expect.stringMatching(new RegExp(`${why}.*\\. .+\\.$`)) },
      good,
    ])
  })

  it('that unpacks to more than it says is stopped there', async () => {
    const bomb = await zipOf([{ name: 'bomb.bmp', bytes: Buffer.alloc(90_000_000) }])
    const zip = stating((entry) => entry.writeUInt32LE(1_000, 24))(bomb)
    let mostBytes = 0
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        for (const name of await readdir(targetFolder)) {
          const found = await stat(join(targetFolder, name)).catch(() => null)
          mostBytes = Math.max(mostBytes, found?.size ?? 0)
        }
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    const seen = await expanded(zip)
    over.abort()
    await watching
    expect(seen).toEqual([refused('bomb.bmp', 'Damaged')])
    expect(mostBytes).toBeLessThanOrEqual(1_000)
  }, 60_000)

  it('that is black by right may grow a thousandfold', async () => {
    const black = Buffer.alloc(36_000_000)
    const [entry] = await expanded(await zipOf([{ name: 'black.bmp', bytes: black }]))
    expect(entry?.content.length).toBe(black.length)
  })

  it('that is an archive is given as it is', async () => {
    const inner = await alone('a.jpg')
    expect(await expanded(await zipOf([{ name: 'inner.zip', bytes: inner }]))).toEqual([
      { name: 'inner.zip', content: inner.toString('latin1') },
    ])
  })
})

describe('an archive as a whole is refused', () => {
  it('of more files than will be taken', async () => {
    const zip = await withGood('a.jpg')
    // As the record at its end says.
    zip.writeUInt16LE(10_001, zip.lastIndexOf('PK\u0005\u0006', undefined, 'latin1') + 10)
    expect(await expanded(zip)).toEqual([refused(null, 'More than 10,000 files')])
  })

  it('that grows to more than will be taken', async () => {
    let zip = await zipOf(Array.from({ length: 9 }, (_, index) => ({ name: `${index}.jpg`, bytes: one })))
    for (let nth = 0; nth < 9; nth += 1)
      zip = restated(zip, nth, (entry) => entry.writeUInt32LE(500 * 1_024 * 1_024, 24))
    expect(await expanded(zip)).toEqual([refused(null, '4 GB')])
  })

  it('whose files lie over one another', async () => {
    const image = await drawing(80, 60).jpeg().toBuffer()
    const packed = Array.from({ length: 20 }, (_, index) => ({
      name: `${index + 10}.jpg`,
      bytes: image,
      options: { compress: false },
    }))
    const zip = await zipOf(packed)
    // Every line of the directory points to the first file, and the others are cut out.
    const oneFileBytes = zip.indexOf('PK\u0003\u0004', 4, 'latin1')
    const directoryAt = zip.indexOf('PK\u0001\u0002', 0, 'latin1')
    let folded: Buffer = Buffer.concat([zip.subarray(0, oneFileBytes), zip.subarray(directoryAt)])
    for (let nth = 0; nth < packed.length; nth += 1)
      folded = restated(folded, nth, (entry) => entry.writeUInt32LE(0, 42))
    folded.writeUInt32LE(oneFileBytes, folded.length - 6)
    expect(await expanded(folded)).toEqual([refused(null, 'overlap')])
  })

  it.each([
    ['text', Buffer.from('no archive')],
    ['nothing', Buffer.alloc(0)],
    ['half of one', null],
  ])('that is %s', async (_, bytes) => {
    const zip = bytes ?? (await withGood('a.jpg')).subarray(0, 100)
    expect(await expanded(zip)).toEqual([refused(null, 'cannot be opened')])
  })
})

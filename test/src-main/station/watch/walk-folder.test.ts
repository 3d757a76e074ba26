import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listFiles } from '../../../../src-main/station/watch/list-folder.ts'
import { inSlices, readEntry, type WalkedEntry, walkFolder } from '../../../../src-main/station/watch/walk.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'walk-'))
})
afterEach(() => rm(root, { recursive: true }))

async function write(...paths: string[]): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), 'x')
  }
}

const walked = (start?: string): string[] =>
  [...walkFolder(root, start)].map(({ kind, relativePath }) => `${kind} ${relativePath}`).toSorted()

describe('a walk', () => {
  it('comes by every file and folder once, with the path from the watched folder on', async () => {
    await write('a.jpg', 'v/b.jpg', 'v/OD/c.jpg')
    expect(walked()).toEqual(['file a.jpg', 'file v/OD/c.jpg', 'file v/b.jpg', 'folder v', 'folder v/OD'])
    expect(walked('v')).toEqual(['file v/OD/c.jpg', 'file v/b.jpg', 'folder v/OD'])
  })

  it('tells apart names that differ by case or Unicode form only', async () => {
    const names = ['IMG.JPG', 'img.jpg', 'año'.normalize('NFC'), 'año'.normalize('NFD')]
    await write(...names)
    const found = [...walkFolder(root)].map(({ relativePath }) => relativePath)
    // A file system that takes them for one has one.
    expect(new Set(found).size).toBe(found.length)
    expect(found.every((name) => names.includes(name))).toBe(true)
  })

  it('follows no link, neither to a file nor around in a ring', async () => {
    await write('v/a.jpg')
    await symlink(root, join(root, 'v', 'ring'))
    await symlink(join(root, 'v', 'a.jpg'), join(root, 'same.jpg'))
    expect(walked()).toEqual(['file v/a.jpg', 'folder v', 'link same.jpg', 'link v/ring'])
  })

  it.skipIf(process.platform === 'win32')('passes by what is neither file nor folder', async () => {
    const server = createServer().listen(join(root, 'socket'))
    await once(server, 'listening')
    expect(walked()).toEqual([])
    expect(readEntry(root, 'socket')).toBeNull()
    server.close()
  })

  it.runIf(process.platform === 'linux')('names a file whose name is no text', async () => {
    await writeFile(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff, 0x62])]), 'x')
    expect(walked()).toEqual(['unnameable a\ufffdb'])
  })

  it('throws where its beginning cannot be opened', () => {
    expect(() => walked('none')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })

  it('ends between two slices when it is told to, and frees its thread after each', async () => {
    const endless = function* (): Generator<WalkedEntry> {
      for (;;) yield { kind: 'folder', relativePath: 'x', mtimeMs: 0 }
    }
    let slices = 0
    let isOtherServed = false
    setImmediate(() => {
      isOtherServed = true
    })
    for await (const _ of inSlices(endless(), () => slices === 3)) slices += 1
    expect([slices, isOtherServed]).toEqual([3, true])
  })

  it('looks at one path as it would come by it', async () => {
    await write('v/a.jpg')
    expect(readEntry(root, 'v/a.jpg')).toEqual([...walkFolder(root)].find(({ kind }) => kind === 'file'))
    expect(readEntry(root, 'v')).toMatchObject({ kind: 'folder', relativePath: 'v' })
    expect(readEntry(root, 'v/a.jpg/below')).toBeNull()
    expect(readEntry(root, 'x'.repeat(5_000))).toBeNull()
  })
})

describe('the list of a folder', () => {
  it('has every file, marked as a settled file would be', async () => {
    await write('a.jpg', 'v/r.pdf', '.hidden')
    const files = []
    for await (const file of listFiles(root)) files.push(file)
    expect(files.map(({ relativePath }) => relativePath).toSorted()).toEqual(['a.jpg', 'v/r.pdf'])
    expect(files[0]).toEqual({
      folderPath: root,
      relativePath: expect.any(String),
      sizeBytes: 1,
      mtimeMs: expect.any(Number),
    })
    expect(Number.isInteger(files[0]!.mtimeMs)).toBe(true)
  })

  it('is refused where the folder is away', async () => {
    const list = async (): Promise<void> => {
      for await (const file of listFiles(join(root, 'none'))) expect(file).toBeUndefined()
    }
    await expect(list()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

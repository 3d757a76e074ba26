import { createHash } from 'node:crypto'
import { closeSync, openSync, utimesSync, writeSync } from 'node:fs'
import {
  appendFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { SpoolResult, FileStamp } from '../../../src-main/reader/messages.ts'
import { clearIncoming, hashSource, spoolFile } from '../../../src-main/reader/copy.ts'
import { reads } from '../../../src-main/station/lib/files.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

let root: string
let sourcePath: string
let spoolFolder: string
// Larger than a chunk, and no multiple of one.
const bytes = Buffer.alloc(700_001, 'fundus ')
const sha256 = createHash('sha256').update(bytes).digest('hex')
const spoolName = `${sha256.slice(0, 2)}/${sha256}`

beforeEach(async () => {
  root = temporaryFolder()
  sourcePath = join(root, 'H-00017_OD.jpg')
  spoolFolder = join(root, 'spool')
  await writeFile(sourcePath, bytes)
})

async function stampOf(path: string): Promise<FileStamp> {
  const { size, mtimeMs } = await stat(path)
  return { sizeBytes: size, mtimeMs: Math.floor(mtimeMs) }
}

async function spool(expected?: FileStamp): Promise<SpoolResult> {
  return spoolFile({ sourcePath, spoolFolder, expected: expected ?? (await stampOf(sourcePath)) })
}

async function filesInSpool(): Promise<string[]> {
  const found = await readdir(spoolFolder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}

describe('a spooled file', () => {
  it('is a copy under the name of its hash, byte for byte', async () => {
    expect(await spool()).toEqual({ ok: true, sha256, sizeBytes: bytes.length, spoolName })
    expect(bytes.equals(await readFile(join(spoolFolder, spoolName)))).toBe(true)
    expect(await filesInSpool()).toEqual([sha256])
  })

  it('stays as it is when the camera writes into its own file', async () => {
    await spool()
    await writeFile(sourcePath, 'something else')
    expect(await hashSource(join(spoolFolder, spoolName))).toBe(sha256)
    expect((await stat(join(spoolFolder, spoolName))).nlink).toBe(1)
  })

  it('is one file however often and under whatever name it comes', async () => {
    await spool()
    const first = await stat(join(spoolFolder, spoolName))
    const other = join(root, 'other.jpg')
    await writeFile(other, bytes)
    const again = await spoolFile({ sourcePath: other, spoolFolder, expected: await stampOf(other) })
    expect(again).toMatchObject({ ok: true, spoolName })
    expect(await filesInSpool()).toEqual([sha256])
    expect((await stat(join(spoolFolder, spoolName))).ino).toBe(first.ino)
  })

  it('is mended if an earlier copy is not what its name says', async () => {
    await spool()
    await writeFile(join(spoolFolder, spoolName), 'damaged in a power cut')
    expect(await spool()).toMatchObject({ ok: true, spoolName })
    expect(await hashSource(join(spoolFolder, spoolName))).toBe(sha256)
  })

  it('can be made many times at once', async () => {
    const spooled = await Promise.all(Array.from({ length: 8 }, () => spool()))
    expect(spooled.every(({ ok }) => ok)).toBe(true)
    expect(await filesInSpool()).toEqual([sha256])
  })

  it('is taken whatever fraction of a millisecond it was changed at', async () => {
    const refused: number[] = []
    for (let milliseconds = 0; milliseconds < 60; milliseconds += 1) {
      await writeFile(sourcePath, 'x')
      // Times set as fractions of a second lie a few nanoseconds beside the millisecond that was meant.
      await utimes(sourcePath, 1_795_239_698, 1_795_239_698 + milliseconds / 1_000)
      if (!(await spool()).ok) refused.push(milliseconds)
    }
    expect(refused).toEqual([])
  })

  it('of no bytes is a copy, too', async () => {
    await writeFile(sourcePath, '')
    expect(await spool()).toMatchObject({ ok: true, sizeBytes: 0 })
  })
})

describe('nothing is spooled, and nothing left behind,', () => {
  async function expectNothing(spooled: SpoolResult, why: string): Promise<void> {
    expect(spooled).toMatchObject({ ok: false, why, message: expect.stringMatching(/will retry/) })
    await mkdir(spoolFolder, { recursive: true })
    expect(await filesInSpool()).toEqual([])
  }

  it('when the source is not as it had settled', async () => {
    const stamp = await stampOf(sourcePath)
    await expectNothing(await spool({ ...stamp, sizeBytes: 5 }), 'changed')
    await utimes(sourcePath, new Date(), new Date(stamp.mtimeMs + 5_000))
    await expectNothing(await spool(stamp), 'changed')
  })

  const meddlings: readonly (readonly [what: string, meddle: (path: string) => Promise<void>])[] = [
    ['written further', (path) => appendFile(path, 'more')],
    ['written in place', (path) => utimes(path, new Date(), new Date(Date.now() + 5_000))],
    ['replaced by another', (path) => rename(join(root, 'another'), path)],
  ]
  it.each(meddlings)('when the source is %s while it is copied', async (_, meddle) => {
    // Costs no disk, and takes a while to copy.
    await truncate(sourcePath, 150_000_000)
    const { atime, mtime } = await stat(sourcePath)
    await writeFile(join(root, 'another'), bytes)
    await truncate(join(root, 'another'), 150_000_000)
    for (const path of [sourcePath, join(root, 'another')]) await utimes(path, atime, mtime)
    const spooling = spool()
    // As soon as the copy has begun.
    const incoming = join(spoolFolder, 'incoming')
    const oneLies = async (): Promise<void> => expect(await readdir(incoming)).toHaveLength(1)
    await vi.waitFor(oneLies, { interval: 2, timeout: 10_000 })
    await meddle(sourcePath)
    await expectNothing(await spooling, 'changed')
  })

  it.each([
    ['with the next patient', 'other', { ok: false, why: 'changed' }],
    ['with its own bytes, or touched by a backup', 'fundus ', { ok: true }],
  ])(
    'when the source is written over %s while it is read, under its size and time',
    async (_, fill, outcome) => {
      const large = Buffer.alloc(48_000_000, 'fundus ')
      await writeFile(sourcePath, large)
      await utimes(sourcePath, 946_684_800, 946_684_800)
      const spooling = spool()
      const hasBegun = async (): Promise<boolean> => {
        const [copy] = await readdir(join(spoolFolder, 'incoming')).catch(() => [])
        return copy !== undefined && (await stat(join(spoolFolder, 'incoming', copy))).size > 0
      }
      while (!(await hasBegun().catch(() => false))) await new Promise((resolve) => setImmediate(resolve))
      const target = openSync(sourcePath, 'r+')
      writeSync(target, large.fill(fill))
      closeSync(target)
      utimesSync(sourcePath, 946_684_800, 946_684_800)
      expect(await spooling).toMatchObject(outcome)
    },
  )

  it('when the source is gone, or is a folder', async () => {
    const stamp = await stampOf(sourcePath)
    await rm(sourcePath)
    await expectNothing(await spool(stamp), 'changed')
    await mkdir(sourcePath)
    await expectNothing(await spool(await stampOf(sourcePath)), 'changed')
  })

  it('when the spool cannot be written', async () => {
    await writeFile(spoolFolder, 'a file in place of the spool')
    const spooled = await spool()
    expect(spooled).toMatchObject({ ok: false, why: 'storage' })
  })
})

describe('around the spool', () => {
  it('half-made copies of an earlier run are cleared away, finished ones stay', async () => {
    await spool()
    await writeFile(join(spoolFolder, 'incoming', 'left-over.tmp'), 'half')
    await clearIncoming(spoolFolder)
    expect(await filesInSpool()).toEqual([sha256])
  })

  it('a hash says whether a file is there and can be read', async () => {
    expect(await hashSource(sourcePath)).toBe(sha256)
    expect(await hashSource(join(root, 'none'))).toBeNull()
    expect(await hashSource(root)).toBeNull()
    await link(sourcePath, join(root, 'linked'))
    expect(await hashSource(join(root, 'linked'))).toBe(sha256)
  })
})

it('while a copy waits for our own disk, its share is not waited for', async () => {
  const handle = await open(sourcePath)
  const prototype = Object.getPrototypeOf(handle) as { sync: () => Promise<void> }
  await handle.close()
  const waited: number[] = []
  const { sync } = prototype
  const spied = vi.spyOn(prototype, 'sync').mockImplementation(function flush(this: typeof prototype) {
    waited.push(reads.own)
    return sync.call(this)
  })
  onTestFinished(() => spied.mockRestore())
  expect(await spool()).toMatchObject({ ok: true })
  expect([waited.length > 0, waited.every((own) => own === 1), reads.own]).toEqual([true, true, 0])
})

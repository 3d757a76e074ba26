import { type FileHandle, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HeldFiles, openedBy } from '../../../src-main/reader/foreign-files.ts'
import { dicomFile } from '../../camera/write-dicom.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

let folder: string
let path: string
let held: HeldFiles

beforeEach(async () => {
  folder = temporaryFolder()
  path = join(folder, 'one.bin')
  await writeFile(path, 'first')
  held = new HeldFiles()
})
afterEach(() => vi.useRealTimers())

/** How often a file is open in this process, by the system's own table. */
const openings = (of = path): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(of)
    } catch {
      return false
    }
  }).length

async function textOf(): Promise<string> {
  const file = await held.open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(20), 0, 20, 0)
  await file.close()
  return buffer.subarray(0, bytesRead).toString()
}

const onLinux = it.skipIf(process.platform !== 'linux')

onLinux('a file stays open until it is released, and is opened once', async () => {
  await textOf()
  await textOf()
  expect(openings()).toBe(1)
  held.release(path)
  await vi.waitFor(() => expect(openings()).toBe(0))
})

onLinux('one that is released while it is read is closed after that', async () => {
  const file = await held.open(path)
  held.release(path)
  expect((await file.stat()).size).toBe(5)
  await file.close()
  expect(openings()).toBe(0)
})

onLinux('no one asks for it: it is closed after half a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await textOf()
  vi.advanceTimersByTime(30_000)
  vi.useRealTimers()
  await vi.waitFor(() => expect(openings()).toBe(0))
})

onLinux('only a few are held', async () => {
  for (let number = 0; number < 40; number += 1) {
    const one = join(folder, `${number}.bin`)
    await writeFile(one, 'x')
    const file = await held.open(one)
    await file.close()
  }
  expect(openings(folder)).toBe(16)
})

it('what was put there instead is read, and not what is still open', async () => {
  expect(await textOf()).toBe('first')
  const other = join(folder, 'other')
  await writeFile(other, 'other')
  await utimes(other, new Date(0), new Date(0))
  await rename(other, path)
  expect(await textOf()).toBe('other')
})

it('what was written over is opened again', async () => {
  expect(await textOf()).toBe('first')
  await writeFile(path, 'second')
  expect(await textOf()).toBe('second')
})

onLinux('a file that cannot be read is opened again', async () => {
  const file = await held.open(path)
  // A position that no file has.
  await expect((file as FileHandle).read(Buffer.alloc(1), 0, 1, -2)).rejects.toThrow('position')
  await file.close()
  expect(openings()).toBe(0)
})

onLinux('content that is not taken is not held open', async () => {
  const { size: sizeBytes, mtimeMs } = await stat(path)
  const stamp = { sizeBytes, mtimeMs: Math.floor(mtimeMs) }
  expect((await openedBy(held).inspect(path, stamp)).kind).toBe('other')
  await vi.waitFor(() => expect(openings()).toBe(0))
})

onLinux('a file whose elements were read is not held open', async () => {
  await writeFile(path, await dicomFile({ laterality: 'R' }))
  const { size: sizeBytes, mtimeMs } = await stat(path)
  const stamp = { sizeBytes, mtimeMs: Math.floor(mtimeMs) }
  expect((await openedBy(held).inspect(path, stamp)).kind).toBe('whole')
  expect(openings()).toBe(1)
  expect((await openedBy(held).elementsOf(path)).lateralities).toEqual(['R'])
  await vi.waitFor(() => expect(openings()).toBe(0))
})

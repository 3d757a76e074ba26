import { readdirSync, readlinkSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as settle } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { fileStream } from '../../../src-main/electron/app-protocol.ts'
import { temporaryFolder } from './temporary-folder.ts'

const BYTES = Buffer.alloc(700_000, 'an image ')

async function image(): Promise<string> {
  const path = join(await temporaryFolder(), 'image.jpg')
  await writeFile(path, BYTES)
  return path
}

/** Files of this process that are open; only Linux lists them. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').map((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`)
    } catch {
      // The listing itself, closed by now.
      return ''
    }
  })
}

describe('the bytes of a file', () => {
  it('are all of them, in their order', async () => {
    const read = Buffer.from(await new Response(fileStream(await image())).arrayBuffer())
    expect(read.equals(BYTES)).toBe(true)
    const empty = join(await temporaryFolder(), 'empty')
    await writeFile(empty, '')
    expect(await new Response(fileStream(empty)).text()).toBe('')
  })

  it('of a file that is gone fail the reading', async () => {
    const path = await image()
    const stream = fileStream(path)
    await rm(path)
    await expect(stream.getReader().read()).rejects.toThrow('ENOENT')
  })

  // A fault that nobody catches fails the whole run of the tests.
  it('may be dropped at any moment, by hundreds, and no file stays open (which ones are open, only Linux says)', async () => {
    const path = await image()
    const drop = async (count: number): Promise<void> => {
      const reader = fileStream(path).getReader()
      const reading: Promise<unknown>[] = []
      for (let piece = 0; piece < count % 5; piece += 1) reading.push(reader.read().catch(() => null))
      for (let turn = 0; turn < count % 7; turn += 1) await settle()
      await reader.cancel()
      await Promise.all(reading)
    }
    await Promise.all(Array.from({ length: 400 }, (_none, count) => drop(count)))
    fileStream(path)
    await settle()
    if (process.platform === 'linux') expect(openFiles()).not.toContain(path)
  })
})

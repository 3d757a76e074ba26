import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exportFiles, shuffled } from './export-files.ts'
import { layoutVisit } from './layouts/layout.ts'
import { subjectFolder } from './layouts/subject-folder.ts'
import { writeAsCamera, type Way } from './write-as-camera.ts'

const PIECES = { chunkBytes: 400, pauseMs: 20 }
const BYTES = Buffer.from(Array.from({ length: 2_000 }, (_, at) => 1 + (at % 250)))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'camera-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Waits until a watcher sees a file as it is only on the way: its name, how many bytes, how many of them zero. */
async function waitForLook(look: RegExp): Promise<void> {
  const isSeen = async (): Promise<boolean> => {
    for (const name of await readdir(folder)) {
      const bytes = await readFile(join(folder, name)).catch(() => null)
      if (bytes && look.test(`${name} ${bytes.length} ${bytes.filter((byte) => byte === 0).length}`))
        return true
    }
    return false
  }
  await expect.poll(isSeen, { interval: 1 }).toBe(true)
}

describe('a camera writes', () => {
  it.each<[string, Way, RegExp]>([
    ['slowly', PIECES, /^a\.jpg (400|800|1200|1600) 0$/],
    ['into a reserved place', { kind: 'reserved', ...PIECES }, /^a\.jpg 2000 (1600|1200|800|400)$/],
    ['with a break', { kind: 'interrupted', ...PIECES }, /^a\.jpg 1000 0$/],
    ['under a temporary name', { kind: 'temporaryName', ...PIECES }, /^a\.jpg\.tmp (400|800|1200|1600) 0$/],
    ['slowly in few pieces', { ...PIECES, mostPieces: 2 }, /^a\.jpg 1000 0$/],
    ['over itself', { kind: 'inPlace', ...PIECES }, /^a\.jpg 2000 0$/],
  ])('%s, and in the end all of it', async (_, way, seenOnTheWay) => {
    const modifiedAt = new Date(2026, 5, 2, 12, 18, 2)
    const path = join(folder, 'a.jpg')
    const written = writeAsCamera(path, BYTES, way, modifiedAt)
    await waitForLook(seenOnTheWay)
    await written
    expect(await readdir(folder)).toEqual(['a.jpg'])
    expect((await readFile(path)).equals(BYTES)).toBe(true)
    expect((await stat(path)).mtime).toEqual(modifiedAt)
  })
})

describe('the export of a layout', () => {
  it('has every file with its bytes, in whatever order and ways', async () => {
    const files = subjectFolder([layoutVisit({ number: 5 })])
    await exportFiles(folder, files, {
      order: { seed: 3 },
      ways: [{ chunkBytes: 9_000, pauseMs: 1 }, 'at once'],
      atOnce: 2,
    })
    for (const file of files)
      expect((await readFile(join(folder, file.relativePath))).equals(await file.bytes())).toBe(true)
    const written = await readdir(folder, { recursive: true, withFileTypes: true })
    expect(written.filter((entry) => entry.isFile())).toHaveLength(files.length)
  })

  it('is mixed by its seed, and loses nothing', () => {
    const values = [1, 2, 3, 4, 5, 6, 7]
    expect(shuffled(values, 4)).toEqual(shuffled(values, 4))
    expect(shuffled(values, 4)).not.toEqual(values)
    expect(shuffled(values, 4).toSorted((one, other) => one - other)).toEqual(values)
  })
})

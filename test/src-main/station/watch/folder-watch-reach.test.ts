import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { FolderWatchOptions } from '../../../../src-main/station/watch/folder-watch.ts'
import { drawing } from '../intake/draw-images.ts'
import { deafHints, SETTLE_MS, SWEEP_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const half = jpeg.subarray(0, jpeg.length / 2)
/** A folder that is away is looked for at least so often. */
const LOOK_FOR_FOLDER_MS = 15_000

let folder: WatchedTestFolder
afterEach(() => folder.close())

async function watching(
  files: Record<string, Uint8Array | string>,
  options?: Partial<FolderWatchOptions>,
): Promise<void> {
  folder = await watchFolder(files, options)
}

const sweep = async (): Promise<void> => {
  folder.watch.sweep()
  await folder.clock.settle()
}

describe('a folder', () => {
  const away = (): Promise<void> => rename(folder.path, `${folder.path}-away`)
  const back = (): Promise<void> => rename(`${folder.path}-away`, folder.path)
  const NOT_THERE =
    'unreachable: The folder is not there. Check that the drive or the network share is connected.'

  it('that is away is told once, and what came meanwhile when it is back, without a word about the rest', async () => {
    await watching({ 'a.jpg': jpeg, 'b.jpg': half })
    await folder.clock.turn(SETTLE_MS)
    folder.watch.acknowledge(folder.settledFile('a.jpg'))
    folder.told()
    await away()
    await folder.clock.turn(5 * SWEEP_MS)
    expect(folder.told()).toEqual([NOT_THERE])
    await back()
    await folder.write('c.jpg', jpeg)
    const before = folder.events.length
    await folder.clock.turn(LOOK_FOR_FOLDER_MS + SETTLE_MS)
    expect(folder.events.slice(before).map(({ kind }) => kind)).toContain('swept')
    expect(folder.told().filter((told) => !told.endsWith('b.jpg'))).toEqual(['settled c.jpg'])
  })

  it('that goes away again is told again', async () => {
    await watching({ 'a.jpg': jpeg })
    await away()
    await folder.clock.turn(SWEEP_MS)
    await back()
    await folder.clock.turn(SWEEP_MS)
    await away()
    await folder.clock.turn(SWEEP_MS)
    expect(folder.told().filter((told) => told === NOT_THERE)).toHaveLength(2)
    await back()
  })

  it('that goes away while a file settles loses nothing', async () => {
    await watching({ 'a.jpg': jpeg })
    await away()
    await folder.clock.turn(2 * SETTLE_MS)
    await back()
    await folder.clock.turn(SWEEP_MS)
    expect(folder.told()).toEqual([NOT_THERE, 'settled a.jpg'])
  })

  it('that was not there at the start is told, and taken up when it comes', async () => {
    const path = join(tmpdir(), `late-${process.pid}`)
    folder = await watchFolder({}, { folder: { path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: null } })
    expect(folder.told()).toEqual([NOT_THERE])
    await mkdir(path)
    await writeFile(join(path, 'a.jpg'), jpeg)
    await folder.clock.turn(LOOK_FOR_FOLDER_MS + SETTLE_MS)
    expect(folder.told()).toEqual(['settled a.jpg'])
    await rm(path, { recursive: true })
  })

  it('that is a file is told as such', async () => {
    await watching({ 'a.jpg': jpeg })
    await rename(folder.path, `${folder.path}-away`)
    await writeFile(folder.path, 'a file')
    await sweep()
    expect(folder.told()).toEqual([
      expect.stringMatching(/^unreachable: There is a file where the folder should be/),
    ])
    await rm(folder.path)
    await back()
  })

  it('that is suddenly another and empty is a drive that is not connected, and nobody is forgotten', async () => {
    await watching({ 'a.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS)
    folder.watch.acknowledge(folder.settledFile('a.jpg'))
    folder.told()
    await away()
    await mkdir(folder.path)
    await folder.clock.turn(3 * SWEEP_MS)
    expect(folder.told()).toEqual([expect.stringMatching(/^unreachable: The folder is suddenly empty/)])
    await rm(folder.path, { recursive: true })
    await back()
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect(folder.told()).toEqual([])
    expect(folder.events.at(-1)).toMatchObject({ kind: 'swept', fileCount: 1 })
  })

  it('that was emptied by its owner is an empty folder', async () => {
    await watching({ 'a.jpg': jpeg })
    await rm(join(folder.path, 'a.jpg'))
    await sweep()
    expect(folder.told()).toEqual([])
    expect(folder.events.at(-1)).toMatchObject({ kind: 'swept', fileCount: 0 })
  })

  it('is only ever read', async () => {
    await watching({ 'v/a.jpg': jpeg, 'v/b.jpg': half, 'case.json': '{}', 'r.pdf': 'x' })
    const list = async (): Promise<unknown> => {
      const names = (await readdir(folder.path, { recursive: true })).toSorted()
      return Promise.all(names.map(async (name) => [name, (await stat(join(folder.path, name))).ctimeMs]))
    }
    const before = await list()
    await folder.clock.turn(3 * SWEEP_MS)
    expect(await list()).toEqual(before)
  })
})

describe('hints', () => {
  it('bring a look at once, so that a file is told within the settle time after its last change', async () => {
    let hint = (_path: string | null): void => undefined
    await watching({}, { openHints: (_root, onHint) => ((hint = onHint), deafHints('', onHint)) })
    await folder.write('v/a.jpg', half)
    hint('v')
    await folder.clock.turn(300)
    await folder.write('v/a.jpg', jpeg)
    hint('v/a.jpg')
    await folder.clock.turn(SETTLE_MS + 100)
    expect(folder.told()).toEqual(['settled v/a.jpg'])
  })

  it('that do not say where bring a sweep', async () => {
    let hint = (_path: string | null): void => undefined
    await watching({}, { openHints: (_root, onHint) => ((hint = onHint), deafHints('', onHint)) })
    await folder.write('v/a.jpg', jpeg)
    hint(null)
    await folder.clock.turn(1_000 + SETTLE_MS)
    expect(folder.told()).toEqual(['settled v/a.jpg'])
  })

  it('that never come cost no more than the time to the next sweep', async () => {
    await watching({})
    await folder.write('v/a.jpg', jpeg)
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect(folder.told()).toEqual(['settled v/a.jpg'])
  })

  it('that fail are opened anew at the next sweep, and nothing else comes of it', async () => {
    let opened = 0
    await watching(
      {},
      { openHints: (root, onHint) => ({ ...deafHints(root, onHint), isDoubtful: () => (opened += 1) > 0 }) },
    )
    const before = opened
    await folder.write('a.jpg', jpeg)
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect(opened).toBeGreaterThan(before)
    expect(folder.told()).toEqual(['settled a.jpg'])
  })

  it('that fail again as soon as they are opened do not bring sweeps without end', async () => {
    let opened = 0
    await watching(
      {},
      {
        openHints: (root, onHint) => {
          opened += 1
          setImmediate(() => onHint(null))
          return { ...deafHints(root, onHint), isDoubtful: () => true }
        },
      },
    )
    await folder.clock.turn(10 * SWEEP_MS)
    const swept = folder.events.filter(({ kind }) => kind === 'swept').length
    expect(opened).toBeGreaterThan(5)
    expect(swept).toBeLessThanOrEqual(2 * opened)
    expect(opened).toBeLessThanOrEqual(11)
  })

  it('about junk, and about paths that are not there, are passed by', async () => {
    let hint = (_path: string | null): void => undefined
    await watching({}, { openHints: (_root, onHint) => ((hint = onHint), deafHints('', onHint)) })
    await folder.write('.hidden/a.jpg', jpeg)
    for (const path of ['.hidden/a.jpg', 'none.jpg', 'no/such/folder']) hint(path)
    await folder.clock.turn(3 * SETTLE_MS)
    expect(folder.told()).toEqual([])
  })
})

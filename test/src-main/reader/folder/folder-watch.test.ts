import { appendFile, mkdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Inspection } from '../../../../src-main/reader/messages.ts'
import type { FolderWatchOptions } from '../../../../src-main/reader/folder/folder-watch.ts'
import { drawing } from '../draw-images.ts'
import { type Files, SETTLE_MS, SWEEP_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const half = jpeg.subarray(0, jpeg.length / 2)
const longer = Buffer.concat([jpeg, Buffer.alloc(10)])
/** Longer than an incomplete file counts as late only. */
const PATIENCE_MS = 60_000

let folder: WatchedTestFolder
afterEach(() => folder.close())

async function watching(files: Files, options?: Partial<FolderWatchOptions>): Promise<void> {
  folder = await watchFolder(files, options)
}

/** Lets time pass, and expects these events of it in any order. */
async function after(ms: number, ...events: readonly string[]): Promise<void> {
  await folder.clock.turn(ms)
  expect(folder.emitted().toSorted()).toEqual(events.toSorted())
}

/** Sweeps and lets the files settle. */
async function afterSweep(...events: readonly string[]): Promise<void> {
  await folder.sweep()
  await after(2 * SETTLE_MS, ...events)
}

const neverOpened = { inspect: () => Promise.reject(new Error('It was opened.')) }

describe('a file', () => {
  it('found at the start is emitted when it was unchanged for the settle time, and not before', async () => {
    await watching({ 'H-00017/OD.jpg': jpeg })
    await after(SETTLE_MS - 1)
    await after(1, 'settled H-00017/OD.jpg')
    const relativePath = 'H-00017/OD.jpg'
    const { mtimeMs, ctimeMs } = await stat(join(folder.path, relativePath))
    const times = { mtimeMs: Math.floor(mtimeMs), ctimeMs }
    const stamp = { folderPath: folder.path, relativePath, sizeBytes: jpeg.length, ...times }
    expect(folder.settledFile(relativePath)).toEqual({ ...stamp, content: 'image/jpeg' })
  })

  it('that is still being written is emitted a settle time after its last change', async () => {
    await watching({ 'a.jpg': half })
    await folder.clock.turn(SETTLE_MS / 2)
    await folder.write('a.jpg', jpeg)
    await after(SETTLE_MS / 2)
    await after(SETTLE_MS, 'settled a.jpg')
  })

  it.each([
    ['is not whole', half],
    ['is empty', ''],
  ])(
    'that %s is noted as arriving, then as truncated, and is emitted once it is whole',
    async (_, content) => {
      await watching({ 'a.jpg': content })
      await after(SETTLE_MS, 'arriving a.jpg')
      await after(PATIENCE_MS, 'truncated a.jpg')
      await folder.write('a.jpg', jpeg)
      await afterSweep('cleared a.jpg', 'settled a.jpg')
    },
  )

  it('of reserved size is emitted once its content is there, although size and mtime stay', async () => {
    const reserved = Buffer.alloc(jpeg.length)
    half.copy(reserved)
    await watching({ 'a.jpg': reserved })
    await after(SETTLE_MS, 'arriving a.jpg')
    const path = join(folder.path, 'a.jpg')
    const { atime, mtime } = await stat(path)
    await writeFile(path, jpeg)
    await utimes(path, atime, mtime)
    await after(3 * SETTLE_MS, 'cleared a.jpg', 'settled a.jpg')
  })

  it('that another program holds is noted as arriving, then as unreadable, and is emitted later', async () => {
    let found: Inspection = { kind: 'incomplete', why: 'busy' }
    await watching({ 'a.jpg': jpeg }, { inspect: () => Promise.resolve(found) })
    await after(SETTLE_MS, 'arriving a.jpg')
    await after(PATIENCE_MS, 'unreadable a.jpg')
    found = { kind: 'whole', content: 'image/jpeg' }
    await after(PATIENCE_MS / 2, 'cleared a.jpg', 'settled a.jpg')
  })

  it('that is written without an end is noted as arriving', async () => {
    await watching({ 'a.jpg': half })
    for (let second = 0; second < 70; second += 1) {
      await appendFile(join(folder.path, 'a.jpg'), 'x')
      await folder.clock.turn(SETTLE_MS / 2)
    }
    await after(0, 'arriving a.jpg')
  })

  it('that changes while it is opened is checked again', async () => {
    const findings: Inspection[] = [{ kind: 'changed' }, { kind: 'whole', content: 'image/jpeg' }]
    await watching({ 'a.jpg': jpeg }, { inspect: () => Promise.resolve(findings.shift()!) })
    await after(SETTLE_MS)
    await after(2 * SETTLE_MS, 'settled a.jpg')
  })

  it('larger than any image is noted and never opened', async () => {
    await watching({ 'a.tif': '' }, neverOpened)
    await truncate(join(folder.path, 'a.tif'), 512 * 1_024 * 1_024 + 1)
    await afterSweep('tooLarge a.tif')
  })

  it('that is a sidecar is emitted as one, when it has settled and is not empty', async () => {
    await watching({
      'v/case.json': '{"history_number":',
      'w/CASE.JSON': '',
      'x/EXAM.XML': Buffer.from('\ufeff<exam/>', 'utf16le'),
      'list.csv': Buffer.from('Name;Año', 'latin1'),
    })
    const sidecars = ['list.csv', 'v/case.json', 'x/EXAM.XML']
    await after(SETTLE_MS, 'arriving w/CASE.JSON', ...sidecars.map((name) => `settled ${name}`))
    for (const name of sidecars) expect(folder.settledFile(name).content).toBe('sidecar')
  })

  it('that calls itself a sidecar is what its content says, or is too large to be one', async () => {
    await watching({ 'report.xml': '%PDF-1.7', 'image.json': jpeg, 'large.csv': '' })
    await truncate(join(folder.path, 'large.csv'), 16 * 1_024 * 1_024 + 1)
    await afterSweep('ignored report.xml', 'settled image.json', 'tooLarge large.csv')
    expect(folder.settledFile('image.json').content).toBe('image/jpeg')
  })
})

describe('a settled file', () => {
  it('is emitted again at every sweep until it is acknowledged, and again once it has changed', async () => {
    await watching({ 'a.jpg': jpeg })
    await after(SETTLE_MS, 'settled a.jpg')
    await after(SWEEP_MS, 'settled a.jpg')
    const before = folder.settledFile('a.jpg')
    folder.watch.acknowledge(before)
    await after(3 * SWEEP_MS)
    await folder.write('a.jpg', longer)
    await after(SWEEP_MS + SETTLE_MS, 'settled a.jpg')
    // The acknowledgement of what it was before does not count.
    folder.watch.acknowledge(before)
    await folder.sweep()
    await after(0, 'settled a.jpg')
  })

  it('that is known is neither opened nor emitted', async () => {
    const asked: string[] = []
    const inspect: FolderWatchOptions['inspect'] = (path) => {
      if (path.endsWith('old.jpg')) throw new Error('It was opened.')
      return Promise.resolve({ kind: 'whole', content: 'image/jpeg' })
    }
    const lookup: FolderWatchOptions['lookup'] = (marks) => {
      asked.push(...marks.map((mark) => mark.relativePath))
      return Promise.resolve(marks.map((mark) => (mark.relativePath === 'old.jpg' ? 'known' : 'new')))
    }
    await watching({ 'old.jpg': jpeg, 'new.jpg': jpeg }, { inspect, lookup })
    await after(SETTLE_MS, 'settled new.jpg')
    folder.watch.acknowledge(folder.settledFile('new.jpg'))
    await after(2 * SWEEP_MS)
    expect(asked.toSorted()).toEqual(['new.jpg', 'old.jpg'])
  })

  it('that was found damaged before a restart is noted unopened, until it is exported again or gone', async () => {
    const lookup: FolderWatchOptions['lookup'] = (marks) =>
      Promise.resolve(marks.map(() => 'damaged' as const))
    await watching({ 'a.jpg': jpeg, 'b.jpg': jpeg }, { ...neverOpened, lookup })
    await after(SETTLE_MS, 'unreadable a.jpg', 'unreadable b.jpg')
    await rm(join(folder.path, 'a.jpg'))
    await folder.write('b.jpg', longer)
    await folder.sweep()
    await after(0, 'cleared a.jpg', 'cleared b.jpg')
  })
})

describe('a file that cannot be used', () => {
  it('is reported beside its note, once while it is unchanged, and again once it is another', async () => {
    await watching({ 'a.jpg': half, 'b.jpg': '', 'c.jpg': 'no image', 'd.pdf': 'x', 'e.jpg': '%PDF-1.7' })
    await after(
      SETTLE_MS,
      'arriving a.jpg',
      'arriving b.jpg',
      'notAnImage c.jpg',
      'ignored d.pdf',
      'ignored e.jpg',
    )
    expect(folder.unusable()).toEqual(['c.jpg notAnImage'])
    await folder.clock.turn(PATIENCE_MS + 4 * SWEEP_MS)
    const first = ['c.jpg notAnImage', 'b.jpg empty', 'a.jpg truncated']
    expect(folder.unusable().toSorted()).toEqual(first.toSorted())
    await folder.write('a.jpg', half.subarray(0, half.length / 2))
    await folder.clock.turn(PATIENCE_MS + 4 * SWEEP_MS)
    expect(folder.unusable().toSorted()).toEqual([...first, 'a.jpg truncated'].toSorted())
  })

  it('is not reported while it may still be written, nor if it is whole in time', async () => {
    await watching({ 'a.jpg': half })
    await after(SETTLE_MS, 'arriving a.jpg')
    await folder.write('a.jpg', jpeg)
    await afterSweep('cleared a.jpg', 'settled a.jpg')
    expect(folder.unusable()).toEqual([])
  })

  it.each<readonly [string, Inspection]>([
    ['busy', { kind: 'incomplete', why: 'busy' }],
    ['malformed', { kind: 'incomplete', why: 'malformed' }],
    ['unreadable', { kind: 'unreadable', error: 'RangeError', message: 'Reading failed.' }],
  ])('says why: %s', async (why, found) => {
    await watching({ 'a.jpg': jpeg }, { inspect: () => Promise.resolve(found) })
    await folder.clock.turn(PATIENCE_MS + SWEEP_MS)
    expect(folder.unusable()).toEqual([`a.jpg ${why}`])
  })
})

describe('what is no image', () => {
  it('is noted once, as what it is, and junk not at all', async () => {
    const junk = '._OD.jpg .DS_Store Thumbs.db OD.jpg.tmp OD.jpg.part .hidden/OD.jpg $RECYCLE.BIN/OD.jpg'
    await watching({
      'report.pdf': 'x',
      'raw.fda': 'x',
      'note.jpg': 'no image',
      'scan.img2': Buffer.from('GIF89a and more'),
      ...Object.fromEntries(junk.split(' ').map((name) => [name, jpeg])),
    })
    const ignored = ['raw.fda', 'report.pdf', 'scan.img2'].map((name) => `ignored ${name}`)
    await after(4 * SWEEP_MS, ...ignored, 'notAnImage note.jpg')
  })

  it('is not followed if it is a link, and not entered too many folders deep', async () => {
    await watching({ 'elsewhere.txt': 'x' })
    const outside = join(folder.path, '..', 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'OD.jpg'), jpeg)
    await symlink(outside, join(folder.path, 'link'))
    await symlink(folder.path, join(folder.path, 'ring'))
    const deep = Array.from({ length: 20 }, (_, index) => `d${index}`)
    await folder.write(`${deep.join('/')}/OD.jpg`, jpeg)
    const tooDeep = `ignored ${deep.slice(0, 17).join('/')}`
    await afterSweep(tooDeep, 'ignored elsewhere.txt', 'ignored link', 'ignored ring')
    await after(2 * SWEEP_MS)
  })

  it('is noted in full, however much of it there is', async () => {
    await watching(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`r${index}.pdf`, 'x'])))
    expect(folder.emitted()).toHaveLength(300)
    await rm(join(folder.path, 'r0.pdf'))
    await folder.sweep()
    await folder.sweep()
    expect(folder.emitted()).toHaveLength(1)
  })

  it('is gone on request if nothing was seen of it, nor of a folder or an archive of it', async () => {
    await watching({ 'note.jpg': 'no image', 'v/r.pdf': 'x', 'b.zip': 'x' })
    await folder.sweep()
    folder.watch.reportGone(['note.jpg', 'v/r.pdf', 'v/s.pdf', 'b.zip/OD.jpg', 'c.zip/OD.jpg'])
    expect(folder.events.at(-1)).toMatchObject({ kind: 'gone', fileNames: ['v/s.pdf', 'c.zip/OD.jpg'] })
  })

  it('is withdrawn when it is gone', async () => {
    const files: Files = { 'note.jpg': 'no image', 'a.jpg': half, 'r.pdf': 'x' }
    await watching(files)
    await folder.clock.turn(SETTLE_MS)
    folder.emitted()
    for (const name of Object.keys(files)) await rm(join(folder.path, name))
    await folder.sweep()
    await after(0, 'cleared a.jpg', 'cleared note.jpg', 'cleared r.pdf')
  })
})

it('a file that vanishes is reported once, found by a sweep or by a check, whether it was noted or not', async () => {
  await watching({ 'a.jpg': jpeg, 'v/b.jpg': jpeg, 'c.txt': 'x' })
  await folder.clock.turn(SETTLE_MS)
  folder.emitted()
  await rm(join(folder.path, 'v'), { recursive: true })
  await rm(join(folder.path, 'c.txt'))
  await folder.sweep()
  await folder.sweep()
  const gone = folder.events.flatMap((event) => (event.kind === 'gone' ? event.fileNames : []))
  expect(gone.toSorted()).toEqual(['c.txt', 'v/b.jpg'])
})

it('a suspect that another process finds cut is named so once, and is asked for ever more seldom', async () => {
  let asked = 0
  await watching(
    { 'a.jpg': half },
    {
      lookup: async (marks) => {
        for (const mark of marks) {
          asked += 1
          const found = { kind: 'incomplete', why: 'truncated' } as const
          folder?.clock.after(1, () => folder.watch.recordElsewhere(mark, found))
        }
        return Promise.resolve(marks.map(() => ({ as: 'suspect', inMs: 0 }) as const))
      },
    },
  )
  await folder.clock.turn(10 * PATIENCE_MS)
  expect(folder.unusable()).toEqual(['a.jpg suspect', 'a.jpg truncated'])
  expect(folder.emitted().at(-1)).toBe('truncated a.jpg')
  expect(asked).toBeLessThan(20)
})

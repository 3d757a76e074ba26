import { appendFile, mkdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { Inspection } from '../../../../src-main/station/intake/inspect-file.ts'
import type { FolderWatchOptions } from '../../../../src-main/station/watch/folder-watch.ts'
import { drawing } from '../intake/draw-images.ts'
import { SETTLE_MS, SWEEP_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

const jpeg = await drawing().jpeg().toBuffer()
const half = jpeg.subarray(0, jpeg.length / 2)
const rest = jpeg.subarray(jpeg.length / 2)
/** Longer than any incomplete file is called only late. */
const PATIENCE_MS = 60_000

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

describe('a file', () => {
  it('found at the start is told when it has stayed as it is for the settle time, and not before', async () => {
    await watching({ 'H-00017/OD.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS - 1)
    expect(folder.told()).toEqual([])
    await folder.clock.turn(1)
    expect(folder.told()).toEqual(['settled H-00017/OD.jpg'])
    expect(folder.settledFile('H-00017/OD.jpg')).toEqual({
      folderPath: folder.path,
      relativePath: 'H-00017/OD.jpg',
      sizeBytes: jpeg.length,
      mtimeMs: Math.floor((await stat(join(folder.path, 'H-00017/OD.jpg'))).mtimeMs),
      content: 'image/jpeg',
    })
  })

  it('that is still being written is told a settle time after its last change', async () => {
    await watching({ 'a.jpg': half })
    await folder.clock.turn(SETTLE_MS / 2)
    await folder.write('a.jpg', jpeg)
    await folder.clock.turn(SETTLE_MS / 2)
    expect(folder.told()).toEqual([])
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['settled a.jpg'])
  })

  it('that is not whole is noted as arriving, then as truncated, and is told when it has become whole', async () => {
    await watching({ 'a.jpg': half })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['arriving a.jpg'])
    await folder.clock.turn(PATIENCE_MS)
    expect(folder.told()).toEqual(['truncated a.jpg'])
    await appendFile(join(folder.path, 'a.jpg'), rest)
    await sweep()
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['cleared a.jpg', 'settled a.jpg'])
  })

  it('without a byte is noted as arriving, then as truncated, and is told when it has been written', async () => {
    await watching({ 'a.jpg': '' })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['arriving a.jpg'])
    await folder.clock.turn(PATIENCE_MS)
    expect(folder.told()).toEqual(['truncated a.jpg'])
    await folder.write('a.jpg', jpeg)
    await sweep()
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['cleared a.jpg', 'settled a.jpg'])
  })

  it('of reserved size is told when its content is there, although neither size nor time have changed', async () => {
    const reserved = Buffer.alloc(jpeg.length)
    half.copy(reserved)
    await watching({ 'a.jpg': reserved })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['arriving a.jpg'])
    const path = join(folder.path, 'a.jpg')
    const { atime, mtime } = await stat(path)
    await writeFile(path, jpeg)
    await utimes(path, atime, mtime)
    await folder.clock.turn(3 * SETTLE_MS)
    expect(folder.told()).toEqual(['cleared a.jpg', 'settled a.jpg'])
  })

  it('that another program holds is noted as arriving, then as unreadable, and is told when it is let go', async () => {
    let found: Inspection = { kind: 'incomplete', why: 'busy' }
    await watching({ 'a.jpg': jpeg }, { inspect: () => Promise.resolve(found) })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['arriving a.jpg'])
    await folder.clock.turn(PATIENCE_MS)
    expect(folder.told()).toEqual(['unreadable a.jpg'])
    found = { kind: 'whole', content: 'image/jpeg' }
    await folder.clock.turn(PATIENCE_MS / 2)
    expect(folder.told()).toEqual(['cleared a.jpg', 'settled a.jpg'])
  })

  it('that is written without an end is noted as arriving', async () => {
    await watching({ 'a.jpg': half })
    for (let second = 0; second < 70; second += 1) {
      await appendFile(join(folder.path, 'a.jpg'), 'x')
      await folder.clock.turn(SETTLE_MS / 2)
    }
    expect(folder.told()).toEqual(['arriving a.jpg'])
  })

  it('that changes while it is opened is looked at anew', async () => {
    const findings: Inspection[] = [{ kind: 'changed' }, { kind: 'whole', content: 'image/jpeg' }]
    await watching({ 'a.jpg': jpeg }, { inspect: () => Promise.resolve(findings.shift()!) })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual([])
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.told()).toEqual(['settled a.jpg'])
  })

  it('larger than any image is noted and never opened', async () => {
    await watching({}, { inspect: () => Promise.reject(new Error('It was opened.')) })
    await folder.write('a.tif', '')
    await truncate(join(folder.path, 'a.tif'), 512 * 1_024 * 1_024 + 1)
    await sweep()
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.told()).toEqual(['tooLarge a.tif'])
  })

  it('that is a sidecar is told as one, when it has settled and is not empty', async () => {
    await watching({
      'v/case.json': '{"history_number":',
      'w/CASE.JSON': '',
      'x/EXAM.XML': Buffer.from('\ufeff<exam/>', 'utf16le'),
      'list.csv': Buffer.from('Name;Año', 'latin1'),
    })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told().toSorted()).toEqual([
      'arriving w/CASE.JSON',
      'settled list.csv',
      'settled v/case.json',
      'settled x/EXAM.XML',
    ])
    for (const name of ['v/case.json', 'x/EXAM.XML', 'list.csv'])
      expect(folder.settledFile(name).content).toBe('sidecar')
  })

  it('that calls itself a sidecar is what its content says, or is too large to be one', async () => {
    await watching({ 'report.xml': '%PDF-1.7', 'image.json': jpeg })
    await folder.write('large.csv', '')
    await truncate(join(folder.path, 'large.csv'), 16 * 1_024 * 1_024 + 1)
    await sweep()
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.told().toSorted()).toEqual([
      'ignored report.xml',
      'settled image.json',
      'tooLarge large.csv',
    ])
    expect(folder.settledFile('image.json').content).toBe('image/jpeg')
  })
})

describe('a settled file', () => {
  it('is told again at every sweep until it is acknowledged', async () => {
    await watching({ 'a.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told()).toEqual(['settled a.jpg'])
    await folder.clock.turn(SWEEP_MS)
    expect(folder.told()).toEqual(['settled a.jpg'])
    folder.watch.acknowledge(folder.settledFile('a.jpg'))
    await folder.clock.turn(3 * SWEEP_MS)
    expect(folder.told()).toEqual([])
  })

  it('that was acknowledged is told again when it has changed', async () => {
    await watching({ 'a.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS)
    folder.watch.acknowledge(folder.settledFile('a.jpg'))
    await folder.write('a.jpg', Buffer.concat([jpeg, Buffer.alloc(10)]))
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    expect(folder.told()).toEqual(['settled a.jpg', 'settled a.jpg'])
  })

  it('is not silenced by the acknowledgement of what it was before', async () => {
    await watching({ 'a.jpg': jpeg })
    await folder.clock.turn(SETTLE_MS)
    const before = folder.settledFile('a.jpg')
    await folder.write('a.jpg', Buffer.concat([jpeg, Buffer.alloc(10)]))
    await folder.clock.turn(SWEEP_MS + SETTLE_MS)
    folder.told()
    folder.watch.acknowledge(before)
    await sweep()
    expect(folder.told()).toEqual(['settled a.jpg'])
  })

  it('that is known is neither opened nor told', async () => {
    const asked: string[] = []
    await watching(
      { 'old.jpg': jpeg, 'new.jpg': jpeg },
      {
        inspect: (path) => {
          if (path.endsWith('old.jpg')) throw new Error('It was opened.')
          return Promise.resolve({ kind: 'whole', content: 'image/jpeg' })
        },
        lookup: (marks) => {
          asked.push(...marks.map((mark) => mark.relativePath))
          return Promise.resolve(marks.map((mark) => (mark.relativePath === 'old.jpg' ? 'known' : 'new')))
        },
      },
    )
    await folder.clock.turn(SETTLE_MS)
    folder.watch.acknowledge(folder.settledFile('new.jpg'))
    await folder.clock.turn(2 * SWEEP_MS)
    expect(folder.told()).toEqual(['settled new.jpg'])
    expect(asked.toSorted()).toEqual(['new.jpg', 'old.jpg'])
  })
})

describe('a file that was found to be damaged before a restart', () => {
  it('is noted again without being opened, until it is exported again or gone', async () => {
    await watching(
      { 'a.jpg': jpeg, 'b.jpg': jpeg },
      {
        inspect: () => Promise.reject(new Error('It was opened.')),
        lookup: (marks) => Promise.resolve(marks.map(() => 'damaged' as const)),
      },
    )
    await folder.clock.turn(SETTLE_MS)
    expect(folder.told().toSorted()).toEqual(['unreadable a.jpg', 'unreadable b.jpg'])
    await rm(join(folder.path, 'a.jpg'))
    await folder.write('b.jpg', Buffer.concat([jpeg, Buffer.alloc(10)]))
    await sweep()
    expect(folder.told().toSorted()).toEqual(['cleared a.jpg', 'cleared b.jpg'])
  })
})

describe('what is no image', () => {
  it('is noted once, as what it is, and junk not at all', async () => {
    const gif = Buffer.from('GIF89a and more')
    await watching({
      'report.pdf': 'x',
      'raw.fda': 'x',
      'note.jpg': 'no image',
      'scan.img2': gif,
      'shop.fda': 'x',
      '._OD.jpg': jpeg,
      '.DS_Store': 'x',
      'Thumbs.db': 'x',
      'OD.jpg.tmp': jpeg,
      'OD.jpg.part': jpeg,
      '.hidden/OD.jpg': jpeg,
      '$RECYCLE.BIN/OD.jpg': jpeg,
    })
    await folder.clock.turn(4 * SWEEP_MS)
    expect(folder.told().toSorted()).toEqual([
      'ignored raw.fda',
      'ignored report.pdf',
      'ignored scan.img2',
      'ignored shop.fda',
      'notAnImage note.jpg',
    ])
    expect(folder.events.at(-1)).toMatchObject({ kind: 'swept', fileCount: 5, otherCount: 5 })
  })

  it('is not followed where it is a link, and not looked into too many folders deep', async () => {
    await watching({ 'elsewhere.txt': 'x' })
    const outside = join(folder.path, '..', 'outside')
    await mkdir(outside)
    await writeFile(join(outside, 'OD.jpg'), jpeg)
    await symlink(outside, join(folder.path, 'link'))
    await symlink(folder.path, join(folder.path, 'ring'))
    const deep = Array.from({ length: 20 }, (_, index) => `d${index}`).join('/')
    await folder.write(`${deep}/OD.jpg`, jpeg)
    await sweep()
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.told().toSorted()).toEqual([
      `ignored ${deep.split('/').slice(0, 17).join('/')}`,
      'ignored elsewhere.txt',
      'ignored link',
      'ignored ring',
    ])
  })

  it('is counted in full and noted within reason where there is much of it', async () => {
    const reports = Array.from({ length: 300 }, (_, index) => [`r${index}.pdf`, 'x'] as const)
    await watching(Object.fromEntries(reports))
    expect(folder.told()).toHaveLength(200)
    expect(folder.events.at(-1)).toMatchObject({ kind: 'swept', fileCount: 300, otherCount: 300 })
    await rm(join(folder.path, 'r0.pdf'))
    await sweep()
    await sweep()
    expect(folder.told().length).toBeLessThanOrEqual(2)
  })

  it('is taken back when it is gone', async () => {
    await watching({ 'note.jpg': 'no image', 'a.jpg': half, 'r.pdf': 'x' })
    await folder.clock.turn(SETTLE_MS)
    folder.told()
    for (const name of ['note.jpg', 'a.jpg', 'r.pdf']) await rm(join(folder.path, name))
    await sweep()
    expect(folder.told().toSorted()).toEqual(['cleared a.jpg', 'cleared note.jpg', 'cleared r.pdf'])
  })
})

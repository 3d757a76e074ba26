import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { chmod, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { afterRecheck } from '../../../../src-main/reader/folder/read-queues.ts'
import type { FileMark, PriorResult } from '../../../../src-main/reader/watch-messages.ts'
import { drawing } from '../draw-images.ts'
import { deafHints, type Files, SETTLE_MS, watchFolder, type WatchedTestFolder } from './watched-folder.ts'

it.each<readonly [string, PriorResult, string | null, string]>([
  ['a hash like the one taken', { as: 'known', sha256: 'a' }, 'a', 'same'],
  ['another hash', { as: 'known', sha256: 'a' }, 'b', 'rewritten'],
  ['another hash than the damaged one', { as: 'damaged', sha256: 'a' }, 'b', 'rewritten'],
  ['the damaged bytes', { as: 'damaged', sha256: 'a' }, 'a', 'same'],
  ['bytes that were never hashed', { as: 'known', sha256: null }, 'b', 'same'],
  ['a name that is left alone whatever it holds', 'known', 'b', 'same'],
  ['bytes that cannot be read now', { as: 'known', sha256: 'a' }, null, 'later'],
  ['a file of which nothing is remembered', 'new', null, 'open'],
])('%s (%j, %s): %s', (_, prior, sha256, followed) => {
  expect(afterRecheck(prior, sha256)).toBe(followed)
})

/** Two pictures of one size. */
const one = await drawing().tiff({ compression: 'none' }).toBuffer()
const two = Buffer.from(one)
two.writeUInt32BE(0x01020304, one.length / 2)

/** What the outbox remembers, by name. */
let outbox: Map<string, { readonly ctimeMs: number | undefined; readonly sha256: string | null }>
let folder: WatchedTestFolder
let isOpen = false
let heard = 0
let report: (path: string | null) => void
beforeEach(() => {
  outbox = new Map()
  heard = 0
})
afterEach(async () => {
  if (isOpen) await folder.close()
  isOpen = false
})

const hashNow = (path: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder.path, path)))
    .digest('hex')

/** Stores what the folder has emitted, as the station does. */
function store(): void {
  if (!isOpen) return
  for (const event of folder.events.slice(heard)) {
    if (event.kind === 'rewritten') outbox.delete(event.file.relativePath)
    if (event.kind === 'verified')
      for (const { relativePath, ctimeMs, sha256 } of event.files)
        outbox.set(relativePath, { ctimeMs, sha256 })
  }
  heard = folder.events.length
}

const lookup = (marks: readonly FileMark[]): Promise<readonly PriorResult[]> => {
  store()
  return Promise.resolve(
    marks.map(({ relativePath, ctimeMs }) => {
      const row = outbox.get(relativePath)
      if (row === undefined) return 'new'
      return row.sha256 !== null && row.ctimeMs === ctimeMs ? 'known' : { as: 'known', sha256: row.sha256 }
    }),
  )
}

/** A camera whose clock stands still: its files are all of one second. */
const STANDSTILL = 946_684_800

async function watching(files: Files): Promise<void> {
  folder = await watchFolder(
    {},
    {
      lookup,
      openHints: (root, onHint) => {
        report = onHint
        return deafHints(root, onHint)
      },
    },
  )
  isOpen = true
  for (const [name, content] of Object.entries(files)) {
    await folder.write(name, content)
    await utimes(join(folder.path, name), STANDSTILL, STANDSTILL)
  }
  await folder.sweep()
}

/** Lets files settle, and ingests what was emitted. */
async function ingested(...names: readonly string[]): Promise<void> {
  await folder.clock.turn(2 * SETTLE_MS)
  for (const name of names) {
    const file = folder.settledFile(name)
    outbox.set(name, { ctimeMs: file.ctimeMs, sha256: hashNow(name) })
    folder.watch.acknowledge(file)
  }
  folder.emitted()
}

/** What a sweep, and the time after it, makes of the folder. */
async function afterSweep(ms = 10_000): Promise<readonly string[]> {
  await folder.sweep()
  await folder.clock.turn(ms)
  store()
  return folder.emitted()
}

/** Changes a file under the time that it had. */
async function change(name: string, how: (path: string) => Promise<unknown>): Promise<void> {
  const path = join(folder.path, name)
  await how(path)
  await utimes(path, STANDSTILL, STANDSTILL)
}

/** Ways to put other bytes under one name, size and time. */
const REWRITES: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
  ['written over in place', (path) => writeFile(path, two)],
  [
    'replaced by another file',
    async (path) => {
      await writeFile(`${path}.tmp`, two)
      await rename(`${path}.tmp`, path)
    },
  ],
  [
    'deleted and written again',
    async (path) => {
      await rm(path)
      await writeFile(path, two)
    },
  ],
]

describe('a file of one name, size and time', () => {
  it.each(REWRITES)('that is %s is a new sighting, and again when it is written back', async (_, how) => {
    await watching({ 'v/EXPORT.TIF': one })
    await ingested('v/EXPORT.TIF')
    await change('v/EXPORT.TIF', how)
    expect(await afterSweep()).toEqual(['rewritten v/EXPORT.TIF', 'settled v/EXPORT.TIF'])
    expect(folder.settledFile('v/EXPORT.TIF')).toMatchObject({ sizeBytes: one.length })
    await ingested('v/EXPORT.TIF')
    await change('v/EXPORT.TIF', (path) => writeFile(path, one))
    expect(await afterSweep()).toEqual(['rewritten v/EXPORT.TIF', 'settled v/EXPORT.TIF'])
  })

  it.each<readonly [string, (path: string) => Promise<unknown>]>([
    ['touched, as a backup does it', () => Promise.resolve()],
    ['given other rights', (path) => chmod(path, 0o640)],
    ['written over with its own bytes', (path) => writeFile(path, one)],
    ['replaced by a copy of itself', (path) => rename(path, `${path}.x`).then(() => writeFile(path, one))],
  ])('that is %s shows nothing, and is read once', async (_, how) => {
    await watching({ 'a.tif': one })
    await ingested('a.tif')
    await change('a.tif', how)
    await rm(join(folder.path, 'a.tif.x'), { force: true })
    expect(await afterSweep()).toEqual([])
    expect(outbox.get('a.tif')?.ctimeMs).toBe((await stat(join(folder.path, 'a.tif'))).ctimeMs)
    expect(await afterSweep()).toEqual([])
    expect(folder.events.filter(({ kind }) => kind === 'verified')).toHaveLength(1)
  })

  it('that is a data file or an archive is a new sighting, too', async () => {
    await watching({ 'case.json': '{"history_number":"1"}', 'v.csv': 'id;eye\n1;R' })
    await ingested('case.json', 'v.csv')
    await change('case.json', (path) => writeFile(path, '{"history_number":"2"}'))
    await change('v.csv', (path) => writeFile(path, 'id;eye\n2;R'))
    expect((await afterSweep()).toSorted()).toEqual([
      'rewritten case.json',
      'rewritten v.csv',
      'settled case.json',
      'settled v.csv',
    ])
  })

  it('that was left alone is opened again, and what is no image still shows nothing', async () => {
    const text = Buffer.alloc(one.length, 'x')
    await watching({ 'a.tif': text, 'b.tif': text })
    await ingested()
    for (const name of ['a.tif', 'b.tif'])
      await change(name, (path) => writeFile(path, name === 'a.tif' ? one : text))
    expect(await afterSweep()).toEqual(['cleared a.tif', 'settled a.tif'])
  })

  it('that was written over while the station was off is found at its start; a touched one shows nothing', async () => {
    await watching({ 'a.tif': two, 'b.tif': one })
    for (const name of ['a.tif', 'b.tif'])
      outbox.set(name, { ctimeMs: 1, sha256: createHash('sha256').update(one).digest('hex') })
    expect(await afterSweep()).toEqual(['rewritten a.tif', 'settled a.tif'])
    expect(outbox.get('b.tif')?.ctimeMs).toBe((await stat(join(folder.path, 'b.tif'))).ctimeMs)
  })

  it('that was there before the first start is hashed, so that the next one under its name is seen', async () => {
    await watching({ 'EXPORT.TIF': one })
    outbox.set('EXPORT.TIF', { ctimeMs: 1, sha256: null })
    expect(await afterSweep()).toEqual([])
    expect(outbox.get('EXPORT.TIF')?.sha256).toBe(createHash('sha256').update(one).digest('hex'))
    await change('EXPORT.TIF', (path) => writeFile(path, two))
    expect(await afterSweep(20_000)).toEqual(['rewritten EXPORT.TIF', 'settled EXPORT.TIF'])
  })

  it('is read again if the system reports it, although all else is as it was; and while it is taken in, after that', async () => {
    await watching({ 'a.tif': one })
    await folder.clock.turn(2 * SETTLE_MS)
    report('a.tif')
    await folder.clock.turn(2 * SETTLE_MS)
    expect(folder.events.filter(({ kind }) => kind === 'verified')).toEqual([])
    await ingested('a.tif')
    await folder.clock.turn(4 * SETTLE_MS)
    expect(folder.events.filter(({ kind }) => kind === 'verified')).toHaveLength(1)
    report('a.tif')
    await folder.clock.turn(30_000)
    expect(folder.events.filter(({ kind }) => kind === 'verified')).toHaveLength(2)
    expect(folder.emitted()).toEqual([])
  })
})

it('many touched files are read one a second, the latest first: one written over among them is seen soon', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `v/${index}.csv`)
  await watching(
    Object.fromEntries(
      [...names, 'EXPORT.TIF'].map((name) => [name, name === 'EXPORT.TIF' ? one : `id\n${name}`]),
    ),
  )
  await ingested(...names, 'EXPORT.TIF')
  for (const name of names) await change(name, () => Promise.resolve())
  const readCount = (): number =>
    folder.events.flatMap((event) => (event.kind === 'verified' ? event.files : [])).length
  await folder.sweep()
  await folder.clock.turn(60_000)
  expect(readCount()).toBeLessThanOrEqual(60)
  await change('EXPORT.TIF', (path) => writeFile(path, two))
  await folder.sweep()
  await folder.clock.turn(SETTLE_MS + 3_000)
  expect(folder.emitted()).toEqual(['rewritten EXPORT.TIF', 'settled EXPORT.TIF'])
  await ingested('EXPORT.TIF')
  await folder.clock.turn(300_000)
  expect(folder.emitted()).toEqual([])
  expect(readCount()).toBe(300)
})

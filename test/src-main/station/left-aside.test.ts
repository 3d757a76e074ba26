/** Files of a watched folder that are no part of a case: each is found, across a restart too, until it is mended or gone. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import type { CallInput, CallOutput } from '../../../src-shared/contract.ts'
import { drawFundus } from '../../camera/draw-fundus.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { zipOf } from '../reader/draw-zips.ts'
import { started } from './started.ts'

const numbered = (count: number, nameOf: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, number) => nameOf(number))

const PHOTOGRAPHS = numbered(40, (number) => `2026/H-${number}_OD.jpg`)
const REPORTS = numbered(30, (number) => `Ángel/report ${number}.PDF`)
const CUT_OFF = numbered(20, (number) => `cut/${number}.jpg`)
const ENTRIES = numbered(20, (number) => `export.zip/note ${number}.dat`)
const DATA = numbered(8, (number) => `lists/${number}.xml`)
const OTHERS = ['Papelera', 'shortcut']
const ALL = [...PHOTOGRAPHS, ...REPORTS, ...CUT_OFF, ...ENTRIES, ...DATA, ...OTHERS].toSorted()

type Left = CallOutput<'folders.leftAside'>['items']

async function watching(camera: string, dataFolder: string) {
  const watched = [
    { path: camera, settleSeconds: 0.05, quietSeconds: 1, sweepSeconds: 1, existing: 'include' },
  ]
  const { station, answer } = await started({ folders: watched }, { dataFolder })
  const page = async (input: CallInput<'folders.leftAside'>): Promise<CallOutput<'folders.leftAside'>> => {
    const result = await answer('folders.leftAside', input)
    if (!result.ok) throw new Error(result.failure.message)
    return result.value as CallOutput<'folders.leftAside'>
  }
  const folders = async (): Promise<CallOutput<'station.status'>['folders']> => {
    const result = await answer('station.status')
    return result.ok ? (result.value as CallOutput<'station.status'>).folders : []
  }
  const all = async (search = ''): Promise<Left> => {
    const items: Left = []
    for (let after: number | null = Infinity; after !== null;) {
      const { next, ...found } = await page({ search, limit: 7, ...(after < Infinity && { after }) })
      items.push(...found.items)
      after = next
    }
    return items
  }
  const names = async (search?: string) => (await all(search)).map(({ fileName }) => fileName).toSorted()
  const comeTo = (expected: readonly string[]) =>
    vi.waitFor(async () => expect(await names()).toEqual(expected), { timeout: 50_000, interval: 100 })
  return { station, page, all, names, comeTo, folders }
}

it('lists each of 120 files that cannot be used, after a restart too, and none that is mended or gone', async () => {
  const [camera, dataFolder] = [temporaryFolder(), temporaryFolder()]
  const photograph = await drawFundus({ eye: 'right', seed: 11, width: 120, height: 100 })
  const write = (name: string, bytes: Uint8Array | string): void => {
    mkdirSync(join(camera, name, '..'), { recursive: true })
    writeFileSync(join(camera, name), bytes)
  }
  for (const name of PHOTOGRAPHS) write(name, `no photograph ${name}`)
  for (const name of REPORTS) write(name, '%PDF-1.4')
  for (const name of CUT_OFF) write(name, photograph.subarray(0, photograph.length / 2))
  for (const name of DATA) write(name, '<config/>')
  const packed = ENTRIES.map((name) => ({ name: name.slice('export.zip/'.length), bytes: Buffer.from('x') }))
  write('export.zip', await zipOf(packed))
  write('Papelera/deleted.jpg', photograph)
  symlinkSync(camera, join(camera, 'shortcut'))
  write('used.jpg', photograph)

  const first = await watching(camera, dataFolder)
  await first.comeTo(ALL)
  const listed = await first.all()
  expect(listed.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toSorted((one, other) => other - one))
  for (const { folderPath, message, at } of listed)
    expect([folderPath, message, at]).toEqual([
      camera,
      expect.stringMatching(/\w{3,}.*[.)]$/s),
      expect.any(Number),
    ])
  expect(await first.names('ÁNGEL/REPORT 2')).toEqual(
    REPORTS.filter((name) => name.includes('report 2')).toSorted(),
  )
  expect(await first.page({ search: 'h-39_', limit: 1 })).toMatchObject({ total: 1, next: null })
  const [folder] = await first.folders()
  expect(folder?.notes).toHaveLength(20)
  expect(Object.values(folder?.noteCounts ?? {}).reduce((sum, count) => sum + count, 0)).toBe(120)
  await first.station.stop()

  const [mended, gone] = [PHOTOGRAPHS[3] ?? '', REPORTS[4] ?? '']
  write(mended, await drawFundus({ eye: 'right', seed: 12, width: 120, height: 100 }))
  rmSync(join(camera, gone))
  const second = await watching(camera, dataFolder)
  expect(await second.names()).toEqual(ALL)
  const left = ALL.filter((name) => name !== mended && name !== gone)
  await second.comeTo(left)
  const mendedNow = CUT_OFF[5] ?? ''
  write(mendedNow, await drawFundus({ eye: 'left', seed: 13, width: 120, height: 100 }))
  write('export.zip', await zipOf([...packed, { name: 'new.dat', bytes: Buffer.from('y') }]))
  const rest = [...left, 'export.zip/new.dat'].filter((name) => name !== mendedNow).toSorted()
  await second.comeTo(rest)
  rmSync(join(camera, 'export.zip'))
  await second.comeTo(rest.filter((name) => !name.startsWith('export.zip')))
}, 90_000)

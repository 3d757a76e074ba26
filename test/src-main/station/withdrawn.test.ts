/** A patient withdraws: nothing of them is left in the data folder, and their files do not come back. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import type { CallOutput } from '../../../src-shared/contract.ts'
import { type ExportedVisit, exportVisit } from '../../camera/export-visit.ts'
import { TODAY } from '../../camera/today.ts'
import { started } from './started.ts'

const soon = { timeout: 20_000, interval: 250 }

/** The files of a folder that hold one of these, or have it in their names. */
function filesWith(folder: string, wanted: readonly (string | Buffer)[]): readonly string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((one) => one.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      const bytes = readFileSync(path)
      return wanted.some((one) => bytes.includes(one) || (typeof one === 'string' && path.includes(one)))
    })
}

async function watching(camera: string, dataFolder: string) {
  const watched = {
    path: camera,
    settleSeconds: 0.05,
    quietSeconds: 0.4,
    sweepSeconds: 1,
    existing: 'include',
  }
  const { station, answer } = await started({ folders: [watched] }, { dataFolder })
  const listed = async () => {
    const result = await answer('submissions.list')
    if (!result.ok) throw new Error(result.failure.message)
    return (result.value as CallOutput<'submissions.list'>).items
  }
  /** The cases, once these numbers are all there and ready for a person; an erased one has none. */
  const comeTo = (...numbers: readonly string[]) =>
    vi.waitFor(async () => {
      const cases = await listed()
      expect(cases.map(({ fields }) => fields.history_number ?? 'erased').toSorted()).toEqual(numbers)
      expect(cases.every(({ state }) => state === 'review' || state === 'discarded')).toBe(true)
      return cases
    }, soon)
  return { station, answer, comeTo }
}

const [camera, dataFolder] = [folderOfBoth(), folderOfBoth()]
let images: ExportedVisit['images'] = []
/** What would name the patient, or show their eyes. The search has words in small letters, and without hyphens. */
let traces: readonly (string | Buffer)[] = []

afterAll(() => {
  for (const folder of [camera, dataFolder]) rmSync(folder, { recursive: true })
})

function folderOfBoth(): string {
  return mkdtempSync(join(tmpdir(), 'fundus-courier-test-'))
}

function arrive(seed: number): Promise<ExportedVisit> {
  return exportVisit({
    folder: camera,
    seed,
    visitDate: TODAY,
    sidecar: 'first',
    width: 80,
    height: 64,
  })
}

it('a patient who withdraws leaves the disk, and the backups, too', async () => {
  const { station, answer, comeTo } = await watching(camera, dataFolder)
  images = (await arrive(41)).images
  const bytes = images.map(({ path }) => readFileSync(join(camera, path)).subarray(-200))
  traces = ['H-00041', 'h-00041', '00041', ...bytes]
  await arrive(42)
  const cases = await comeTo('H-00041', 'H-00042')
  expect(await station.backUp()).toMatchObject({ ok: true })
  const own = cases.find(({ fields }) => fields.history_number === 'H-00041')
  if (own === undefined) throw new Error('it is not there')
  const before = filesWith(dataFolder, traces).map((path) => path.slice(dataFolder.length))
  for (const name of ['outbox.sqlite', 'backups', 'manifests']) expect(before.join()).toContain(name)
  expect(filesWith(dataFolder, bytes)).toHaveLength(images.length)

  const seen = { [own.id]: own.digest }
  const erased = await answer('submissions.withdraw', { ids: [own.id], seen, by: 'AB' })
  expect(erased).toMatchObject({ value: { changed: [own.id] } })
  await vi.waitFor(() => expect(filesWith(dataFolder, traces)).toEqual([]), soon)
  expect(filesWith(dataFolder, ['H-00042']).length).toBeGreaterThan(2)
}, 60_000)

it('and does not come back: written over with the same bytes, under another name, after a restart', async () => {
  const [first = ''] = images.map(({ path }) => join(camera, path))
  copyFileSync(first, join(camera, 'another-name.jpg'))
  writeFileSync(first, readFileSync(first))
  const { comeTo } = await watching(camera, dataFolder)
  await arrive(43)
  await comeTo('H-00042', 'H-00043', 'erased')
  expect(filesWith(dataFolder, traces)).toEqual([])
}, 60_000)

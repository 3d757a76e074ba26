/**
 * Every layout and every cross-cutting case, written in every way: each ends in exactly the submissions that the table
 * names, whatever the way. One station for each way, with a folder for each row. What lies there at the first start is
 * taken in by every host; from there on the ways differ in the camera alone.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExportOptions } from '../../camera/layouts/layout.ts'
import { until } from '../../station-process/start-station.ts'
import { describeHosts } from '../station-hosts.ts'
import { layoutRows } from './rows.ts'
import { setStage, setStageOnFiles, type Stage } from './stage.ts'
import { expectedTable, layoutTable, whatever } from './tables.ts'

/** For all rows of a way together, from when all is written: a busy machine has patience, a defect ends in time. */
const PATIENCE_MS = 100_000
/** Rows with several groups of files wait for each. */
const STAGED_WITHIN_MS = 300_000
const PIECES = { chunkBytes: 4_096, pauseMs: 60, mostPieces: 8 }

const SLOWLY: ExportOptions = { order: { seed: 7 }, ways: [PIECES], atOnce: 4 }
const STRANGELY: ExportOptions = {
  order: { seed: 11 },
  ways: [
    { kind: 'reserved', ...PIECES },
    { kind: 'interrupted', ...PIECES, pauseMs: 150 },
    { kind: 'temporaryName', ...PIECES },
    { kind: 'inPlace', ...PIECES, pauseMs: 150 },
  ],
  atOnce: 4,
}

/** The tests of one way: each row alone, then all of them once more when nothing should happen any longer. */
function expectTheTables(open: () => Promise<Stage>): void {
  let stage: Stage | undefined
  let endOfPatience = 0
  beforeAll(async () => {
    stage = await open()
    endOfPatience = performance.now() + PATIENCE_MS
  }, STAGED_WITHIN_MS)
  afterAll(() => stage?.close())

  it.each(layoutRows.map(({ name }, index) => [name, index] as const))('%s', async (_, index) => {
    const current = stage
    const staged = current?.rows[index]
    if (!current || !staged) throw new Error('The station did not start.')
    const timeout = Math.max(1_000, endOfPatience - performance.now())
    await expect
      .poll(async () => whatever(layoutTable(staged.row, await current.shown(staged))), { timeout })
      .toEqual(whatever(expectedTable(staged.row, 'late')))
  })

  it('and it stays so, with no submission beside them', async () => {
    if (!stage) throw new Error('The station did not start.')
    const { station } = stage
    // Two sweeps of every folder, and the quiet time between them.
    for (const from of [Date.now(), Date.now() + 1_500]) {
      await until('every folder is swept', async () => {
        const { folders } = await station.value('station.status')
        return folders.every(({ lastSweepAt }) => (lastSweepAt ?? 0) > from)
      })
    }
    expect(await stage.strays()).toEqual([])
    for (const staged of stage.rows)
      expect
        .soft(whatever(layoutTable(staged.row, await stage.shown(staged))))
        .toEqual(whatever(expectedTable(staged.row, 'late')))
  })
}

await describeHosts('lying there at the first start', (host, browser) =>
  expectTheTables(() => setStageOnFiles(layoutRows, (options) => host.start(options, browser))),
)

describe.each([
  ['slowly and out of order', SLOWLY],
  ['with the size reserved, broken off, under a temporary name, over itself', STRANGELY],
])('written %s', (_, options) => {
  expectTheTables(async () => {
    const stage = await setStage(layoutRows)
    await Promise.all(
      stage.rows.map(async (staged) => {
        for (const files of staged.row.files) await stage.write(staged, files, options)
      }),
    )
    return stage
  })
})

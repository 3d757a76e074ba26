/**
 * Every layout and every cross-cutting case, written in every way: each ends in exactly the submissions that the table
 * names, whatever the way. One station for each way, with a folder for each row. What lies there at the first start is
 * taken in by every host; from there on the ways differ in the camera alone.
 */
import { rename } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exportFiles, type ExportOptions, shuffled } from '../../camera/layouts/layout.ts'
import { until } from '../../station-process/start-station.ts'
import { browserOf, openStages } from '../station-hosts.ts'
import {
  type MountedFolder,
  mountedFolder,
  whyNoMounts,
} from '../../src-main/station/watch/mounted-folder.ts'
import { comparedExpected, comparedShown, type ExpectedCase } from './expected-case.ts'
import { expectedLayouts } from './expected-layouts.ts'
import { expectedTroubles, fullFolder } from './expected-troubles.ts'
import { setStage, type Stage, type StagedRow } from './stage.ts'

const expectedCases: readonly ExpectedCase[] = [...expectedLayouts, ...expectedTroubles]
const noMounts = whyNoMounts()

/** For all rows of a way together, from when all is written: a busy machine has patience, a defect ends in time. */
const PATIENCE_MS = 100_000
/** Rows with several groups of files wait for each. */
const STAGED_WITHIN_MS = 300_000
const PIECES = { chunkBytes: 4_096, pauseMs: 60, mostPieces: 8 }

const AT_ONCE: ExportOptions = { atOnce: 2 }
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

/** Writes the groups of all rows that are left, those of one row one after the other. */
async function writeGroups(stage: Stage, from: number, options: ExportOptions): Promise<void> {
  await Promise.all(
    stage.rows.map(async (row) => {
      for (const files of row.expected.files.slice(from)) await stage.write(row, files, options)
    }),
  )
}

/** The first group of every row, before there is a station. */
async function writeFirstGroups(rows: readonly StagedRow[]): Promise<void> {
  await Promise.all(rows.map(({ expected, folder }) => exportFiles(folder, expected.files[0] ?? [], AT_ONCE)))
}

/** The tests of one way: each row alone, then all of them once more when nothing should happen any longer. */
function expectTheTable(cases: readonly ExpectedCase[], open: () => Promise<Stage>): void {
  let stage: Stage | undefined
  let endOfPatience = 0
  beforeAll(async () => {
    stage = await open()
    endOfPatience = performance.now() + PATIENCE_MS
  }, STAGED_WITHIN_MS)
  afterAll(() => stage?.close())

  /** Compares at least once, and reports the difference if the time is up. */
  const compare = async (row: StagedRow): Promise<void> => {
    if (!stage) throw new Error('The station did not start.')
    const wanted = comparedExpected(row.expected)
    for (;;) {
      const seen = comparedShown(await stage.shown(row), row.expected)
      try {
        expect(seen).toEqual(wanted)
        return
      } catch (difference) {
        if (performance.now() > endOfPatience) throw difference
      }
      await sleep(100)
    }
  }

  it.each(cases.map((expected, index) => [expected.name, index] as const))('%s', async (_, index) => {
    const row = stage?.rows[index]
    if (!row) throw new Error('The station did not start.')
    await compare(row)
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
    for (const row of stage.rows) {
      const shown = comparedShown(await stage.shown(row), row.expected)
      expect.soft(shown, row.expected.name).toEqual(comparedExpected(row.expected))
    }
  })
}

const hosted = await openStages()

describe.each(hosted)('lying there at the first start, $host.name', (on) => {
  const browser = browserOf(on)
  if (!browser) return
  const cases = [...expectedCases, fullFolder]
  afterAll(() => browser.close())
  expectTheTable(cases, async () => {
    const stage = await setStage(cases, {
      prepare: writeFirstGroups,
      start: (options) => on.host.start(options, browser),
    })
    const withMore = stage.rows.filter(({ expected }) => expected.files.length > 1)
    await Promise.all(withMore.map((row) => stage.known(row, row.expected.files[0] ?? [])))
    await writeGroups(stage, 1, AT_ONCE)
    return stage
  })
})

describe.each([
  ['slowly and out of order', SLOWLY],
  ['with the size reserved, broken off, under a temporary name, over itself', STRANGELY],
])('written %s', (_, options) => {
  expectTheTable(expectedCases, async () => {
    const stage = await setStage(expectedCases)
    await writeGroups(stage, 0, options)
    return stage
  })
})

/** Writes half of the first groups, lets the folders go and come back, and writes all the rest. */
async function writeAround(stage: Stage, goAndComeBack: () => Promise<void>): Promise<void> {
  const halves = stage.rows.map((row) => {
    const files = shuffled(row.expected.files[0] ?? [], 3)
    const middle = Math.ceil(files.length / 2)
    return { row, before: files.slice(0, middle), after: files.slice(middle) }
  })
  await Promise.all(halves.map(({ row, before }) => exportFiles(row.folder, before)))
  await goAndComeBack()
  await Promise.all(halves.map(({ row, after }) => stage.write(row, after, AT_ONCE)))
  await writeGroups(stage, 1, AT_ONCE)
}

describe('through a folder that goes away and comes back', () => {
  expectTheTable(expectedCases, async () => {
    const stage = await setStage(expectedCases)
    await writeAround(stage, async () => {
      const away = `${stage.camera}-away`
      await rename(stage.camera, away)
      await until('every folder is unreachable', async () => {
        const { folders } = await stage.station.value('station.status')
        return folders.every(({ health }) => health === 'unreachable')
      })
      await rename(away, stage.camera)
    })
    return stage
  })
})

describe.skipIf(noMounts !== null)(`through a mount that comes and goes ${noMounts ?? ''}`, () => {
  const cases = expectedCases.filter(({ name }) => /^(1|4|6|9|12):/.test(name))
  let mounts: readonly MountedFolder[] = []
  expectTheTable(cases, async () => {
    const stage = await setStage(cases, {
      prepare: async (rows) => {
        mounts = rows.map(({ folder }) => mountedFolder(folder))
        for (const mounted of mounts) mounted.appear()
      },
    })
    await writeAround(stage, async () => {
      for (const mounted of mounts) mounted.disappear()
      const gone = Date.now()
      await until('every folder was looked for while it was away', async () => {
        const { folders } = await stage.station.value('station.status')
        return folders.every(
          ({ health, lastSweepAt }) => health === 'unreachable' || (lastSweepAt ?? 0) > gone,
        )
      })
      for (const mounted of mounts) mounted.appear()
    })
    return stage
  })
  // Hooks that were set last run first: a mount cannot be removed.
  afterAll(() => {
    for (const mounted of mounts) mounted.end()
  })
})

/**
 * Five of seven folders, the clinic's folder for reports and the patient list lie on shares that hang, each time in another
 * way: the headless station goes on as if nothing were. A hook in its processes makes the calls hang, as a dead server does.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { longestStall, openStalls } from '../../../bench/measured-station.ts'
import { exportSmallVisit, quickFolder } from '../../../end-to-end/station-fixture.ts'
import { openPracticeService, type PracticeService } from '../../../practice-service/practice-service.ts'
import { startStation, type StationProcess, until } from '../../../station-process/start-station.ts'
import { HANGS, hookOf } from '../../../tools/hanging-calls.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

const HANGING = ['hangs-1', 'hangs-2', 'hangs-3', 'hangs-4', 'hangs-5']
const WELL = ['well-6', 'well-7']

type Shares = { readonly root: string; readonly service: PracticeService }

/** Folders, a patient list and a folder for reports, and a service of their own. */
async function openShares(): Promise<Shares> {
  const root = temporaryFolder()
  const service = await openPracticeService({ answerDelayMs: 10, reportDelayMs: 100 })
  onTestFinished(() => service.close())
  for (const name of [...HANGING, ...WELL, 'hangs-list', 'hangs-reports']) mkdirSync(join(root, name))
  writeFileSync(join(root, 'hangs-list', 'patients.csv'), 'history_number;last_name\nH-1;Testwood\n')
  return { root, service }
}

/** Starts a station that watches these folders, and measures how long its thread stands still of its own. */
async function startOver({ root, service }: Shares, folders: readonly string[], hook: string | null) {
  const own = join(root, `station-${folders.length}`)
  mkdirSync(join(own, 'data'), { recursive: true })
  const stalls = openStalls(own)
  const { NODE_OPTIONS: probe } = stalls.environment
  const station = await startStation({
    dataFolder: join(own, 'data'),
    environment: {
      ...stalls.environment,
      ...(hook !== null && { NODE_OPTIONS: `${probe} --import ${hook}` }),
    },
    config: {
      service: service.account,
      centerId: '101',
      folders: folders.map((name) => quickFolder(join(root, name), { sweepSeconds: 5 })),
      patientList: { path: join(root, 'hangs-list', 'patients.csv') },
      reports: { checkSeconds: 1, saveTo: join(root, 'hangs-reports') },
      storage: { lowWaterBytes: 0, ballastBytes: 0 },
    },
  })
  onTestFinished(() => station.kill())
  return { station, stalls }
}

/** Writes a visit of these patients into each of the folders that are well, and returns how long all take to be delivered. */
async function deliveredWithin({ root, service }: Shares, firstSeed: number): Promise<number> {
  const before = service.cases().length
  const begunMs = performance.now()
  await Promise.all(WELL.map((name, index) => exportSmallVisit(join(root, name), firstSeed + index)))
  await until('both visits were delivered', () => service.cases().length === before + WELL.length)
  return performance.now() - begunMs
}

/** The folders out of reach, each with a sentence and since when. */
async function unreachable(station: StationProcess): Promise<readonly string[]> {
  const { folders } = await station.value('station.status')
  return folders
    .filter(({ health, failure, since }) => health === 'unreachable' && failure !== null && since > 0)
    .map(({ path }) => path.split('/').at(-1) ?? '')
    .toSorted()
}

describe.skipIf(process.platform === 'win32').each(Object.entries(HANGS))('%s hangs', (what, hang) => {
  it('and only those folders are out of reach; the station ends at once, and takes all in when the share is back', async () => {
    const others = await openShares()
    const alone = await startOver(others, WELL, null)
    // The first ones wait until the patient list was read.
    await deliveredWithin(others, 11)
    const aloneMs = await deliveredWithin(others, 51)
    await alone.station.stop()

    const shares = await openShares()
    const { root, service } = shares
    for (const [index, name] of HANGING.entries()) await exportSmallVisit(join(root, name), 31 + index)
    const [hook, mark] = [join(root, 'hook.mjs'), join(root, 'back')]
    writeFileSync(hook, hookOf(hang, mark))
    const all = [...HANGING, ...WELL]
    const { station, stalls } = await startOver(shares, all, hook)
    await deliveredWithin(shares, 21)
    const startedAt = Date.now()
    await until(
      'the five are out of reach',
      async () => (await unreachable(station)).join() === HANGING.join(),
      75_000,
    )
    if (what === 'every call' || what === 'the process itself')
      await until(
        'the patient list is out of reach',
        async () => (await station.value('station.status')).patientList.kind === 'unreachable',
        75_000,
      )
    expect(await deliveredWithin(shares, 41)).toBeLessThan(aloneMs + 2_000)
    for (let times = 0; times < 20; times += 1) {
      expect(await (await fetch(`${station.url}/health`)).json()).toEqual({ ok: true })
      await pause(50)
    }
    const stoppedAt = Date.now()
    await station.stop()
    expect(Date.now() - stoppedAt).toBeLessThan(5_000)
    expect(longestStall(await stalls.read(), startedAt, stoppedAt).ownMs).toBeLessThan(100)
    expect(service.cases()).toHaveLength(2 * WELL.length)

    writeFileSync(mark, '')
    const again = await startOver(shares, all, hook)
    const expected = 2 * WELL.length + HANGING.length
    await until('all visits were delivered', () => service.cases().length === expected, 90_000)
    const reports = (): number =>
      readdirSync(join(root, 'hangs-reports')).filter((name) => !name.startsWith('.')).length
    await until('the reports were copied', () => reports() === expected, 90_000)
    expect(await unreachable(again.station)).toEqual([])
    await again.station.stop()
  }, 400_000)
})

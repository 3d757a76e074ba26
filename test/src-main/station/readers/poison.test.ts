/** Files that end or hold up the processes that read them, among many others: each is named, and all else comes in. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { FileNote, StationStatus } from '../../../../src-shared/station-status.ts'
import type { Submission } from '../../../../src-shared/submission.ts'
import { type Clock, systemClock } from '../../../../src-main/station/ports.ts'
import { stationPorts } from '../../../tools/station-ports.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { started } from '../started.ts'

/** A clock that goes as time does, and can be turned ahead: what is due by then runs soon. */
function turnedClock(): Clock & { readonly turn: (ms: number) => void } {
  let aheadMs = 0
  const monotonicMs = (): number => performance.now() + aheadMs
  const waiting = new Set<{ readonly dueMs: number; readonly run: () => void }>()
  const timer = setInterval(() => {
    for (const one of [...waiting].filter(({ dueMs }) => dueMs <= monotonicMs()))
      if (waiting.delete(one)) one.run()
  }, 5)
  onTestFinished(() => clearInterval(timer))
  return {
    now: () => systemClock.now() + aheadMs,
    monotonicMs,
    after: (delayMs, run) => {
      const one = { dueMs: monotonicMs() + delayMs, run }
      waiting.add(one)
      return () => void waiting.delete(one)
    },
    turn: (ms) => void (aheadMs += ms),
  }
}

type Station = Awaited<ReturnType<typeof started>>

async function valueOf<Value>(station: Station, call: string, input: object = {}): Promise<Value> {
  const result = await station.answer(call, input)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value as Value
}

const casesOf = async (station: Station): Promise<readonly Submission[]> =>
  (await valueOf<{ items: readonly Submission[] }>(station, 'submissions.list', { limit: 1_000 })).items
const imagesOf = async (station: Station): Promise<number> =>
  (await casesOf(station)).reduce((sum, { images }) => sum + images.length, 0)
const notesOf = async (station: Station): Promise<readonly FileNote[]> =>
  (await valueOf<{ items: readonly FileNote[] }>(station, 'folders.leftAside', { limit: 1_000 })).items
const setAsideIn = async (station: Station): Promise<readonly string[]> =>
  (await notesOf(station)).flatMap(({ kind, fileName }) => (kind === 'setAside' ? [fileName] : [])).toSorted()
const folderOf = async (station: Station): Promise<StationStatus['folders'][number]> =>
  (await valueOf<StationStatus>(station, 'station.status')).folders[0]!

/** A station whose processes have this code before their own: `deadly` decides by the path of each file that is opened. */
function poisoned(reader: 'watch' | 'pictures', deadly: string) {
  const [root, camera, dataFolder] = [temporaryFolder(), temporaryFolder(), temporaryFolder()]
  const clock = turnedClock()
  const { workers } = stationPorts()
  const program = join(root, 'program.mjs')
  writeFileSync(
    program,
    `import fs, { appendFileSync, existsSync, readFileSync } from 'node:fs'
     import { syncBuiltinESMExports } from 'node:module'
     const { open } = fs.promises
     const die = () => process.kill(process.pid, 'SIGSEGV')
     const isMended = () => existsSync(${JSON.stringify(join(root, 'mended'))})
     const isFirst = (name) => {
       const path = ${JSON.stringify(`${root}/`)} + name
       const isNew = !existsSync(path)
       appendFileSync(path, 'x')
       return isNew
     }
     fs.promises.open = async (path, ...rest) => {
       if (!isMended()) await (${deadly})(String(path))
       return open(path, ...rest)
     }
     syncBuiltinESMExports()
     await import(${JSON.stringify(workers[reader].href)})`,
  )
  const folders = [
    { path: camera, settleSeconds: 0.2, quietSeconds: 1, sweepSeconds: 1, existing: 'include' },
  ]
  return {
    root,
    camera,
    clock,
    start: () =>
      started(
        { folders },
        {
          dataFolder,
          ports: stationPorts({ clock, workers: { ...workers, [reader]: pathToFileURL(program) } }),
        },
      ),
    mend: () => writeFileSync(join(root, 'mended'), ''),
  }
}

const drawn = (): Promise<Buffer> =>
  sharp({
    create: {
      width: 64,
      height: 48,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer()

const LONG = { timeout: 600_000, interval: 250 }

it('of 300 images 20 always end their decoder and 200 do once: the 20 are named, and all else arrives', async () => {
  const { root, camera, clock, start, mend } = poisoned(
    'pictures',
    `(path) => {
      const [mark, kind] = /(POISON|ONCE)-\\d+/.exec(existsSync(path) ? readFileSync(path, 'latin1') : '') ?? []
      if (mark && (isFirst(mark) || kind === 'POISON')) die()
    }`,
  )
  const poison: string[] = []
  for (let nth = 0; nth < 300; nth += 1) {
    const visit = `20260417_H-${String(10_000 + Math.floor(nth / 3))}`
    const name = `${visit}/${['OD_1', 'OD_2', 'OS_1'][nth % 3]}.jpg`
    const mark = nth % 15 === 7 ? 'POISON' : nth % 15 < 11 ? 'ONCE' : 'SOUND'
    if (mark === 'POISON') poison.push(name)
    mkdirSync(join(camera, visit), { recursive: true })
    // Behind the end of the image: cameras pad their files.
    writeFileSync(join(camera, name), Buffer.concat([await drawn(), Buffer.from(`${mark}-${nth}`)]))
  }
  const deaths = (kind: string): number[] =>
    readdirSync(root)
      .filter((name) => name.startsWith(kind))
      .map((name) => readFileSync(join(root, name), 'utf8').length)
  expect(poison).toHaveLength(20)

  const station = await start()
  await vi.waitFor(() => expect(deaths('POISON').length + deaths('ONCE').length).toBe(220), LONG)
  await vi.waitFor(async () => {
    // Four times as fast as time: slowly enough for the sign of life of a process.
    clock.turn(750)
    expect(await imagesOf(station)).toBe(280)
    expect((await notesOf(station)).map(({ fileName }) => fileName).toSorted()).toEqual(poison)
    expect(await setAsideIn(station)).toEqual(poison)
  }, LONG)
  expect((await folderOf(station)).noteCounts).toEqual({ setAside: 20 })
  expect((await folderOf(station)).health).toBe('watching')
  const waiting = async (of: Station): Promise<readonly string[]> =>
    (await casesOf(of))
      .filter(({ state }) => state === 'incomplete' || state === 'collecting')
      .flatMap(({ unusableFiles }) => unusableFiles)
      .flatMap(({ fileName, decision }) => (decision === null ? [fileName] : []))
      .toSorted()
  expect(await waiting(station)).toEqual(poison)
  await station.station.stop()

  const again = await start()
  await vi.waitFor(async () => expect((await folderOf(again)).health).toBe('watching'), LONG)
  const seen = (await folderOf(again)).lastSweepAt ?? 0
  await vi.waitFor(
    async () => expect((await folderOf(again)).lastSweepAt).toBeGreaterThan(seen + 2_000),
    LONG,
  )
  expect([await setAsideIn(again), await imagesOf(again), await waiting(again)]).toEqual([
    poison,
    280,
    poison,
  ])
  expect(new Set(deaths('POISON'))).toEqual(new Set([2]))

  mend()
  for (const fileName of poison) await valueOf(again, 'folders.tryAgain', { path: camera, fileName })
  await vi.waitFor(async () => {
    expect(await imagesOf(again)).toBe(300)
    expect(await notesOf(again)).toEqual([])
  }, LONG)
  expect(await waiting(again)).toEqual([])
  expect(await casesOf(again)).toHaveLength(100)
}, 1_800_000)

it('one file of a folder hangs and one ends its process: both are named, the others arrive, and the folder comes back', async () => {
  const { camera, clock, start, mend } = poisoned(
    'watch',
    `(path) => path.endsWith('hangs.jpg') ? new Promise(() => {}) : path.endsWith('dies.jpg') && die()`,
  )
  const bad = ['H-00001/dies.jpg', 'H-00001/hangs.jpg']
  mkdirSync(join(camera, 'H-00001'))
  for (const name of ['dies', 'hangs', 'a_OD', 'b_OS', 'c_OD', 'y_OS', 'z_OD'])
    writeFileSync(join(camera, 'H-00001', `${name}.jpg`), await drawn())
  /** By a few seconds each, while the processes report as fast. */
  const turn = async (ms: number): Promise<void> => {
    for (let turned = 0; turned < ms; turned += 5_000) {
      clock.turn(5_000)
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
  const healths: string[] = []
  const station = await start()
  await vi.waitFor(async () => {
    await turn(5_000)
    const { health } = await folderOf(station)
    if (health !== healths.at(-1)) healths.push(health)
    expect(await imagesOf(station)).toBe(5)
    expect(health).toBe('watching')
    expect((await notesOf(station)).map(({ fileName }) => fileName).toSorted()).toEqual(bad)
  }, LONG)
  // The one that hangs takes the folder along once; the one that dies does not.
  expect(healths.filter((health) => health === 'unreachable').length).toBeLessThanOrEqual(1)
  await vi.waitFor(async () => {
    await turn(5_000)
    expect((await folderOf(station)).health).toBe('watching')
    expect(await setAsideIn(station)).toEqual(bad)
  }, LONG)
  const [visit] = await casesOf(station)
  expect(visit?.unusableFiles.map(({ fileName, why }) => [fileName, why])).toEqual(
    bad.map((name) => [name, 'setAside']),
  )
  mend()
  for (const fileName of bad) await valueOf(station, 'folders.tryAgain', { path: camera, fileName })
  await vi.waitFor(async () => {
    expect(await imagesOf(station)).toBe(7)
    expect(await notesOf(station)).toEqual([])
  }, LONG)
}, 600_000)

it('a process of a folder that dies again and again loses no file and takes none twice', async () => {
  const { root, camera, clock, start } = poisoned(
    'watch',
    `(path) => {
      const [name] = /H-\\d+_O[DS]_dies/.exec(path) ?? []
      if (name && isFirst(name)) die()
    }`,
  )
  const names: string[] = []
  for (let nth = 0; nth < 40; nth += 1) {
    const visit = `H-${String(10_000 + Math.floor(nth / 2))}`
    const name = `${visit}/${visit}_${nth % 2 === 0 ? 'OD' : 'OS'}_${nth % 3 === 0 ? 'dies' : 'well'}.jpg`
    names.push(name)
    mkdirSync(join(camera, visit), { recursive: true })
    writeFileSync(join(camera, name), await drawn())
  }
  const station = await start()
  await vi.waitFor(async () => {
    clock.turn(750)
    const images = (await casesOf(station)).flatMap((one) => one.images)
    expect(images.map(({ fileName }) => fileName).toSorted()).toEqual(names.toSorted())
    expect(await notesOf(station)).toEqual([])
  }, LONG)
  expect(readdirSync(root).filter((name) => name.endsWith('dies'))).toHaveLength(14)
  expect((await casesOf(station)).filter(({ state }) => state !== 'discarded')).toHaveLength(20)
  expect((await folderOf(station)).health).toBe('watching')
}, 600_000)

/** A kill, a full disk or an unreadable one at every step that a station takes on its own files. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openChaosScene, type ChaosScene } from '../chaos-scene.ts'
import type { FaultClass } from '../fault-class.ts'
import { hasStrace, straceBefore, straceCounts, straceHasStruck, type TracedCall } from '../strace.ts'

const PRELOAD = new URL('../preload/break-files.mjs', import.meta.url).href
const SCENE = { visits: ['small'], isEchoing: true } as const
/** From the start of the station to its case being sent and confirmed, with room for a busy machine. */
const LIFE_MS = 60_000

/** A start and an end take a tenth of the steps of a life. */
const MOST_LIVES = 5

type Mode = 'count' | 'kill' | 'torn' | 'ENOSPC' | 'EIO'

function brokenFiles(scene: ChaosScene, mode: Mode, at: number): Readonly<Record<string, string>> {
  const order = {
    folder: scene.dataFolder,
    log: join(scene.root, 'steps'),
    healed: join(scene.root, 'healed'),
    mode,
    at,
  }
  return { NODE_OPTIONS: `--import ${PRELOAD}`, CHAOS_FILES: JSON.stringify(order) }
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** Asked often, so it asks for little: the one case, and its details once it is sent. */
async function isAllSent(scene: ChaosScene): Promise<boolean> {
  const station = scene.keeper.station()
  if (!station) return false
  try {
    const [first] = (await station.value('submissions.list', { limit: 1 })).items
    if (first?.state !== 'sent') return false
    return (await station.value('submissions.get', { id: first.id })).confirmedAt !== null
  } catch {
    // It ended, or was killed, while it was asked.
    return false
  }
}

/** Runs one life of a case in which nothing breaks, and measures it. */
async function measured(
  start: (scene: ChaosScene) => Promise<unknown>,
  count: (scene: ChaosScene) => number,
): Promise<number> {
  const scene = await openChaosScene(1, SCENE)
  try {
    await start(scene)
    await scene.writeVisits()
    if (!(await scene.until(() => isAllSent(scene), LIFE_MS)))
      throw new Error('A life without faults did not end well.')
    await scene.keeper.stop()
    return count(scene)
  } finally {
    await scene.close()
  }
}

/** Starts until the fault has struck, and as long as it lasts. */
async function liveThrough(
  scene: ChaosScene,
  start: () => Promise<boolean>,
  hasStruck: () => boolean,
): Promise<void> {
  const isStarted = await start()
  await scene.writeVisits()
  if (!isStarted) return
  const isOver = async (): Promise<boolean> => scene.keeper.station() === null || (await isAllSent(scene))
  await scene.until(async () => hasStruck() || (await isOver()), LIFE_MS)
  // What it does about it, and says of it.
  await scene.until(isOver, 1_500)
  // Some steps are those of a clean end.
  if (!hasStruck()) await scene.keeper.stop()
}

let steps: Promise<number> | null = null

function countSteps(): Promise<number> {
  steps ??= measured(
    (scene) => scene.keeper.start({ environment: brokenFiles(scene, 'count', 0) }),
    (scene) => linesOf(join(scene.root, 'steps')),
  )
  return steps
}

function fileRow(name: string, mode: Mode, rest: Partial<FaultClass> = {}): FaultClass {
  return {
    name: `files: ${name}`,
    runs: { short: 1, full: 20 },
    scene: SCENE,
    steps: countSteps,
    ...rest,
    break: async (scene) => {
      const at = 1 + Math.floor(scene.share * (await countSteps()))
      const fired = join(scene.root, 'steps.fired')
      scene.onHeal(() => writeFile(join(scene.root, 'healed'), ''))
      const environment = brokenFiles(scene, mode, at)
      const hasStruck = (): boolean => linesOf(fired) > 0
      await liveThrough(scene, () => scene.keeper.start({ environment }), hasStruck)
      // One life takes fewer steps than another. They are counted on through the lives that follow.
      for (let lives = 1; lives < MOST_LIVES && !hasStruck(); lives += 1) {
        if (await scene.keeper.start({ environment })) await scene.until(async () => hasStruck(), 1_500)
        await scene.keeper.stop()
      }
      return linesOf(fired) > 0 ? 1 : 0
    },
  }
}

const databaseSteps = new Map<TracedCall, Promise<number>>()

function countDatabaseSteps(call: TracedCall): Promise<number> {
  const known =
    databaseSteps.get(call) ??
    measured(
      async (scene) => {
        await mkdir(scene.dataFolder, { recursive: true })
        await scene.keeper.start({ startedBy: straceBefore(scene, { call, effect: null }) })
      },
      (scene) => straceCounts(scene, call),
    )
  databaseSteps.set(call, known)
  return known
}

function databaseRow(name: string, call: TracedCall, effect: string, isLasting = false): FaultClass {
  return {
    name: `database: ${name}`,
    runs: { short: 0, full: 20 },
    scene: SCENE,
    unavailable: hasStrace,
    steps: () => countDatabaseSteps(call),
    break: async (scene) => {
      const at = 1 + Math.floor(scene.share * (await countDatabaseSteps(call)))
      await mkdir(scene.dataFolder, { recursive: true })
      const startedBy = straceBefore(scene, { call, effect, at, isLasting })
      const hasStruck = (): boolean => straceHasStruck(scene)
      await liveThrough(scene, () => scene.keeper.start({ startedBy }), hasStruck)
      const struck = hasStruck() ? 1 : 0
      // The fault is the tracer's, and ends with its process.
      await scene.keeper.kill()
      return struck
    },
  }
}

export const files: readonly FaultClass[] = [
  fileRow('kill -9 at every open, write, fsync and rename', 'kill'),
  fileRow('kill -9 amid every write', 'torn', { runs: { short: 0, full: 20 } }),
  fileRow('disk full from every step on', 'ENOSPC', { runs: { short: 0, full: 20 } }),
  fileRow('EIO at every step', 'EIO', { runs: { short: 0, full: 20 } }),
  databaseRow('kill -9 at every write', 'pwrite64', 'signal=SIGKILL'),
  databaseRow('kill -9 at every fsync', 'fsync', 'signal=SIGKILL'),
  databaseRow('disk full from every write on', 'pwrite64', 'error=ENOSPC', true),
  databaseRow('EIO at every write', 'pwrite64', 'error=EIO'),
  databaseRow('EIO at every fsync', 'fsync', 'error=EIO'),
]

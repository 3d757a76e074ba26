/** What becomes of the files of a station while it does not run: damage, loss, an old copy put back. */
import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../../src-main/headless/command-line.ts'
import type { Random } from '../../camera/random.ts'
import type { ChaosScene } from '../chaos-scene.ts'
import type { FaultClass } from '../fault-class.ts'

function recoveryMissing(): string | null {
  return 'usage' in readCommandLine(['--recover']) ? 'recovery not there yet' : null
}

function databaseOf(scene: ChaosScene): string {
  return join(scene.dataFolder, 'outbox.sqlite')
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0
}

/** Answers how many bytes were changed. */
async function flipBytes(path: string, count: number, random: Random): Promise<number> {
  const size = await sizeOf(path)
  if (size === 0) return 0
  const file = await open(path, 'r+')
  try {
    for (let index = 0; index < count; index += 1) {
      const at = Math.floor(random() * size)
      const byte = Buffer.alloc(1)
      await file.read(byte, 0, 1, at)
      byte[0] = (byte[0] ?? 0) ^ (1 + Math.floor(random() * 255))
      await file.write(byte, 0, 1, at)
    }
    return count
  } finally {
    await file.close()
  }
}

async function areAllSent(scene: ChaosScene): Promise<boolean> {
  const view = await scene.keeper.view()
  return (
    (view?.submissions.length ?? 0) > 0 && (view?.submissions.every(({ state }) => state === 'sent') ?? false)
  )
}

/** Some cases wait, or all are sent; the station ended cleanly, or at the wall. */
async function liveAndEnd(scene: ChaosScene): Promise<void> {
  await scene.queueAll()
  if (scene.random() < 0.5) {
    await scene.letGo()
    await scene.until(() => areAllSent(scene), 60_000)
  }
  if (scene.random() < 0.5) await scene.keeper.stop()
  else await scene.keeper.kill()
}

/** As a person does who reads the sentence: starts it, and where it refuses, asks it to recover. */
async function startOrRecover(scene: ChaosScene): Promise<void> {
  if (!(await scene.keeper.start())) await scene.keeper.start({ parameters: ['--recover'] })
  await scene.letGo()
}

function damageRow(
  name: string,
  damage: (scene: ChaosScene, database: string) => Promise<number>,
  rest: Partial<FaultClass> = {},
): FaultClass {
  return {
    name: `storage: ${name}`,
    runs: { short: 0, full: 8 },
    unavailable: recoveryMissing,
    tells: { refusal: /outbox/i },
    ...rest,
    break: async (scene) => {
      await liveAndEnd(scene)
      const struck = await damage(scene, databaseOf(scene))
      await startOrRecover(scene)
      return struck
    },
  }
}

/** The log of the database goes with it: what it holds would mend the damage. */
async function withoutLog(database: string): Promise<void> {
  await rm(`${database}-wal`, { force: true })
}

export const storage: readonly FaultClass[] = [
  damageRow(
    'database missing',
    async (_scene, database) => {
      await rm(database)
      await withoutLog(database)
      return 1
    },
    {
      runs: { short: 1, full: 8 },
      tells: { refusal: /outbox of this station is missing/, alarms: ['outboxRestored'] },
    },
  ),
  damageRow('database of zero length', async (_scene, database) => {
    await truncate(database, 0)
    await withoutLog(database)
    return 1
  }),
  damageRow('database truncated', async (scene, database) => {
    await truncate(database, Math.floor((await sizeOf(database)) * (0.05 + 0.9 * scene.random())))
    await withoutLog(database)
    return 1
  }),
  damageRow(
    'bytes flipped in the database',
    (scene, database) => flipBytes(database, 1 + Math.floor(scene.random() * 60), scene.random),
    // A flip may lie where nothing is read, and then nothing need be said.
    { runs: { short: 0, full: 24 }, tells: {} },
  ),
  damageRow(
    'bytes flipped in the log of the database',
    async (scene, database) => {
      const flipped = await flipBytes(`${database}-wal`, 1 + Math.floor(scene.random() * 20), scene.random)
      return flipped || flipBytes(database, 4, scene.random)
    },
    { runs: { short: 0, full: 12 }, tells: {} },
  ),
  {
    name: 'storage: an old copy of the database is put back',
    runs: { short: 1, full: 8 },
    unavailable: recoveryMissing,
    tells: { alarms: ['outboxRestored'] },
    break: async (scene) => {
      await scene.queueAll()
      await scene.keeper.stop()
      const database = databaseOf(scene)
      const copy = join(scene.root, 'copy.sqlite')
      await cp(database, copy)
      await scene.keeper.start()
      await scene.letGo()
      if (!(await scene.until(() => areAllSent(scene), 60_000))) return 0
      if (scene.random() < 0.5) await scene.keeper.stop()
      else await scene.keeper.kill()
      await withoutLog(database)
      await cp(copy, database)
      await startOrRecover(scene)
      return 1
    },
  },
  {
    name: 'storage: bytes flipped in the spool',
    runs: { short: 1, full: 8 },
    tells: { failures: ['imageDamaged'], states: ['refused'] },
    break: async (scene) => {
      await scene.queueAll()
      const spool = join(scene.dataFolder, 'spool')
      const entries = await readdir(spool, { recursive: true, withFileTypes: true })
      const copies = entries.filter((entry) => entry.isFile() && /^[\da-f]{64}$/.test(entry.name))
      const hit = copies[Math.floor(scene.random() * copies.length)]
      const struck = hit ? await flipBytes(join(hit.parentPath, hit.name), 3, scene.random) : 0
      await scene.letGo()
      await scene.until(() => scene.keeper.told.states.has('refused'), 8_000)
      return struck
    },
  },
]

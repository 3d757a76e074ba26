/** What becomes of the files of a station while it does not run: damage, loss, an old copy put back. */
import { cp, open, readdir, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommandLine } from '../../../src-main/headless/host.ts'
import type { Random } from '../../camera/random.ts'
import type { ChaosFixture, FaultClass } from '../fixture.ts'

function recoveryMissing(): string | null {
  return 'usage' in readCommandLine(['--recover']) ? 'recovery not there yet' : null
}

function databaseOf(fixture: ChaosFixture): string {
  return join(fixture.dataFolder, 'outbox.sqlite')
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

async function areAllSent(fixture: ChaosFixture): Promise<boolean> {
  const view = await fixture.supervisor.view()
  return (
    (view?.submissions.length ?? 0) > 0 && (view?.submissions.every(({ state }) => state === 'sent') ?? false)
  )
}

/** Some cases wait, or all are sent; the station ended cleanly or was killed. */
async function liveAndEnd(fixture: ChaosFixture): Promise<void> {
  await fixture.queueAll()
  if (fixture.random() < 0.5) {
    await fixture.resume()
    await fixture.until(() => areAllSent(fixture), 60_000)
  }
  if (fixture.random() < 0.5) await fixture.supervisor.stop()
  else await fixture.supervisor.kill()
}

/** As a person does who reads the message: starts it and, if it refuses, asks it to recover. */
async function startOrRecover(fixture: ChaosFixture): Promise<void> {
  if (!(await fixture.supervisor.start())) await fixture.supervisor.start({ parameters: ['--recover'] })
  await fixture.resume()
}

function damageRow(
  name: string,
  damage: (fixture: ChaosFixture, database: string) => Promise<number>,
  rest: Partial<FaultClass> = {},
): FaultClass {
  return {
    name: `storage: ${name}`,
    runs: { short: 0, full: 8 },
    unavailable: recoveryMissing,
    reports: { text: /outbox/i },
    ...rest,
    break: async (fixture) => {
      await liveAndEnd(fixture)
      const struck = await damage(fixture, databaseOf(fixture))
      await startOrRecover(fixture)
      return struck
    },
  }
}

/** Removes the log of the database as well: it would mend the damage. */
async function withoutLog(database: string): Promise<void> {
  await rm(`${database}-wal`, { force: true })
}

export const storage: readonly FaultClass[] = [
  damageRow(
    'database missing',
    async (_fixture, database) => {
      await rm(database)
      await withoutLog(database)
      return 1
    },
    {
      runs: { short: 1, full: 8 },
      reports: { text: /outbox is missing/, alarms: ['outboxRestored'] },
    },
  ),
  damageRow('database of zero length', async (_fixture, database) => {
    await truncate(database, 0)
    await withoutLog(database)
    return 1
  }),
  damageRow('database truncated', async (fixture, database) => {
    await truncate(database, Math.floor((await sizeOf(database)) * (0.05 + 0.9 * fixture.random())))
    await withoutLog(database)
    return 1
  }),
  damageRow(
    'bytes flipped in the database',
    (fixture, database) => flipBytes(database, 1 + Math.floor(fixture.random() * 60), fixture.random),
    // A flip may be in unread bytes, and then nothing need be reported.
    { runs: { short: 0, full: 24 }, reports: {} },
  ),
  damageRow(
    'bytes flipped in the log of the database',
    async (fixture, database) => {
      const flipped = await flipBytes(
        `${database}-wal`,
        1 + Math.floor(fixture.random() * 20),
        fixture.random,
      )
      return flipped || flipBytes(database, 4, fixture.random)
    },
    { runs: { short: 0, full: 12 }, reports: {} },
  ),
  {
    name: 'storage: an old copy of the database is put back',
    runs: { short: 1, full: 8 },
    unavailable: recoveryMissing,
    reports: { alarms: ['outboxRestored'], states: ['sent'] },
    break: async (fixture) => {
      await fixture.queueAll()
      await fixture.supervisor.stop()
      const database = databaseOf(fixture)
      const copy = join(fixture.root, 'copy.sqlite')
      await cp(database, copy)
      await fixture.supervisor.start()
      await fixture.resume()
      if (!(await fixture.until(() => areAllSent(fixture), 60_000))) return 0
      if (fixture.random() < 0.5) await fixture.supervisor.stop()
      else await fixture.supervisor.kill()
      await withoutLog(database)
      await cp(copy, database)
      await startOrRecover(fixture)
      return 1
    },
  },
  {
    name: 'storage: bytes flipped in the spool',
    runs: { short: 1, full: 8 },
    reports: { failures: ['imageDamaged'], states: ['refused'] },
    break: async (fixture) => {
      await fixture.queueAll()
      const spool = join(fixture.dataFolder, 'spool')
      const entries = await readdir(spool, { recursive: true, withFileTypes: true })
      const copies = entries.filter((entry) => entry.isFile() && /^[\da-f]{64}$/.test(entry.name))
      const hit = copies[Math.floor(fixture.random() * copies.length)]
      const struck = hit ? await flipBytes(join(hit.parentPath, hit.name), 3, fixture.random) : 0
      await fixture.resume()
      await fixture.until(() => fixture.supervisor.reported.states.has('refused'), 8_000)
      return struck
    },
  },
]

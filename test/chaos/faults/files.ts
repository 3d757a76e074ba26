/** A kill, a full disk or an unreadable one at every step that a station takes on its own files. */
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { type ChaosFixture, type FaultClass, openChaosFixture } from '../fixture.ts'

const PRELOAD = new URL('../preload/break-files.mjs', import.meta.url).href
const ONE_VISIT = { visits: ['small'], isEchoing: true } as const
/** From the start of the station to its case being sent and confirmed, with time for a busy machine. */
const RUN_MS = 60_000

/** A start and an end take a tenth of the steps of a run. */
const MOST_STARTS = 5

type Mode = 'count' | 'kill' | 'torn' | 'ENOSPC' | 'EIO'

function brokenFiles(fixture: ChaosFixture, mode: Mode, at: number): Readonly<Record<string, string>> {
  const order = {
    folder: fixture.dataFolder,
    log: join(fixture.root, 'steps'),
    healed: join(fixture.root, 'healed'),
    mode,
    at,
  }
  return { NODE_OPTIONS: `--import ${PRELOAD}`, CHAOS_FILES: JSON.stringify(order) }
}

function linesOf(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/** Asked often, so it reads little: the one case, and its details once it is sent. */
async function isAllSent(fixture: ChaosFixture): Promise<boolean> {
  const station = fixture.supervisor.station()
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

/** Runs a case without a fault, and counts. */
async function measured(
  start: (fixture: ChaosFixture) => Promise<unknown>,
  count: (fixture: ChaosFixture) => number,
): Promise<number> {
  const fixture = await openChaosFixture(1, ONE_VISIT)
  try {
    await start(fixture)
    await fixture.writeVisits()
    if (!(await fixture.until(() => isAllSent(fixture), RUN_MS)))
      throw new Error('A run without a fault did not end well.')
    await fixture.supervisor.stop()
    return count(fixture)
  } finally {
    await fixture.close()
  }
}

/** Starts until the fault has struck, and as long as it lasts. */
async function runThrough(
  fixture: ChaosFixture,
  start: () => Promise<boolean>,
  hasStruck: () => boolean,
): Promise<void> {
  const isStarted = await start()
  await fixture.writeVisits()
  if (!isStarted) return
  const isOver = async (): Promise<boolean> =>
    fixture.supervisor.station() === null || (await isAllSent(fixture))
  await fixture.until(async () => hasStruck() || (await isOver()), RUN_MS)
  // Time to react and report.
  await fixture.until(isOver, 1_500)
  // Some steps are those of a clean end.
  if (!hasStruck()) await fixture.supervisor.stop()
}

let steps: Promise<number> | null = null

function countSteps(): Promise<number> {
  steps ??= measured(
    (fixture) => fixture.supervisor.start({ environment: brokenFiles(fixture, 'count', 0) }),
    (fixture) => linesOf(join(fixture.root, 'steps')),
  )
  return steps
}

function fileRow(name: string, mode: Mode, rest: Partial<FaultClass> = {}): FaultClass {
  return {
    name: `files: ${name}`,
    runs: { short: 1, full: 20 },
    fixture: ONE_VISIT,
    reports: { states: ['sent'] },
    steps: countSteps,
    ...rest,
    break: async (fixture) => {
      const at = 1 + Math.floor(fixture.share * (await countSteps()))
      const fired = join(fixture.root, 'steps.fired')
      fixture.onHeal(() => writeFile(join(fixture.root, 'healed'), ''))
      const environment = brokenFiles(fixture, mode, at)
      const hasStruck = (): boolean => linesOf(fired) > 0
      await runThrough(fixture, () => fixture.supervisor.start({ environment }), hasStruck)
      // One run takes fewer steps than another. They are counted on through the starts that follow.
      for (let starts = 1; starts < MOST_STARTS && !hasStruck(); starts += 1) {
        if (await fixture.supervisor.start({ environment }))
          await fixture.until(async () => hasStruck(), 1_500)
        await fixture.supervisor.stop()
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
      async (fixture) => {
        await mkdir(fixture.dataFolder, { recursive: true })
        await fixture.supervisor.start({ startedBy: straceBefore(fixture, { call, effect: null }) })
      },
      (fixture) => straceCounts(fixture, call),
    )
  databaseSteps.set(call, known)
  return known
}

function databaseRow(name: string, call: TracedCall, effect: string, isLasting = false): FaultClass {
  return {
    name: `database: ${name}`,
    runs: { short: 0, full: 20 },
    fixture: ONE_VISIT,
    unavailable: hasStrace,
    steps: () => countDatabaseSteps(call),
    break: async (fixture) => {
      const at = 1 + Math.floor(fixture.share * (await countDatabaseSteps(call)))
      await mkdir(fixture.dataFolder, { recursive: true })
      const startedBy = straceBefore(fixture, { call, effect, at, isLasting })
      const hasStruck = (): boolean => straceHasStruck(fixture)
      await runThrough(fixture, () => fixture.supervisor.start({ startedBy }), hasStruck)
      const struck = hasStruck() ? 1 : 0
      // The fault is the tracer's, and ends with its process.
      await fixture.supervisor.kill()
      return struck
    },
  }
}

export const files: readonly FaultClass[] = [
  fileRow('kill -9 at every open, write, fsync and rename', 'kill'),
  fileRow('kill -9 amid every write', 'torn', { runs: { short: 0, full: 20 } }),
  fileRow('disk full from every step on', 'ENOSPC'),
  fileRow('EIO at every step', 'EIO', { runs: { short: 0, full: 20 } }),
  databaseRow('kill -9 at every write', 'pwrite64', 'signal=SIGKILL'),
  databaseRow('kill -9 at every fsync', 'fsync,fdatasync', 'signal=SIGKILL'),
  databaseRow('disk full from every write on', 'pwrite64', 'error=ENOSPC', true),
  databaseRow('EIO at every write', 'pwrite64', 'error=EIO'),
  databaseRow('EIO at every fsync', 'fsync,fdatasync', 'error=EIO'),
]

type TracedCall = 'pwrite64' | 'fsync,fdatasync'

/** Else every call of the station stops twice, which makes a start seven times as long. */
const ONLY_TRACED_CALLS_STOP = ['--seccomp-bpf']

/** Why it cannot be used; null if it can. */
function hasStrace(): string | null {
  if (process.platform !== 'linux') return 'no strace'
  const tried = spawnSync('strace', [...ONLY_TRACED_CALLS_STOP, '-f', '-qq', '-o', '/dev/null', 'true'])
  if (tried.error) return 'no strace'
  return tried.status === 0 ? null : 'strace may not trace here'
}

function logOf(fixture: ChaosFixture): string {
  return join(fixture.root, 'strace.log')
}

/** The command in front of the station: the station replaces it, and strace watches from a process of its own. */
function straceBefore(
  fixture: ChaosFixture,
  fault: {
    readonly call: TracedCall
    readonly effect: string | null
    readonly at?: number
    readonly isLasting?: boolean
  },
): readonly string[] {
  const database = join(fixture.dataFolder, 'outbox.sqlite')
  const inject =
    fault.effect === null
      ? []
      : [
          '-e',
          `inject=${fault.call}:${fault.effect}:when=${fault.at ?? 1}${fault.isLasting === true ? '+' : ''}`,
        ]
  // strace 6.1 does not inject a signal if the kernel stops the traced calls only.
  const filter = fault.effect?.startsWith('signal=') === true ? [] : ONLY_TRACED_CALLS_STOP
  return [
    'strace',
    ...filter,
    '-D',
    '-f',
    '-qq',
    '-o',
    logOf(fixture),
    '-P',
    database,
    '-P',
    `${database}-wal`,
    '-e',
    `trace=${fault.call}`,
    ...inject,
  ]
}

function logged(fixture: ChaosFixture): string {
  return existsSync(logOf(fixture)) ? readFileSync(logOf(fixture), 'utf8') : ''
}

/** How many such calls were made. */
function straceCounts(fixture: ChaosFixture, call: TracedCall): number {
  return logged(fixture)
    .split('\n')
    .filter((line) => call.split(',').some((name) => line.includes(` ${name}(`))).length
}

/** Was a call truly broken? A signal shows as the end of the process, an error as injected. */
function straceHasStruck(fixture: ChaosFixture): boolean {
  return /\(INJECTED\)|killed by SIGKILL/.test(logged(fixture))
}

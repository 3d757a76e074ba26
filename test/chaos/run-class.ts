/** Runs the classes of faults, at most two fixtures at a time, and adds up the results. */
import { randomFrom } from '../camera/random.ts'
import type { Findings } from './compare.ts'
import { atTheService } from './faults/at-the-service.ts'
import { files } from './faults/files.ts'
import { kills } from './faults/kills.ts'
import { machine } from './faults/machine.ts'
import { readers } from './faults/readers.ts'
import { storage } from './faults/storage.ts'
import { transfers } from './faults/transfers.ts'
import { type FaultClass, openChaosFixture } from './fixture.ts'
import type { Reported } from './supervised-station.ts'

/** Every class of faults, in the order of the table. */
export const allFaults: readonly FaultClass[] = [
  ...kills,
  ...transfers,
  ...atTheService,
  ...files,
  ...storage,
  ...machine,
  ...readers,
]

const COLUMNS = ['lost', 'doubled', 'wrongCenter', 'falseSent', 'wrongBytes', 'notFound'] as const

/** Findings are counted by column; see `Findings`. */
export type Row = Readonly<Record<(typeof COLUMNS)[number], number>> & {
  readonly fault: string
  /** Why it was not tried; null if it was. */
  readonly notTried: string | null
  readonly runs: number
  /** How often the fault truly struck, over all runs. */
  readonly struck: number
  /** Runs that did not come to rest after healing. */
  readonly restless: number
  readonly longestRecoverySeconds: number | null
  readonly notes: readonly string[]
  /** What went wrong, with the seed that repeats it. */
  readonly faults: readonly string[]
  /** What should have been shown to a person and was not. */
  readonly unreported: readonly string[]
}

type Run = {
  readonly seed: number
  readonly share: number
  readonly struck: number
  readonly recoveryMs: number | null
  readonly restless: readonly string[]
  readonly findings: Findings
  readonly reported: readonly Reported[]
}

/** The seed of one run: the same for the same run of the same class, whatever else is run beside it. */
function seedOf(seed: number, fault: string, run: number): number {
  let mixed = (seed ^ Math.imul(run + 1, 0x9e3779b1)) >>> 0
  for (const letter of fault) mixed = (Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0) + 1
  return mixed >>> 0
}

/** The parameters that repeat a run. */
function parametersOf(run: Pick<Run, 'seed' | 'share'>): string {
  return `--run-seed ${run.seed} --share ${run.share.toFixed(4)}`
}

async function runOnce(fault: FaultClass, seed: number, share: number): Promise<Run> {
  const fixture = await openChaosFixture(seed, fault.fixture ?? {}, share)
  try {
    const struck = await fault.break(fixture)
    return { seed, share, struck, ...(await fixture.settle()), reported: fixture.heard }
  } finally {
    await fixture.close()
  }
}

/** Which expected reports no run has shown. */
function unreportedOf({ reports }: FaultClass, runs: readonly Run[]): string[] {
  if (!reports || runs.length === 0) return []
  const shown = runs.flatMap(({ reported }) => reported)
  const texts = shown.flatMap(({ failures, refusals }) => [...failures.values(), ...refusals])
  const isMissing = (wanted: readonly string[] = [], of: (one: Reported) => Iterable<string>): boolean =>
    wanted.length > 0 && !shown.some((one) => [...of(one)].some((text) => wanted.includes(text)))
  const { failures, states, alarms, text } = reports
  return [
    ...(isMissing(failures, (one) => one.failures.keys()) ? [`no failure of ${String(failures)}`] : []),
    ...(isMissing(states, (one) => one.states) ? [`no state of ${String(states)}`] : []),
    ...(isMissing(alarms, (one) => one.alarms) ? [`no alarm of ${String(alarms)}`] : []),
    ...(text && !texts.some((one) => text.test(one)) ? [`no text like ${text.source}`] : []),
  ]
}

function rowOf(fault: FaultClass, runs: readonly Run[], broken: readonly string[]): Row {
  const countOf = (key: (typeof COLUMNS)[number]): number =>
    runs.reduce((total, run) => total + run.findings[key].length, 0)
  const faults = runs.flatMap((run) =>
    [
      ...COLUMNS.flatMap((key) => run.findings[key].map((text) => `${key}: ${text}`)),
      ...(run.recoveryMs === null ? [`restless: ${run.restless.join('; ')}`] : []),
    ].map((text) => `${text} (${parametersOf(run)})`),
  )
  const recoveries = runs.flatMap(({ recoveryMs }) => recoveryMs ?? [])
  const notes = Object.groupBy(
    runs.flatMap((run) => run.findings.notes),
    (note) => note,
  )
  return {
    fault: fault.name,
    notTried: null,
    runs: runs.length,
    struck: runs.reduce((total, run) => total + run.struck, 0),
    lost: countOf('lost'),
    doubled: countOf('doubled'),
    wrongCenter: countOf('wrongCenter'),
    falseSent: countOf('falseSent'),
    wrongBytes: countOf('wrongBytes'),
    notFound: countOf('notFound'),
    restless: runs.length - recoveries.length,
    longestRecoverySeconds: recoveries.length > 0 ? Math.max(...recoveries) / 1_000 : null,
    notes: Object.entries(notes).map(([note, same = []]) => `${same.length} ${note}`),
    faults: [...faults, ...broken],
    unreported: unreportedOf(fault, runs),
  }
}

/** Is something wrong with a row? A fault that did not strike is no success. */
export function isBad(row: Row): boolean {
  return row.notTried === null && (row.struck === 0 || row.faults.length > 0 || row.unreported.length > 0)
}

export async function runClass(
  fault: FaultClass,
  options: {
    readonly seed: number
    readonly runs: number
    readonly lanes: number
    /** Repeats the run with this seed, as the report of an earlier run names it. */
    readonly runSeed?: number | undefined
    readonly share?: number | undefined
  },
): Promise<Row> {
  const why = fault.unavailable?.() ?? null
  if (why !== null) return { ...rowOf(fault, [], []), notTried: why }
  const done: Run[] = []
  const broken: string[] = []
  const next = Array.from({ length: options.runs }, (_, run) => run).values()
  const lane = async (): Promise<void> => {
    for (const run of next) {
      const seed = options.runSeed ?? seedOf(options.seed, fault.name, run)
      const share = options.share ?? (run + randomFrom(seed)()) / options.runs
      try {
        done.push(await runOnce(fault, seed, share))
      } catch (error) {
        const what = error instanceof Error ? error.stack : String(error)
        broken.push(`the run itself failed: ${what} (${parametersOf({ seed, share })})`)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.lanes, options.runs) }, lane))
  return rowOf(fault, done, broken)
}

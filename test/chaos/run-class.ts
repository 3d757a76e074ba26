/** Runs the classes of faults, at most two scenes at a time, and adds up what came of them. */
import { randomFrom } from '../camera/random.ts'
import type { Findings } from './compare.ts'
import { openChaosScene } from './chaos-scene.ts'
import type { FaultClass } from './fault-class.ts'
import type { Told } from './station-keeper.ts'

export const COLUMNS = ['lost', 'doubled', 'wrongCenter', 'falseSent'] as const
const OTHER_FINDINGS = ['wrongBytes', 'notFound'] as const

export type Row = {
  readonly fault: string
  /** Null where it was tried; else why not. */
  readonly notTried: string | null
  readonly runs: number
  /** How often the fault truly struck, over all runs. */
  readonly struck: number
  readonly lost: number
  readonly doubled: number
  readonly wrongCenter: number
  readonly falseSent: number
  /** Image bytes, eyes or patients that are not the camera's. */
  readonly wrongBytes: number
  /** Shown by the list with its reference, and left to a person. */
  readonly notFound: number
  /** Runs that did not come to rest after healing. */
  readonly restless: number
  readonly longestRecoverySeconds: number | null
  readonly notes: readonly string[]
  /** What went wrong, with the seed that shows it again. */
  readonly faults: readonly string[]
  readonly told: {
    readonly failures: readonly string[]
    readonly states: readonly string[]
    readonly alarms: readonly string[]
  }
  /** What should have been told and was not. */
  readonly untold: readonly string[]
}

type Run = {
  readonly seed: number
  readonly share: number
  readonly struck: number
  readonly recoveryMs: number | null
  readonly restless: readonly string[]
  readonly findings: Findings
  readonly told: Told
}

/** The seed of one run: the same for the same run of the same class, whatever else is run beside it. */
export function seedOf(seed: number, fault: string, run: number): number {
  let mixed = (seed ^ Math.imul(run + 1, 0x9e3779b1)) >>> 0
  for (const letter of fault) mixed = (Math.imul(mixed ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0) + 1
  return mixed >>> 0
}

/** The words that show a run again. */
function again(run: Pick<Run, 'seed' | 'share'>): string {
  return `--run-seed ${run.seed} --share ${run.share.toFixed(4)}`
}

function together(heard: readonly Told[]): Told {
  return {
    failures: new Map(heard.flatMap((told) => [...told.failures])),
    states: new Set(heard.flatMap((told) => [...told.states])),
    alarms: new Set(heard.flatMap((told) => [...told.alarms])),
    refusals: heard.flatMap((told) => told.refusals),
  }
}

async function runOnce(fault: FaultClass, seed: number, share: number): Promise<Run> {
  const scene = await openChaosScene(seed, fault.scene ?? {}, share)
  try {
    const struck = await fault.break(scene)
    const settled = await scene.settle()
    return { seed, share, struck, ...settled, told: together(scene.heard) }
  } finally {
    await scene.close()
  }
}

function untoldOf(fault: FaultClass, runs: readonly Run[]): string[] {
  const { tells } = fault
  if (!tells || runs.length === 0) return []
  const failures = tells.failures ?? []
  const states = tells.states ?? []
  const alarms = tells.alarms ?? []
  const isTold = (wanted: readonly string[], of: (told: Told) => Iterable<string>): boolean =>
    wanted.length === 0 || runs.some((run) => [...of(run.told)].some((one) => wanted.includes(one)))
  const { refusal } = tells
  return [
    ...(isTold(failures, (told) => told.failures.keys()) ? [] : [`no failure of ${failures.join(', ')}`]),
    ...(isTold(states, (told) => told.states) ? [] : [`no state of ${states.join(', ')}`]),
    ...(isTold(alarms, (told) => told.alarms) ? [] : [`no alarm of ${alarms.join(', ')}`]),
    ...(refusal && !runs.some((run) => run.told.refusals.some((text) => refusal.test(text)))
      ? [`no refusal like ${refusal.source}`]
      : []),
  ]
}

function counted(notes: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const note of notes) counts.set(note, (counts.get(note) ?? 0) + 1)
  return [...counts].map(([note, count]) => `${count} ${note}`)
}

function rowOf(fault: FaultClass, runs: readonly Run[], broken: readonly string[]): Row {
  const sum = (key: (typeof COLUMNS)[number] | (typeof OTHER_FINDINGS)[number]): number =>
    runs.reduce((total, run) => total + run.findings[key].length, 0)
  const faults = runs.flatMap((run) => [
    ...[...COLUMNS, ...OTHER_FINDINGS].flatMap((key) =>
      run.findings[key].map((text) => `${key}: ${text} (${again(run)})`),
    ),
    ...(run.recoveryMs === null ? [`restless: ${run.restless.join('; ')} (${again(run)})`] : []),
  ])
  const recoveries = runs.flatMap((run) => (run.recoveryMs === null ? [] : [run.recoveryMs]))
  const distinct = (of: (told: Told) => Iterable<string>): string[] => [
    ...new Set(runs.flatMap((run) => [...of(run.told)])),
  ]
  return {
    fault: fault.name,
    notTried: null,
    runs: runs.length,
    struck: runs.reduce((total, run) => total + run.struck, 0),
    lost: sum('lost'),
    doubled: sum('doubled'),
    wrongCenter: sum('wrongCenter'),
    falseSent: sum('falseSent'),
    wrongBytes: sum('wrongBytes'),
    notFound: sum('notFound'),
    restless: runs.filter((run) => run.recoveryMs === null).length,
    longestRecoverySeconds: recoveries.length > 0 ? Math.max(...recoveries) / 1_000 : null,
    notes: counted(runs.flatMap((run) => run.findings.notes)),
    faults: [...faults, ...broken],
    told: {
      failures: [
        ...distinct((told) => told.failures.values()),
        ...distinct((told) => told.refusals.map((text) => text.trim().split('\n').at(-1) ?? '')),
      ],
      states: distinct((told) => told.states),
      alarms: distinct((told) => told.alarms),
    },
    untold: untoldOf(fault, runs),
  }
}

export function notTriedRow(fault: FaultClass, why: string): Row {
  return { ...rowOf(fault, [], []), notTried: why }
}

/** Is something wrong with a row? A fault that did not strike is no success. */
export function isBad(row: Row): boolean {
  if (row.notTried !== null) return false
  return row.struck === 0 || row.faults.length > 0 || row.untold.length > 0
}

export async function runClass(
  fault: FaultClass,
  options: {
    readonly seed: number
    readonly runs: number
    readonly lanes: number
    /** Runs with just this seed, as a report of an earlier run names it. */
    readonly runSeed?: number | undefined
    readonly share?: number | undefined
    readonly onRun?: (done: number, of: number) => void
  },
): Promise<Row> {
  const why = fault.unavailable?.() ?? null
  if (why !== null) return notTriedRow(fault, why)
  const done: Run[] = []
  const broken: string[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < options.runs) {
      const run = next
      next += 1
      const seed = options.runSeed ?? seedOf(options.seed, fault.name, run)
      const share = options.share ?? (run + randomFrom(seed)()) / options.runs
      try {
        done.push(await runOnce(fault, seed, share))
      } catch (error) {
        broken.push(
          `the run itself failed: ${error instanceof Error ? error.stack : String(error)} (${again({ seed, share })})`,
        )
      }
      options.onRun?.(done.length + broken.length, options.runs)
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.lanes, options.runs) }, lane))
  return rowOf(fault, done, broken)
}

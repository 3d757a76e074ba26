/** Breaks single system calls on the database with `strace`, where that is installed. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChaosScene } from './chaos-scene.ts'

export type TracedCall = 'pwrite64' | 'fsync'

/** Else every call of the station stops twice, which makes a start seven times as long. */
const ONLY_TRACED_CALLS_STOP = ['--seccomp-bpf']

/** Null where it can be used; else why not. */
export function hasStrace(): string | null {
  if (process.platform !== 'linux') return 'no strace'
  const tried = spawnSync('strace', [...ONLY_TRACED_CALLS_STOP, '-f', '-qq', '-o', '/dev/null', 'true'])
  if (tried.error) return 'no strace'
  return tried.status === 0 ? null : 'strace may not trace here'
}

function logOf(scene: ChaosScene): string {
  return join(scene.root, 'strace.log')
}

/** The words in front of the station: it runs in the place of strace, which watches from a process of its own. */
export function straceBefore(
  scene: ChaosScene,
  fault: {
    readonly call: TracedCall
    readonly effect: string | null
    readonly at?: number
    readonly isLasting?: boolean
  },
): readonly string[] {
  const database = join(scene.dataFolder, 'outbox.sqlite')
  const inject =
    fault.effect === null
      ? []
      : [
          '-e',
          `inject=${fault.call}:${fault.effect}:when=${fault.at ?? 1}${fault.isLasting === true ? '+' : ''}`,
        ]
  // strace 6.1 does not inject a signal where the kernel stops the traced calls only.
  const filter = fault.effect?.startsWith('signal=') === true ? [] : ONLY_TRACED_CALLS_STOP
  return [
    'strace',
    ...filter,
    '-D',
    '-f',
    '-qq',
    '-o',
    logOf(scene),
    '-P',
    database,
    '-P',
    `${database}-wal`,
    '-e',
    `trace=${fault.call}`,
    ...inject,
  ]
}

function logged(scene: ChaosScene): string {
  return existsSync(logOf(scene)) ? readFileSync(logOf(scene), 'utf8') : ''
}

/** How many such calls were made. */
export function straceCounts(scene: ChaosScene, call: TracedCall): number {
  return logged(scene)
    .split('\n')
    .filter((line) => line.includes(` ${call}(`)).length
}

/** Was a call truly broken? A signal shows as the end of the process, an error as injected. */
export function straceHasStruck(scene: ChaosScene): boolean {
  return /\(INJECTED\)|killed by SIGKILL/.test(logged(scene))
}

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { buildForNode } from '../tools/build-for-node.ts'
import { peakMegabytesIn } from './figures.ts'

export type Ran = { readonly output: string; readonly seconds: number }

/** Runs a program to its end; throws if it does not end well. */
export async function runProgram(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const startedAt = performance.now()
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${String(code)}`)
  return { output, seconds: (performance.now() - startedAt) / 1_000 }
}

/** Runs a line of the shell; `$1` and following are `args`. */
export async function runShell(line: string, ...args: readonly string[]): Promise<Ran> {
  return runProgram('sh', ['-ec', line, 'sh', ...args])
}

/** Runs a program of this folder, or one that was built from it, in a process of its own, and reads the JSON that it prints. */
export async function runOwn<Answer>(
  name: string,
  args: readonly string[],
  {
    environment = {},
    startedBy = [],
  }: { readonly environment?: Readonly<Record<string, string>>; readonly startedBy?: readonly string[] } = {},
): Promise<Answer> {
  const path = isAbsolute(name) ? name : fileURLToPath(new URL(name, import.meta.url))
  const [program = process.execPath, ...rest] = [...startedBy, process.execPath, path, ...args]
  return JSON.parse((await runProgram(program, rest, environment)).output) as Answer
}

/** Delays each flush, as a disk that turns does; null if there is no strace. */
export function slowFlushes(ms: number): readonly string[] | null {
  const calls = 'fsync,fdatasync'
  const parameters = ['--seccomp-bpf', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`]
  const program = ['strace', ...parameters, '-e', `inject=${calls}:delay_enter=${ms * 1_000}`]
  return spawnSync('strace', [...program.slice(1), 'true']).status === 0 ? program : null
}

/** Answers the path of the built program. Reading TypeScript costs Node about 60 MB, which no installed station pays. */
export async function buildProgram(name: string): Promise<string> {
  const folder = await buildForNode({ [name]: join('test', 'bench', `${name}.ts`) }, 'bench')
  return join(folder, `${name}.js`)
}

/** User and system time of a process and all its threads, from the text of /proc/PID/stat; seconds. */
export function cpuSecondsIn(stat: string): number {
  // The name of the program is in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]].map(Number)
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND
}

/** `USER_HZ`, which is 100 on every system that Node runs on. */
const TICKS_PER_SECOND = 100

export async function cpuSecondsOf(pid: number): Promise<number> {
  return cpuSecondsIn(await readFile(`/proc/${pid}/stat`, 'utf8'))
}

export async function peakMegabytesOf(pid: number): Promise<number> {
  return peakMegabytesIn(await readFile(`/proc/${pid}/status`, 'utf8'))
}

export type Machine = {
  readonly processor: string
  readonly cores: number
  readonly memoryMegabytes: number
  readonly node: string
  readonly system: string
  /** Programs that wanted to run, over one and five minutes, when the bench began. */
  readonly load: readonly [number, number]
}

/** Describes this machine. */
export function describeMachine(): Machine {
  const [one = 0, five = 0] = loadavg()
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryMegabytes: Math.round(totalmem() / 1_000_000),
    node: process.version,
    system: process.platform,
    load: [one, five],
  }
}

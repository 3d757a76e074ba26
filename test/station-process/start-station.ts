/** A station as its users run it: the headless host in a process of its own, driven over its contract. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { z } from 'zod'
import { type CallInput, type CallName, type CallOutput, calls } from '../../src-shared/contract.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { settingsSchema } from '../../src-shared/settings.ts'

export type StationConfig = z.input<typeof settingsSchema>

export type StationProcess = {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** The address that a browser opens. */
  readonly screens: string
  ask<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<Result<CallOutput<Name>>>
  /** Asks, and takes a failure for a defect of the test. */
  value<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallOutput<Name>>
  /** What it has written on stderr so far. */
  log(): string
  /** As when the machine is switched off at the wall. */
  kill(): Promise<void>
  /** As a service manager ends it; answers with the exit code. */
  stop(): Promise<number | null>
  /** Its exit code once it has ended; null if a signal ended it. */
  readonly ended: Promise<number | null>
}

/** The station said why it does not start. */
export class NotStarted extends Error {
  override name = 'NotStarted' as const
  readonly exitCode: number | null

  constructor(log: string, exitCode: number | null) {
    super(`The station did not start: ${log}`)
    this.exitCode = exitCode
  }
}

const MAIN = fileURLToPath(new URL('../../src-main/headless/main.ts', import.meta.url))
/** Reading its sources takes a station twice as long as all else of a start; Node remembers here what it has read. */
const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache')

/** Has Node remember the sources of a station: one that is killed leaves nothing behind for the next start. */
export async function readStationOnce(): Promise<void> {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env }
  await ended(spawn(process.execPath, [MAIN, '--help'], { stdio: 'ignore', env }))
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Starts a station on a data folder; the configuration is written beside it. */
export async function startStation(options: {
  readonly dataFolder: string
  readonly config: StationConfig
  readonly environment?: Readonly<Record<string, string>>
  /** More parameters of its command line. */
  readonly parameters?: readonly string[]
  /** The path of the built headless host; by default its sources run. */
  readonly program?: string
  /** A program and its parameters that start the station in their own place, as `strace -D` does. */
  readonly startedBy?: readonly string[]
  /** Gets the id of the process at once, before the station is ready. */
  readonly onSpawned?: (pid: number) => void
}): Promise<StationProcess> {
  const configPath = join(options.dataFolder, '..', 'config.json')
  await writeFile(configPath, JSON.stringify(options.config))
  const command = [
    process.execPath,
    options.program ?? MAIN,
    '--config',
    configPath,
    '--data',
    options.dataFolder,
  ]
  const [program = '', ...rest] = [...(options.startedBy ?? []), ...command, ...(options.parameters ?? [])]
  const child = spawn(program, rest, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...options.environment },
  })
  if (child.pid !== undefined) options.onSpawned?.(child.pid)
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const first = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line)),
    ended(child).then(() => null),
  ])
  if (first === null) throw new NotStarted(log, child.exitCode)
  const { listening, token } = JSON.parse(first) as { listening: string; token: string }

  const ask: StationProcess['ask'] = async (name, input) => {
    const response = await fetch(`${listening}/call/${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(input ?? {}),
    })
    const answer = (await response.json()) as Result<unknown>
    if (!answer.ok) return answer
    return { ok: true, value: calls[name].output.parse(answer.value) as never }
  }
  return {
    url: listening,
    token,
    pid: child.pid ?? 0,
    screens: `${listening}/#token=${token}`,
    ask,
    value: async (name, input) => {
      const answer = await ask(name, input)
      if (!answer.ok) throw new Error(`${name}: ${answer.failure.kind}: ${answer.failure.message}`)
      return answer.value
    },
    log: () => log,
    kill: async () => {
      child.kill('SIGKILL')
      await ended(child)
    },
    stop: async () => {
      child.kill('SIGTERM')
      return ended(child)
    },
    ended: ended(child),
  }
}

/** Waits until the question has a true answer; asks every 50 ms, and gives up with the sentence after the time. */
export async function until<Value>(
  what: string,
  ask: () => Promise<Value | null | undefined | false> | Value | null | undefined | false,
  withinMs = 60_000,
): Promise<Value> {
  const end = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer !== null && answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`It did not happen within ${withinMs / 1_000} s: ${what}`)
    await sleep(50)
  }
}

/** What the probe in a measured program has noted. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Stall } from './thread-probe.ts'

export type Stalls = {
  /** What to give the program in its environment. */
  readonly environment: Readonly<Record<string, string>>
  /** Once the program has ended. */
  read(): Promise<readonly Stall[]>
}

let probes = 0

/** A probe for one program that is about to start; its notes lie in `folder`. */
export function openStalls(folder: string): Stalls {
  probes += 1
  const path = join(folder, `stalls-${probes}.json`)
  const probe = new URL('./thread-probe.ts', import.meta.url).href
  return {
    environment: { NODE_OPTIONS: `--import ${probe}`, FUNDUS_COURIER_BENCH_PROBE: path },
    read: async () => JSON.parse(await readFile(path, 'utf8')) as Stall[],
  }
}

export type LongestStall = {
  /** As somebody at the screen would feel it. */
  readonly ms: number
  /** Without what other programs of this machine took of it. */
  readonly ownMs: number
}

/** The longest of those between two instants, epoch milliseconds. */
export function longestStall(stalls: readonly Stall[], from: number, until: number): LongestStall {
  const within = stalls.filter((stall) => stall.at >= from && stall.at - stall.ms <= until)
  return {
    ms: Math.max(0, ...within.map(({ ms }) => ms)),
    ownMs: Math.max(0, ...within.map(({ ms, waitedMs }) => ms - waitedMs)),
  }
}

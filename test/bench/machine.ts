/** What a figure was measured on: without it, it says nothing. */
import { readFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { runShell } from './run-program.ts'

export type Machine = {
  readonly processor: string
  readonly cores: number
  readonly memoryMegabytes: number
  readonly node: string
  readonly system: string
  /** Of the folder where the bench works: file system, and whether its disk turns; null where that is not told. */
  readonly fileSystem: string | null
  readonly disk: 'turning' | 'solid' | null
  /** Programs that wanted to run, over one and five minutes, when the bench began. */
  readonly load: readonly [number, number]
}

async function asked(line: string, ...args: readonly string[]): Promise<string | null> {
  try {
    return (await runShell(line, ...args)).output.trim() || null
  } catch {
    return null
  }
}

/** Describes this machine and the disk of a folder. */
export async function describeMachine(folder: string): Promise<Machine> {
  const device = await asked('basename "$(df --output=source "$1" | tail -1)"', folder)
  const turning =
    device === null
      ? null
      : await readFile(`/sys/block/${device.replace(/p?\d+$/, '')}/queue/rotational`, 'utf8').catch(
          () => null,
        )
  const [one = 0, five = 0] = loadavg()
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryMegabytes: Math.round(totalmem() / 1_000_000),
    node: process.version,
    system: process.platform,
    fileSystem: await asked('df --output=fstype "$1" | tail -1', folder),
    disk: turning === null ? null : turning.trim() === '1' ? 'turning' : 'solid',
    load: [one, five],
  }
}

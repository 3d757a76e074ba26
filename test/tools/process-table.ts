/** What Linux counts of a process and its children. */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

/** The children of a process, by the system's own table; none once it has ended. */
export function childrenOf(parent: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        // The name of the program is in parentheses and may hold anything.
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

/** False if there is no such process. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(pid, name)
    return true
  } catch {
    return false
  }
}

/** The proportional set size, in which shared pages count once for all who share them; megabytes of 10^6, 0 once it has ended. */
export async function pssMegabytesOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return (Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1_024) / 1_000_000
}

export type HeldMemory = { readonly mainMegabytes: number; readonly allMegabytes: number }

/** Of a process, and of it with all its children. */
export async function memoryOf(pid: number): Promise<HeldMemory> {
  const mainMegabytes = await pssMegabytesOf(pid)
  const others = await Promise.all(childrenOf(pid).map(pssMegabytesOf))
  return { mainMegabytes, allMegabytes: others.reduce((sum, one) => sum + one, mainMegabytes) }
}

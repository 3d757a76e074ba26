/** What Linux counts of a process: proc(5). */
import { readFile } from 'node:fs/promises'

/** User and system time of a process and all its threads, from the text of /proc/PID/stat; seconds. */
export function cpuSecondsIn(stat: string): number {
  // The name of the program stands in parentheses and may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user, system] = [fields[11], fields[12]].map(Number)
  return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND
}

/** `USER_HZ`, which is 100 on every system that Node runs on. */
const TICKS_PER_SECOND = 100

/** Resident memory of a process, now (`VmRSS`) or at its highest (`VmHWM`), from /proc/PID/status; megabytes of 10^6. */
export function megabytesIn(status: string, which: 'VmRSS' | 'VmHWM'): number {
  const kibibytes = new RegExp(`^${which}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kibibytes === undefined) throw new Error(`There is no ${which} in the status of the process.`)
  return (Number(kibibytes) * 1_024) / 1_000_000
}

export async function cpuSecondsOf(pid: number): Promise<number> {
  return cpuSecondsIn(await readFile(`/proc/${pid}/stat`, 'utf8'))
}

export async function peakMegabytesOf(pid: number): Promise<number> {
  return megabytesIn(await readFile(`/proc/${pid}/status`, 'utf8'), 'VmHWM')
}

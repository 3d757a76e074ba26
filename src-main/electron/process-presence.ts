import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'

/** `anotherProgram`: the number was given to a process that has nothing to do with us. */
export type ProcessPresence = 'ours' | 'anotherProgram' | 'otherAccount' | 'gone'

/** Is there a process with this number, and does it run a program of this name? Linux. */
export function findProcess(pid: number, programName: string): ProcessPresence {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone'
    // Another account's program may not be seen, but its short name may.
    return readShortName(pid) === programName.slice(0, 15) ? 'otherAccount' : 'anotherProgram'
  }
  try {
    // A program that was updated meanwhile is shown as deleted.
    const running = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''))
    return running === programName ? 'ours' : 'anotherProgram'
  } catch (error) {
    // Nobody says what it is: the safer of the two.
    if (errorCode(error) !== undefined) return 'ours'
    throw error
  }
}

function readShortName(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== undefined) return null
    throw error
  }
}

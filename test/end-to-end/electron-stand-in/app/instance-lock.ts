/** The lock of the first instance, held in the folder for user data as Electron holds it, and given up by the dead. */
import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start } from './stage.ts'

export type SecondStart = {
  readonly words: readonly string[]
  readonly folder: string
  readonly data: unknown
}

/** Asked of the folder that user data have at that moment. Electron, too, says no where there is none. */
export function takeLock(
  folder: string,
  words: SecondStart,
  onSecond: (second: SecondStart) => void,
): boolean {
  const lock = join(folder, 'SingletonLock')
  const calls = join(folder, 'SingletonCalls')
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      if (error.code === 'ENOENT') return false
      const holder = readHolder(lock)
      if (holder !== null && isAlive(holder)) {
        writeFileSync(join(calls, `${process.pid}.json`), JSON.stringify(words))
        return false
      }
      rmSync(lock, { force: true })
    }
  }
  rmSync(calls, { recursive: true, force: true })
  mkdirSync(calls)
  const read = (): void => {
    for (const name of readdirSync(calls)) {
      const path = join(calls, name)
      const text = readFileSync(path, 'utf8')
      // Written a moment ago, and perhaps not to its end: the next change tells of it again.
      if (!text.endsWith('}')) continue
      rmSync(path)
      onSecond(JSON.parse(text) as SecondStart)
    }
  }
  const watcher = watch(calls, read)
  watcher.unref()
  process.on('exit', () => {
    watcher.close()
    rmSync(calls, { recursive: true, force: true })
    rmSync(lock, { force: true })
  })
  return true
}

function readHolder(lock: string): number | null {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EPERM'
    throw error
  }
}

export const ownStart = (data: unknown): SecondStart => ({
  words: process.argv,
  folder: start.files.folder,
  data: data ?? null,
})

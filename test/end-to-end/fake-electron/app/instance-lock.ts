/**
 * The lock of the first instance, held in the folder for user data as Electron holds it, and given up by the dead. A
 * later start hands over its parameters by a local socket.
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from './stage.ts'

export type SecondStart = {
  readonly parameters: readonly string[]
  readonly folder: string
  readonly data: unknown
}

type Holder = { readonly pid: number; readonly address: string }

/** Asked of the folder that user data have at that moment. Electron, too, says no where there is none. */
export function takeLock(
  folder: string,
  parameters: SecondStart,
  onSecond: (second: SecondStart) => void,
): boolean {
  const lock = join(folder, 'SingletonLock')
  const address = newAddress()
  for (;;) {
    try {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, address } satisfies Holder), { flag: 'wx' })
      break
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      if (error.code === 'ENOENT') return false
      const holder = readHolder(lock)
      if (holder !== null && isAlive(holder.pid)) {
        handOver(holder.address, parameters)
        return false
      }
      rmSync(lock, { force: true })
    }
  }
  const server = createServer((socket) => {
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('end', () => onSecond(JSON.parse(Buffer.concat(pieces).toString('utf8')) as SecondStart))
    // A start that is killed while it speaks is no second start.
    socket.on('error', () => undefined)
  })
  server.listen(address)
  server.unref()
  process.on('exit', () => {
    server.close()
    rmSync(lock, { force: true })
  })
  return true
}

const HAND_OVER = "require('node:net').connect(process.argv[1]).end(process.argv[2], () => process.exit())"

/** In a process of its own and waited for: the app may end itself at once after it was refused. */
function handOver(address: string, parameters: SecondStart): void {
  spawnSync(process.execPath, ['--eval', HAND_OVER, address, JSON.stringify(parameters)], { timeout: 10_000 })
}

/** Short enough for the system, which takes some hundred characters; on Windows sockets have names of their own. */
function newAddress(): string {
  const name = `fundus-courier-${randomUUID()}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

/** Null where it is gone again, or not written to its end yet. */
function readHolder(lock: string): Holder | null {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error)) return null
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
  parameters: process.argv,
  folder: start.files.folder,
  data: data ?? null,
})

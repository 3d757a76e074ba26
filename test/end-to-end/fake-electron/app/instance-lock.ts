/** The lock of the first instance, held in the folder for user data as Electron holds it, and released by the dead. */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Holder = { readonly pid: number; readonly address: string }

/** A later start sends its parameters to the first by a local socket. False without a folder, as in Electron. */
export function takeLock(folder: string, onSecond: (parameters: readonly string[]) => void): boolean {
  const lock = join(folder, 'SingletonLock')
  const address = newAddress()
  for (;;) {
    try {
      writeFileSync(lock, JSON.stringify({ pid: process.pid, address } satisfies Holder), { flag: 'wx' })
      break
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      const holder = readHolder(lock)
      if (holder !== null && isAlive(holder.pid)) {
        sendParameters(holder.address)
        return false
      }
      rmSync(lock, { force: true })
    }
  }
  const server = createServer((socket) => {
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => onSecond(JSON.parse(Buffer.concat(chunks).toString('utf8')) as string[]))
    // A start that is killed while it sends is no second start.
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

const SEND = "require('node:net').connect(process.argv[1]).end(process.argv[2], () => process.exit())"

/** In a process of its own and waited for: the app may end itself at once after it was refused. */
function sendParameters(address: string): void {
  const parameters = JSON.stringify(process.argv)
  spawnSync(process.execPath, ['--eval', SEND, address, parameters], { timeout: 10_000 })
}

/** Short enough for the system, which takes some hundred characters; Windows names sockets in its own way. */
function newAddress(): string {
  const name = `fundus-courier-${randomUUID()}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
}

/** Null if it is gone again, or not written to its end yet. */
function readHolder(lock: string): Holder | null {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) !== undefined) return null
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

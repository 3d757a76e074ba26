/**
 * One station per account: a second start shows the first one's window and exits.
 *
 * Electron's lock is in its user data folder. On Linux and macOS it is a link that names a host and a process id. A
 * killed process leaves it behind; if its id is reused or the computer was renamed, every later start would fail
 * silently (NousResearch/hermes-agent 82054). So a lock without an owner is removed, and in every other case the
 * reason is reported. Another account on the same machine is excluded by the lock of the database itself.
 *
 * Loaded before Electron is ready: uses only Node, and only synchronously.
 */
import { mkdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'

/** `anotherProgram`: the process id now belongs to an unrelated process. */
type ProcessPresence = 'ours' | 'anotherProgram' | 'otherAccount' | 'gone'

/** Does a process with this id exist, and does it run a program of this name? Linux. */
export function findProcess(pid: number, programName: string): ProcessPresence {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return 'gone'
    // The program of another account is hidden, but its short name is not.
    const shortName = readOrNull(() => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())
    return shortName === programName.slice(0, 15) ? 'otherAccount' : 'anotherProgram'
  }
  try {
    // After an update the old program is shown as deleted.
    const running = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''))
    return running === programName ? 'ours' : 'anotherProgram'
  } catch (error) {
    // Unknown: assume the safer of the two.
    if (errorCode(error) !== undefined) return 'ours'
    throw error
  }
}

/** A process without a heartbeat for this long hangs; heartbeats come every minute. */
const HEARTBEAT_TIMEOUT_MS = 3 * 60_000

type LockHolder = {
  getPath(name: 'userData'): string
  requestSingleInstanceLock(): boolean
}

export type SecondStart =
  | { readonly kind: 'running' }
  | { readonly kind: 'stale' }
  /** The first instance exists but does not respond. */
  | { readonly kind: 'silent'; readonly pid: number }
  | { readonly kind: 'otherHost'; readonly hostName: string; readonly lockPath: string }
  | { readonly kind: 'otherAccount'; readonly pid: number }

export type LockFacts = {
  /** The content of Electron's link on Linux and macOS; null if there is none, as on Windows. */
  readonly link: { readonly hostName: string; readonly pid: number; readonly path: string } | null
  readonly hostName: string
  readonly holder: ProcessPresence
  /** The recorded run and its last heartbeat, epoch milliseconds. */
  readonly run: { readonly pid: number; readonly aliveAt: number } | null
  readonly now: number
}

/** Why the lock was refused. Pure. */
export function classifySecondStart({ link, hostName, holder, run, now }: LockFacts): SecondStart {
  // A computer may be renamed while the first instance runs (macOS takes names from the network), so the
  // process is checked first.
  const isWrittenDown = link !== null && holder === 'ours' && link.pid === run?.pid
  if (link && !isWrittenDown) {
    if (link.hostName !== hostName) return { kind: 'otherHost', hostName: link.hostName, lockPath: link.path }
    if (holder === 'gone' || holder === 'anotherProgram') return { kind: 'stale' }
    if (holder === 'otherAccount') return { kind: 'otherAccount', pid: link.pid }
  }
  return run && now - run.aliveAt > HEARTBEAT_TIMEOUT_MS
    ? { kind: 'silent', pid: run.pid }
    : { kind: 'running' }
}

/** `first`: continue. Otherwise the reason; `note` goes to the log or to stderr. */
export type LockResult =
  | { readonly kind: 'first'; readonly note: string | null }
  | { readonly kind: 'second'; readonly why: Exclude<SecondStart, { kind: 'stale' }> }

/** Call before the app is ready, and exit at once unless the result is `first`. */
export function acquireLock(app: LockHolder): LockResult {
  const folder = app.getPath('userData')
  // At the very first start the folder does not exist, and Electron would report the lock as taken.
  mkdirSync(folder, { recursive: true })
  if (app.requestSingleInstanceLock()) return { kind: 'first', note: null }
  const link = readLink(join(folder, 'SingletonLock'))
  const secondStart = classifySecondStart({
    link,
    hostName: hostname(),
    holder: link ? findProcess(link.pid, basename(process.execPath)) : 'gone',
    run: readRun(join(folder, 'runs.json')),
    now: Date.now(),
  })
  if (secondStart.kind !== 'stale') return { kind: 'second', why: secondStart }
  for (const name of ['SingletonLock', 'SingletonSocket', 'SingletonCookie'])
    rmSync(join(folder, name), { force: true })
  return app.requestSingleInstanceLock()
    ? { kind: 'first', note: 'a lock that a process had left behind was removed' }
    : // Another start was quicker.
      { kind: 'second', why: { kind: 'running' } }
}

function readLink(path: string): LockFacts['link'] {
  const [, hostName, pid] = /^(.*)-(\d+)$/.exec(readOrNull(() => readlinkSync(path)) ?? '') ?? []
  return hostName === undefined || pid === undefined ? null : { hostName, pid: Number(pid), path }
}

/** Parsed by hand: the schema library is too slow to load before Electron is ready. */
function readRun(path: string): LockFacts['run'] {
  const current = fieldOf(readJson(path), 'current')
  const pid = fieldOf(current, 'pid')
  const startedAt = fieldOf(current, 'startedAt')
  const dataFolder = fieldOf(current, 'dataFolder')
  if (typeof pid !== 'number' || typeof startedAt !== 'number' || typeof dataFolder !== 'string') return null
  const heartbeat = readJson(join(dataFolder, 'heartbeat.json'))
  const beatAt = fieldOf(heartbeat, 'pid') === pid ? Date.parse(String(fieldOf(heartbeat, 'at'))) : Number.NaN
  return { pid, aliveAt: Number.isNaN(beatAt) ? startedAt : Math.max(startedAt, beatAt) }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}

function readJson(path: string): unknown {
  return readOrNull(() => JSON.parse(readFileSync(path, 'utf8')) as unknown)
}

function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return null
    throw error
  }
}

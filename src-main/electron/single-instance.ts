/**
 * One station per account: a second start shows the first one's window and ends.
 *
 * Electron's lock lies in its user data folder. On Linux and macOS it is a link that names a host and a process. A process that is
 * killed leaves it behind, and where its number is used again, or the computer has another name since, no start would
 * ever succeed, without a word (NousResearch/hermes-agent 82054). So a lock that nobody holds is removed, and in every
 * other case the reason is told. Another account on the same machine is held off by the lock of the database itself.
 *
 * Loaded before Electron is ready: nothing but Node here, and nothing that waits.
 */
import { mkdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, join } from 'node:path'
import { errorCode } from '../station/lib/errors.ts'

/** `anotherProgram`: the number was given to a process that has nothing to do with us. */
type ProcessPresence = 'ours' | 'anotherProgram' | 'otherAccount' | 'gone'

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

/** A heart that has not beaten for so long belongs to a process that hangs; it beats every minute. */
const HEARTBEAT_TIMEOUT_MS = 3 * 60_000

/** The part of `app` that is needed. */
type LockHolder = {
  getPath(name: 'userData'): string
  requestSingleInstanceLock(): boolean
}

export type SecondStart =
  | { readonly kind: 'running' }
  /** Nobody holds the lock any more. */
  | { readonly kind: 'stale' }
  /** The first instance is there and does not answer. */
  | { readonly kind: 'silent'; readonly pid: number }
  | { readonly kind: 'otherHost'; readonly hostName: string; readonly lockPath: string }
  | { readonly kind: 'otherAccount'; readonly pid: number }

export type LockFacts = {
  /** What Electron's link on Linux and macOS says; null where there is none, as on Windows. */
  readonly link: { readonly hostName: string; readonly pid: number; readonly path: string } | null
  readonly hostName: string
  readonly holder: ProcessPresence
  /** The run that has written itself down, and the last sign of life of it, epoch milliseconds. */
  readonly run: { readonly pid: number; readonly aliveAt: number } | null
  readonly now: number
}

/** Why the lock was refused. Pure. */
export function classifySecondStart({ link, hostName, holder, run, now }: LockFacts): SecondStart {
  // A computer may be named anew while the first one runs (macOS takes names from the network): first, who it is.
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

/** `first`: go on. Else why not; `note` is for the log of whoever goes on, or for stderr. */
export type LockResult =
  | { readonly kind: 'first'; readonly note: string | null }
  | { readonly kind: 'second'; readonly why: Exclude<SecondStart, { kind: 'stale' }> }

/** Must be asked before the app is ready, and answered by an exit at once where it is not the first. */
export function acquireLock(app: LockHolder): LockResult {
  const folder = app.getPath('userData')
  // At the very first start the folder is not there, and then Electron reports the lock as taken.
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
    : // Somebody was quicker.
      { kind: 'second', why: { kind: 'running' } }
}

function readLink(path: string): LockFacts['link'] {
  const [, hostName, pid] = /^(.*)-(\d+)$/.exec(readOrNull(() => readlinkSync(path)) ?? '') ?? []
  return hostName === undefined || pid === undefined ? null : { hostName, pid: Number(pid), path }
}

/** By hand and not by a schema: what reads schemas is too much to load before Electron is ready. */
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

/** What cannot be read says nothing. */
function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) !== undefined) return null
    throw error
  }
}

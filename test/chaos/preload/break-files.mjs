/**
 * Loaded before a station: counts what it does to the files of its own folder, and breaks one step of it.
 *
 * CHAOS_FILES is JSON: `folder`, `log` (a line for each step), `mode` (`count`, `kill`, `torn`, `ENOSPC`, `EIO`) and
 * `at`, which step is broken, counted from 1 over all threads in the order of the log. `ENOSPC` stays until the file
 * `healed` is there, as a full disk does; the others strike once. SQLite writes past Node, so strace breaks that.
 */
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { sep } from 'node:path'

const order = process.env.CHAOS_FILES === undefined ? null : JSON.parse(process.env.CHAOS_FILES)
const real = { appendFileSync: fs.appendFileSync, statSync: fs.statSync, existsSync: fs.existsSync }
const paths = new Map()

function isOurs(path) {
  const text = String(path)
  return text === order.folder || text.startsWith(order.folder + sep)
}

/** One line is five bytes, so that the length of the log counts the steps of all threads. */
function countStep() {
  real.appendFileSync(order.log, 'step\n')
  return real.statSync(order.log).size / 5
}

function noteFired(what) {
  real.appendFileSync(`${order.log}.fired`, `${what}\n`)
}

function failed(code, what) {
  return Object.assign(new Error(`${code}: broken on purpose, ${what}`), { code, errno: -5, syscall: what })
}

/** Called before each step; throws, ends the process, or lets it happen. `tear` does a half of it. */
function step(what, tear = null) {
  const number = countStep()
  const isFull = order.mode === 'ENOSPC' && number >= order.at && !real.existsSync(order.healed)
  if (isFull && what !== 'rename' && what !== 'fsync') {
    noteFired(what)
    throw failed('ENOSPC', what)
  }
  if (number !== order.at || order.mode === 'count' || order.mode === 'ENOSPC') return
  noteFired(what)
  if (order.mode === 'EIO') throw failed('EIO', what)
  if (order.mode === 'torn') tear?.()
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing more may be written.
  for (;;);
}

function isWriting(flags) {
  if (typeof flags === 'number') return (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
  return typeof flags === 'string' && /[wa+]/.test(flags)
}

function half(data) {
  return typeof data === 'string' ? data.slice(0, data.length / 2) : data?.subarray?.(0, data.length / 2)
}

function breakSync(name, what, pathOf, tear) {
  const genuine = fs[name]
  fs[name] = (...parameters) => {
    if (isOurs(pathOf(parameters))) step(what, tear ? () => tear(genuine, parameters) : null)
    return genuine(...parameters)
  }
}

function breakPromised(name, what, pathOf, tear) {
  const genuine = fsPromises[name]
  fsPromises[name] = async (...parameters) => {
    if (isOurs(pathOf(parameters))) step(what, tear ? () => tear(parameters) : null)
    return genuine(...parameters)
  }
}

async function breakHandles() {
  const probe = await fsPromises.open(process.execPath, 'r')
  const handle = Object.getPrototypeOf(probe)
  await probe.close()
  const handlePaths = new WeakMap()
  const genuineOpen = fsPromises.open
  fsPromises.open = async (path, flags, ...rest) => {
    if (isOurs(path) && isWriting(flags)) step('open')
    const opened = await genuineOpen(path, flags, ...rest)
    if (isOurs(path)) handlePaths.set(opened, path)
    return opened
  }
  const steps = {
    write: 'write',
    writev: 'write',
    writeFile: 'write',
    sync: 'fsync',
    datasync: 'fsync',
    truncate: 'write',
  }
  for (const [name, what] of Object.entries(steps)) {
    const genuine = handle[name]
    handle[name] = function broken(...parameters) {
      const path = handlePaths.get(this)
      if (path !== undefined) {
        try {
          step(what, () => {
            const part = half(parameters[0])
            if (part !== undefined && what === 'write') fs.writeSync(this.fd, part)
          })
        } catch (error) {
          return Promise.reject(error)
        }
      }
      return genuine.apply(this, parameters)
    }
  }
}

if (order !== null && order !== undefined) {
  const first = (parameters) => parameters[0]
  const opened = (parameters) => paths.get(parameters[0]) ?? ''
  const genuineOpenSync = fs.openSync
  fs.openSync = (path, flags, ...rest) => {
    if (isOurs(path) && isWriting(flags)) step('open')
    const descriptor = genuineOpenSync(path, flags, ...rest)
    if (isOurs(path)) paths.set(descriptor, path)
    else paths.delete(descriptor)
    return descriptor
  }
  const genuineWriteFileSync = fs.writeFileSync
  breakSync('writeFileSync', 'write', first, (genuine, [path, data, ...rest]) =>
    genuine(path, half(data), ...rest),
  )
  breakSync('writeSync', 'write', opened)
  breakSync('fsyncSync', 'fsync', opened)
  breakSync('fdatasyncSync', 'fsync', opened)
  breakSync('renameSync', 'rename', first)
  breakPromised('writeFile', 'write', first, ([path, data]) => genuineWriteFileSync(path, half(data)))
  breakPromised('rename', 'rename', first)
  breakPromised('copyFile', 'write', (parameters) => parameters[1])
  await breakHandles()
  syncBuiltinESMExports()
}

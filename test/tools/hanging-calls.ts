/** Calls on a share that hang, as those of a dead server do, in the processes that a station starts. */

/** What hangs, and the calls of `fs` that the hook replaces. `inThread` blocks the process, `never` leaves a promise open. */
export const HANGS: Readonly<Record<string, string>> = {
  'the opening of images': `
    replace(promises, ['open'], /\\.jpg$/, never)`,
  'every opening': `
    replace(promises, ['open'], /./, never)
    replace(fs, ['openSync'], /./, inThread)`,
  'every call': `
    replace(promises, ['open', 'stat', 'lstat', 'realpath', 'readFile', 'readdir', 'rename', 'rm'], /./, never)
    replace(fs, ['openSync', 'lstatSync', 'statSync', 'readdirSync', 'opendirSync'], /./, inThread)`,
  'reading amid a file': `
    replace(promises, ['open'], /\\.jpg$/, async (open, ...given) =>
      Object.assign(await open(...given), { read: never, write: never }))`,
  'the process itself': `
    const stopped = (call, ...given) => (process.kill(process.pid, 'SIGSTOP'), call(...given))
    replace(promises, ['open', 'stat', 'lstat', 'realpath', 'readdir'], /./, stopped)
    replace(fs, ['openSync', 'lstatSync', 'statSync', 'readdirSync', 'opendirSync'], /./, stopped)`,
}

/**
 * The text of a module for `--import`. It strikes only in the processes that a host starts, below `hangs-`, until the file
 * `mark` is there; and opening a file with `deadly` in its name ends such a process, as a native crash does.
 */
export const hookOf = (hang: string, mark: string): string => `
  import fs, { existsSync } from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  const { promises } = fs
  const never = () => new Promise(() => {})
  const inThread = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  const crash = () => process.kill(process.pid, 'SIGSEGV')
  // The app on the fake Electron is forked, too; its children have a port besides.
  const isChild = () => process.parentPort !== undefined || (process.send !== undefined && process.versions.electron === undefined)
  function replace(where, names, pattern, by, below = /hangs-/) {
    for (const name of names) {
      const call = where[name]
      where[name] = (path, ...rest) => {
        const isHit = below.test(String(path)) && pattern.test(String(path)) && isChild()
        return isHit ? by(call, path, ...rest) : call(path, ...rest)
      }
    }
  }
  if (!existsSync(${JSON.stringify(mark)})) {
    ${hang}
    replace(promises, ['open'], /deadly/, crash, /./)
    syncBuiltinESMExports()
  }`

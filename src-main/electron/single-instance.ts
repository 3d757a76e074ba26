/**
 * One station per account: a second start shows the first one's window and ends.
 *
 * Electron's lock is a file in its user data folder. Another account on the same machine is held off by the lock of
 * the database itself.
 */
import { mkdirSync } from 'node:fs'

/** The part of `app` that is needed. */
export type LockHolder = {
  getPath(name: 'userData'): string
  requestSingleInstanceLock(): boolean
}

/** True where this is the first instance. Must be asked before the app is ready, and answered by an exit at once. */
export function isFirstInstance(app: LockHolder): boolean {
  const folder = app.getPath('userData')
  // At the very first start the folder is not there, and then Electron reports the lock as taken.
  mkdirSync(folder, { recursive: true })
  if (app.requestSingleInstanceLock()) return true
  // After a hard kill on Linux a stale lock can remain; without a reason told, nothing would ever start and nobody know why.
  process.stderr.write(
    `Fundus Courier is running already (lock in ${folder}); its window is shown. If it is not running, restart the computer.\n`,
  )
  return false
}

/** Starting again, with the words of this start. */
import { spawn } from 'node:child_process'

/** The part of `app` that is needed. */
type Relauncher = {
  relaunch(options: { readonly args: string[] }): void
}

/**
 * The words for the next start. A recovery was for this start only, and so is safe mode once somebody has left it: else
 * nothing would be sent any more after the next bug, unseen. A window that was out of sight stays so: nobody expects one
 * to open by itself beside a patient. Pure.
 */
export function wordsForRelaunch(
  words: readonly string[],
  {
    isHidden,
    isSafe = false,
    without = [],
    add = [],
  }: { isHidden: boolean; isSafe?: boolean; without?: readonly string[]; add?: readonly string[] },
): string[] {
  const dropped = ['--recover', '--hidden', ...(isSafe ? [] : ['--safe-mode']), ...without, ...add]
  return [...words.filter((word) => !dropped.includes(word)), ...(isHidden ? ['--hidden'] : []), ...add]
}

/**
 * Starts the app again as soon as this process has ended.
 *
 * An AppImage runs from a mount that goes away with this process, and with it the helper with which Electron waits for the
 * end, whatever it is to start then (electron-builder 1727). electron-builder's AppRun changes nothing of that: it becomes
 * the program and has nothing left to start. So the system's shell waits, and starts the file itself.
 */
export function relaunch(app: Relauncher, words: string[], appImage: string | undefined): void {
  if (appImage === undefined) app.relaunch({ args: words })
  else startAfterEnd(process.pid, [appImage, ...words])
}

/** Starts a program once a process has ended, whether or not the one that asks is still there. Linux. */
export function startAfterEnd(pid: number, command: readonly string[]): void {
  // One that has ended and was not asked for its end yet is there by its number only.
  const isThere = 'kill -0 "$0" 2>/dev/null && ! grep -qs "^State:.Z" "/proc/$0/status"'
  // Words with paths mean those of the folder of this start.
  const waitAndStart = `while ${isThere}; do sleep 0.2; done; cd "$1"; shift; exec "$@"`
  const shell = spawn('/bin/sh', ['-c', waitAndStart, String(pid), process.cwd(), ...command], {
    // Not in the mount, which it would keep from going away.
    cwd: '/',
    detached: true,
    stdio: 'ignore',
  })
  // Without a shell nothing comes back; the end goes on.
  shell.on('error', () => undefined)
  shell.unref()
}

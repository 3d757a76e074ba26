/** File systems in memory, if this user may mount. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MountedFolder = ReturnType<typeof mountedFolder>

const mount = (...parts: readonly string[]): void => void execFileSync('mount', parts, { stdio: 'ignore' })
const unmount = (path: string): void => void execFileSync('umount', ['--lazy', path], { stdio: 'ignore' })

/** Why mounting is impossible here; null if it is possible. */
export function whyNoMounts(): string | null {
  if (process.platform !== 'linux') return 'only Linux has tmpfs'
  if (process.getuid?.() !== 0) return 'only root may mount'
  try {
    const tried = mountedFolder()
    tried.end()
    return null
  } catch {
    return 'this machine does not let root mount'
  }
}

/** A share in memory that has not appeared yet. `end` must be called: a mount goes before its folder is removed. */
export function mountedFolder(at?: string) {
  const root = mkdtempSync(join(tmpdir(), 'mounted-'))
  const [store, path] = [join(root, 'store'), at ?? join(root, 'exports')] as const
  mkdirSync(store)
  mkdirSync(path, { recursive: true })
  try {
    mount('-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', store)
  } catch (error) {
    rmSync(root, { recursive: true })
    throw error
  }
  let state: 'there' | 'away' = 'away'
  const disappear = (): void => {
    if (state === 'there') unmount(path)
    state = 'away'
  }
  return {
    path,
    appear: () => {
      mount('--bind', store, path)
      state = 'there'
    },
    disappear,
    /** Makes it read-only, or writable again. */
    allow: (access: 'ro' | 'rw') => mount('-o', `remount,bind,${access}`, path),
    end: () => {
      disappear()
      unmount(store)
      rmSync(root, { recursive: true })
    },
  }
}

/** File systems of their own in the memory of this machine, where whoever runs the tests may mount. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type MountedFolder = {
  /** Where the share appears, and disappears. */
  readonly path: string
  appear(): void
  disappear(): void
  /** From now on nobody may write there, or everybody again. */
  allow(access: 'ro' | 'rw'): void
  /** Unmounts everything. */
  end(): void
}

const mount = (...parts: readonly string[]): void => void execFileSync('mount', parts, { stdio: 'ignore' })
const unmount = (path: string): void => void execFileSync('umount', ['--lazy', path], { stdio: 'ignore' })

/** Why mounting is not to be had here; null where it is. */
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

/** A share in memory that is not there yet. Whoever takes one ends it, whatever happens. */
export function mountedFolder(): MountedFolder {
  // Removed by `end` and not with the test: what is mounted has to go first.
  const root = mkdtempSync(join(tmpdir(), 'mounted-'))
  const [store, path] = [join(root, 'store'), join(root, 'exports')] as const
  mkdirSync(store)
  mkdirSync(path)
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
    allow: (access) => mount('-o', `remount,bind,${access}`, path),
    end: () => {
      disappear()
      unmount(store)
      rmSync(root, { recursive: true })
    },
  }
}

/** Folders that lie on a mount which comes and goes: tmpfs, where this user may mount. Linux only. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Programs of the system, not of a package. */
const [MOUNT, UNMOUNT] = ['mount', 'umount']

/** Why this machine cannot do it; null where it can. */
export const whyNoMounts: string | null = tryMount()

export type Mounts = {
  /** Puts the same content in its place, every time. */
  mount(): Promise<void>
  /** Takes it away, also while somebody looks into it: what is left is an empty folder. */
  unmount(): Promise<void>
  close(): Promise<void>
}

/** A tmpfs with a folder for each of these, bound to their places. */
export async function mountsWithin(folders: readonly string[]): Promise<Mounts> {
  const store = await mkdtemp(join(tmpdir(), 'fundus-courier-share-'))
  await run(MOUNT, ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', store])
  const places = folders.map((folder, index) => ({ folder, content: join(store, String(index)) }))
  for (const { content } of places) await mkdir(content)
  let mounted: readonly string[] = []
  const unmount = async (): Promise<void> => {
    const gone = mounted
    mounted = []
    for (const folder of gone) await run(UNMOUNT, ['-l', folder])
  }
  return {
    mount: async () => {
      for (const { folder, content } of places) {
        await run(MOUNT, ['--bind', content, folder])
        mounted = [...mounted, folder]
      }
    },
    unmount,
    close: async () => {
      await unmount()
      await run(UNMOUNT, ['-l', store])
      await rm(store, { recursive: true, force: true })
    },
  }
}

function tryMount(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return '(only where root is at hand)'
  const place = mkdtempSync(join(tmpdir(), 'fundus-courier-mount-'))
  try {
    execFileSync(MOUNT, ['-t', 'tmpfs', 'tmpfs', place], { stdio: 'ignore' })
    execFileSync(UNMOUNT, [place], { stdio: 'ignore' })
    return null
  } catch {
    return '(this machine lets nobody mount)'
  } finally {
    rmdirSync(place)
  }
}

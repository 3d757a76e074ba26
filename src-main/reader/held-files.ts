/**
 * The foreign files that are open now. A file that was found whole stays open until it has been copied, so that its share is
 * asked for it once. Only a few, and not for long: a file server counts them, and Windows cannot remove the folder of one.
 */
import { type FileHandle, lstat } from 'node:fs/promises'
import { SECOND } from '../../src-shared/durations.ts'
import { openSource, type OpenSource } from '../station/lib/files.ts'

const MOST_HELD = 16
const HELD_MS = 30 * SECOND

type Held = {
  readonly handle: FileHandle
  readonly expiry: NodeJS.Timeout
  users: number
  /** Closed after its last use. */
  isEnding: boolean
}

export class HeldFiles {
  readonly #held = new Map<string, Held>()

  /** The file that lies at the path now, which may be open already. Closing it leaves it open while it is held. */
  readonly open: OpenSource = async (path) => {
    const held = (await this.#stillLyingAt(path)) ?? this.#hold(path, await openSource(path))
    held.users += 1
    const { handle } = held
    // What failed once, fails until it is opened again.
    const orRelease = async <Value>(act: () => Promise<Value>): Promise<Value> => {
      try {
        return await act()
      } catch (error) {
        this.#end(path, held)
        throw error
      }
    }
    let isClosed = false
    const read = (...how: Parameters<FileHandle['read']>) => orRelease(() => handle.read(...how))
    const stat = (...how: Parameters<FileHandle['stat']>) => orRelease(() => handle.stat(...how))
    return {
      read,
      stat: stat as FileHandle['stat'],
      close: async () => {
        if (isClosed) return
        isClosed = true
        held.users -= 1
        if (held.isEnding && held.users === 0) await handle.close()
      },
    }
  }

  /** It is not needed any more: closed at once, or after its last use. */
  release(path: string): void {
    const held = this.#held.get(path)
    if (held) this.#end(path, held)
  }

  /** Null if it is not open, or if something else lies there by now. */
  async #stillLyingAt(path: string): Promise<Held | null> {
    const held = this.#held.get(path)
    if (held === undefined) return null
    const [there, open] = await Promise.all([
      lstat(path, { bigint: true }).catch(() => null),
      held.handle.stat({ bigint: true }).catch(() => null),
    ])
    const isSame =
      there !== null &&
      open !== null &&
      there.ino === open.ino &&
      there.dev === open.dev &&
      there.size === open.size &&
      there.mtimeNs === open.mtimeNs
    if (isSame && !held.isEnding) return held
    this.#end(path, held)
    return null
  }

  #hold(path: string, handle: FileHandle): Held {
    const expiry = setTimeout(() => this.release(path), HELD_MS).unref()
    const held = { handle, expiry, users: 0, isEnding: false }
    // One that was opened twice at the same time, or one too many, is closed after this use.
    if (this.#held.has(path) || this.#held.size >= MOST_HELD) this.#end(null, held, 1)
    else this.#held.set(path, held)
    return held
  }

  #end(path: string | null, held: Held, users = held.users): void {
    clearTimeout(held.expiry)
    if (path !== null && this.#held.get(path) === held) this.#held.delete(path)
    if (held.isEnding) return
    held.isEnding = true
    // A server that has gone does not take it back, either.
    if (users === 0) held.handle.close().catch(() => undefined)
  }
}

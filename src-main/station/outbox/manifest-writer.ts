/** Writes the manifest of one submission, once it is known that what stands on the disk does not know more. */
import { isForLackOfSpace } from '../full-disk.ts'
import type { Clock, Logger } from '../ports.ts'
import { knowsMore, type AnnouncedAttempt } from './manifest.ts'
import { readManifest, setAsideManifest, writeManifest } from './manifest-files.ts'
import type { WrittenManifest } from './manifest-store.ts'
import type { Outbox } from './outbox.ts'
import type { Service } from './put-in-doubt.ts'

export type ManifestWriter = {
  /** One after the other for a submission, so that an older text never comes after a newer one. */
  inTurn<Value>(id: string, work: () => Promise<Value>): Promise<Value>
  /**
   * Does the disk tell more of this submission than the outbox knows, or can what it tells not be read? Then it is put
   * in doubt at once. `service` is where it may have gone where nothing says so.
   */
  isOlder(id: string, service?: Service): Promise<boolean>
  /**
   * Writes what the outbox says now; null where it knows no such submission. On a disk that is full it gives up space
   * and tries once more. Throws what the disk says.
   */
  write(id: string, announced: AnnouncedAttempt | null): Promise<WrittenManifest | null>
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>
}

const NO_SERVICE: Service = { baseUrl: '', clientId: '' }
/** What keeps a file from being read for a moment, and says nothing of it. */
const TRANSIENT_CODES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'ETIMEDOUT']

export function createManifestWriter(options: {
  readonly outbox: Outbox
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  readonly giveUpSpace?: () => boolean
}): ManifestWriter {
  const { outbox, folder, clock, logger } = options
  /** What this session has read or written itself cannot know more than the outbox. */
  const readHere = new Set<string>()
  const writing = new Map<string, Promise<unknown>>()

  const handleUnreadable = async (id: string, code: string, service: Service): Promise<boolean> => {
    if (TRANSIENT_CODES.includes(code))
      throw Object.assign(new Error('a manifest cannot be read now'), { code })
    logger.error('a manifest cannot be read', { submission: id, error: code })
    // The doubt first: once another stands in its place nothing tells any more that there is something to doubt.
    const isUnconfirmed = outbox.recovery.markUnreadUnconfirmed(id, { service, at: clock.now() })
    await setAsideManifest(folder, id, 'unreadable')
    readHere.add(id)
    return isUnconfirmed
  }

  const isOlder = async (id: string, service = NO_SERVICE): Promise<boolean> => {
    const found = await readManifest(folder, id)
    if (found.kind === 'unreadable') return handleUnreadable(id, found.code, service)
    readHere.add(id)
    if (found.kind === 'damaged') {
      logger.warn('a manifest was damaged and is written anew', { submission: id })
      await setAsideManifest(folder, id, 'damaged')
    }
    if (found.kind !== 'read') return false
    const progress = outbox.manifests.progressOf(id)
    if (!progress || !knowsMore(found.manifest, progress)) return false
    outbox.recovery.markUnconfirmedBy(found.manifest, clock.now())
    logger.error('the outbox is older than a manifest', { submission: id })
    return true
  }

  return {
    isOlder,
    inTurn: (id, work) => {
      const before = writing.get(id) ?? Promise.resolve()
      const done = before.then(work)
      const settled = done
        .catch(() => undefined)
        .then(() => void (writing.get(id) === settled && writing.delete(id)))
      writing.set(id, settled)
      return done
    },
    write: async (id, announced) => {
      if (!readHere.has(id)) await isOlder(id)
      const manifest = outbox.manifests.of(id, announced)
      if (!manifest) return null
      try {
        await writeManifest(folder, manifest)
      } catch (error) {
        if (!isForLackOfSpace(error) || options.giveUpSpace?.() !== true) throw error
        await writeManifest(folder, manifest)
      }
      return { id, revision: manifest.revision }
    },
    settled: async () => {
      await Promise.all(writing.values())
    },
  }
}

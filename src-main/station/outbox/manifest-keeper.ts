/**
 * Keeps the manifests on the disk behind what the outbox says: off the main thread, one write for many changes, one
 * write of a submission at a time. What is due stands in the database, so that a kill or a full disk delays a manifest
 * and never loses one.
 */
import { SECOND } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { openLoop } from '../loop.ts'
import type { Clock, Logger } from '../ports.ts'
import type { Destination } from './attempt-store.ts'
import type { AnnouncedAttempt } from './manifest.ts'
import { knowsMore } from './manifest.ts'
import { readManifest, setUnreadableAside, writeManifest } from './manifest-files.ts'
import type { KeptManifest } from './manifest-store.ts'
import type { Outbox } from './outbox.ts'
import type { Service } from './put-in-doubt.ts'

/** `notWaiting`: somebody has moved it, or its manifest knew more than the outbox and it is in doubt now. */
export type Announcement =
  | { readonly kind: 'announced' }
  | { readonly kind: 'notWaiting' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Stands before every attempt. */
export type AttemptGuard = {
  /** Resolves as `announced` once it outlives a power cut that the next attempt of this submission may begin. */
  announce(submissionId: string, destination: Destination): Promise<Announcement>
  /** The attempt has ended, or did not begin. */
  settle(submissionId: string): void
}

export type ManifestKeeper = AttemptGuard & {
  /** Something has changed. */
  wake(): void
  /** Why manifests cannot be written now, or null. */
  trouble(): Failure | null
  /** Writes what is due, for as long as an end may take, and stops. */
  close(): Promise<void>
}

/** Changes of one case come in bursts; one write tells of all. */
const COALESCE_MS = 500
/** What changed without anybody being told is found by then. */
const LOOK_EVERY_MS = 30 * SECOND
const BATCH = 32
/** More would take the threads that images are copied in. */
const AT_ONCE = 2
/** A stop waits no longer; what is due then is written at the next start. */
const LAST_WRITES_MS = 1_500

const NO_SERVICE: Service = { baseUrl: '', clientId: '' }
/** What keeps a file from being read for a moment, and says nothing of it. */
const PASSING = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'ETIMEDOUT']

/** In the words of what failed; only a full disk has a sentence of its own. */
function failureFrom(error: unknown): Failure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return failureOf(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(code) ? 'diskLow' : 'storage')
}

export function openManifestKeeper(given: {
  readonly outbox: Outbox
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  readonly onTrouble?: () => void
}): ManifestKeeper {
  const { outbox, folder, clock, logger } = given
  const announced = new Map<string, AnnouncedAttempt>()
  /** What this session has read or written itself cannot know more than the outbox. */
  const isOurs = new Set<string>()
  const writing = new Map<string, Promise<unknown>>()
  let trouble: Failure | null = null
  let cancelWake: (() => void) | null = null
  let isClosing = false

  /** One after the other for a submission, so that an older text never comes after a newer one. */
  const inTurn = <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
    const before = writing.get(id) ?? Promise.resolve()
    const done = before.then(work)
    const settled = done
      .catch(() => undefined)
      .then(() => void (writing.get(id) === settled && writing.delete(id)))
    writing.set(id, settled)
    return done
  }

  /** Is the outbox older than what the disk tells of this submission? Then it is put in doubt at once. */
  const isOlder = async (id: string, service = NO_SERVICE): Promise<boolean> => {
    const found = await readManifest(folder, id)
    if (found.kind === 'unreadable') {
      if (PASSING.includes(found.code)) throw Object.assign(new Error('passing'), { code: found.code })
      logger.error('a manifest cannot be read', { submission: id, error: found.code })
      // The doubt first: once another stands in its place nothing tells any more that there is something to doubt.
      const isInDoubt = outbox.putUnreadInDoubt(id, { service, at: clock.now() })
      await setUnreadableAside(folder, id)
      isOurs.add(id)
      return isInDoubt
    }
    isOurs.add(id)
    if (found.kind === 'damaged')
      logger.warn('a manifest was damaged and is written anew', { submission: id })
    if (found.kind !== 'read') return false
    const progress = outbox.progressOf(id)
    if (!progress || !knowsMore(found.manifest, progress)) return false
    outbox.putInDoubtBy(found.manifest, clock.now())
    logger.error('the outbox is older than a manifest', { submission: id })
    return true
  }

  const write = async (id: string): Promise<KeptManifest | null> => {
    if (!isOurs.has(id)) await isOlder(id)
    const manifest = outbox.manifestOf(id, announced.get(id) ?? null)
    if (!manifest) return null
    await writeManifest(folder, manifest)
    return { id, revision: manifest.revision }
  }

  const setTrouble = (next: Failure | null): void => {
    if (trouble?.kind === next?.kind) return
    trouble = next
    if (next) logger.error('manifests cannot be written', { failure: next.kind })
    given.onTrouble?.()
  }

  /** Writes the manifests that have waited for longest; answers how many there were. */
  const writeDue = async (): Promise<number> => {
    const due = outbox.dueManifests(BATCH)
    const kept: KeptManifest[] = []
    const lane = async (): Promise<void> => {
      for (let id = due.shift(); id !== undefined; id = due.shift()) {
        const current = id
        const one = await inTurn(current, () => write(current))
        if (one) kept.push(one)
      }
    }
    const count = due.length
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, lane))
    } finally {
      if (kept.length > 0) outbox.markManifestsKept(kept)
    }
    return count
  }

  const run = async (): Promise<number> => {
    try {
      const count = await writeDue()
      setTrouble(null)
      return clock.now() + (count === BATCH && !isClosing ? 0 : LOOK_EVERY_MS)
    } catch (error) {
      setTrouble(failureFrom(error))
      return clock.now() + LOOK_EVERY_MS
    }
  }
  const loop = openLoop({ name: 'keeping manifests', clock, logger, run })

  const wake = (): void => {
    if (isClosing) return
    cancelWake ??= clock.after(COALESCE_MS, () => {
      cancelWake = null
      loop.wake()
    })
  }

  const announce = async (id: string, destination: Destination): Promise<Announcement> => {
    try {
      return await inTurn(id, async () => {
        if ((await isOlder(id, destination)) || outbox.progressOf(id)?.state !== 'waiting')
          return { kind: 'notWaiting' }
        // The row first: a copy of the outbox from before this moment knows less than the manifest.
        outbox.raiseRevision(id)
        announced.set(id, {
          base_url: destination.baseUrl,
          client_id: destination.clientId,
          center_id: destination.centerId,
          number: (outbox.progressOf(id)?.attempts ?? 0) + 1,
          request_bytes: 0,
          at: clock.now(),
        })
        await write(id)
        setTrouble(null)
        return { kind: 'announced' }
      })
    } catch (error) {
      announced.delete(id)
      const failure = failureFrom(error)
      setTrouble(failure)
      return { kind: 'failed', failure }
    }
  }

  return {
    wake,
    announce,
    settle: (id) => void announced.delete(id),
    trouble: () => trouble,
    close: async () => {
      isClosing = true
      cancelWake?.()
      await loop.close()
      const until = clock.monotonicMs() + LAST_WRITES_MS
      try {
        while (clock.monotonicMs() < until && (await writeDue()) > 0);
      } catch (error) {
        setTrouble(failureFrom(error))
      }
      await Promise.all(writing.values())
    },
  }
}

/**
 * Keeps the manifests on the disk behind what the outbox says: off the main thread, one write for many changes, one
 * write of a submission at a time. What is due stands in the database, so that a kill or a full disk delays a manifest
 * and never loses one.
 */
import { SECOND } from '../../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../../src-shared/failure.ts'
import { isForLackOfSpace } from '../../lib/errors.ts'
import { openLoop } from '../../lib/schedule.ts'
import type { Clock, Logger } from '../../ports.ts'
import type { Outbox } from '../outbox.ts'
import type { Destination } from '../visible-text.ts'
import {
  type AnnouncedAttempt,
  knowsMore,
  readManifest,
  setAsideManifest,
  writeManifest,
  type WrittenManifest,
} from './manifests.ts'
import type { Service } from './restore.ts'

/** Writes the manifest of one submission, once it is known that what stands on the disk does not know more. */
type ManifestWriter = {
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

function createManifestWriter(options: {
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
const CHECK_INTERVAL_MS = 30 * SECOND

const BATCH = 32

/** More would take the threads that images are copied in. */
const LANES = 2

/** A stop waits no longer; what is due then is written at the next start. */
const LAST_WRITES_MS = 1_500

/** With so many that fail the disk is bad, and more of them would keep the threads from everything else. */
const MAX_FAILED = 8 * BATCH

/** In the words of what failed; only a full disk has a sentence of its own. */
function failureFrom(error: unknown): Failure {
  return failureOf(isForLackOfSpace(error) ? 'diskLow' : 'storage')
}

export function openManifestKeeper(options: {
  readonly outbox: Outbox
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Gives up space that was kept for this moment; false where there is none to give. */
  readonly giveUpSpace?: () => boolean
  readonly onTrouble?: () => void
}): ManifestKeeper {
  const { outbox, clock, logger } = options
  const writer = createManifestWriter(options)
  const announced = new Map<string, AnnouncedAttempt>()
  /** Manifests that could not be written when they were tried last, and why. */
  const failing = new Map<string, Failure>()
  /** What keeps all from being written, or kept an attempt from being announced. */
  let common: Failure | null = null
  let trouble: Failure | null = null
  let cancelWake: (() => void) | null = null
  let isClosing = false

  const write = (id: string): Promise<WrittenManifest | null> => writer.write(id, announced.get(id) ?? null)

  const updateTrouble = (): void => {
    const [first] = failing.values()
    const next = common ?? first ?? null
    if (trouble?.kind === next?.kind) return
    trouble = next
    if (next) logger.error('manifests cannot be written', { failure: next.kind })
    options.onTrouble?.()
  }

  /**
   * Writes manifests that have waited for longest, and passes over those that have failed in this round, so that one
   * bad file keeps no other from being written. Answers how many it found, 0 where going on is of no use.
   */
  const writeSome = async (failed: Set<string>): Promise<number> => {
    const due = outbox.manifests.due(BATCH, [...failed])
    const count = due.length
    const written: WrittenManifest[] = []
    let isFull = false
    const lane = async (): Promise<void> => {
      for (let id = due.shift(); id !== undefined && !isFull; id = due.shift()) {
        const current = id
        try {
          const one = await writer.inTurn(current, () => write(current))
          failing.delete(current)
          if (one) written.push(one)
        } catch (error) {
          const failure = failureFrom(error)
          failed.add(current)
          failing.set(current, failure)
          isFull ||= failure.kind === 'diskLow'
        }
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    if (written.length > 0) outbox.manifests.markWritten(written)
    return isFull || failed.size >= MAX_FAILED ? 0 : count
  }

  let failed = new Set<string>()
  const run = async (): Promise<number> => {
    let hasMore = false
    try {
      // What came meanwhile waits for its burst to end.
      hasMore = (await writeSome(failed)) === BATCH && !isClosing
      common = null
    } catch (error) {
      common = failureFrom(error)
    }
    updateTrouble()
    if (hasMore) return clock.now()
    failed = new Set()
    return clock.now() + CHECK_INTERVAL_MS
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
      return await writer.inTurn(id, async () => {
        if ((await writer.isOlder(id, destination)) || outbox.manifests.progressOf(id)?.state !== 'waiting')
          return { kind: 'notWaiting' }
        // The row first: a copy of the outbox from before this moment knows less than the manifest.
        outbox.manifests.raiseRevision(id)
        announced.set(id, {
          base_url: destination.baseUrl,
          client_id: destination.clientId,
          center_id: destination.centerId,
          number: (outbox.manifests.progressOf(id)?.attempts ?? 0) + 1,
          request_bytes: 0,
          at: clock.now(),
        })
        await write(id)
        failing.delete(id)
        common = null
        updateTrouble()
        // What is on the disk now is marked so with the next ones.
        wake()
        return { kind: 'announced' }
      })
    } catch (error) {
      announced.delete(id)
      const failure = failureFrom(error)
      common = failure
      updateTrouble()
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
      const failedNow = new Set<string>()
      try {
        while (clock.monotonicMs() < until && (await writeSome(failedNow)) > 0);
      } catch (error) {
        common = failureFrom(error)
      }
      updateTrouble()
      await writer.settled()
    },
  }
}

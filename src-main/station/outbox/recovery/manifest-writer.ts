/**
 * Writes manifests after changes: off the main thread, one write for many changes, one at a time for each submission.
 * The database records which are due: a kill or a full disk delays a manifest and never loses it.
 */
import { SECOND } from '../../../../src-shared/durations.ts'
import { type Failure, failureOf } from '../../../../src-shared/failure.ts'
import { isForLackOfSpace } from '../../lib/errors.ts'
import { openLoop } from '../../lib/schedule.ts'
import { createSignal } from '../../lib/part.ts'
import type { Clock, Logger } from '../../ports.ts'
import type { Outbox } from '../outbox.ts'
import type { Destination } from '../rows.ts'
import {
  type AnnouncedAttempt,
  knowsMore,
  readManifest,
  setAsideManifest,
  writeManifest,
  type WrittenManifest,
} from './manifests.ts'
import { NO_SERVICE, type Service } from './restore.ts'

/** The file cannot be read for the moment, which says nothing about it. */
const TRANSIENT_CODES = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EBUSY', 'EINTR', 'ETIMEDOUT']

type KeeperOptions = {
  readonly outbox: Outbox
  readonly folder: string
  readonly clock: Clock
  readonly logger: Logger
  /** Frees reserved space; false if there is none. */
  readonly giveUpSpace?: () => boolean
}

/** Writes the manifest of a submission after checking that the one on the disk does not know more. */
function createManifestWriter(options: KeeperOptions) {
  const { outbox, folder, clock, logger } = options
  /** A manifest read or written in this session cannot know more than the outbox. */
  const readHere = new Set<string>()
  const writing = new Map<string, Promise<unknown>>()

  const handleUnreadable = async (id: string, code: string, service: Service): Promise<boolean> => {
    if (TRANSIENT_CODES.includes(code))
      throw Object.assign(new Error('a manifest cannot be read now'), { code })
    logger.error('a manifest cannot be read', { submission: id, error: code })
    // Mark before replacing the manifest: afterwards nothing shows that there was a reason.
    const isUnconfirmed = outbox.markUnreadUnconfirmed(id, { service, at: clock.now() })
    await outbox.durable()
    await setAsideManifest(folder, id, 'unreadable')
    readHere.add(id)
    return isUnconfirmed
  }

  /** The case becomes unconfirmed if its manifest knows more or is unreadable. `service`: if nothing names one. */
  const isOlder = async (id: string, service = NO_SERVICE): Promise<boolean> => {
    const found = await readManifest(folder, id)
    if (found.kind === 'unreadable') return handleUnreadable(id, found.code, service)
    readHere.add(id)
    if (found.kind === 'damaged') {
      logger.warn('a manifest was damaged and is rewritten', { submission: id })
      await setAsideManifest(folder, id, 'damaged')
    }
    if (found.kind !== 'read') return false
    const progress = outbox.progressOf(id)
    if (!progress || !knowsMore(found.manifest, progress)) return false
    outbox.markUnconfirmedBy(found.manifest, clock.now())
    logger.error('the outbox is older than a manifest', { submission: id })
    return true
  }

  return {
    isOlder,
    /** Runs tasks for one submission in sequence, so that an older text never replaces a newer one. */
    inTurn: <Value>(id: string, work: () => Promise<Value>): Promise<Value> => {
      const before = writing.get(id) ?? Promise.resolve()
      const done = before.then(work)
      const settled = done
        .catch(() => undefined)
        .then(() => void (writing.get(id) === settled && writing.delete(id)))
      writing.set(id, settled)
      return done
    },
    /** Writes the current state, on a full disk after freeing space; null if there is none. Throws the disk's error. */
    write: async (id: string, announced: AnnouncedAttempt | null): Promise<WrittenManifest | null> => {
      if (!readHere.has(id)) await isOlder(id)
      const manifest = outbox.manifestOf(id, announced)
      if (!manifest) return null
      // After a power cut it may not know more than the outbox. Both are flushed at the same time.
      const durable = outbox.durable()
      durable.catch(() => undefined)
      try {
        await writeManifest(folder, manifest, durable)
      } catch (error) {
        if (!isForLackOfSpace(error) || options.giveUpSpace?.() !== true) throw error
        await writeManifest(folder, manifest, durable)
      }
      return { id, revision: manifest.revision }
    },
    /** Resolves once no write is running. */
    settled: () => Promise.all(writing.values()),
  }
}

/** `notWaiting`: someone moved it, or its manifest knew more than the outbox and it is unconfirmed now. */
export type Announcement =
  | { readonly kind: 'announced' }
  | { readonly kind: 'notWaiting' }
  | { readonly kind: 'failed'; readonly failure: Failure }

/** Must be asked before every attempt. */
export type AttemptGuard = {
  /** Resolves as `announced` once the disk holds, even after a power cut, that the next attempt may begin. */
  announce(submissionId: string, destination: Destination): Promise<Announcement>
  /** The attempt has ended, or did not begin. */
  settle(submissionId: string): void
}

export type ManifestKeeper = ReturnType<typeof openManifestKeeper>

/** Changes of one case come in bursts; one write covers them all. */
const COALESCE_MS = 500

/** Finds changes that no one announced. */
const CHECK_INTERVAL_MS = 30 * SECOND

const BATCH = 32

/** More would occupy the threads that copy images. */
const LANES = 2

/** A stop waits no longer; the rest is written at the next start. */
const LAST_WRITES_MS = 1_500

/** After this many failures the disk is bad, and more of them would block the thread pool. */
const MAX_FAILED = 8 * BATCH

/** The error's own text; only a full disk has a sentence of its own. */
function failureFrom(error: unknown): Failure {
  return failureOf(isForLackOfSpace(error) ? 'diskLow' : 'storage')
}

export function openManifestKeeper(options: KeeperOptions) {
  const { outbox, clock, logger } = options
  const writer = createManifestWriter(options)
  const announced = new Map<string, AnnouncedAttempt>()
  /** Manifests whose latest write failed, and why. */
  const failing = new Map<string, Failure>()
  /** A trouble that stops all writes, or stopped the announcement of an attempt. */
  let common: Failure | null = null
  let trouble: Failure | null = null
  const changed = createSignal()
  let cancelWake: (() => void) | null = null
  let isClosing = false

  const write = (id: string): Promise<WrittenManifest | null> => writer.write(id, announced.get(id) ?? null)

  const updateTrouble = (): void => {
    const [first] = failing.values()
    const next = common ?? first ?? null
    if (trouble?.kind === next?.kind) return
    trouble = next
    if (next) logger.error('manifests cannot be written', { failure: next.kind })
    changed.emit()
  }

  /** Writes those that waited longest, except `failed`: a bad one blocks no other. Returns how many; 0 to stop. */
  const writeSome = async (failed: Set<string>): Promise<number> => {
    const due = outbox.dueManifests(BATCH, [...failed])
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
    if (written.length > 0) outbox.markManifestsWritten(written)
    return isFull || failed.size >= MAX_FAILED ? 0 : count
  }

  let failed = new Set<string>()
  const run = async (): Promise<number> => {
    let hasMore = false
    try {
      // Later changes wait for their burst to end.
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
        if ((await writer.isOlder(id, destination)) || outbox.progressOf(id)?.state !== 'waiting')
          return { kind: 'notWaiting' }
        // The row first: a copy of the outbox from before this moment then knows less than the manifest.
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
        failing.delete(id)
        common = null
        updateTrouble()
        // Records what is on the disk now, together with the next ones.
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

  const guard: AttemptGuard = { announce, settle: (id) => void announced.delete(id) }
  return {
    ...guard,
    /** Call it after a change. */
    wake,
    /** Why manifests cannot be written now; null if they can. */
    trouble: () => trouble,
    /** The trouble has come or gone. */
    onChange: changed.subscribe,
    /** Writes what is due, for as long as an end may take, and stops. */
    close: async (): Promise<void> => {
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

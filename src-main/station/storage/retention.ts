/** Removes images of confirmed cases after their retention time: the rows first, then their files as leftovers. */
import { unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { DAY, MINUTE } from '../../../src-shared/durations.ts'
import type { StorageSettings } from '../../../src-shared/settings.ts'
import { errorCode, errorName } from '../lib/errors.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Clock, Logger } from '../ports.ts'

/** The first minutes after a start belong to the user. */
const FIRST_RUN_AFTER_MS = 5 * MINUTE

/** The rest of a large run follows soon. */
const NEXT_RUN_MS = MINUTE

const CASES_PER_RUN = 300

const FILES_PER_RUN = 1_000

/** Rows checked without a pause. */
const PAGE_SIZE = 200

/** Files deleted per commit. */
const BATCH_SIZE = 20

export type RetentionOptions = {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly settings: () => StorageSettings
  readonly spoolFolder: string
  readonly thumbnailOf: (spoolName: string) => string
  /** May anything be removed now? Only if the clock is known to be right. Asked per case. */
  readonly mayRemove: () => boolean
}

/** Runs shortly after the start and then daily; a changed setting applies to the next run. */
export function openRetention(options: RetentionOptions): Loop & { readonly deleteNow: () => Promise<void> } {
  const { outbox, clock, logger } = options
  // On the monotonic clock: a wall clock that was ahead for an hour would otherwise stop this for years.
  let dueMs = clock.monotonicMs() + FIRST_RUN_AFTER_MS
  const run = async (): Promise<number | null> => {
    const waitMs = dueMs - clock.monotonicMs()
    // A loop wakes more often than it is due.
    if (waitMs > 0) return clock.now() + waitMs
    if (!options.mayRemove()) return clock.now() + FIRST_RUN_AFTER_MS
    const { isMore: hasImages, ...removed } = await removeImages(options)
    const { isMore: hasLeftovers, ...deleted } = await deleteLeftovers(options)
    if (removed.images + deleted.files + deleted.left > 0)
      logger.info('images of confirmed cases removed', { ...removed, ...deleted })
    const pauseMs = hasImages || hasLeftovers ? NEXT_RUN_MS : DAY
    dueMs = clock.monotonicMs() + pauseMs
    return clock.now() + pauseMs
  }
  return {
    ...openLoop({ name: 'removing old images', clock, logger, run }),
    /** Deletes the leftovers: a patient has withdrawn. What cannot be deleted is left to the runs. */
    deleteNow: async () => {
      try {
        await deleteLeftovers({ ...options, mayRemove: () => true })
        outbox.emptyLog()
      } catch (error) {
        logger.error('what was erased could not be deleted at once', { error: errorName(error) })
      }
    },
  }
}

async function deleteLeftovers(options: RetentionOptions) {
  const { outbox } = options
  let [files, left, after] = [0, 0, '']
  while (files + left < FILES_PER_RUN && options.mayRemove()) {
    const names = outbox.leftoversAfter(after, BATCH_SIZE)
    const isNeeded = (name: string): boolean => outbox.isSpoolFileNeeded(name)
    // A file may not be gone while a power cut could bring its row back, as of one that is given up amid the flush.
    const free = names.filter((name) => !isNeeded(name))
    await outbox.durable()
    const gone = new Set<string>()
    for (const name of free) {
      if (deleteUnlessNeeded(options, name)) gone.add(name)
      await setImmediate()
    }
    const settled = outbox.write(() => {
      // One that was given up meanwhile stays a leftover for the next run.
      const over = names.filter((name) => gone.has(name) || isNeeded(name))
      for (const name of over) outbox.forgetLeftover(name)
      return over.length
    })
    files += settled
    left += names.length - settled
    const last = names.at(-1)
    if (last === undefined) return { files, left, isMore: false }
    after = last
  }
  return { files, left, isMore: true }
}

/** True if the file is gone. The thumbnail of an image stays, that of a copy that became none goes with it. */
function deleteUnlessNeeded(
  { outbox, spoolFolder, thumbnailOf }: RetentionOptions,
  spoolName: string,
): boolean {
  // Synchronous: nothing can start to need the file between the check and the deletion.
  if (outbox.isSpoolFileNeeded(spoolName)) return false
  if (!outbox.isOriginalOfImage(spoolName) && !deleteIfThere(thumbnailOf(spoolName))) return false
  return deleteIfThere(join(spoolFolder, spoolName))
}

function deleteIfThere(path: string): boolean {
  try {
    unlinkSync(path)
    return true
  } catch (error) {
    // Held by a scanner, or not deletable now: the next run tries again.
    return errorCode(error) === 'ENOENT'
  }
}

/** Marks the images of due cases as removed. Their files are deleted as leftovers afterwards. */
async function removeImages(options: RetentionOptions) {
  const { outbox, clock, settings } = options
  const { keepImagesDays } = settings()
  let [cases, images] = [0, 0]
  if (keepImagesDays === null) return { cases, images, isMore: false }
  const query = { confirmedBefore: clock.now() - keepImagesDays * DAY, at: clock.now() }
  for (let after = 0; ;) {
    const found = outbox.confirmedAfter({ ...query, after, limit: PAGE_SIZE })
    for (const { id, hasImages } of found) {
      if (hasImages !== 1) continue
      if (cases === CASES_PER_RUN || !options.mayRemove()) return { cases, images, isMore: true }
      const count = outbox.removeImagesOf(id, query)
      cases += count > 0 ? 1 : 0
      images += count
      await setImmediate()
    }
    const last = found.at(-1)
    if (!last) return { cases, images, isMore: false }
    after = last.position
    await setImmediate()
  }
}

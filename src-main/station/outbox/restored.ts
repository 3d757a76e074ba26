/**
 * At every start, before anything else works with the outbox: where `restored-copy.ts` has found an older copy, or one to
 * compare with its manifests, reads the manifests from the disk and has `restored-store.ts` put in doubt what may have
 * been sent since.
 */
import type { Clock, Logger } from '../ports.ts'
import { knowsMore } from './manifest.ts'
import { manifestIds, readManifest } from './manifest-files.ts'
import type { Outbox } from './outbox.ts'
import { TO_COMPARE } from './restored-copy.ts'
import type { Service } from './put-in-doubt.ts'
import { readNewerManifests, setDamagedAside } from './read-newer-manifests.ts'
import type { RestoreReason } from './restored-store.ts'

type Comparison = {
  /** Does any manifest know of what the outbox does not? */
  readonly isBehind: boolean
  /** Submissions that are not settled, of which the disk does not give what their manifest knows. */
  readonly unreadIds: readonly string[]
}

/** Manifests of what is settled are not read. */
async function compare(outbox: Outbox, folder: string, logger: Logger): Promise<Comparison> {
  const unreadIds: string[] = []
  const behind = { isBehind: true, unreadIds }
  for await (const listed of manifestIds(folder)) {
    if (listed.kind === 'unreadable')
      logger.error('a folder of manifests cannot be read', { error: listed.code })
    else if (listed.ids.some((id) => !outbox.manifests.isKnown(id))) return behind
  }
  for (const id of outbox.manifests.unsettledIds()) {
    const found = await readManifest(folder, id)
    const row = outbox.manifests.progressOf(id)
    if (found.kind === 'read' && row && knowsMore(found.manifest, row)) return behind
    if (found.kind !== 'unreadable') continue
    logger.error('a manifest cannot be read', { submission: id, error: found.code })
    unreadIds.push(id)
  }
  return { isBehind: false, unreadIds }
}

async function findReason(options: RestoreOptions): Promise<RestoreReason | null> {
  const { outbox, manifestsFolder, clock, logger } = options
  if (outbox.facts.read('restored') !== TO_COMPARE) return outbox.recovery.whyRestored()
  const { isBehind, unreadIds } = await compare(outbox, manifestsFolder, logger)
  const context = { service: options.service ?? NO_SERVICE, at: clock.now() }
  // Before the comparison is called done: a kill amid this leaves it to the next start.
  if (!isBehind) for (const id of unreadIds) outbox.recovery.markUnreadUnconfirmed(id, context)
  const why = isBehind ? 'behindManifests' : null
  outbox.facts.write('restored', why ?? '')
  return why
}

const NO_SERVICE: Service = { baseUrl: '', clientId: '' }

type RestoreOptions = {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** The service that is set now; null where none is. */
  readonly service: Service | null
}

/**
 * Finds out whether the outbox is older than what happened. If so, lays over it what the manifests know and puts in
 * doubt all that is not sent. A kill amid this leaves it to the next start.
 */
export async function handleRestored(options: RestoreOptions): Promise<void> {
  const { outbox, manifestsFolder, clock, logger } = options
  const why = await findReason(options)
  if (why === null) return
  const at = clock.now()
  const { manifests, damaged, unreadable } = await readNewerManifests(outbox, manifestsFolder, at)
  const applied = outbox.manifests.apply(manifests, at)
  const unconfirmed = outbox.recovery.markAllUnconfirmed(why, { service: options.service ?? NO_SERVICE, at })
  await setDamagedAside(manifestsFolder, damaged)
  const counts = { ...applied, damaged: damaged.length, unreadable, ...unconfirmed }
  logger.error('the outbox is older than what happened', { why, ...counts })
}

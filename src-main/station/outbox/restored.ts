/** What an outbox that is older than what happened is brought to, before anything else works with it. */
import type { Clock, Logger } from '../ports.ts'
import { knowsMore, type Manifest } from './manifest.ts'
import { manifestIds, readManifest } from './manifest-files.ts'
import type { Outbox } from './outbox.ts'
import { TO_COMPARE } from './restored-copy.ts'
import type { RestoredWhy, Service } from './restored-store.ts'

export type ReadManifests = { readonly manifests: readonly Manifest[]; readonly damaged: number }

/** The manifests that know more than the outbox does. Damaged ones are set aside, and counted. */
export async function readNewerManifests(outbox: Outbox, folder: string): Promise<ReadManifests> {
  const manifests: Manifest[] = []
  let damaged = 0
  for await (const ids of manifestIds(folder)) {
    for (const id of ids) {
      const manifest = await readManifest(folder, id)
      if (manifest === 'damaged') damaged += 1
      if (typeof manifest === 'string') continue
      const row = outbox.progressOf(id)
      if (!row || knowsMore(manifest, row)) manifests.push(manifest)
    }
  }
  return { manifests, damaged }
}

/** Does any manifest know of what the outbox does not? Manifests of what is settled are not read. */
async function isBehindManifests(outbox: Outbox, folder: string): Promise<boolean> {
  for await (const ids of manifestIds(folder)) if (ids.some((id) => !outbox.isKnown(id))) return true
  for (const id of outbox.unsettledIds()) {
    const manifest = await readManifest(folder, id)
    const row = outbox.progressOf(id)
    if (typeof manifest !== 'string' && row && knowsMore(manifest, row)) return true
  }
  return false
}

async function whyOf(outbox: Outbox, folder: string): Promise<RestoredWhy | null> {
  if (outbox.readFact('restored') !== TO_COMPARE) return outbox.restoredWhy()
  const why = (await isBehindManifests(outbox, folder)) ? 'behindManifests' : null
  outbox.writeFact('restored', why ?? '')
  return why
}

/**
 * Finds out whether the outbox is older than what happened. If so, lays over it what the manifests know and puts in
 * doubt all that is not sent. A kill amid this leaves it to the next start.
 */
export async function settleRestored(given: {
  readonly outbox: Outbox
  readonly manifestsFolder: string
  readonly clock: Clock
  readonly logger: Logger
  /** The service that is set now; null where none is. */
  readonly service: Service | null
}): Promise<void> {
  const { outbox, manifestsFolder, clock, logger } = given
  const why = await whyOf(outbox, manifestsFolder)
  if (why === null) return
  const { manifests, damaged } = await readNewerManifests(outbox, manifestsFolder)
  const at = clock.now()
  const laid = outbox.layOver(manifests, at)
  const doubt = outbox.putAllInDoubt(why, { service: given.service ?? { baseUrl: '', clientId: '' }, at })
  logger.error('the outbox is older than what happened', { why, ...laid, damaged, ...doubt })
}

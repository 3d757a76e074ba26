/** What an outbox that is older than what happened is brought to, before anything else works with it. */
import { randomBytes } from 'node:crypto'
import { isReference, referenceOf } from '../../../src-shared/reference.ts'
import type { Clock, Logger } from '../ports.ts'
import { knowsMore, type Manifest } from './manifest.ts'
import { manifestIds, readManifest } from './manifest-files.ts'
import type { Outbox } from './outbox.ts'
import { TO_COMPARE } from './restored-copy.ts'
import type { RestoredWhy, Service } from './restored-store.ts'
import { salvageManifest } from './salvage-manifest.ts'

export type ReadManifests = { readonly manifests: readonly Manifest[]; readonly damaged: number }

/**
 * The manifests that know more than the outbox does. Damaged ones are set aside and counted; where the outbox does not
 * know their submission, what can be read in them stands for it.
 */
export async function readNewerManifests(outbox: Outbox, folder: string, at: number): Promise<ReadManifests> {
  const manifests: Manifest[] = []
  let damaged = 0
  for await (const ids of manifestIds(folder)) {
    for (const id of ids) {
      const found = await readManifest(folder, id)
      const row = outbox.progressOf(id)
      if (found.kind === 'damaged') {
        damaged += 1
        const reference = referenceOf(randomBytes(8))
        const salvaged = row === null ? salvageManifest(found.text, { id, reference, at }, isReference) : null
        if (salvaged) manifests.push(salvaged)
      } else if (found.kind === 'read' && (!row || knowsMore(found.manifest, row)))
        manifests.push(found.manifest)
    }
  }
  return { manifests, damaged }
}

/** Does any manifest know of what the outbox does not? Manifests of what is settled are not read. */
async function isBehindManifests(outbox: Outbox, folder: string): Promise<boolean> {
  for await (const ids of manifestIds(folder)) if (ids.some((id) => !outbox.isKnown(id))) return true
  for (const id of outbox.unsettledIds()) {
    const found = await readManifest(folder, id)
    const row = outbox.progressOf(id)
    if (found.kind === 'read' && row && knowsMore(found.manifest, row)) return true
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
  const at = clock.now()
  const { manifests, damaged } = await readNewerManifests(outbox, manifestsFolder, at)
  const laid = outbox.layOver(manifests, at)
  const doubt = outbox.putAllInDoubt(why, { service: given.service ?? { baseUrl: '', clientId: '' }, at })
  logger.error('the outbox is older than what happened', { why, ...laid, damaged, ...doubt })
}

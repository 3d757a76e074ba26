/**
 * Is what a feed offers a step forward for this station? Pure.
 *
 * A newer program brings the outbox up to its own version by itself. One that knows an older outbox would refuse ours,
 * and every case that waits in it would stand still.
 */
import { z } from 'zod'
import type { UpdateRefusal } from '../../../src-shared/updates.ts'

/** What we read of `latest.yml`; `vendor` is ours, and `npm run package` writes it. */
const offerSchema = z.object({
  version: z.string().min(1),
  vendor: z.object({ outboxSchema: z.number().int().positive() }).nullish().catch(null),
})

export type Offer = { readonly version: string; readonly outboxSchema: number | null }

/** Reads what a feed says of its newest version; throws a ZodError where it is no such thing. */
export function readOffer(info: unknown): Offer {
  const { version, vendor } = offerSchema.parse(info)
  return { version, outboxSchema: vendor?.outboxSchema ?? null }
}

/** Why it is refused, or null. That its version is higher than ours has been seen to. */
export function whyRefused(offer: Offer, ourOutboxSchema: number): UpdateRefusal | null {
  if (offer.outboxSchema === null) return 'unstated'
  return offer.outboxSchema < ourOutboxSchema ? 'olderOutbox' : null
}

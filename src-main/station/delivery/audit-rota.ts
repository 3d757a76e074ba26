/** Which centers' lists are read only to be compared with ours: where nothing else has read them for a day. */
import { DAY } from '../../../src-shared/durations.ts'
import { destinationOf, type DeliveryContext } from './delivery-context.ts'

/** A case that came twice shows within days; after a month nobody asks any more. */
const AUDITED_DAYS = 30

export type AuditSchedule = {
  dueCenters(now: number): readonly (string | null)[]
  /** The list of a center was asked for, whether or not it could be read. */
  noteRead(centerId: string | null, now: number): void
  /** When the next one is due, or null where no center has cases that matter. */
  nextAt(now: number): number | null
}

export function createAuditSchedule(context: DeliveryContext): AuditSchedule {
  const { outbox, client } = context
  const askedAt = new Map<string | null, number>()
  /** When a center's list was last read or asked for; a time to come was noted before the clock was set back. */
  const lastAt = (centerId: string | null, now: number): number => {
    const readAt = outbox.cases.listReadAt(destinationOf(context, centerId)) ?? 0
    return Math.max(...[readAt, askedAt.get(centerId) ?? 0].filter((at) => at <= now), 0)
  }
  const centers = (now: number): readonly (string | null)[] =>
    outbox.centers.confirmedSince(now - AUDITED_DAYS * DAY, client.identity)
  return {
    dueCenters: (now) => centers(now).filter((centerId) => now - lastAt(centerId, now) >= DAY),
    noteRead: (centerId, now) => void askedAt.set(centerId, now),
    nextAt: (now) => {
      const times = centers(now).map((centerId) => lastAt(centerId, now) + DAY)
      return times.length === 0 ? null : Math.min(...times)
    },
  }
}

/** Transfers that are under way. */
import type { StandIn } from './stand-in-station.ts'

export const HALF_WAY = { id: 's7', handedOverBytes: 2_640_000, requestBytes: 4_212_345, stalledSince: null }

export function stall(standIn: StandIn): void {
  standIn.tell('deliveryProgressed', { ...HALF_WAY, stalledSince: Date.now() - 35_000 })
}

/**
 * Keeps the computer from falling asleep by itself while a case is being sent, and not a moment longer. A lid that is
 * closed, or a person who chooses sleep, is not kept from it: what was under way then is looked for afterwards.
 */
import type { StationEvent } from '../../src-shared/contract.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'

/** Electron's `powerSaveBlocker`, the part that is needed. */
export type PowerSaveBlocker = {
  start(type: 'prevent-app-suspension'): number
  stop(id: number): unknown
}

/** Is there an attempt under way? `sending` means exactly one open attempt. Pure. */
export function isSending({ mode, counts }: Pick<StationStatus, 'mode' | 'counts'>): boolean {
  return mode.kind !== 'stopped' && (counts.sending ?? 0) > 0
}

export function keepAwakeWhileSending(
  station: { on(listener: (event: StationEvent) => void): unknown },
  blocker: PowerSaveBlocker,
): void {
  let blockerId: number | null = null
  station.on((event) => {
    if (event.name !== 'stationChanged') return
    if (isSending(event.payload)) blockerId ??= blocker.start('prevent-app-suspension')
    else if (blockerId !== null) {
      blocker.stop(blockerId)
      blockerId = null
    }
  })
}

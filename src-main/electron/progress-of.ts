/** The bar on the taskbar's button. Pure. */
import type { TrayModel } from './glance.ts'

export type Progress =
  | { readonly kind: 'none' }
  /** Something goes on, and nobody knows how far it is. */
  | { readonly kind: 'indeterminate' }
  /** `fraction` of what is being sent was handed over; never 1, because only an answer says that it arrived. */
  | { readonly kind: 'normal' | 'paused' | 'error'; readonly fraction: number }

/** Where nothing is under way, the colour of the bar is what is told, so the bar is full. */
const FULL_FRACTION = 1

/**
 * The bar for what is known. A pause and a trouble are shown only while cases wait for their end, and only where the
 * system has a colour for it: elsewhere a full bar would say that something is done.
 */
export function taskbarProgress({ status, transfers }: TrayModel, platform: NodeJS.Platform): Progress {
  if (status === null) return { kind: 'none' }
  const { mode, counts, service, storage } = status
  const sending = counts.sending ?? 0
  const hasPending = sending + (counts.waiting ?? 0) > 0
  const isTrouble =
    (mode.kind === 'paused' && mode.why !== 'person') ||
    service.health === 'trouble' ||
    (storage !== null && storage.kind !== 'diskLow')
  const fraction = sentFraction([...transfers.values()])
  if (hasPending && platform === 'win32') {
    if (isTrouble) return { kind: 'error', fraction: fraction ?? FULL_FRACTION }
    if (mode.kind === 'paused') return { kind: 'paused', fraction: fraction ?? FULL_FRACTION }
  }
  if (sending === 0) return { kind: 'none' }
  return fraction === null ? { kind: 'indeterminate' } : { kind: 'normal', fraction }
}

/** In whole hundredths, so that a bar is drawn no more often than it moves; null where all is handed over or nothing is known. */
function sentFraction(
  transfers: readonly { readonly handedOverBytes: number; readonly requestBytes: number }[],
): number | null {
  const sentBytes = transfers.reduce((sum, { handedOverBytes }) => sum + handedOverBytes, 0)
  const totalBytes = transfers.reduce((sum, { requestBytes }) => sum + requestBytes, 0)
  if (totalBytes <= 0 || sentBytes >= totalBytes) return null
  return Math.floor((sentBytes / totalBytes) * 100) / 100
}

import type { Clock } from '../ports.ts'
import { StoppedError, type StopReason } from './stopped-error.ts'

/** What ends a request from our side: one timer that can be set anew, the caller's wish, or the client's end. */
export type Deadline = {
  /** Aborted with a StoppedError. */
  readonly signal: AbortSignal
  /** Sets the timer anew; the former one is off. */
  arm(delayMs: number, reason: StopReason): void
  /** The promise's own end or, if it comes first, a rejection with the StoppedError. */
  race<Value>(promise: Promise<Value>): Promise<Value>
  /** Takes the timer and all listeners away. */
  dispose(): void
}

/** Opens a deadline; each of the wishes ends it as soon as it is aborted. */
export function openDeadline(clock: Clock, signals: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController()
  let disarm: (() => void) | null = null
  const stop = (reason: StopReason): void => {
    disarm?.()
    controller.abort(new StoppedError(reason))
  }
  const cancel = (): void => stop('cancelled')
  for (const wish of signals) {
    if (wish?.aborted === true) cancel()
    else wish?.addEventListener('abort', cancel, { once: true })
  }
  return {
    signal: controller.signal,
    arm: (delayMs, reason) => {
      disarm?.()
      disarm = controller.signal.aborted ? null : clock.after(delayMs, () => stop(reason))
    },
    race: (promise) => raceWith(promise, controller.signal),
    dispose: () => {
      disarm?.()
      for (const wish of signals) wish?.removeEventListener('abort', cancel)
    },
  }
}

/** undici notices an abort only after the connection stands, so waiting for the request alone could last. */
function raceWith<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as StoppedError)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

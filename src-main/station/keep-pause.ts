/** The pause of sending that a person has set; it outlives a restart. */
import type { Outbox } from './outbox/outbox.ts'
import type { Clock } from './ports.ts'
import { parsePause, type Pause } from './station-mode.ts'
import { ignoringStorageErrors } from './storage-failure.ts'

export type SendingPause = {
  current(): Pause
  /** Throws where it cannot be written down; it holds until the next start nevertheless. */
  set(next: Pause): void
  /** Time may have passed that no timer counted, as in a sleep: is the pause over? */
  recheck(): void
  /** Lets an end that is to come be found by the next start. */
  close(): void
}

export function openSendingPause(options: {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly onChanged: () => void
}): SendingPause {
  const { outbox, clock, onChanged } = options
  let pause: Pause = null
  let cancelEnd: (() => void) | null = null

  const apply = (next: Pause): void => {
    cancelEnd?.()
    pause = next
    cancelEnd = typeof next === 'number' ? clock.after(next - clock.now(), end) : null
    onChanged()
  }
  const set = (next: Pause): void => {
    apply(next)
    // Last: a disk that is full keeps nobody from pausing.
    outbox.facts.write('pause', next === null ? '' : String(next))
  }
  /** An end that cannot be written down is told by the clock at the next start. */
  const end = (): void => ignoringStorageErrors(() => set(null))

  const recheck = (): void => {
    if (typeof pause !== 'number') return
    if (pause <= clock.now()) end()
    else apply(pause)
  }

  apply(parsePause(outbox.facts.read('pause'), clock.now()))
  return { current: () => pause, set, recheck, close: () => cancelEnd?.() }
}

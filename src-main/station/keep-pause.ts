/** The pause of sending that a person has set; it outlives a restart. */
import type { Outbox } from './outbox/outbox.ts'
import type { Clock } from './ports.ts'
import { pauseFromText, type Pause } from './station-mode.ts'
import { whereReadable } from './storage-failure.ts'

export type PauseKeeper = {
  current(): Pause
  /** Throws where it cannot be written down; it holds until the next start nevertheless. */
  set(next: Pause): void
  /** Time may have passed that no timer counted, as in a sleep: is the pause over? */
  look(): void
  /** Lets an end that is to come be found by the next start. */
  close(): void
}

export function keepPause(options: {
  readonly outbox: Outbox
  readonly clock: Clock
  readonly onChanged: () => void
}): PauseKeeper {
  const { outbox, clock, onChanged } = options
  let pause: Pause = null
  let cancelEnd: (() => void) | null = null

  const hold = (next: Pause): void => {
    cancelEnd?.()
    pause = next
    cancelEnd = typeof next === 'number' ? clock.after(next - clock.now(), end) : null
    onChanged()
  }
  const set = (next: Pause): void => {
    hold(next)
    // Last: a disk that is full keeps nobody from pausing.
    outbox.writeFact('pause', next === null ? '' : String(next))
  }
  /** An end that cannot be written down is told by the clock at the next start. */
  const end = (): void => whereReadable(() => set(null))

  const look = (): void => {
    if (typeof pause !== 'number') return
    if (pause <= clock.now()) end()
    else hold(pause)
  }

  hold(pauseFromText(outbox.readFact('pause'), clock.now()))
  return { current: () => pause, set, look, close: () => cancelEnd?.() }
}

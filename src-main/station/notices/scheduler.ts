/** Collects the occasions from all parts of the station and notifies of each once, while it still holds. */
import type { NotificationSettings } from '../../../src-shared/desktop-settings.ts'
import { MINUTE } from '../../../src-shared/durations.ts'
import { FINAL_STATES } from '../../../src-shared/states.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import type { Clock, NoticeKind, Notifier } from '../ports.ts'
import { type ActiveCondition, activeConditions, type ConditionSource } from './conditions.ts'
import { dueNotices, type Occasion, timeOfDay, type WaitingOccasion } from './notices.ts'

export type NotificationScheduler = {
  /** Reports an event; a duplicate of one that still waits is dropped. */
  readonly notify: (occasion: Occasion) => void
  /** Checks the conditions in the status: each is announced once, after it has lasted. */
  readonly observeStatus: (status: ConditionSource) => void
  /** Checks a changed case: one that the service refused needs a person. */
  readonly observeCase: (submission: Pick<Submission, 'id' | 'state'>) => void
  readonly close: () => void
}

/** No check waits longer: clocks are set, and machines sleep. */
const MAX_WAIT_MS = MINUTE

export function createNotificationScheduler({
  clock,
  settings,
  notifier,
}: {
  readonly clock: Clock
  readonly settings: () => NotificationSettings
  readonly notifier: Notifier
}): NotificationScheduler {
  let waiting: readonly WaitingOccasion[] = []
  let active: readonly ActiveCondition[] = []
  const lastShownAt = new Map<NoticeKind, number>()
  /** The spells of announced or waiting conditions, by kind and subject. */
  const announced = new Map<string, string>()
  /** Announced once for each refusal by the service. */
  const refused = new Set<string>()
  let cancelCheck: (() => void) | null = null
  let isClosed = false

  const add = ({ kind, about, route }: Occasion): void => {
    if (waiting.some((one) => one.kind === kind && one.about === about)) return
    waiting = [...waiting, { kind, about, route, since: clock.monotonicMs() }]
  }
  const addLasting = (): number | null => {
    const now = clock.now()
    let nextMs: number | null = null
    for (const trouble of active) {
      if (announced.get(keyOf(trouble)) === trouble.spell) continue
      const inMs = trouble.notifyAt === null ? 0 : trouble.notifyAt - now
      if (inMs > 0) {
        nextMs = Math.min(nextMs ?? MAX_WAIT_MS, inMs)
        continue
      }
      announced.set(keyOf(trouble), trouble.spell)
      add(trouble)
    }
    return nextMs
  }
  const check = (): void => {
    cancelCheck?.()
    cancelCheck = null
    if (isClosed) return
    const troubleInMs = addLasting()
    const at = clock.monotonicMs()
    const time = timeOfDay(clock.now())
    const due = dueNotices({ waiting, lastShownAt, settings: settings(), at, time })
    waiting = due.waiting
    for (const notice of due.notices) {
      lastShownAt.set(notice.kind, at)
      notifier.notify(notice)
    }
    const delays = [troubleInMs, due.nextCheckInMs].filter((inMs) => inMs !== null)
    if (delays.length > 0) cancelCheck = clock.after(Math.min(MAX_WAIT_MS, ...delays), check)
  }

  return {
    notify: (occasion) => {
      add(occasion)
      check()
    },
    observeStatus: (status) => {
      const before = active
      active = activeConditions(status)
      const keys = new Set(active.map(keyOf))
      for (const key of announced.keys()) if (!keys.has(key)) announced.delete(key)
      // Conditions that ended before their notice are no news; in quiet hours that may be a whole night.
      const resolved = new Set(before.map(keyOf).filter((key) => !keys.has(key)))
      waiting = waiting.filter((occasion) => !resolved.has(keyOf(occasion)))
      check()
    },
    observeCase: ({ id, state }) => {
      if (state === 'refused') {
        if (refused.has(id)) return
        refused.add(id)
        add({ kind: 'needsAttention', about: id, route: { screen: 'submission', id } })
        return check()
      }
      refused.delete(id)
      // The matter was settled before the notice.
      const isOver = FINAL_STATES.includes(state)
      waiting = waiting.filter(
        ({ kind, about }) =>
          about !== id || !(kind === 'needsAttention' || (kind === 'waitsTooLong' && isOver)),
      )
    },
    close: () => {
      isClosed = true
      cancelCheck?.()
    },
  }
}

function keyOf({ kind, about }: Occasion): string {
  return `${kind} ${about}`
}

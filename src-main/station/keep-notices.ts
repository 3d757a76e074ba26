/** What a person is told outside of the window: gathered from all parts, each matter once, while it is still so. */
import { MINUTE } from '../../src-shared/durations.ts'
import type { NotificationSettings } from '../../src-shared/desktop-settings.ts'
import { STATES_THAT_ARE_OVER } from '../../src-shared/states.ts'
import type { Submission } from '../../src-shared/submission.ts'
import { noticesDue, timeOfDay, type Occasion, type WaitingOccasion } from './notice-choice.ts'
import type { Clock, NoticeKind, Notifier } from './ports.ts'
import { standingTroubles, type StandingTrouble, type TroubleSource } from './standing-troubles.ts'

export type NoticeKeeper = {
  /** Something has happened; the same matter that still waits to be told is not told twice. */
  readonly tell: (occasion: Occasion) => void
  /** Looks at what stands in the status: each trouble is told once, when it has lasted. */
  readonly lookAt: (status: TroubleSource) => void
  /** Looks at a case that has changed: one that the service refused needs a person. */
  readonly lookAtCase: (submission: Pick<Submission, 'id' | 'state'>) => void
  readonly close: () => void
}

/** No look is put off for longer: clocks are set, and machines sleep. */
const LOOK_MS = MINUTE

export function keepNotices({
  clock,
  settings,
  notifier,
}: {
  readonly clock: Clock
  readonly settings: () => NotificationSettings
  readonly notifier: Notifier
}): NoticeKeeper {
  let waiting: readonly WaitingOccasion[] = []
  let standing: readonly StandingTrouble[] = []
  const toldAt = new Map<NoticeKind, number>()
  /** The troubles that were told of or wait to be, by kind and what they are about, with their spell. */
  const known = new Map<string, string>()
  /** Told of once for each time that the service refuses them. */
  const refused = new Set<string>()
  let cancelLook: (() => void) | null = null
  let isClosed = false

  const add = ({ kind, about, place }: Occasion): void => {
    if (waiting.some((one) => one.kind === kind && one.about === about)) return
    waiting = [...waiting, { kind, about, place, since: clock.monotonicMs() }]
  }
  const takeWhatLasts = (): number | null => {
    const now = clock.now()
    let nextMs: number | null = null
    for (const trouble of standing) {
      if (known.get(keyOf(trouble)) === trouble.spell) continue
      const inMs = trouble.tellAt === null ? 0 : trouble.tellAt - now
      if (inMs > 0) {
        nextMs = Math.min(nextMs ?? LOOK_MS, inMs)
        continue
      }
      known.set(keyOf(trouble), trouble.spell)
      add(trouble)
    }
    return nextMs
  }
  const look = (): void => {
    cancelLook?.()
    cancelLook = null
    if (isClosed) return
    const troubleInMs = takeWhatLasts()
    const at = clock.monotonicMs()
    const time = timeOfDay(clock.now())
    const due = noticesDue({ waiting, toldAt, settings: settings(), at, time })
    waiting = due.waiting
    for (const notice of due.notices) {
      toldAt.set(notice.kind, at)
      notifier.notify(notice)
    }
    const looks = [troubleInMs, due.lookAgainInMs].filter((inMs) => inMs !== null)
    if (looks.length > 0) cancelLook = clock.after(Math.min(LOOK_MS, ...looks), look)
  }

  return {
    tell: (occasion) => {
      add(occasion)
      look()
    },
    lookAt: (status) => {
      const before = standing
      standing = standingTroubles(status)
      const keys = new Set(standing.map(keyOf))
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key)
      // What was over before anybody was told of it is no news: in quiet hours that may be a whole night.
      const over = new Set(before.map(keyOf).filter((key) => !keys.has(key)))
      waiting = waiting.filter((occasion) => !over.has(keyOf(occasion)))
      look()
    },
    lookAtCase: ({ id, state }) => {
      if (state === 'refused') {
        if (refused.has(id)) return
        refused.add(id)
        add({ kind: 'needsAttention', about: id, place: { screen: 'submission', id } })
        return look()
      }
      refused.delete(id)
      // A person, or the time, was quicker than the notice.
      const isOver = STATES_THAT_ARE_OVER.includes(state)
      waiting = waiting.filter(
        ({ kind, about }) =>
          about !== id || !(kind === 'needsAttention' || (kind === 'waitsTooLong' && isOver)),
      )
    },
    close: () => {
      isClosed = true
      cancelLook?.()
    },
  }
}

function keyOf({ kind, about }: Occasion): string {
  return `${kind} ${about}`
}

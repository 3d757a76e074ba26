/** Notices outside of the window: collected from all parts, each matter once, while it still applies. */
import type { OverdueItem } from '../../../src-shared/alarms.ts'
import type { NotificationSettings } from '../../../src-shared/desktop-settings.ts'
import { HOUR, MINUTE } from '../../../src-shared/durations.ts'
import { FINAL_STATES } from '../../../src-shared/states.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import type { StationEvents } from '../events.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import type { ArrivedReport } from '../reports/reports.ts'
import type { Clock, Logger, NoticeKind, Notifier, Ports } from '../ports.ts'
import {
  type ActiveCondition,
  activeConditions,
  type ConditionSource,
  dueNotices,
  type Occasion,
  timeOfDay,
  type WaitingOccasion,
} from './due.ts'

/** Shows notices outside of the window, from the events of the station. */
export type Notices = {
  reportArrived(report: ArrivedReport): void
  close(): Promise<void>
}

export function openNotices(options: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Pick<Outbox, 'oversight' | 'submissions'>
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}): Notices {
  const { clock, logger, notifier } = options.ports
  const scheduler = createNotificationScheduler({ clock, settings: options.settings, notifier })
  const overdue = openOverdueNotices({ outbox: options.outbox, clock, logger, notify: scheduler.notify })
  const stopListening = options.events.on((event) => {
    if (event.name === 'stationChanged') scheduler.observeStatus(event.payload)
    else if (event.name === 'submissionChanged') scheduler.observeCase(event.payload)
    else if (event.name === 'submissionsChanged')
      ignoringStorageErrors(() => {
        for (const id of event.payload.ids) {
          const submission = options.outbox.submissions.get(id)
          if (submission) scheduler.observeCase(submission)
        }
      })
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }) =>
      scheduler.notify({
        kind: isUrgent ? 'urgentReport' : 'reportArrived',
        about: submissionId,
        route: { screen: 'reports', of: { caseId, submissionId } },
      }),
    close: async () => {
      stopListening()
      scheduler.close()
      await overdue.close()
    },
  }
}

export type NotificationScheduler = {
  /** Reports an occasion; a matter whose notice still waits is not queued twice. */
  readonly notify: (occasion: Occasion) => void
  /** Reads the conditions in the status: each one is shown once, after it has lasted long enough. */
  readonly observeStatus: (status: ConditionSource) => void
  /** Looks at a case that has changed: one that the service refused needs a person. */
  readonly observeCase: (submission: Pick<Submission, 'id' | 'state'>) => void
  readonly close: () => void
}

/** No look is put off for longer: clocks are set, and machines sleep. */
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
  /** The conditions that were shown or wait to be, by kind and subject, with their spell. */
  const announced = new Map<string, string>()
  /** Shown once for each time that the service refuses them. */
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
      // What was over before its notice was shown is no news: in quiet hours that may be a whole night.
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
      // A person, or the time, was quicker than the notice.
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

/** A start has other work first, and cases overdue since yesterday can wait for it. */
const FIRST_OVERDUE_CHECK_MS = 2 * MINUTE
const OVERDUE_CHECK_MS = HOUR

/** A missing report or a rejected case appears on the screens only: no image is at risk. */
const NOTIFIED_KINDS: readonly OverdueItem['kind'][] = ['notSent', 'notConfirmed']

/** Notifies once of each case that was captured long ago and has not left, or is not known to have arrived. */
export function openOverdueNotices(options: {
  readonly outbox: Pick<Outbox, 'oversight'>
  readonly clock: Clock
  readonly logger: Logger
  readonly notify: (occasion: Occasion) => void
}): Loop {
  const { outbox, clock, logger, notify } = options
  let notified: ReadonlySet<string> = new Set()
  let nextAt = clock.monotonicMs() + FIRST_OVERDUE_CHECK_MS

  const check = (): void => {
    const now = clock.now()
    const items = listOverdue(outbox.oversight.overdueRows(overdueLimits(now), MAX_OVERDUE), now).filter(
      ({ kind }) => NOTIFIED_KINDS.includes(kind),
    )
    for (const { submissionId: id } of items)
      if (!notified.has(id)) notify({ kind: 'waitsTooLong', about: id, route: { screen: 'submission', id } })
    notified = new Set(items.map(({ submissionId }) => submissionId))
  }
  return openLoop({
    name: 'ageing',
    clock,
    logger,
    run: () => {
      if (clock.monotonicMs() >= nextAt) {
        nextAt = clock.monotonicMs() + OVERDUE_CHECK_MS
        check()
      }
      return Promise.resolve(clock.now() + Math.max(0, nextAt - clock.monotonicMs()))
    },
  })
}

/** Notices outside of the window: which are due and when, each matter once, while it still applies. */
import type { OverdueItem } from '../../../src-shared/alarms.ts'
import type { NotificationSettings } from '../../../src-shared/settings.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { FINAL_STATES } from '../../../src-shared/states.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import type { ArrivedReport } from '../reports/reports.ts'
import {
  type Clock,
  type Logger,
  type Notice,
  NOTICE_KINDS,
  type NoticeKind,
  type Notifier,
  type Ports,
} from '../ports.ts'
import type { StationEvents } from '../status.ts'

/** Shows notices outside of the window, from the events of the station. */
export function openNotices(options: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Outbox
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}) {
  const { clock, logger, notifier } = options.ports
  const scheduler = createNotificationScheduler({ clock, settings: options.settings, notifier })
  const overdue = openOverdueNotices({ outbox: options.outbox, clock, logger, notify: scheduler.notify })
  const stopListening = options.events.on((event) => {
    if (event.name === 'stationChanged') scheduler.observeStatus(event.payload)
    else if (event.name === 'submissionChanged') scheduler.observeCase(event.payload)
    else if (event.name === 'submissionsChanged')
      ignoringStorageErrors(() => {
        for (const id of event.payload.ids) {
          const submission = options.outbox.submissionOf(id)
          if (submission) scheduler.observeCase(submission)
        }
      })
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }: ArrivedReport): void =>
      scheduler.notify({
        kind: isUrgent ? 'urgentReport' : 'reportArrived',
        about: submissionId,
        route: { screen: 'reports', of: { caseId, submissionId } },
      }),
    close: async (): Promise<void> => {
      stopListening()
      scheduler.close()
      await overdue.close()
    },
  }
}

/** Something that may need a notice. */
export type Occasion = {
  readonly kind: NoticeKind
  /** What it is about: an id or a path, unique within the kind. It stays in here and is never shown. */
  readonly about: string
  /** Where on the screens it is seen. */
  readonly route: DesktopRoute
}

export type WaitingOccasion = Occasion & {
  /** On the clock that never jumps, milliseconds. */
  readonly since: number
}

/** A camera's evening of work comes in at once: what follows within this time goes into the same notice. */
const COLLECT_MS = 5 * SECOND

/** After a notice, the next one of its kind waits for so long: a row of single troubles is one matter for a person. */
const MIN_INTERVAL_MS = 2 * MINUTE

/** How often the end of the quiet hours is checked. */
const RECHECK_MS = MINUTE

const QUEUE: DesktopRoute = { screen: 'queue' }
const REPORTS: DesktopRoute = { screen: 'reports', of: null }
const STORAGE: DesktopRoute = { screen: 'settings', section: 'storage' }

/** For each kind the setting that switches it off, and where several of it are seen together. */
const KINDS: Readonly<
  Record<
    NoticeKind,
    readonly ['needsPerson' | 'sendingStopped' | 'folderUnreachable' | 'reports', DesktopRoute]
  >
> = {
  alarm: ['needsPerson', QUEUE],
  needsAttention: ['needsPerson', QUEUE],
  waitsTooLong: ['needsPerson', QUEUE],
  signedOut: ['sendingStopped', { screen: 'settings', section: 'service' }],
  serviceAway: ['sendingStopped', QUEUE],
  diskLow: ['sendingStopped', STORAGE],
  storage: ['sendingStopped', STORAGE],
  folderUnreachable: ['folderUnreachable', { screen: 'settings', section: 'folders' }],
  urgentReport: ['reports', REPORTS],
  reportArrived: ['reports', REPORTS],
}

/**
 * Which of the waiting occasions are shown now, the most urgent first, and which go on waiting. Disabled kinds are
 * dropped. `nextCheckInMs` is null if nothing waits.
 */
export function dueNotices(options: {
  readonly waiting: readonly WaitingOccasion[]
  /** When a notice of each kind was shown last, on the clock that never jumps. */
  readonly lastShownAt: ReadonlyMap<NoticeKind, number>
  readonly settings: NotificationSettings
  /** On the clock that never jumps. */
  readonly at: number
  /** On the clock on the wall, epoch milliseconds. */
  readonly now: number
}) {
  const { settings, at } = options
  const notices: Notice[] = []
  const waiting: WaitingOccasion[] = []
  const delays: number[] = []
  for (const kind of NOTICE_KINDS) {
    const group = options.waiting.filter((occasion) => occasion.kind === kind)
    const [first] = group
    if (!first || !isWanted(kind, settings)) continue
    const inMs = isSuppressed(kind, settings, options.now)
      ? RECHECK_MS
      : dueAt(group, options.lastShownAt.get(kind)) - at
    if (inMs > 0) {
      waiting.push(...group)
      delays.push(inMs)
    } else {
      const route = group.length === 1 ? first.route : KINDS[kind][1]
      notices.push({ kind, count: group.length, route })
    }
  }
  return { notices, waiting, nextCheckInMs: delays.length === 0 ? null : Math.min(...delays) }
}

function dueAt(group: readonly WaitingOccasion[], lastShownAt: number | undefined): number {
  const first = Math.min(...group.map(({ since }) => since))
  return Math.max(first + COLLECT_MS, lastShownAt === undefined ? 0 : lastShownAt + MIN_INTERVAL_MS)
}

function isWanted(kind: NoticeKind, settings: NotificationSettings): boolean {
  const setting = settings[KINDS[kind][0]]
  return setting !== 'off' && (kind !== 'reportArrived' || setting === 'all')
}

/** The last minute of the quiet hours is not quiet any more, and a span of no length is none. */
function isSuppressed(kind: NoticeKind, settings: NotificationSettings, now: number): boolean {
  if (settings.quiet === null || (kind === 'urgentReport' && settings.urgentInQuiet === 'on')) return false
  const { from, to } = settings.quiet
  const time = new Date(now).toTimeString().slice(0, 'HH:MM'.length)
  return from <= to ? from <= time && time < to : from <= time || time < to
}

/** A camera or share that comes back within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** One refused token may be followed by an accepted one. */
const SIGNED_OUT_MS = MINUTE
/** A service usually recovers; after this time, a day's work is waiting here. */
const SERVICE_AWAY_MS = HOUR

export type ActiveCondition = Occasion & {
  /** Epoch milliseconds; null for at once. Another time means that it ended in between, and is announced again. */
  readonly notifyAt: number | null
}

export type ConditionSource = Pick<
  StationStatus,
  'mode' | 'counts' | 'folders' | 'service' | 'storage' | 'alarms'
>

function lasting(kind: NoticeKind, notifyAt: number | null, about: string = kind): ActiveCondition {
  return { kind, about, route: KINDS[kind][1], notifyAt }
}

/** All active conditions, each with the time of its notice. */
export function activeConditions(status: ConditionSource): readonly ActiveCondition[] {
  const { mode, service, counts } = status
  const isSignedOut = mode.kind === 'paused' && mode.why === 'signedOut'
  // Without waiting cases, an unreachable service does not matter.
  const isMissed = (counts.waiting ?? 0) + (counts.sending ?? 0) + (counts.unconfirmed ?? 0) > 0
  const isAway = mode.kind === 'running' && service.health === 'trouble' && isMissed
  return [
    ...status.alarms.map(({ id, submissionId }) => ({
      ...lasting('alarm', null, id),
      ...(submissionId !== null && { route: { screen: 'submission' as const, id: submissionId } }),
    })),
    ...(status.storage ? [lasting(status.storage.kind === 'diskLow' ? 'diskLow' : 'storage', null)] : []),
    ...(isSignedOut ? [lasting('signedOut', service.since + SIGNED_OUT_MS)] : []),
    ...status.folders
      .filter(({ health }) => health === 'unreachable')
      .map(({ path, since }) => lasting('folderUnreachable', since + FOLDER_AWAY_MS, path)),
    ...(isAway ? [lasting('serviceAway', service.since + SERVICE_AWAY_MS)] : []),
  ]
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
}) {
  let waiting: readonly WaitingOccasion[] = []
  let active: readonly ActiveCondition[] = []
  const lastShownAt = new Map<NoticeKind, number>()
  /** The conditions that were shown or wait to be, by kind and subject, with the time of their notice. */
  const announced = new Map<string, number | null>()
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
      if (announced.get(keyOf(trouble)) === trouble.notifyAt) continue
      const inMs = trouble.notifyAt === null ? 0 : trouble.notifyAt - now
      if (inMs > 0) {
        nextMs = Math.min(nextMs ?? MAX_WAIT_MS, inMs)
        continue
      }
      announced.set(keyOf(trouble), trouble.notifyAt)
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
    const due = dueNotices({ waiting, lastShownAt, settings: settings(), at, now: clock.now() })
    waiting = due.waiting
    for (const notice of due.notices) {
      lastShownAt.set(notice.kind, at)
      notifier.notify(notice)
    }
    const delays = [troubleInMs, due.nextCheckInMs].filter((inMs) => inMs !== null)
    if (delays.length > 0) cancelCheck = clock.after(Math.min(MAX_WAIT_MS, ...delays), check)
  }

  return {
    /** Reports an occasion; a matter whose notice still waits is not queued twice. */
    notify: (occasion: Occasion): void => {
      add(occasion)
      check()
    },
    /** Reads the conditions in the status: each one is shown once, after it has lasted long enough. */
    observeStatus: (status: ConditionSource): void => {
      const before = active
      active = activeConditions(status)
      const keys = new Set(active.map(keyOf))
      for (const key of announced.keys()) if (!keys.has(key)) announced.delete(key)
      // What was over before its notice was shown is no news: in quiet hours that may be a whole night.
      const resolved = new Set(before.map(keyOf).filter((key) => !keys.has(key)))
      waiting = waiting.filter((occasion) => !resolved.has(keyOf(occasion)))
      check()
    },
    /** Looks at a case that has changed: one that the service refused needs a person. */
    observeCase: ({ id, state }: Pick<Submission, 'id' | 'state'>): void => {
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
    close: (): void => {
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
  readonly outbox: Outbox
  readonly clock: Clock
  readonly logger: Logger
  readonly notify: (occasion: Occasion) => void
}): Loop {
  const { outbox, clock, logger, notify } = options
  let notified: ReadonlySet<string> = new Set()
  let nextAt = clock.monotonicMs() + FIRST_OVERDUE_CHECK_MS

  const check = (): void => {
    const now = clock.now()
    const items = listOverdue(outbox.overdueRows(overdueLimits(now), MAX_OVERDUE), now).filter(({ kind }) =>
      NOTIFIED_KINDS.includes(kind),
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

/**
 * Decides whether and when to notify a person outside the window: by the clinic's preferences and quiet hours, and so
 * that many events at once become one notice. Pure.
 */
import type { OverdueItem } from '../../../src-shared/alarms.ts'
import type { NotificationSettings } from '../../../src-shared/desktop-settings.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { type Loop, openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import { type Clock, type Logger, type Notice, NOTICE_KINDS, type NoticeKind } from '../ports.ts'

/** An event that a person may have to be notified of. */
export type Occasion = {
  readonly kind: NoticeKind
  /** The subject, an id or a path, unique within the kind. Used internally and never shown. */
  readonly about: string
  /** The screen that shows it. */
  readonly route: DesktopRoute
}

export type WaitingOccasion = Occasion & {
  /** Monotonic milliseconds. */
  readonly since: number
}

/** A camera may export an evening of work at once: events within this time share a notice. */
const COLLECT_MS = 5 * SECOND

/** The minimum pause between two notices of one kind: a series of single problems is one matter for a person. */
const MIN_INTERVAL_MS = 2 * MINUTE

/** How often the end of the quiet hours is checked. */
const RECHECK_MS = MINUTE

type DueNotices = {
  /** To be shown now, the most urgent first. */
  readonly notices: readonly Notice[]
  readonly waiting: readonly WaitingOccasion[]
  /** Null if nothing waits. */
  readonly nextCheckInMs: number | null
}

/**
 * Splits the waiting occasions into notices for now and those that go on waiting. Drops what the clinic does not
 * want.
 */
export function dueNotices(options: {
  readonly waiting: readonly WaitingOccasion[]
  /** When a notice of each kind was last shown, monotonic milliseconds. */
  readonly lastShownAt: ReadonlyMap<NoticeKind, number>
  readonly settings: NotificationSettings
  /** Monotonic milliseconds. */
  readonly at: number
  /** Local time of day, `HH:MM`. */
  readonly time: string
}): DueNotices {
  const { settings, at, time } = options
  const notices: Notice[] = []
  const waiting: WaitingOccasion[] = []
  const delays: number[] = []
  for (const kind of NOTICE_KINDS) {
    const group = options.waiting.filter((occasion) => occasion.kind === kind)
    if (group.length === 0 || !isWanted(kind, settings)) continue
    const inMs = isSuppressed(kind, settings, time)
      ? RECHECK_MS
      : dueAt(group, options.lastShownAt.get(kind)) - at
    if (inMs > 0) {
      waiting.push(...group)
      delays.push(inMs)
    } else notices.push(createNotice(kind, group))
  }
  return { notices, waiting, nextCheckInMs: delays.length === 0 ? null : Math.min(...delays) }
}

function dueAt(group: readonly WaitingOccasion[], lastShownAt: number | undefined): number {
  const first = Math.min(...group.map(({ since }) => since))
  return Math.max(first + COLLECT_MS, lastShownAt === undefined ? 0 : lastShownAt + MIN_INTERVAL_MS)
}

function createNotice(kind: NoticeKind, group: readonly Occasion[]): Notice {
  const [first] = group
  return { kind, count: group.length, route: group.length === 1 && first ? first.route : routeOfMany(kind) }
}

/** The screen that shows several of a kind. */
function routeOfMany(kind: NoticeKind): DesktopRoute {
  switch (kind) {
    case 'urgentReport':
    case 'reportArrived':
      return { screen: 'reports', of: null }
    case 'signedOut':
      return { screen: 'settings', section: 'service' }
    case 'folderUnreachable':
      return { screen: 'settings', section: 'folders' }
    case 'diskLow':
    case 'storage':
      return { screen: 'settings', section: 'storage' }
    case 'alarm':
    case 'needsAttention':
    case 'serviceAway':
    case 'waitsTooLong':
      return { screen: 'queue' }
  }
}

function isWanted(kind: NoticeKind, settings: NotificationSettings): boolean {
  switch (kind) {
    case 'alarm':
    case 'needsAttention':
    case 'waitsTooLong':
      return settings.needsPerson === 'on'
    case 'signedOut':
    case 'serviceAway':
    case 'diskLow':
    case 'storage':
      return settings.sendingStopped === 'on'
    case 'folderUnreachable':
      return settings.folderUnreachable === 'on'
    case 'urgentReport':
      return settings.reports !== 'off'
    case 'reportArrived':
      return settings.reports === 'all'
  }
}

function isSuppressed(kind: NoticeKind, settings: NotificationSettings, time: string): boolean {
  if (kind === 'urgentReport' && settings.urgentInQuiet === 'on') return false
  return isQuiet(settings.quiet, time)
}

/** Times are `HH:MM`. The end is exclusive, and an empty span is never quiet. */
function isQuiet(quiet: NotificationSettings['quiet'], time: string): boolean {
  if (quiet === null) return false
  const { from, to } = quiet
  return from <= to ? from <= time && time < to : from <= time || time < to
}

/** The local time of day of an instant, `HH:MM`. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
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

/** Notices outside of the window: which are due and when, each matter once, while it still applies. */
import type { OverdueItem } from '../../../src-shared/alarms.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { NotificationSettings } from '../../../src-shared/settings.ts'
import { FINAL_STATES } from '../../../src-shared/states.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { Submission } from '../../../src-shared/submission.ts'
import { ignoringStorageErrors } from '../lib/storage-faults.ts'
import { openLoop } from '../lib/schedule.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { listOverdue, MAX_OVERDUE, overdueLimits } from '../overdue.ts'
import type { ArrivedReport } from '../reports/reports.ts'
import { NOTICE_KINDS, type NoticeKind, type Ports } from '../ports.ts'
import type { StationEvents } from '../status.ts'

/** A camera's evening of work comes in at once: what follows within this time goes into the same notice. */
const COLLECT_MS = 5 * SECOND
/** After a notice, the next one of its kind waits for so long: a row of single troubles is one matter for a person. */
const MIN_INTERVAL_MS = 2 * MINUTE
/** No look is put off for longer: quiet hours end, clocks are set, and machines sleep. */
const RECHECK_MS = MINUTE

/** A camera or share that comes back within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** One refused token may be followed by an accepted one. */
const SIGNED_OUT_MS = MINUTE
/** A service usually recovers; after this time, a day's work is waiting here. */
const SERVICE_AWAY_MS = HOUR

/** A start has other work first, and cases overdue since yesterday can wait for it. */
const FIRST_OVERDUE_CHECK_MS = 2 * MINUTE
const OVERDUE_CHECK_MS = HOUR
/** A missing report or a rejected case appears on the screens only: no image is at risk. */
const NOTIFIED_KINDS: readonly OverdueItem['kind'][] = ['notSent', 'notConfirmed']

const QUEUE: DesktopRoute = { screen: 'queue' }
const REPORTS: DesktopRoute = { screen: 'reports', of: null }
const STORAGE: DesktopRoute = { screen: 'settings', section: 'it' }

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

/** Something that needs a notice. */
type Matter = {
  readonly kind: NoticeKind
  /** What it is about: an id or a path, unique within the kind. It stays in here and is never shown. */
  readonly about: string
  /** Where on the screens it is seen. */
  readonly route: DesktopRoute
  /** Epoch milliseconds; null for at once. Another time means that it ended in between, and is announced again. */
  readonly notifyAt: number | null
}

/** The kinds that the status of the station states. */
const STATUS_KINDS: readonly NoticeKind[] = [
  'alarm',
  'storage',
  'signedOut',
  'diskLow',
  'folderUnreachable',
  'serviceAway',
]

/** All that applies by a status, each with the time of its notice. */
function mattersIn(status: StationStatus): readonly Matter[] {
  const { mode, service, counts } = status
  const isSignedOut = mode.kind === 'paused' && mode.why === 'signedOut'
  // Without waiting cases, an unreachable service does not matter.
  const isMissed = counts.waiting + counts.sending + counts.unconfirmed > 0
  const isAway = mode.kind === 'running' && service.health === 'trouble' && isMissed
  return [
    ...status.alarms.map(({ id, submissionId }) => ({
      ...matterOf('alarm', null, id),
      ...(submissionId !== null && { route: { screen: 'submission' as const, id: submissionId } }),
    })),
    ...(status.storage ? [matterOf(status.storage.kind === 'diskLow' ? 'diskLow' : 'storage', null)] : []),
    ...(isSignedOut ? [matterOf('signedOut', service.since + SIGNED_OUT_MS)] : []),
    ...status.folders
      .filter(({ health }) => health === 'unreachable')
      .map(({ path, since }) => matterOf('folderUnreachable', since + FOLDER_AWAY_MS, path)),
    ...(isAway ? [matterOf('serviceAway', service.since + SERVICE_AWAY_MS)] : []),
  ]
}

function matterOf(kind: NoticeKind, notifyAt: number | null, about: string = kind): Matter {
  return { kind, about, route: KINDS[kind][1], notifyAt }
}

function matterOfCase(kind: NoticeKind, id: string): Matter {
  return { kind, about: id, route: { screen: 'submission', id }, notifyAt: null }
}

function keyOf({ kind, about }: Pick<Matter, 'kind' | 'about'>): string {
  return `${kind} ${about}`
}

/** Shows notices outside of the window, from the events of the station. */
export function openNotices(options: {
  readonly events: Pick<StationEvents, 'on'>
  readonly outbox: Outbox
  readonly ports: Pick<Ports, 'clock' | 'logger' | 'notifier'>
  readonly settings: () => NotificationSettings
}) {
  const { outbox, settings } = options
  const { clock, logger, notifier } = options.ports
  /**
   * What applies now, and reports until they are shown, by kind and subject. `dueMs`: since when it is due, on the
   * clock that never jumps. `isDone`: it was shown, or is not wanted.
   */
  const matters = new Map<string, Matter & { dueMs: number | null; isDone: boolean }>()
  /** On the clock that never jumps. */
  const lastShownMs = new Map<NoticeKind, number>()
  let cancelCheck: (() => void) | null = null
  let isClosed = false

  const add = (matter: Matter): void => {
    const key = keyOf(matter)
    if (matters.get(key)?.notifyAt !== matter.notifyAt)
      matters.set(key, { ...matter, dueMs: null, isDone: false })
  }
  /** These are all that there is of these kinds: what was over before its notice was shown is no news. */
  const replace = (kinds: readonly NoticeKind[], current: readonly Matter[]): void => {
    const keys = new Set(current.map(keyOf))
    for (const [key, { kind }] of matters) if (kinds.includes(kind) && !keys.has(key)) matters.delete(key)
    for (const matter of current) add(matter)
    check()
  }
  /** Shows what is due of a kind; answers when to look again, null if nothing of it waits. */
  const showDue = (kind: NoticeKind): number | null => {
    const [now, nowMs] = [clock.now(), clock.monotonicMs()]
    const waiting = [...matters.values()].filter((matter) => matter.kind === kind && !matter.isDone)
    const due = waiting.filter(({ notifyAt }) => notifyAt === null || notifyAt <= now)
    const [first] = due
    // What is not due yet is looked at again soon enough.
    if (!first)
      return waiting.length === 0 ? null : Math.min(...waiting.map((one) => (one.notifyAt ?? 0) - now))
    for (const matter of due) matter.dueMs ??= nowMs
    if (isWanted(kind, settings())) {
      if (isSuppressed(kind, settings(), now)) return RECHECK_MS
      const collectedMs = Math.min(...due.map(({ dueMs }) => dueMs ?? nowMs)) + COLLECT_MS
      const inMs = Math.max(collectedMs, (lastShownMs.get(kind) ?? -Infinity) + MIN_INTERVAL_MS) - nowMs
      if (inMs > 0) return inMs
      lastShownMs.set(kind, nowMs)
      notifier.notify({ kind, count: due.length, route: due.length === 1 ? first.route : KINDS[kind][1] })
    }
    for (const matter of due) {
      matter.isDone = true
      // The next one about the same case is news again.
      if (KINDS[kind][0] === 'reports') matters.delete(keyOf(matter))
    }
    return due.length < waiting.length ? RECHECK_MS : null
  }
  const check = (): void => {
    cancelCheck?.()
    cancelCheck = null
    if (isClosed) return
    const delays = NOTICE_KINDS.map(showDue).filter((inMs) => inMs !== null)
    if (delays.length > 0) cancelCheck = clock.after(Math.min(RECHECK_MS, ...delays), check)
  }
  const observeCase = ({ id, state }: Pick<Submission, 'id' | 'state'>): void => {
    const refusal = matterOfCase('needsAttention', id)
    if (state === 'refused') {
      add(refusal)
      return check()
    }
    // A person, or the time, was quicker than the notice.
    matters.delete(keyOf(refusal))
    const overdue = matters.get(keyOf(matterOfCase('waitsTooLong', id)))
    if (overdue && FINAL_STATES.includes(state)) overdue.isDone = true
  }

  const stopListening = options.events.on((event) => {
    if (event.name === 'stationChanged') replace(STATUS_KINDS, mattersIn(event.payload))
    else if (event.name === 'submissionChanged') observeCase(event.payload)
    else if (event.name === 'submissionsChanged')
      ignoringStorageErrors(() => {
        for (const id of event.payload.ids) {
          const submission = outbox.submissionOf(id)
          if (submission) observeCase(submission)
        }
      })
  })
  let nextOverdueMs = clock.monotonicMs() + FIRST_OVERDUE_CHECK_MS
  const overdue = openLoop({
    name: 'ageing',
    clock,
    logger,
    run: () => {
      const now = clock.now()
      if (clock.monotonicMs() >= nextOverdueMs) {
        nextOverdueMs = clock.monotonicMs() + OVERDUE_CHECK_MS
        const items = listOverdue(outbox.overdueRows(overdueLimits(now), MAX_OVERDUE), now)
        const notified = items.filter(({ kind }) => NOTIFIED_KINDS.includes(kind))
        const ids = notified.map(({ submissionId }) => matterOfCase('waitsTooLong', submissionId))
        replace(['waitsTooLong'], ids)
      }
      return Promise.resolve(now + Math.max(0, nextOverdueMs - clock.monotonicMs()))
    },
  })
  return {
    reportArrived: ({ caseId, submissionId, isUrgent }: ArrivedReport): void => {
      const route = { screen: 'reports' as const, of: { caseId, submissionId } }
      add({ kind: isUrgent ? 'urgentReport' : 'reportArrived', about: submissionId, route, notifyAt: null })
      check()
    },
    close: async (): Promise<void> => {
      stopListening()
      isClosed = true
      cancelCheck?.()
      await overdue.close()
    },
  }
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

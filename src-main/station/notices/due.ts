/** Which notices are due: the conditions that last, and what waits to be shown. */
import type { NotificationSettings } from '../../../src-shared/desktop-settings.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import { type Notice, NOTICE_KINDS, type NoticeKind } from '../ports.ts'

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

/** How often the end of the quiet hours is looked for. */
const RECHECK_MS = MINUTE

type DueNotices = {
  /** To be shown now, the most urgent first. */
  readonly notices: readonly Notice[]
  readonly waiting: readonly WaitingOccasion[]
  /** Null: nothing waits. */
  readonly nextCheckInMs: number | null
}

/** Which of the waiting occasions are shown now, and which go on waiting. Disabled kinds are dropped. */
export function dueNotices(options: {
  readonly waiting: readonly WaitingOccasion[]
  /** When a notice of each kind was shown last, on the clock that never jumps. */
  readonly lastShownAt: ReadonlyMap<NoticeKind, number>
  readonly settings: NotificationSettings
  /** On the clock that never jumps. */
  readonly at: number
  /** On the clock on the wall, `HH:MM`. */
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

/** Where several of a kind are seen together. */
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

/** Times are `HH:MM`. The last minute of the span is not quiet any more, and a span of no length is none. */
function isQuiet(quiet: NotificationSettings['quiet'], time: string): boolean {
  if (quiet === null) return false
  const { from, to } = quiet
  return from <= to ? from <= time && time < to : from <= time || time < to
}

/** An instant as the clock on the wall of this computer shows it, `HH:MM`. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** A camera or share that comes back within this time is no news. */
const FOLDER_AWAY_MS = 5 * MINUTE
/** One refused token may be followed by an accepted one. */
const SIGNED_OUT_MS = MINUTE
/** A service usually recovers; after this time, a day's work is waiting here. */
const SERVICE_AWAY_MS = HOUR

export type ActiveCondition = Occasion & {
  /** When it is worth a notice, epoch milliseconds; null for at once. */
  readonly notifyAt: number | null
  /** Changes if the condition ended in between: then it is announced again. */
  readonly spell: string
}

export type ConditionSource = Pick<
  StationStatus,
  'mode' | 'counts' | 'folders' | 'service' | 'storage' | 'alarms'
>

/** All active conditions, each with the time of its notice. */
export function activeConditions(status: ConditionSource): readonly ActiveCondition[] {
  return [
    ...alarms(status),
    ...storage(status),
    ...signedOut(status),
    ...foldersAway(status),
    ...serviceAway(status),
  ]
}

function alarms({ alarms: open }: ConditionSource): readonly ActiveCondition[] {
  return open.map(({ id, submissionId }) => ({
    kind: 'alarm',
    about: id,
    route: submissionId === null ? { screen: 'queue' } : { screen: 'submission', id: submissionId },
    notifyAt: null,
    spell: id,
  }))
}

function storage({ storage: failure }: ConditionSource): readonly ActiveCondition[] {
  if (failure === null) return []
  const kind = failure.kind === 'diskLow' ? 'diskLow' : 'storage'
  return [
    { kind, about: kind, route: { screen: 'settings', section: 'storage' }, notifyAt: null, spell: kind },
  ]
}

function signedOut({ mode, service }: ConditionSource): readonly ActiveCondition[] {
  if (mode.kind !== 'paused' || mode.why !== 'signedOut') return []
  return [
    {
      kind: 'signedOut',
      about: 'signedOut',
      route: { screen: 'settings', section: 'service' },
      notifyAt: service.since + SIGNED_OUT_MS,
      spell: String(service.since),
    },
  ]
}

function foldersAway({ folders }: ConditionSource): readonly ActiveCondition[] {
  return folders
    .filter(({ health }) => health === 'unreachable')
    .map(({ path, since }) => ({
      kind: 'folderUnreachable',
      about: path,
      route: { screen: 'settings', section: 'folders' },
      notifyAt: since + FOLDER_AWAY_MS,
      spell: String(since),
    }))
}

/** Without waiting cases, an unreachable service does not matter. */
function serviceAway({ mode, service, counts }: ConditionSource): readonly ActiveCondition[] {
  const isMissed = (counts.waiting ?? 0) + (counts.sending ?? 0) + (counts.unconfirmed ?? 0) > 0
  if (mode.kind !== 'running' || service.health !== 'trouble' || !isMissed) return []
  return [
    {
      kind: 'serviceAway',
      about: 'serviceAway',
      route: { screen: 'queue' },
      notifyAt: service.since + SERVICE_AWAY_MS,
      spell: String(service.since),
    },
  ]
}

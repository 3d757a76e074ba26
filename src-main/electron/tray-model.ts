/** The view model of the tray and the dock: picture, count and texts for a station's status. Pure. */
import { STATES_NEEDING_A_PERSON } from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { HostTexts } from './texts.ts'

/** Each has its own shape, so that it is recognisable without colour. */
type TrayMark = 'idle' | 'working' | 'paused' | 'attention' | 'offline'

export type TrayState = {
  readonly mark: TrayMark
  /** How many cases and alarms need a person; trouble with the station itself is not counted. */
  readonly attention: number
  /** Has a person paused the station, or could one? */
  readonly pause: 'none' | 'possible' | 'inForce'
}

type TrayStatus = Pick<StationStatus, 'mode' | 'counts' | 'service' | 'folders' | 'storage' | 'alarms'>

/** Possible errors first; then what a person has set or must fix, as in the banner; last what proceeds on its own. */
export function trayState(status: TrayStatus): TrayState {
  const attention = countForPerson(status) + status.alarms.length
  return { mark: chooseMark(status, attention), attention, pause: trayPause(status.mode) }
}

function chooseMark(
  { mode, counts, service, folders, storage, alarms }: TrayStatus,
  attention: number,
): TrayMark {
  if (alarms.length > 0 || (storage !== null && storage.kind !== 'diskLow')) return 'attention'
  if (mode.kind === 'paused') return mode.why === 'person' ? 'paused' : 'attention'
  if (mode.kind !== 'running') return 'idle'
  if (folders.some(isOutOfReach) || storage !== null || attention > 0) return 'attention'
  if (service.health === 'trouble') return 'offline'
  return countPending(counts) > 0 ? 'working' : 'idle'
}

function trayPause(mode: StationStatus['mode']): TrayState['pause'] {
  if (mode.kind === 'paused' && mode.why === 'person') return 'inForce'
  return mode.kind === 'running' ? 'possible' : 'none'
}

function countForPerson({ counts }: Pick<StationStatus, 'counts'>): number {
  return STATES_NEEDING_A_PERSON.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
}

function countPending(counts: StationStatus['counts']): number {
  return (counts.waiting ?? 0) + (counts.sending ?? 0)
}

function isOutOfReach({ health }: StationStatus['folders'][number]): boolean {
  return health === 'unreachable' || health === 'taken'
}

/** The lines for a status, most urgent first, never empty. "Nothing waits" appears only if nothing does. */
export function trayLines(
  status: TrayStatus & Pick<StationStatus, 'now'>,
  texts: HostTexts,
): readonly string[] {
  const { t } = texts
  const { counts, folders, storage, alarms } = status
  const attention = countForPerson(status)
  const lines = [
    alarms.length > 0 ? t('tray.alarms', { count: alarms.length }) : null,
    storage !== null && storage.kind !== 'diskLow' ? t('tray.storage') : null,
    attention > 0 ? t('tray.attention', { count: attention }) : null,
    modeLine(status, texts),
    folders.some(isOutOfReach) ? t('tray.folderUnreachable') : null,
    storage?.kind === 'diskLow' ? t('tray.diskLow') : null,
    (counts.collecting ?? 0) > 0 ? t('tray.arriving', { count: counts.collecting ?? 0 }) : null,
    (counts.held ?? 0) > 0 ? t('tray.held', { count: counts.held ?? 0 }) : null,
  ].filter((line) => line !== null)
  return lines.length === 0 ? [t('tray.idle')] : lines
}

/** What is in progress or what blocks it; null if neither applies. */
function modeLine(
  status: TrayStatus & Pick<StationStatus, 'now'>,
  { t, language }: HostTexts,
): string | null {
  const { mode, counts, service, now } = status
  const waiting = countPending(counts)
  const withWaiting = (line: string): string =>
    waiting > 0 ? `${line}, ${t('tray.waiting', { count: waiting })}` : line
  switch (mode.kind) {
    case 'starting':
    case 'stopping':
    case 'stopped':
      return t(`tray.${mode.kind}`)
    case 'running':
      if (service.health === 'trouble') return withWaiting(t('tray.offline'))
      return waiting > 0 ? t('tray.working', { count: waiting }) : null
    case 'paused':
      if (mode.why !== 'person') return withWaiting(t(`tray.${mode.why}`))
      return withWaiting(
        mode.until === null
          ? t('tray.pausedUntilResumed')
          : t('tray.pausedUntil', { time: formatTime(mode.until, now, language) }),
      )
  }
}

/** An instant as local time, with its day unless that is today. */
function formatTime(at: number, now: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isToday ? {} : { weekday: 'short', day: 'numeric', month: 'short' }),
  }).format(at)
}

/** Windows truncates longer tooltips. */
const TOOLTIP_CHARACTERS = 127

/** The tooltip: as many lines as fit, most urgent first. */
export function trayTooltip(lines: readonly string[]): string {
  let tooltip = 'Fundus Courier'
  for (const [index, line] of lines.entries()) {
    const longer = `${tooltip}${index === 0 ? ': ' : ', '}${line}`
    if (longer.length > TOOLTIP_CHARACTERS) break
    tooltip = longer
  }
  return tooltip
}

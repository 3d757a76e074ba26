/** What the mark beside the clock says of a station: which picture, how many, which words. Pure. */
import { STATES_NEEDING_A_PERSON } from '../../src-shared/states.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { HostWords } from './words/host-words.ts'

/** Each has a shape of its own, so that it can be told without seeing colours. */
export type TrayMark = 'idle' | 'working' | 'paused' | 'attention' | 'offline'

export type TrayState = {
  readonly mark: TrayMark
  /** How many cases and alarms need a person; a trouble of the station itself counts for none. */
  readonly attention: number
  /** Is a pause that a person has set in force? */
  readonly pause: 'none' | 'possible' | 'inForce'
}

type TrayStatus = Pick<StationStatus, 'mode' | 'counts' | 'service' | 'folders' | 'storage' | 'alarms'>

/**
 * The picture for a status. What may have gone wrong already comes first; then what a person has set or must mend, in the
 * order of the banner on the screens; last what goes on by itself.
 */
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

/** The lines for a status, the most urgent first; never none. "Nothing waits" is said only where nothing does. */
export function trayLines(
  status: TrayStatus & Pick<StationStatus, 'now'>,
  texts: HostWords,
): readonly string[] {
  const { tray } = texts
  const { counts, folders, storage, alarms } = status
  const attention = countForPerson(status)
  const lines = [
    alarms.length > 0 ? tray.alarms(alarms.length) : null,
    storage !== null && storage.kind !== 'diskLow' ? tray.storage : null,
    attention > 0 ? tray.attention(attention) : null,
    modeLine(status, texts),
    folders.some(isOutOfReach) ? tray.folderUnreachable : null,
    storage?.kind === 'diskLow' ? tray.diskLow : null,
    (counts.collecting ?? 0) > 0 ? tray.arriving(counts.collecting ?? 0) : null,
    (counts.held ?? 0) > 0 ? tray.held(counts.held ?? 0) : null,
  ].filter((line) => line !== null)
  return lines.length === 0 ? [tray.idle] : lines
}

/** What goes on, or what keeps it from going on; null where nothing does. */
function modeLine(
  status: TrayStatus & Pick<StationStatus, 'now'>,
  { tray, language }: HostWords,
): string | null {
  const { mode, counts, service, now } = status
  const waiting = countPending(counts)
  const withWaiting = (line: string): string => (waiting > 0 ? `${line}, ${tray.waiting(waiting)}` : line)
  switch (mode.kind) {
    case 'starting':
      return tray.starting
    case 'stopping':
      return tray.stopping
    case 'stopped':
      return tray.stopped
    case 'running':
      if (service.health === 'trouble') return withWaiting(tray.offline)
      return waiting > 0 ? tray.working(waiting) : null
    case 'paused':
      if (mode.why !== 'person') return withWaiting(tray[mode.why])
      return withWaiting(
        mode.until === null
          ? tray.pausedUntilResumed
          : tray.pausedUntil(formatTime(mode.until, now, language)),
      )
  }
}

/** An instant as the clock on the wall shows it; with its day where that is not today. */
function formatTime(at: number, now: number, language: string): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(isToday ? {} : { weekday: 'short', day: 'numeric', month: 'short' }),
  }).format(at)
}

/** Windows cuts what is longer. */
const TOOLTIP_CHARACTERS = 127

/** One line for who points at the mark: as many of the lines as there is room for, the most urgent first. */
export function trayTooltip(lines: readonly string[]): string {
  let tooltip = 'Fundus Courier'
  for (const [index, line] of lines.entries()) {
    const longer = `${tooltip}${index === 0 ? ': ' : ', '}${line}`
    if (longer.length > TOOLTIP_CHARACTERS) break
    tooltip = longer
  }
  return tooltip
}

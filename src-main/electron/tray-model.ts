/** The view model of the tray and the taskbar: picture, count, texts and progress for a station's status. Pure. */
import type { StationEvent } from '../../src-shared/contract.ts'
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
      return t('tray.starting')
    case 'stopping':
      return t('tray.stopping')
    case 'stopped':
      return t('tray.stopped')
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

type Transfer = { readonly handedOverBytes: number; readonly requestBytes: number }

/** The progress of each transfer under way, by the id of its case. */
export type Transfers = Map<string, Transfer>

/** Notes what an event states of transfers; false if that is nothing that is shown. */
export function noteTransfers(transfers: Transfers, event: StationEvent): boolean {
  switch (event.name) {
    case 'stationChanged':
      if ((event.payload.counts.sending ?? 0) === 0) transfers.clear()
      return true
    case 'deliveryProgressed':
      transfers.set(event.payload.id, event.payload)
      return true
    case 'submissionChanged':
      return event.payload.state !== 'sending' && transfers.delete(event.payload.id)
    case 'submissionsChanged':
      // A transfer in progress is added again by its next event.
      for (const id of event.payload.ids) transfers.delete(id)
      return true
    default:
      return false
  }
}

export type Progress =
  | { readonly kind: 'none' }
  /** In progress, with an unknown end. */
  | { readonly kind: 'indeterminate' }
  /** `fraction` of the bytes were handed over; never 1, because only an answer confirms arrival. */
  | { readonly kind: 'normal' | 'paused' | 'error'; readonly fraction: number }

/** If nothing is in progress, only the bar's colour matters, so the bar is full. */
const FULL_FRACTION = 1

/** A pause or trouble needs waiting cases, and a colour for it: else a full bar would look like completion. */
export function taskbarProgress(
  status: StationStatus | null,
  transfers: Transfers,
  platform: NodeJS.Platform,
): Progress {
  if (status === null) return { kind: 'none' }
  const { mode, counts, service, storage } = status
  const sending = counts.sending ?? 0
  const hasPending = sending + (counts.waiting ?? 0) > 0
  const isTrouble =
    (mode.kind === 'paused' && mode.why !== 'person') ||
    service.health === 'trouble' ||
    (storage !== null && storage.kind !== 'diskLow')
  const fraction = sentFraction([...transfers.values()])
  if (hasPending && platform === 'win32') {
    if (isTrouble) return { kind: 'error', fraction: fraction ?? FULL_FRACTION }
    if (mode.kind === 'paused') return { kind: 'paused', fraction: fraction ?? FULL_FRACTION }
  }
  if (sending === 0) return { kind: 'none' }
  return fraction === null ? { kind: 'indeterminate' } : { kind: 'normal', fraction }
}

/** In whole hundredths, so that the bar is redrawn only if it moves; null if nothing or all is handed over. */
function sentFraction(transfers: readonly Transfer[]): number | null {
  const sentBytes = transfers.reduce((sum, { handedOverBytes }) => sum + handedOverBytes, 0)
  const totalBytes = transfers.reduce((sum, { requestBytes }) => sum + requestBytes, 0)
  if (totalBytes <= 0 || sentBytes >= totalBytes) return null
  return Math.floor((sentBytes / totalBytes) * 100) / 100
}

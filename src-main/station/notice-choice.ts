/** Whether a person is told outside of the window: by what the clinic wants to hear of, and when. Pure. */
import type { NotificationSettings } from '../../src-shared/settings.ts'
import type { Notice } from './ports.ts'

/** Is this notice shown at this time of the day on this computer? */
export function mayTell(notice: Notice, settings: NotificationSettings, time: string): boolean {
  return isWanted(notice, settings) && !isQuiet(settings.quiet, time)
}

function isWanted(notice: Notice, settings: NotificationSettings): boolean {
  switch (notice.kind) {
    case 'needsAttention':
      return settings.needsPerson === 'on'
    case 'folderUnreachable':
      return settings.folderUnreachable === 'on'
    case 'reportArrived':
      return settings.reports === 'all' || (settings.reports === 'urgent' && notice.isUrgent)
  }
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

/** The notices as they stand in their form. Pure. */
import { notificationSettingsSchema, type NotificationSettings } from '../../src-shared/desktop-settings.ts'

export type NotificationForm = {
  readonly needsPerson: boolean
  readonly folderUnreachable: boolean
  readonly sendingStopped: boolean
  readonly reports: NotificationSettings['reports']
  readonly isQuiet: boolean
  /** Are urgent reports told in the quiet hours, too? */
  readonly urgentInQuiet: boolean
  /** Times of the day, `HH:MM`, or what was typed of them. */
  readonly from: string
  readonly to: string
}

/** From the evening to the morning: what the fields offer where there were no quiet hours so far. */
const DEFAULT_HOURS = { from: '19:00', to: '07:00' }

export function notificationFormOf(settings: NotificationSettings): NotificationForm {
  return {
    needsPerson: settings.needsPerson === 'on',
    folderUnreachable: settings.folderUnreachable === 'on',
    sendingStopped: settings.sendingStopped === 'on',
    reports: settings.reports,
    isQuiet: settings.quiet !== null,
    urgentInQuiet: settings.urgentInQuiet === 'on',
    ...(settings.quiet ?? DEFAULT_HOURS),
  }
}

/** The settings behind the form, or null where the quiet hours cannot be right; a span of no length is none. */
export function readNotificationForm(form: NotificationForm): NotificationSettings | null {
  const { from, to } = form
  if (form.isQuiet && from === to) return null
  const reading = notificationSettingsSchema.safeParse({
    needsPerson: form.needsPerson ? 'on' : 'off',
    folderUnreachable: form.folderUnreachable ? 'on' : 'off',
    sendingStopped: form.sendingStopped ? 'on' : 'off',
    reports: form.reports,
    quiet: form.isQuiet ? { from, to } : null,
    urgentInQuiet: form.urgentInQuiet ? 'on' : 'off',
  })
  return reading.success ? reading.data : null
}

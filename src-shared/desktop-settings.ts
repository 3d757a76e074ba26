/** Settings of the desktop app for its user: notifications, hidden names, start at login. */
import { z } from 'zod'

/** A local time of day, `HH:MM`. */
const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

const onOff = (by: 'on' | 'off', text: string) => z.enum(['on', 'off']).default(by).describe(text)

export const notificationSettingsSchema = z.object({
  needsPerson: onOff('on', 'Cases need a person.'),
  folderUnreachable: onOff('on', "A camera's folder cannot be reached."),
  sendingStopped: onOff(
    'on',
    'Sending or reading images has stopped: sign-in was refused, the service has been away for long, or the disk is nearly full.',
  ),
  reports: z
    .enum(['all', 'urgent', 'off'])
    .default('all')
    .describe('New reports: all of them, urgent ones only, or none.'),
  quiet: z
    .object({
      from: timeOfDaySchema.describe('The start, as `HH:MM`.'),
      to: timeOfDaySchema.describe('The end, as `HH:MM`.'),
    })
    .nullable()
    .default(null)
    .describe(
      'The hours without notifications, such as `{ "from": "19:00", "to": "07:00" }`. They may span midnight. `null`: none.',
    ),
  urgentInQuiet: onOff('on', 'Show urgent reports during the quiet hours, too.'),
})
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

export const screenSettingsSchema = z.object({
  hideNamesAfterSeconds: z
    .number()
    .int()
    .min(10)
    .max(86_400)
    .nullable()
    .default(300)
    .describe('Hide the names of patients after this long without input, in seconds. `null`: never.'),
})

export const desktopSettingsSchema = z.object({
  startAtLogin: onOff(
    'off',
    'Start the desktop app, without its window, when a person signs in to this computer.',
  ),
})

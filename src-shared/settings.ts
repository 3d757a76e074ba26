/**
 * The settings of a clinic, for the file of `--config`, the policy and `settings.get`, which hides the secret.
 *
 * The descriptions are the reference for administrators: `npm run docs` writes them to docs/configuration.md.
 */
import { z } from 'zod'
import { fieldNameSchema } from './fields.ts'
import { folderSettingsSchema } from './folder-settings.ts'

/** https only; plain http is allowed for a service on this machine. A path is preserved. */
export const baseUrlSchema = z
  .string()
  .refine(
    (text) => isServiceAddress(text),
    'an https address such as https://service.example/api (http only on this machine)',
  )

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Node and browsers both have it; this folder uses the types of neither. */
declare const URL: { canParse(text: string): boolean }

function isServiceAddress(text: string): boolean {
  const match = /^(https?):\/\/([^/?#@\s:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^?#\s]*)?$/i.exec(text)
  if (!match || !URL.canParse(text)) return false
  return match[1]?.toLowerCase() === 'https' || LOOPBACK_NAMES.includes((match[2] ?? '').toLowerCase())
}

/** Free-text fields that may carry the reference on a separate last line. */
export const REFERENCE_FIELDS = [
  'other_relevant_info',
  'retinologist_notes',
  'visit_reason',
  'ophthalmic_antecedents',
] as const

const serviceShape = {
  baseUrl: baseUrlSchema.describe(
    'The address of the service: https, or http for a service on this computer. A path is kept.',
  ),
  clientId: z.string().min(1).describe('The client id, as the service issued it.'),
  clientSecret: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The client secret, exactly as it was issued. It is moved to the secret store once and never shown again. The environment variable `FUNDUS_COURIER_CLIENT_SECRET` takes precedence and is never stored.',
    ),
  callbackUrl: z
    .url()
    .nullable()
    .default(null)
    .describe('A server of the clinic that the service may call about its cases. `null`: none.'),
  telephone: z.string().optional().describe('The telephone of the service, to call it about a case.'),
  referenceField: z
    .enum(REFERENCE_FIELDS)
    .nullable()
    .default('other_relevant_info')
    .describe(
      "The text field whose last line carries the station's reference, such as `FC7K3M9QXAW`. `null`: no reference is sent, and a case whose response was lost is harder to find again.",
    ),
}

export const serviceSettingsSchema = z.object(serviceShape)

export type ServiceSettings = z.infer<typeof serviceSettingsSchema>

export const deliverySettingsSchema = z.object({
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(8)
    .default(2)
    .describe('How many cases are sent at the same time.'),
  resendWhenProvenAbsent: z
    .boolean()
    .default(false)
    .describe("Send a case again automatically if the service's own list proves that it never arrived."),
  lookSeconds: z
    .array(z.number().positive())
    .min(1)
    .default([2, 10, 30, 60, 120, 300, 900, 3_600])
    .describe(
      'When the station looks up a case whose response was lost, in seconds after the attempt. The last value repeats for a day.',
    ),
  answerTimeoutSeconds: z
    .number()
    .positive()
    .default(600)
    .describe(
      'How long the station waits for a response after the last byte, in seconds. A short timeout leads to duplicates.',
    ),
  retryBaseSeconds: z
    .number()
    .positive()
    .default(5)
    .describe(
      'The first delay before a retry, in seconds. It doubles with each retry, with jitter, up to 15 minutes.',
    ),
  bytesPerSecond: z
    .number()
    .int()
    .min(4_096)
    .nullable()
    .default(null)
    .describe('The bandwidth for all uploads together, in bytes per second. `null`: no limit.'),
})

const patientListSchema = z.object({
  path: z.string().min(1).describe('The CSV file. It is read again whenever it changes.'),
  dateOrder: z
    .enum(['ymd', 'dmy', 'mdy'])
    .default('ymd')
    .describe('The order of dates in which the year does not come first.'),
  columns: z
    .record(z.string(), z.string())
    .default({})
    .describe(
      'The field behind each column heading that the station does not know, such as `{ "Expediente": "history_number" }`.',
    ),
})

export type PatientListSettings = z.infer<typeof patientListSchema>

const MEBIBYTE = 1_024 * 1_024

const onOff = (by: 'on' | 'off') => z.enum(['on', 'off']).default(by)

const reportSettingsSchema = z.object({
  checkSeconds: z
    .number()
    .positive()
    .default(300)
    .describe(
      'How often the station asks for the report of a recent case, in seconds. Older cases are checked less often.',
    ),
  saveTo: z
    .string()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      "A folder that receives a copy of every new report, for the clinic's record system, as `FC7K3M9QXAW_1.pdf`. `null`: none.",
    ),
  copyNames: z
    .enum(['reference', 'patient'])
    .default('reference')
    .describe(
      'Copies by the reference alone, or as `H-00021_2026-11-20_FC7K3M9QXAW_1.pdf` with the same facts as JSON beside them.',
    ),
  askWhatWasDone: onOff('off').describe(
    'A report stays open until a person answers, with initials, what was done about it.',
  ),
})

const storageSettingsSchema = z.object({
  keepImagesDays: z
    .number()
    .int()
    .min(1)
    .max(36_500)
    .nullable()
    .default(180)
    .describe(
      'How long images stay on this computer after their case was confirmed, in days. Thumbnails, reports and records stay. `null`: forever.',
    ),
  lowWaterBytes: z
    .number()
    .int()
    .min(0)
    .default(1_024 * MEBIBYTE)
    .describe(
      "With less free disk space than this, in bytes, new images wait in the camera's folder. Cases in the queue are still sent.",
    ),
  ballastBytes: z
    .number()
    .int()
    .min(0)
    .max(1_024 * MEBIBYTE)
    .default(32 * MEBIBYTE)
    .describe(
      'The size of a reserve file, in bytes, that is deleted when the disk is full, so that the queue can still be processed.',
    ),
})

export type StorageSettings = z.infer<typeof storageSettingsSchema>

export const clinicalSettingsSchema = z.object({
  vaUnit: z
    .enum(['decimal', 'logMAR'])
    .default('decimal')
    .describe('The unit in which the service expects visual acuity (`od_va`, `os_va`).'),
  prismBase: z
    .enum(['examiner', 'patient'])
    .default('examiner')
    .describe(
      "The direction in which the service counts the degrees of a prism base. `examiner`: as seen by the examiner, from 0 on the examiner's right, counterclockwise (ISO 8429), so that base in is 0 for the right eye and 180 for the left. `patient`: mirrored.",
    ),
})

export type ClinicalSettings = z.infer<typeof clinicalSettingsSchema>

/** A local time of day, `HH:MM`. */
const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const notificationSettingsSchema = z.object({
  needsPerson: onOff('on').describe('Cases need a person.'),
  folderUnreachable: onOff('on').describe("A camera's folder cannot be reached."),
  sendingStopped: onOff('on').describe(
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
  urgentInQuiet: onOff('on').describe('Show urgent reports during the quiet hours, too.'),
})
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

const screenSettingsSchema = z.object({
  hideNamesAfterSeconds: z
    .number()
    .int()
    .min(10)
    .max(86_400)
    .nullable()
    .default(300)
    .describe('Hide the names of patients after this long without input, in seconds. `null`: never.'),
})

const desktopSettingsSchema = z.object({
  startAtLogin: onOff('off').describe(
    'Start the desktop app, without its window, when a person signs in to this computer.',
  ),
  metricsPort: z
    .number()
    .int()
    .min(1_024)
    .max(65_535)
    .nullable()
    .default(null)
    .describe(
      'The port of 127.0.0.1 at which the desktop app answers `GET /metrics` for the tools of an IT department (docs/monitoring). `null`: none.',
    ),
})

const updateSettingsSchema = z.object({
  feed: baseUrlSchema
    .nullable()
    .default(null)
    .describe(
      'The address of the folder with newer versions. `null`: the address that the installer was built with, if any. It cannot be changed on the screens.',
    ),
  install: z
    .enum(['quietMoment', 'byHand', 'off'])
    .default('quietMoment')
    .describe(
      '`quietMoment`: install when nothing is being sent, no case is being edited and the computer has not been used for ten minutes. `byHand`: download, and install at the press of a button. `off`: do not look for updates.',
    ),
})

export type UpdateSettings = z.infer<typeof updateSettingsSchema>

/** What each section holds; the defaults of a whole section follow in `settingsSchema`. */
const sections = {
  service: serviceSettingsSchema.describe(
    'The service that receives the cases. Without it the station collects cases and sends nothing.',
  ),
  centerId: z
    .string()
    .nullable()
    .describe("The center of new cases. `null`: the station never switches the service's center."),
  folders: z.array(folderSettingsSchema).describe('The folders to watch, one entry each.'),
  requiredFields: z
    .array(fieldNameSchema)
    .describe('The fields that must be filled in before a case may be sent.'),
  requireBothEyes: z.boolean().describe('Ask for a reason if an eye has no image.'),
  patientList: patientListSchema
    .nullable()
    .describe('A CSV file that adds, by history number, what the camera does not know. `null`: none.'),
  delivery: deliverySettingsSchema.describe('How cases are sent.'),
  reports: reportSettingsSchema.describe('How reports are collected.'),
  storage: storageSettingsSchema.describe('What is kept on this computer.'),
  clinical: clinicalSettingsSchema.describe(
    'How the service expects measurements whose unit its interface leaves open. Values are stored as they are sent.',
  ),
  notifications: notificationSettingsSchema.describe(
    'What the desktop app shows as system notifications. They never name a patient.',
  ),
  screens: screenSettingsSchema.describe('How the screens protect names.'),
  desktop: desktopSettingsSchema.describe('The desktop app on this computer.'),
  updates: updateSettingsSchema.describe(
    'Newer versions of the desktop app. This section is set in a file or a policy only.',
  ),
  setup: z
    .enum(['open', 'done'])
    .describe('`done` once the first set-up was finished or left. The station writes it itself.'),
}

export const settingsSchema = z.object({
  service: sections.service.optional(),
  centerId: sections.centerId.default(null),
  folders: sections.folders.default([]),
  requiredFields: sections.requiredFields.default(['history_number']),
  requireBothEyes: sections.requireBothEyes.default(false),
  patientList: sections.patientList.default(null),
  delivery: sections.delivery.prefault({}),
  reports: sections.reports.prefault({}),
  storage: sections.storage.prefault({}),
  clinical: sections.clinical.prefault({}),
  notifications: sections.notifications.prefault({}),
  screens: sections.screens.prefault({}),
  desktop: sections.desktop.prefault({}),
  updates: sections.updates.prefault({}),
  setup: sections.setup.default('open'),
} satisfies Record<keyof typeof sections, z.ZodType>)

export type Settings = z.infer<typeof settingsSchema>

/** Sections stated by the administrator's file; `enforced` ones cannot be changed on the screens. */
const managedSchema = z.record(z.string(), z.enum(['preset', 'enforced']))

/** The settings as shown outside the station: without the secret. */
export const shownSettingsSchema = settingsSchema.extend({
  service: z
    .object(serviceShape)
    .omit({ clientSecret: true })
    .extend({ hasClientSecret: z.boolean() })
    .nullable(),
  /** By section name; a section that is absent was set on this station or has its default. */
  managed: managedSchema,
})

export type ShownSettings = z.infer<typeof shownSettingsSchema>

/** A change of settings: each section replaces the previous one as a whole. An omitted secret is preserved. */
export const settingsChangesSchema = z.object(sections).partial()

export type SettingsChanges = z.infer<typeof settingsChangesSchema>

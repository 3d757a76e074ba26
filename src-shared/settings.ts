/**
 * What a clinic may set. The same shape is the file of `npm run serve -- --config`, the managed configuration of
 * the desktop host and the answer of `settings.get`, where the secret is replaced by whether there is one.
 */
import { z } from 'zod'
import { fieldNameSchema, isCalendarDate } from './fields.ts'
import { profileSchema } from './profile.ts'

/** Free-text fields that may carry the reference on a last line of their own. */
export const REFERENCE_FIELDS = [
  'other_relevant_info',
  'retinologist_notes',
  'visit_reason',
  'ophthalmic_antecedents',
] as const

/** https only; plain http is for a service on this very machine. A path is kept. */
export const baseUrlSchema = z
  .string()
  .refine(
    (text) => isServiceAddress(text),
    'an https address such as https://service.example/api (http only on this machine)',
  )

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]']

/** Node and browsers both have it; this folder names the types of neither. */
declare const URL: { canParse(text: string): boolean }

function isServiceAddress(text: string): boolean {
  const match = /^(https?):\/\/([^/?#@\s:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^?#\s]*)?$/i.exec(text)
  if (!match || !URL.canParse(text)) return false
  return match[1]?.toLowerCase() === 'https' || LOOPBACK_NAMES.includes((match[2] ?? '').toLowerCase())
}

export const folderSettingsSchema = z.object({
  path: z.string().min(1),
  /** `auto`, a profile that is shipped, or one of `profiles`. */
  profile: z.string().min(1).max(61).default('auto'),
  /** A paused folder stays in the settings and is not looked into. */
  watching: z.enum(['on', 'paused']).default('on'),
  /** A file is left alone until it has not changed for so long. */
  settleSeconds: z.number().min(0).max(3_600).default(5),
  /** No new image of a visit for so long: the submission is complete. */
  quietSeconds: z.number().min(0).max(86_400).default(180),
  /** A full look through the folder at this interval. */
  sweepSeconds: z.number().min(1).max(86_400).default(60),
  /** What to do with files that lay there before the first start. */
  existing: z.enum(['ask', 'include', 'ignore', 'since']).optional(),
  /** For `since`: files that were last changed on this day or later are taken. */
  existingSince: z.string().refine(isCalendarDate, 'a real date as YYYY-MM-DD').optional(),
  /** Images of one patient and day that lie further apart than this are two visits; null: never. */
  visitGapMinutes: z.number().positive().max(1_440).nullable().default(null),
  /** What is sent of a DICOM file: the image in it, or the file as it is. Both are kept. */
  dicom: z.enum(['unwrap', 'original']).default('unwrap'),
  /** The small hidden file that keeps a second station off this folder. */
  lease: z.enum(['on', 'off']).default('on'),
  sendWithoutReview: z.boolean().default(false),
})
export type FolderSettings = z.infer<typeof folderSettingsSchema>

const serviceShape = {
  baseUrl: baseUrlSchema,
  clientId: z.string().min(1),
  /** Sent exactly as it was issued, although the interface calls it a "hash". */
  clientSecret: z.string().min(1).optional(),
  callbackUrl: z.url().nullable().default(null),
  referenceField: z.enum(REFERENCE_FIELDS).nullable().default('other_relevant_info'),
}
export const serviceSettingsSchema = z.object(serviceShape)
export type ServiceSettings = z.infer<typeof serviceSettingsSchema>

export const deliverySettingsSchema = z.object({
  concurrency: z.number().int().min(1).max(8).default(2),
  resendWhenProvenAbsent: z.boolean().default(false),
  /** When to look for an unconfirmed submission, seconds after its attempt; the last one repeats for a day. */
  lookSeconds: z.array(z.number().positive()).min(1).default([2, 10, 30, 60, 120, 300, 900, 3_600]),
  /** How long to wait for an answer after the last byte; a short time makes duplicates. */
  answerTimeoutSeconds: z.number().positive().default(600),
  /** The first pause before another try; doubled each time, with full jitter, up to fifteen minutes. */
  retryBaseSeconds: z.number().positive().default(5),
  /** What all transfers together may hand over in a second; null: as much as the line takes. */
  bytesPerSecond: z.number().int().min(4_096).nullable().default(null),
})
export type DeliverySettings = z.infer<typeof deliverySettingsSchema>

/** Headings are the interface's names and what clinics call them; `columns` names others, as in a profile. */
export const patientListSchema = z.object({
  path: z.string().min(1),
  dateOrder: z.enum(['ymd', 'dmy', 'mdy']).default('ymd'),
  columns: z.record(z.string(), z.string()).default({}),
})
export type PatientListSettings = z.infer<typeof patientListSchema>

const MEBIBYTE = 1_024 * 1_024

export const reportSettingsSchema = z.object({
  checkSeconds: z.number().positive().default(300),
  /** A folder that gets a copy of every report, for the clinic's record system; null: none. */
  saveTo: z.string().min(1).nullable().default(null),
})

export const storageSettingsSchema = z.object({
  /** Images of confirmed cases are removed from this computer so long after the confirmation; null: never. */
  keepImagesDays: z.number().int().min(1).max(36_500).nullable().default(180),
  /** With less free space than this, no new images are taken in. */
  lowWaterBytes: z
    .number()
    .int()
    .min(0)
    .default(1_024 * MEBIBYTE),
  /** A file that is given up when the disk is full, so that what is queued can still be worked with. */
  ballastBytes: z
    .number()
    .int()
    .min(0)
    .max(1_024 * MEBIBYTE)
    .default(32 * MEBIBYTE),
})
export type StorageSettings = z.infer<typeof storageSettingsSchema>

/** How the service takes measurements whose unit its interface leaves open. Values are kept as they are sent. */
export const clinicalSettingsSchema = z.object({
  /** What `od_va` and `os_va` are; the interface says a float and no unit. */
  vaUnit: z.enum(['decimal', 'logMAR']).default('decimal'),
  /**
   * Which way `prism_base` turns, in degrees. `examiner`: as seen from before the patient, 0 to the right hand of who
   * looks, counter-clockwise (ISO 8429), so that base in is 0 of the right eye and 180 of the left. `patient`: mirrored.
   */
  prismBase: z.enum(['examiner', 'patient']).default('examiner'),
})
export type ClinicalSettings = z.infer<typeof clinicalSettingsSchema>

/** A time of the day on this computer, `HH:MM`. */
const timeOfDaySchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** What the desktop tells when nobody looks at the screens; only what needs a person. */
export const notificationSettingsSchema = z.object({
  needsPerson: z.enum(['on', 'off']).default('on'),
  folderUnreachable: z.enum(['on', 'off']).default('on'),
  /** Signed out, the service away for long, the disk nearly full: sending or taking in has stopped. */
  sendingStopped: z.enum(['on', 'off']).default('on'),
  reports: z.enum(['all', 'urgent', 'off']).default('all'),
  /** Nothing is shown in these hours, which may go over midnight; null: there are none. */
  quiet: z.object({ from: timeOfDaySchema, to: timeOfDaySchema }).nullable().default(null),
  /** Is an urgent report told in these hours, too? */
  urgentInQuiet: z.enum(['on', 'off']).default('on'),
})
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>

export const screenSettingsSchema = z.object({
  /** Names are hidden when nobody has touched the screens for so long; null: never. */
  hideNamesAfterSeconds: z.number().int().min(10).max(86_400).nullable().default(300),
})
export type ScreenSettings = z.infer<typeof screenSettingsSchema>

export const desktopSettingsSchema = z.object({
  /** Is the desktop app started, hidden, when somebody signs in to this computer? */
  startAtLogin: z.enum(['on', 'off']).default('off'),
})
export type DesktopSettings = z.infer<typeof desktopSettingsSchema>

export const updateSettingsSchema = z.object({
  /** Where newer versions of the desktop app are published; null: where its maker said when it was built, if anywhere. */
  feed: baseUrlSchema.nullable().default(null),
  /**
   * `quietMoment`: nothing is being sent, no case is being edited and nobody is at the computer, or the app is quit.
   * `byHand`: it is fetched, and installed when somebody says so. `off`: nothing is looked for.
   */
  install: z.enum(['quietMoment', 'byHand', 'off']).default('quietMoment'),
})
export type UpdateSettings = z.infer<typeof updateSettingsSchema>

export const settingsSchema = z.object({
  service: serviceSettingsSchema.optional(),
  centerId: z.string().nullable().default(null),
  folders: z.array(folderSettingsSchema).default([]),
  requiredFields: z.array(fieldNameSchema).default(['history_number']),
  requireBothEyes: z.boolean().default(false),
  /** The clinic's own profiles; one with the id of a shipped profile takes its place. */
  profiles: z.array(profileSchema).max(100).default([]),
  /** A CSV of patients that fills in, by history number, what the camera does not know. */
  patientList: patientListSchema.nullable().default(null),
  delivery: deliverySettingsSchema.prefault({}),
  reports: reportSettingsSchema.prefault({}),
  storage: storageSettingsSchema.prefault({}),
  clinical: clinicalSettingsSchema.prefault({}),
  notifications: notificationSettingsSchema.prefault({}),
  screens: screenSettingsSchema.prefault({}),
  desktop: desktopSettingsSchema.prefault({}),
  updates: updateSettingsSchema.prefault({}),
  /** `done` once somebody has gone through the first set-up or has left it. */
  setup: z.enum(['open', 'done']).default('open'),
})
export type Settings = z.infer<typeof settingsSchema>

/** The section is stated by the file that the administrator gave; `enforced`: it cannot be changed on the screens. */
const managedSchema = z.record(z.string(), z.enum(['preset', 'enforced']))

/** What leaves the station: the secret never does. */
export const shownSettingsSchema = settingsSchema.extend({
  service: z
    .object(serviceShape)
    .omit({ clientSecret: true })
    .extend({ hasClientSecret: z.boolean() })
    .nullable(),
  /** By the name of a section; what is not named here was set on this station or is a default. */
  managed: managedSchema,
})
export type ShownSettings = z.infer<typeof shownSettingsSchema>

/** A change of settings: whole sections, each replacing what was there. A secret that is left out stays. */
export const settingsChangesSchema = z
  .object({
    service: serviceSettingsSchema,
    centerId: z.string().nullable(),
    folders: z.array(folderSettingsSchema),
    requiredFields: z.array(fieldNameSchema),
    requireBothEyes: z.boolean(),
    profiles: z.array(profileSchema).max(100),
    patientList: patientListSchema.nullable(),
    delivery: deliverySettingsSchema,
    reports: reportSettingsSchema,
    storage: storageSettingsSchema,
    clinical: clinicalSettingsSchema,
    notifications: notificationSettingsSchema,
    screens: screenSettingsSchema,
    desktop: desktopSettingsSchema,
    updates: updateSettingsSchema,
    setup: z.enum(['open', 'done']),
  })
  .partial()
export type SettingsChanges = z.infer<typeof settingsChangesSchema>

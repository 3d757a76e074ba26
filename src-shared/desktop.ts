import { z } from 'zod'
import { secretStorageSchema } from './settings.ts'

/** What a station is and runs on, for the people who look after it. Nothing of a patient, no secret. */
export const aboutSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'headless']),
  stationId: z.string(),
  /** The operating system and its version; what runs the station, such as `Node 24.21.0`. */
  system: z.string(),
  runtime: z.string(),
  dataFolder: z.string(),
  /** Where the client secret is kept. */
  secretsKept: secretStorageSchema,
  /** The way to the service: the address of a proxy without its sign-in, or null for none. */
  proxy: z.string().nullable(),
  /** Does the system start the program at login as the settings say? Null where it was not asked. */
  startAtLogin: z.enum(['asWanted', 'refused']).nullable(),
})

export type About = z.infer<typeof aboutSchema>

// What the screens may know of a newer version of the desktop app.

/**
 * Why this station looks for no updates. `packageManager`: the system brings them, as it brought the app. `commandLine`: the
 * station was started with words that an installer does not keep, such as a data folder.
 */
export const UPDATES_OFF = [
  'headless',
  'development',
  'packageManager',
  'commandLine',
  'noFeed',
  'setOff',
] as const

/** What an update that is ready waits for. `word`: somebody says "install now"; `administrator`: theirs alone to install. */
export const UPDATE_WAITS = ['sending', 'editor', 'person', 'word', 'administrator'] as const

/**
 * Why the latest look, download or installation came to nothing. `damaged`: what came is not what the feed announced.
 * `notNoted`: that the update begins could not be written down, and a failed one would be repeated every night.
 * `notInstalled`: the program ended for it, and came back as it was.
 */
export const UPDATE_PROBLEMS = [
  'unreachable',
  'unreadable',
  'damaged',
  'noSpace',
  'notBackedUp',
  'notNoted',
  'notInstalled',
] as const

/** `olderOutbox`: it could not read the cases that wait here. `unstated`: the feed does not say what it can read. */
export const UPDATE_REFUSALS = ['olderOutbox', 'unstated'] as const

const version = z.string()

const problem = z.enum(UPDATE_PROBLEMS).nullable()

export const updateStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), why: z.enum(UPDATES_OFF) }),
  /** Nothing newer is known; `lookedAt` is the last look that was answered, epoch milliseconds. */
  z.object({ kind: z.literal('current'), lookedAt: z.number().int().nullable(), trouble: problem }),
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('fetching'), version, percent: z.number().int() }),
  z.object({ kind: z.literal('refused'), version, why: z.enum(UPDATE_REFUSALS) }),
  z.object({ kind: z.literal('ready'), version, waitsFor: z.enum(UPDATE_WAITS), trouble: problem }),
  z.object({ kind: z.literal('installing'), version }),
])

export type UpdateState = z.infer<typeof updateStateSchema>

export type UpdateProblem = (typeof UPDATE_PROBLEMS)[number]

export type UpdateWait = (typeof UPDATE_WAITS)[number]

export type UpdateRefusal = (typeof UPDATE_REFUSALS)[number]

export type UpdatesOff = (typeof UPDATES_OFF)[number]

// What a desktop host and its window say to one another that is no business of the station.

/** The call by which the window tells which language was chosen on it: `en`, `es`, or `auto` for none. */
export const LANGUAGE_CALL = 'desktop.speaks'

/** Where on the screens a notice or the tray leads to. */
export const desktopRouteSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('queue') }),
  z.object({ screen: z.literal('help') }),
  z.object({ screen: z.literal('submission'), id: z.string().min(1) }),
  z.object({
    screen: z.literal('reports'),
    /** Null: all of them. */
    of: z.object({ caseId: z.string().min(1), submissionId: z.string().min(1) }).nullable(),
  }),
  z.object({
    screen: z.literal('settings'),
    section: z.enum(['general', 'service', 'folders', 'storage']),
  }),
])

export type DesktopRoute = z.infer<typeof desktopRouteSchema>

// The bytes of a file for a case by hand, which a person hands over through the screens.

/** Where both hosts take them: `POST /files?name=…`, with the file as the body. */
export const FILES_PATH = '/files'

/** What the address of a file that is handed over says of it. Chromium states no length on a scheme of one's own. */
export function readUploadQuery(search: { get(name: string): string | null }): {
  readonly name: string
  readonly sizeBytes: number | null
} {
  const size = search.get('size') ?? ''
  return { name: search.get('name') ?? '', sizeBytes: /^\d{1,15}$/.test(size) ? Number(size) : null }
}

export const uploadedFileSchema = z.object({
  /** For `submissions.create`; a file that no case takes is removed after a day. */
  path: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})

export type UploadedFile = z.infer<typeof uploadedFileSchema>

/** What a host, its windows and the station exchange: about, updates, language, routes, uploads, and what is open elsewhere. */
import { z } from 'zod'
import { secretStorageSchema } from './setting-sources.ts'

/** What a station is and runs on, for support staff. No patient data, no secrets. */
export const aboutSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'headless']),
  stationId: z.string(),
  /** The operating system with its version, and the runtime, such as `Node 24.21.0`. */
  system: z.string(),
  runtime: z.string(),
  dataFolder: z.string(),
  /** `folder`: may other accounts read the data folder? `disk`: does the system encrypt its volume? */
  protection: z.object({
    folder: z.enum(['closed', 'open', 'unknown']),
    disk: z.enum(['encrypted', 'notEncrypted', 'unknown']),
  }),
  secretsKept: secretStorageSchema,
  /** The proxy to the service without its credentials; null for a direct connection. */
  proxy: z.string().nullable(),
  /** Does the system start the program at login as the settings ask? Null if it was not checked. */
  startAtLogin: z.enum(['asWanted', 'refused']).nullable(),
})

export type About = z.infer<typeof aboutSchema>

/**
 * Why this station does not check for updates. `packageManager`: the system's package manager updates the app.
 * `commandLine`: the station was started with options that an installer would drop, such as a data folder.
 */
const UPDATES_OFF = ['headless', 'development', 'packageManager', 'commandLine', 'noFeed', 'setOff'] as const

/** `word`: a person must choose "install now". */
const UPDATE_WAITS = ['sending', 'editor', 'person', 'word'] as const

/**
 * Why the latest check, download or installation failed. `damaged`: the download differs from what the feed announced.
 * `notNoted`: the note for the next start could not be written, and a failed installation would be repeated every
 * night. `notInstalled`: the program ended for it and came back unchanged.
 */
const UPDATE_PROBLEMS = [
  'unreachable',
  'unreadable',
  'damaged',
  'noSpace',
  'notBackedUp',
  'notNoted',
  'notInstalled',
] as const

/** `olderOutbox`: it could not read the cases stored here, or does not say that it can. `administrator`: only one can install it. */
const UPDATE_REFUSALS = ['olderOutbox', 'administrator'] as const

const version = z.string()

const problem = z.enum(UPDATE_PROBLEMS).nullable()

export const updateStateSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('off'), why: z.enum(UPDATES_OFF) }),
  /** No newer version is known; `lookedAt` is the last check that was answered, epoch milliseconds. */
  z.object({ kind: z.literal('current'), lookedAt: z.number().int().nullable(), trouble: problem }),
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('fetching'), version }),
  z.object({ kind: z.literal('refused'), version, why: z.enum(UPDATE_REFUSALS) }),
  z.object({ kind: z.literal('ready'), version, waitsFor: z.enum(UPDATE_WAITS), trouble: problem }),
  z.object({ kind: z.literal('installing'), version }),
])

export type UpdateState = z.infer<typeof updateStateSchema>

export type UpdateProblem = (typeof UPDATE_PROBLEMS)[number]

export type UpdateWait = (typeof UPDATE_WAITS)[number]

export type UpdateRefusal = (typeof UPDATE_REFUSALS)[number]

export type UpdatesOff = (typeof UPDATES_OFF)[number]

/** The window reports the language chosen on it: `en`, `es`, or `auto`. The host answers it, not the station. */
export const LANGUAGE_CALL = 'desktop.speaks'

/** Asks for a `folder` or a `file` by the system's dialog. The host answers it, too, with a path or null. */
export const CHOOSE_CALL = 'desktop.choose'

/** The screen that a notification or the tray leads to. */
export const desktopRouteSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('queue') }),
  z.object({ screen: z.literal('help') }),
  z.object({ screen: z.literal('submission'), id: z.string().min(1) }),
  z.object({
    screen: z.literal('reports'),
    of: z.object({ caseId: z.string().min(1), submissionId: z.string().min(1) }).nullable(),
  }),
  z.object({
    screen: z.literal('settings'),
    section: z.enum(['clinic', 'service', 'folders', 'it']),
  }),
])

export type DesktopRoute = z.infer<typeof desktopRouteSchema>

/** Both hosts accept files for a case added by hand here: `POST /files?name=…`, with the file as the body. */
export const FILES_PATH = '/files'

/** Reads name and size of an upload from its address, because Chromium sends no Content-Length on a custom scheme. */
export function readUploadQuery(search: { get(name: string): string | null }): {
  readonly name: string
  readonly sizeBytes: number | null
} {
  const size = search.get('size') ?? ''
  return { name: search.get('name') ?? '', sizeBytes: /^\d{1,15}$/.test(size) ? Number(size) : null }
}

export const uploadedFileSchema = z.object({
  /** Pass it to `submissions.create`; a file that no case uses is removed after a day. */
  path: z.string(),
  sizeBytes: z.number().int(),
  sha256: z.string(),
})

export type UploadedFile = z.infer<typeof uploadedFileSchema>

/** A window with the screens: the case that is open in it, and the initials that its person has set. Nothing else of either. */
const openWindowSchema = z.object({
  windowId: z.string().min(1).max(40),
  submissionId: z.string().nullable(),
  by: z.string().max(40),
})

export type OpenWindow = z.infer<typeof openWindowSchema>

/** All that have said lately that they are there. */
export const windowsSchema = z.object({ windows: z.array(openWindowSchema) })

export const windowCalls = {
  /** Said at each start of a window, and while there are others, at each change and twice a minute. */
  'windows.show': { input: openWindowSchema, output: windowsSchema },
} as const

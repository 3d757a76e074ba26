/** What the screens may know of a newer version of the desktop app. */
import { z } from 'zod'

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

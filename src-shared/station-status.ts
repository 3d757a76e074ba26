/** The status of the station, its folders and patient list, and the results of dry runs and connection tests. */
import { z } from 'zod'
import { alarmSchema } from './alarms.ts'
import { centerSchema } from './case.ts'
import { failureSchema } from './failure.ts'
import { calendarDaySchema, fieldNameSchema, fieldsSchema } from './fields.ts'
import { IMAGE_TYPES } from './image-files.ts'
import { eyeSchema } from './measurement-ranges.ts'
import {
  decisionShape,
  reasonSchema,
  sourceSchema,
  submissionCountsSchema,
  warningSchema,
} from './submission.ts'
import { messageFields, wordingSchema } from './wording.ts'

const modeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running') }),
  z.object({
    kind: z.literal('paused'),
    /** `safeMode`: only the screens run, after repeated crashes or because a person asked for it. */
    why: z.enum(['person', 'signedOut', 'serviceNotSet', 'safeMode']),
    /** When sending resumes; null if a person must resume it. */
    until: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('stopping') }),
  z.object({ kind: z.literal('stopped') }),
])

export type Mode = z.infer<typeof modeSchema>

/** A file that is not part of any submission, with the reason. */
export const fileNoteSchema = z.object({
  fileName: z.string(),
  kind: z.enum([
    'arriving',
    'notAnImage',
    'truncated',
    'unreadable',
    'duplicate',
    'sidecarUnreadable',
    'dataCameLate',
    'ignored',
    'tooLarge',
    /** Reading it ends the process that reads: `folders.tryAgain`. */
    'setAside',
  ]),
  /** What it is, what it means, what to do. */
  ...messageFields,
  at: z.number().int(),
})

export type FileNote = z.infer<typeof fileNoteSchema>

const leftAsidePageSchema = z.object({
  items: z.array(fileNoteSchema.extend({ id: z.number().int(), folderPath: z.string() })),
  /** How many there are, on all pages. */
  total: z.number().int(),
  /** What the next page comes after; null on the last one. */
  next: z.number().int().nullable(),
})

export type LeftAsidePage = z.infer<typeof leftAsidePageSchema>

/** What is in the watched folders beside the cases. */
export const folderCalls = {
  /** Every file that is no part of a case, with what is wrong; newest first. */
  'folders.leftAside': {
    input: z.object({
      /** A part of the path. */
      search: z.string().optional(),
      limit: z.number().int().min(1).max(1_000).default(50),
      /** `next` of the previous page. */
      after: z.number().int().optional(),
    }),
    output: leftAsidePageSchema,
  },
  /** Has a file that was set aside read once more. */
  'folders.tryAgain': {
    input: z.object({ path: z.string(), fileName: z.string(), ...decisionShape }),
    output: z.object({}),
  },
  /** How many files were there before the first start and were not ingested, and how many of them since a day. */
  'folders.countExisting': {
    input: z.object({ path: z.string(), since: calendarDaySchema.optional() }),
    output: z.object({
      count: z.number().int(),
      /** Null if no day was given. */
      sinceCount: z.number().int().nullable(),
      /** Modification times of the oldest and the newest of them, epoch milliseconds. */
      oldestAt: z.number().int().nullable(),
      newestAt: z.number().int().nullable(),
    }),
  },
}

export const folderStatusSchema = z.object({
  path: z.string(),
  /** `taken`: another station watches it. `paused`: a person has paused it. */
  health: z.enum(['starting', 'watching', 'unreachable', 'asking', 'paused', 'taken']),
  since: z.number().int(),
  lastSweepAt: z.number().int().nullable(),
  lastImageAt: z.number().int().nullable(),
  /** `unguarded`: our lease file could not be written. `off`: disabled by a setting. */
  guard: z.enum(['guarded', 'unguarded', 'off', 'taken']),
  /** Files that existed before the first start and wait for a decision. */
  existingCount: z.number().int(),
  failure: failureSchema.nullable(),
  /** The latest files that did not become images of a submission, newest first; `folders.leftAside` lists all. */
  notes: z.array(fileNoteSchema),
  /** How many such files there are, by kind. */
  noteCounts: z.partialRecord(fileNoteSchema.shape.kind, z.number().int()),
})

export type FolderStatus = z.infer<typeof folderStatusSchema>

const serviceStatusSchema = z.object({
  health: z.enum(['unset', 'unknown', 'reachable', 'trouble']),
  since: z.number().int(),
  failure: failureSchema.nullable(),
  /** When the next probe after a failure is due. */
  nextTryAt: z.number().int().nullable(),
  lastSuccessAt: z.number().int().nullable(),
})

export type ServiceStatus = z.infer<typeof serviceStatusSchema>

const patientListStatusSchema = z.object({
  /** `settling`: a change is read once the file is stable. Until then the previous list stays in use. */
  kind: z.enum(['off', 'settling', 'read', 'unreachable', 'unreadable']),
  patients: z.number().int(),
  /** For the person who maintains the list; quotes no content. */
  message: z.string().nullable(),
  wording: wordingSchema.optional(),
  readAt: z.number().int().nullable(),
})

/** What a folder's names could do, or no longer do: an offer to confirm, a profile without a confirmation. */
const namesStatusSchema = z.object({
  path: z.string(),
  /** Offers that a person may confirm. */
  offers: z.number().int(),
  /** Profiles of the folder that only propose, because no person has confirmed them. */
  unconfirmed: z.number().int(),
})

export type NamesStatus = z.infer<typeof namesStatusSchema>

export const stationStatusSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'headless']),
  mode: modeSchema,
  counts: submissionCountsSchema,
  folders: z.array(folderStatusSchema),
  service: serviceStatusSchema,
  centerId: z.string().nullable(),
  patientList: patientListStatusSchema,
  reportsUnread: z.number().int(),
  lastSentAt: z.number().int().nullable(),
  /** Sent cases of which the service shows fewer images than were sent. */
  imagesMissing: z.number().int(),
  /** Trouble with the station's own storage. */
  storage: failureSchema.nullable(),
  /** Set if this computer's clock differs too much from the service's. */
  clock: failureSchema.nullable(),
  /** Unsettled alarms, newest first. */
  alarms: z.array(alarmSchema),
  /** Folders with an offer, or with a profile that is not confirmed. */
  names: z.array(namesStatusSchema),
  now: z.number().int(),
})

export type StationStatus = z.infer<typeof stationStatusSchema>

export const profileDryRunSchema = z.object({
  /** All files in the folder, except the junk files of operating systems. */
  fileCount: z.number().int(),
  /** How many of them were read: the newest, if there are very many. */
  triedCount: z.number().int(),
  visits: z.array(
    z.object({
      fields: fieldsSchema,
      sources: z.partialRecord(fieldNameSchema, sourceSchema),
      images: z.array(
        z.object({
          fileName: z.string(),
          contentType: z.enum(IMAGE_TYPES),
          eye: eyeSchema,
          eyeSource: sourceSchema.nullable(),
          /** The file of which this one is a second copy. */
          twinOf: z.string().nullable(),
        }),
      ),
      /** What a person would be asked. */
      reasons: z.array(reasonSchema),
      oddities: z.array(warningSchema),
    }),
  ),
  /** Files that would not become images of a case, each with a sentence. */
  notes: z.array(fileNoteSchema),
})

export type ProfileDryRun = z.infer<typeof profileDryRunSchema>

const connectionTestStepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), failure: failureSchema }),
  z.object({ kind: z.literal('notTried') }),
])

/** The result of testing an address and its credentials, step by step. */
export const connectionTestSchema = z.object({
  reachable: connectionTestStepSchema,
  signedIn: connectionTestStepSchema,
  centersListed: connectionTestStepSchema,
  centers: z.array(centerSchema),
})

/** What a dry run of a profile tells: how the files of a folder would be grouped, and what would stay unclear. */
import { z } from 'zod'
import { alarmSchema } from './alarms.ts'
import { centerSchema } from './case.ts'
import { failureSchema } from './failure.ts'
import { fieldNameSchema, fieldsSchema } from './fields.ts'
import { eyeSchema, IMAGE_TYPES } from './measurement-ranges.ts'
import { reasonSchema, sourceSchema, submissionCountsSchema, warningSchema } from './submission.ts'

const modeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('starting') }),
  z.object({ kind: z.literal('running') }),
  z.object({
    kind: z.literal('paused'),
    /** `safeMode`: started with its screens only, after it had failed several times or because a person asked. */
    why: z.enum(['person', 'signedOut', 'serviceNotSet', 'safeMode']),
    /** Resumes by itself at this instant; null means until somebody resumes it. */
    until: z.number().int().nullable(),
  }),
  z.object({ kind: z.literal('stopping') }),
  z.object({ kind: z.literal('stopped') }),
])

export type Mode = z.infer<typeof modeSchema>

/** A file that is not part of any submission, and why. */
const fileNoteSchema = z.object({
  /** Name with its folder inside the watched one. */
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
  ]),
  /** What it is, what it means, what to do. */
  message: z.string(),
  at: z.number().int(),
})

export type FileNote = z.infer<typeof fileNoteSchema>

const folderStatusSchema = z.object({
  path: z.string(),
  /** `taken`: another station watches it. `paused`: a person stopped looking into it. */
  health: z.enum(['starting', 'watching', 'unreachable', 'asking', 'paused', 'taken']),
  /** Since when the folder is as `health` says. */
  since: z.number().int(),
  lastSweepAt: z.number().int().nullable(),
  lastImageAt: z.number().int().nullable(),
  /** Is a second station kept off this folder? `unguarded`: our mark could not be left in it; `off`: a setting says so. */
  guard: z.enum(['guarded', 'unguarded', 'off', 'taken']),
  /** Files that lay there before the first start and wait for a decision. */
  existingCount: z.number().int(),
  failure: failureSchema.nullable(),
  /** The latest files that became no image of a submission, newest first. */
  notes: z.array(fileNoteSchema),
})

export type FolderStatus = z.infer<typeof folderStatusSchema>

const serviceStatusSchema = z.object({
  health: z.enum(['unset', 'unknown', 'reachable', 'trouble']),
  since: z.number().int(),
  failure: failureSchema.nullable(),
  /** The next small question after trouble. */
  nextTryAt: z.number().int().nullable(),
  lastSuccessAt: z.number().int().nullable(),
})

export type ServiceStatus = z.infer<typeof serviceStatusSchema>

const patientListStatusSchema = z.object({
  /** `settling`: it was seen and is read as soon as it stands still. The list read before stays in use in all but `off`. */
  kind: z.enum(['off', 'settling', 'read', 'unreachable', 'unreadable']),
  /** In the list that is in use. */
  patients: z.number().int(),
  /** For the person who keeps the list; names no content. */
  message: z.string().nullable(),
  /** When the list that is in use was read. */
  readAt: z.number().int().nullable(),
})

export const stationStatusSchema = z.object({
  version: z.string(),
  host: z.enum(['electron', 'headless']),
  mode: modeSchema,
  counts: submissionCountsSchema,
  folders: z.array(folderStatusSchema),
  service: serviceStatusSchema,
  /** The center that new submissions are made for. */
  centerId: z.string().nullable(),
  patientList: patientListStatusSchema,
  reportsUnread: z.number().int(),
  lastSentAt: z.number().int().nullable(),
  /** The station's own storage, where it is in trouble. */
  storage: failureSchema.nullable(),
  /** The clock of this computer, where it differs too much from the service's. */
  clock: failureSchema.nullable(),
  /** Not settled yet, newest first. */
  alarms: z.array(alarmSchema),
  /**
   * `new`: this station sent by itself before cases that rest on file names alone had to be checked, and no person has
   * read yet that they wait now.
   */
  namesRule: z.enum(['new', 'known']),
  now: z.number().int(),
})

export type StationStatus = z.infer<typeof stationStatusSchema>

export const profileDryRunSchema = z.object({
  /** All files that lie there, but for the junk of operating systems. */
  fileCount: z.number().int(),
  /** How many of them were tried: the newest, where there are very many. */
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
          /** The file that this one shows once more. */
          twinOf: z.string().nullable(),
        }),
      ),
      /** What a person would be asked. */
      reasons: z.array(reasonSchema),
      oddities: z.array(warningSchema),
    }),
  ),
  /** Files that would become no image of a case, each with a sentence. */
  notes: z.array(fileNoteSchema),
})

export type ProfileDryRun = z.infer<typeof profileDryRunSchema>

const connectionTestStepSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passed') }),
  z.object({ kind: z.literal('failed'), failure: failureSchema }),
  z.object({ kind: z.literal('notTried') }),
])

/** How far a trial of an address and its credentials came, step by step. */
export const connectionTestSchema = z.object({
  reachable: connectionTestStepSchema,
  signedIn: connectionTestStepSchema,
  centersListed: connectionTestStepSchema,
  centers: z.array(centerSchema),
})

/**
 * The contract between the station and whoever drives it: a screen, a script, a host.
 *
 * Two tables say everything: what may be asked, and what the station tells. Renderers ask, the station tells;
 * events are in the past tense and give no orders. Inputs are parsed where they arrive, answers and events too.
 * An answer is `{ok: true, value}` or `{ok: false, failure}`. Every event has a revision; a gap in the revisions
 * means that something was missed and a new snapshot must be read.
 */
import { z } from 'zod'
import { auditFilter, dayCountSchema, overdueItemSchema } from './alarms.ts'
import { centerCountSchema, centerSchema, listedCaseSchema } from './case.ts'
import { aboutSchema, updateStateSchema } from './desktop.ts'
import { failureSchema } from './failure.ts'
import { fieldChangesSchema, fieldsSchema, isCalendarDate } from './fields.ts'
import { eyeSchema } from './measurement-ranges.ts'
import { profileSchema } from './profile.ts'
import { pendingReportSchema, reportOfSchema, reportSchema, reportSummarySchema } from './report.ts'
import {
  serviceSettingsSchema,
  settingsChangesSchema,
  settingsSourcesSchema,
  shownSettingsSchema,
} from './settings.ts'
import { submissionStateSchema } from './states.ts'
import { connectionTestSchema, profileDryRunSchema, stationStatusSchema } from './station-status.ts'
import {
  noImageBecauseSchema,
  submissionCountsSchema,
  submissionDetailsSchema,
  submissionSchema,
} from './submission.ts'

const noInput = z.object({})
/** Initials of the person who decides. */
const bySchema = z.string().trim().min(1).max(40).optional()
/** Why, in the person's own words; it stands in the trail and must not name a patient. */
const whySchema = z.string().trim().min(1).max(500).optional()
const decisionShape = { by: bySchema, why: whySchema }
const bulkInput = z.object({ ids: z.array(z.string()).min(1).max(1_000), ...decisionShape })

const calendarDaySchema = z.string().refine(isCalendarDate, 'a real date as YYYY-MM-DD')

/** What became of each id of a call on many; one refusal never stops the others. */
const bulkResultSchema = z.object({
  changed: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
})
export type BulkResult = z.infer<typeof bulkResultSchema>
const bulkCall = { input: bulkInput, output: bulkResultSchema }

const auditEntrySchema = z.object({
  id: z.number().int(),
  at: z.number().int(),
  submissionId: z.string().nullable(),
  what: z.string(),
  by: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
})
export type AuditEntry = z.infer<typeof auditEntrySchema>

export const calls = {
  'station.status': { input: noInput, output: stationStatusSchema },
  /** Stops sending only; intake goes on. */
  'station.pause': {
    input: z.object({ seconds: z.number().positive().nullable().default(null), ...decisionShape }),
    output: stationStatusSchema,
  },
  'station.resume': { input: z.object(decisionShape), output: stationStatusSchema },
  /** A person has seen an alarm and what it means; it stays in the trail. */
  'station.settleAlarm': {
    input: z.object({ id: z.string(), ...decisionShape }),
    output: stationStatusSchema,
  },
  /** What this station is and runs on, for the people who look after it. Nothing of a patient, no secret. */
  'station.about': { input: noInput, output: aboutSchema },
  /** What happened on this station, without patient data, to be read before it is given to anybody. */
  'station.diagnostics': {
    input: noInput,
    output: z.object({ fileName: z.string(), text: z.string() }),
  },
  /** How many cases came and how many were taken by the service, by day on this computer, the oldest first. */
  'station.days': {
    input: z.object({ days: z.number().int().min(1).max(366).default(14) }),
    output: z.object({ items: z.array(dayCountSchema) }),
  },
  /** Ends safe mode: folders are watched and cases are sent again. Changes nothing where there is no safe mode. */
  'station.startNormally': { input: z.object(decisionShape), output: stationStatusSchema },
  /** A person has read why cases that rest on file names wait since an update; `status.namesRule` ends with it. */
  'station.noteNamesRule': { input: z.object(decisionShape), output: stationStatusSchema },
  /** Ends the station cleanly; on Windows there is no other way to ask for it. */
  'station.stop': { input: noInput, output: noInput },

  'submissions.list': {
    input: z.object({
      state: z.array(submissionStateSchema).optional(),
      search: z.string().max(200).optional(),
      /** `added`, the newest first, unless said otherwise. `urgency`: by what a person has to do, see `states.ts`, and the oldest first within that. */
      order: z.enum(['added', 'urgency']).optional(),
      limit: z.number().int().min(1).max(1_000).default(100),
      /** The last item's id of the page before. */
      after: z.string().optional(),
      /** By urgency: how that item stood when it was read. One that has moved on since would take its place with it. */
      afterWas: z.object({ state: submissionStateSchema, urgent: z.boolean() }).optional(),
    }),
    output: z.object({
      items: z.array(submissionSchema),
      total: z.number().int(),
      counts: submissionCountsSchema,
    }),
  },
  'submissions.get': { input: z.object({ id: z.string() }), output: submissionDetailsSchema },
  'submissions.create': {
    input: z.object({
      ...decisionShape,
      fields: fieldsSchema,
      images: z
        .array(z.object({ path: z.string(), eye: eyeSchema.default('unknown') }))
        .min(1)
        .max(200),
    }),
    output: submissionDetailsSchema,
  },
  'submissions.update': {
    input: z.object({
      id: z.string(),
      ...decisionShape,
      fields: fieldChangesSchema.optional(),
      /** False while somebody is still at work on it: complete or not, the case stays until a person passes it on. */
      mayLeave: z.boolean().default(true),
      /** Why there is no image of an eye; takes the place of what was said before. */
      noImageBecause: noImageBecauseSchema.optional(),
      images: z
        .array(
          z.object({
            id: z.string(),
            eye: eyeSchema.optional(),
            excludedBecause: z.string().min(1).max(500).nullable().optional(),
          }),
        )
        .optional(),
    }),
    output: submissionDetailsSchema,
  },
  /** Ends the quiet time of a collecting submission. */
  'submissions.closeNow': bulkCall,
  'submissions.approve': bulkCall,
  'submissions.retry': bulkCall,
  'submissions.prioritise': bulkCall,
  'submissions.hold': bulkCall,
  'submissions.release': bulkCall,
  'submissions.discard': bulkCall,
  'submissions.restore': bulkCall,
  /** Stops a transfer whose last bytes have not left: it was not sent, and is held. */
  'submissions.cancel': bulkCall,
  /** Gives cases that were never sent, and of which no attempt is unresolved, to another center. */
  'submissions.moveToCenter': {
    input: bulkInput.extend({ centerId: z.string().min(1).max(200) }),
    output: bulkResultSchema,
  },
  /** What waits longer than it should: captured and not sent, sent and not confirmed, without a report, not redone. */
  'submissions.ageing': {
    /** The oldest come first, a thousand where no limit is given. `count` is of all of them, a thousand at most. */
    input: z.object({ limit: z.number().int().min(1).max(1_000).optional() }),
    output: z.object({ items: z.array(overdueItemSchema), count: z.number().int() }),
  },
  /** What the service answered to an attempt, as it came; null where nothing came or was kept. For people, never for a log. */
  'submissions.answer': {
    input: z.object({ attemptId: z.string() }),
    output: z.object({
      answer: z
        .object({ status: z.number().int(), sizeBytes: z.number().int(), text: z.string() })
        .nullable(),
    }),
  },
  /** These submissions as CSV (RFC 4180), for the clinic's own lists; no cell can begin a formula. */
  'submissions.export': {
    input: z.object({ ids: z.array(z.string()).min(1).max(10_000), ...decisionShape }),
    output: z.object({ fileName: z.string(), csv: z.string() }),
  },
  'submissions.merge': { input: bulkInput, output: submissionDetailsSchema },
  'submissions.split': {
    input: z.object({ id: z.string(), imageIds: z.array(z.string()).min(1), ...decisionShape }),
    output: z.object({ kept: submissionDetailsSchema, made: submissionDetailsSchema }),
  },
  /** Gives images to another submission that is open; one that loses its last image is discarded. */
  'submissions.moveImages': {
    input: z.object({ imageIds: z.array(z.string()).min(1).max(1_000), toId: z.string(), ...decisionShape }),
    output: submissionDetailsSchema,
  },
  /** A person's word on an unconfirmed submission: it is there, with its id, or it is not and goes again. */
  'submissions.resolve': {
    input: z.object({
      id: z.string(),
      delivered: z.boolean(),
      caseId: z.string().min(1).max(200).optional(),
      /** Said by somebody who has read the station's objection to this id, and stays with it. */
      insists: z.boolean().optional(),
      ...decisionShape,
    }),
    output: submissionDetailsSchema,
  },

  'cases.list': {
    input: z.object({ search: z.string().max(200).optional(), refresh: z.boolean().default(false) }),
    output: z.object({
      items: z.array(listedCaseSchema),
      readAt: z.number().int(),
      centerId: z.string().nullable(),
    }),
  },
  'cases.get': { input: z.object({ id: z.string() }), output: listedCaseSchema },

  /** The newest, those that nobody has read first. */
  'reports.list': {
    input: z.object({ search: z.string().max(200).optional(), submissionId: z.string().optional() }),
    output: z.object({ items: z.array(reportSummarySchema), awaiting: z.number().int() }),
  },
  /** Cases without a report, those that have waited longest first. */
  'reports.awaiting': {
    input: z.object({ search: z.string().max(200).optional(), submissionId: z.string().optional() }),
    output: z.object({ items: z.array(pendingReportSchema) }),
  },
  'reports.get': { input: reportOfSchema, output: reportSchema },
  'reports.markRead': { input: reportOfSchema, output: noInput },
  /** Asks the service now for every report that is still missing. */
  'reports.check': { input: noInput, output: noInput },

  'centers.list': {
    input: noInput,
    output: z.object({
      items: z.array(centerSchema),
      centerId: z.string().nullable(),
      /** How many submissions that are not over were made for which center. */
      waiting: z.array(centerCountSchema),
    }),
  },
  /** Sets the center that new submissions are made for; those that exist keep theirs. */
  'centers.change': {
    input: z.object({ centerId: z.string(), ...decisionShape }),
    output: z.object({ centerId: z.string() }),
  },

  /**
   * Tries on the files of a folder how they would be grouped, without touching or keeping anything. `profile` is an id,
   * or a profile that is being written; the folder need not be watched.
   */
  'folders.tryProfile': {
    input: z.object({
      path: z.string().min(1),
      profile: z.union([z.string(), profileSchema]).default('auto'),
      visitGapMinutes: z.number().positive().max(1_440).nullable().default(null),
    }),
    output: profileDryRunSchema,
  },
  /** Decides about the files that lay in a folder before the first start; `since` is a day on this computer. */
  'folders.decideExisting': {
    input: z.discriminatedUnion('existing', [
      z.object({ path: z.string(), existing: z.enum(['include', 'ignore']), ...decisionShape }),
      z.object({
        path: z.string(),
        existing: z.literal('since'),
        since: calendarDaySchema,
        ...decisionShape,
      }),
    ]),
    output: noInput,
  },
  /** How many files lay in a folder before the first start and were not taken, and how many of them since a day. */
  'folders.countExisting': {
    input: z.object({ path: z.string(), since: calendarDaySchema.optional() }),
    output: z.object({
      count: z.number().int(),
      /** Null where no day was asked about. */
      sinceCount: z.number().int().nullable(),
      /** When the oldest and the newest of them were last changed, epoch milliseconds. */
      oldestAt: z.number().int().nullable(),
      newestAt: z.number().int().nullable(),
    }),
  },

  /** Tries an address and credentials without keeping them; without `service`, what is set. */
  'service.test': {
    input: z.object({ service: serviceSettingsSchema.optional() }),
    output: connectionTestSchema,
  },

  'settings.get': { input: noInput, output: shownSettingsSchema },
  /** Every value in force with where it comes from; no secret. */
  'settings.sources': { input: noInput, output: settingsSourcesSchema },
  /** Where updates come from is stated in the administrator's file alone: whoever names it names what runs here. */
  'settings.update': {
    input: settingsChangesSchema.omit({ updates: true }).extend(decisionShape),
    output: shownSettingsSchema,
  },

  /** Is there a newer version of the desktop app, and what does it wait for? */
  'updates.get': { input: noInput, output: updateStateSchema },
  /** Looks for one now; resolves once the answer is there, while what was found is still being fetched. */
  'updates.look': { input: noInput, output: updateStateSchema },
  /** A person wants what is ready: it is installed as soon as nothing is being sent. */
  'updates.install': { input: noInput, output: updateStateSchema },
  /** Somebody is at work on something that an end of the app would lose: nothing is installed for so long. */
  'updates.holdOff': { input: z.object({ seconds: z.number().positive().max(600) }), output: noInput },

  'audit.list': {
    input: z.object({
      ...auditFilter,
      limit: z.number().int().min(1).max(1_000).default(100),
      before: z.number().int().optional(),
    }),
    output: z.object({ items: z.array(auditEntrySchema) }),
  },
  /** The trail as CSV (RFC 4180), oldest first; no cell can begin a formula. */
  'audit.export': {
    input: z.object(auditFilter),
    output: z.object({ fileName: z.string(), csv: z.string(), entries: z.number().int() }),
  },
} as const satisfies Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>

export type CallName = keyof typeof calls
/** What a caller writes; defaults may be left out. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>
/** What a handler gets, defaults filled in. */
export type ParsedInput<Name extends CallName> = z.output<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

export const events = {
  stationChanged: stationStatusSchema,
  /** The submission as it is now; sent for new ones too. */
  submissionChanged: submissionSchema,
  /** Many submissions changed at once, in place of one `submissionChanged` each: what is shown of them is read again. */
  submissionsChanged: z.object({ ids: z.array(z.string()) }),
  /** How far a call on many submissions has come that takes longer than a moment. */
  callProgressed: z.object({ done: z.number().int(), total: z.number().int() }),
  /** Bytes handed over of a submission that is being sent. */
  deliveryProgressed: z.object({
    id: z.string(),
    handedOverBytes: z.number().int(),
    requestBytes: z.number().int(),
    /** Since when the other side has taken nothing more; null while it does. */
    stalledSince: z.number().int().nullable(),
  }),
  reportArrived: z.object({ caseId: z.string(), submissionId: z.string() }),
  settingsChanged: shownSettingsSchema,
} as const satisfies Record<string, z.ZodType>

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>
export type StationEvent = {
  [Name in EventName]: {
    readonly name: Name
    readonly revision: number
    readonly payload: EventPayload<Name>
  }
}[EventName]

/** Parses what came over a wire; throws a ZodError where it is no event of this contract. */
export const stationEventSchema = z.discriminatedUnion('name', [
  z.object({ name: z.literal('stationChanged'), revision: z.number().int(), payload: events.stationChanged }),
  z.object({
    name: z.literal('submissionChanged'),
    revision: z.number().int(),
    payload: events.submissionChanged,
  }),
  z.object({
    name: z.literal('submissionsChanged'),
    revision: z.number().int(),
    payload: events.submissionsChanged,
  }),
  z.object({ name: z.literal('callProgressed'), revision: z.number().int(), payload: events.callProgressed }),
  z.object({
    name: z.literal('deliveryProgressed'),
    revision: z.number().int(),
    payload: events.deliveryProgressed,
  }),
  z.object({ name: z.literal('reportArrived'), revision: z.number().int(), payload: events.reportArrived }),
  z.object({
    name: z.literal('settingsChanged'),
    revision: z.number().int(),
    payload: events.settingsChanged,
  }),
])

/** The bytes that both hosts serve by id; they do not travel as JSON. */
/** `image` is what can be shown, `original` what the camera wrote. */
export const BYTES_KINDS = ['image', 'original', 'thumbnail', 'report'] as const
export type BytesKind = (typeof BYTES_KINDS)[number]
export function isBytesKind(text: string): text is BytesKind {
  return (BYTES_KINDS as readonly string[]).includes(text)
}

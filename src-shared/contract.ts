/**
 * The contract between the station and its callers: a screen, a script, a host.
 *
 * Two tables define everything: the calls and the events. Callers ask, the station reports; events give no orders.
 * Inputs, answers and events are parsed on arrival. An answer is `{ok: true, value}` or `{ok: false, failure}`. Every
 * event has a revision; after a gap in them the receiver has missed something and must read a new snapshot.
 */
import { z } from 'zod'
import { auditFilter, namedEntrySchema, overdueItemSchema } from './alarms.ts'
import { centerSchema, listedCaseSchema } from './case.ts'
import { aboutSchema, updateStateSchema, windowCalls, windowsSchema } from './desktop.ts'
import { failureSchema } from './failure.ts'
import { calendarDaySchema, fieldChangesSchema, fieldsSchema } from './fields.ts'
import { folderReadingSchema } from './folder-settings.ts'
import { MAX_IMAGES_BY_HAND } from './image-files.ts'
import { eyeSchema } from './measurement-ranges.ts'
import { neighbourSchema } from './near-numbers.ts'
import { profileCalls } from './profile-offers.ts'
import { patientCalls, proofSchema, statedSchema } from './proof.ts'
import {
  markDoneSchema,
  markReadSchema,
  pendingReportSchema,
  reportOfSchema,
  reportSchema,
  reportSummarySchema,
} from './report.ts'
import { serviceSettingsSchema, settingsChangesSchema, shownSettingsSchema } from './settings.ts'
import { settingsSourcesSchema } from './setting-sources.ts'
import { submissionStateSchema } from './states.ts'
import {
  connectionTestSchema,
  folderCalls,
  profileDryRunSchema,
  stationStatusSchema,
} from './station-status.ts'
import {
  decisionShape,
  noImageBecauseSchema,
  sentWronglyCalls,
  submissionCountsSchema,
  submissionDetailsSchema,
  submissionSchema,
} from './submission.ts'

const noInput = z.object({})
const bulkInput = z.object({ ids: z.array(z.string()).min(1).max(1_000), ...decisionShape })

/**
 * The digest of each case as the caller showed it, by id. A case that differs by now is refused as `changed`, and one that
 * is not among them as `needsLook`. Without it nothing was shown: the decision counts as a script's.
 */
const shownDigests = { seen: z.record(z.string(), z.string()).optional() }
const bulkShownInput = bulkInput.extend(shownDigests)

const imagesByHand = z
  .array(z.object({ path: z.string(), eye: eyeSchema.default('unknown') }))
  .max(MAX_IMAGES_BY_HAND)

/** The result for each id of a bulk call; one refusal never stops the others. */
const bulkResultSchema = z.object({
  changed: z.array(z.string()),
  refused: z.array(z.object({ id: z.string(), failure: failureSchema })),
})
export type BulkResult = z.infer<typeof bulkResultSchema>
const bulkCall = { input: bulkInput, output: bulkResultSchema }
/** For calls after which a case may leave. */
const bulkShownCall = { input: bulkShownInput, output: bulkResultSchema }

export const calls = {
  'station.status': { input: noInput, output: stationStatusSchema },
  /** Stops sending only; intake goes on. */
  'station.pause': {
    input: z.object({ seconds: z.number().positive().nullable().default(null), ...decisionShape }),
    output: stationStatusSchema,
  },
  'station.resume': { input: z.object(decisionShape), output: stationStatusSchema },
  /** Confirms that a person has seen an alarm; it stays in the audit trail. */
  'station.settleAlarm': {
    input: z.object({ id: z.string(), ...decisionShape }),
    output: stationStatusSchema,
  },
  /** What this station is and runs on, for support staff. No patient data, no secrets. */
  'station.about': { input: noInput, output: aboutSchema },
  /** What happened on this station, without patient data; a person reads it before passing it on. */
  'station.diagnostics': {
    input: noInput,
    output: z.object({ fileName: z.string(), text: z.string() }),
  },
  /** Ends safe mode: watches folders and sends cases again. Does nothing outside safe mode. */
  'station.startNormally': { input: z.object(decisionShape), output: stationStatusSchema },
  /** Stops the station cleanly; Windows offers no other way to ask for it. */
  'station.stop': { input: noInput, output: noInput },

  'submissions.list': {
    input: z.object({
      state: z.array(submissionStateSchema).optional(),
      search: z.string().max(200).optional(),
      /** Default `added`, newest first. `urgency`: by what a person has to do, see `states.ts`, then oldest first. */
      order: z.enum(['added', 'urgency']).optional(),
      limit: z.number().int().min(1).max(1_000).default(100),
      /** The id of the last item of the previous page. */
      after: z.string().optional(),
      /** For `urgency`: that item's position when it was read, because the item may have changed since. */
      afterWas: z.object({ state: submissionStateSchema, urgent: z.boolean() }).optional(),
    }),
    output: z.object({
      items: z.array(submissionSchema),
      total: z.number().int(),
      counts: submissionCountsSchema,
    }),
  },
  'submissions.get': {
    input: z.object({ id: z.string() }),
    output: submissionDetailsSchema.extend({ proof: proofSchema.nullable(), neighbour: neighbourSchema }),
  },
  /** A case by hand. Without images it is incomplete until some are added. */
  'submissions.create': {
    input: z.object({ ...decisionShape, fields: fieldsSchema, images: imagesByHand }),
    output: submissionDetailsSchema,
  },
  /** Adds images to a case by hand, as `submissions.create` does: all of them, or none. */
  'submissions.addImages': {
    input: z.object({ ...decisionShape, id: z.string(), images: imagesByHand.min(1) }),
    output: submissionDetailsSchema,
  },
  /** `seen`: the `stated` of the proof that was shown. What came since is asked about beside the answer. */
  'submissions.update': {
    input: z.object({
      id: z.string(),
      ...decisionShape,
      seen: statedSchema.optional(),
      fields: fieldChangesSchema.optional(),
      /** False while a person is still editing: the case then stays, complete or not, until a person submits it. */
      mayLeave: z.boolean().default(true),
      /** Why an eye has no image; replaces the earlier statement. */
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
  /** With `seen`, a case that rests on a proposal is refused as `needsLook` if the call has several ids. */
  'submissions.approve': {
    input: bulkShownInput.extend({
      /** For so long `submissions.undoApproval` takes it back; nothing is sent before. Without it, it is final at once. */
      undoSeconds: z.number().positive().max(600).optional(),
    }),
    output: bulkResultSchema,
  },
  /** Takes approvals back that are not final: each case is as it was before. Refused once it may be on its way. */
  'submissions.undoApproval': bulkCall,
  'submissions.retry': bulkShownCall,
  'submissions.prioritise': bulkCall,
  'submissions.hold': bulkCall,
  'submissions.release': bulkShownCall,
  'submissions.discard': bulkShownCall,
  'submissions.restore': bulkCall,
  /** The patient withdrew: erases cases that were not sent, at once and for good. Refused if one may have arrived. */
  'submissions.withdraw': bulkShownCall,
  /** Aborts a transfer whose last bytes have not left: the case was not sent and becomes held. */
  'submissions.cancel': bulkCall,
  /** Moves cases to another center; refused if a case was sent or has an unresolved attempt. */
  'submissions.moveToCenter': {
    input: bulkShownInput.extend({ centerId: z.string().min(1).max(200) }),
    output: bulkResultSchema,
  },
  /** Cases that wait too long: captured but not sent, sent but not confirmed, without a report, not redone. */
  'submissions.ageing': {
    /** Oldest first; `limit` defaults to 1,000. `count` covers all of them, up to 1,000. */
    input: z.object({ limit: z.number().int().min(1).max(1_000).optional() }),
    output: z.object({ items: z.array(overdueItemSchema), count: z.number().int() }),
  },
  /** The service's answer to an attempt, verbatim; null if none was stored. For people, never for a log. */
  'submissions.answer': {
    input: z.object({ attemptId: z.string() }),
    output: z.object({
      answer: z
        .object({ status: z.number().int(), sizeBytes: z.number().int(), text: z.string() })
        .nullable(),
    }),
  },
  /** These submissions as CSV (RFC 4180) for the clinic's own lists; cells are protected against formula injection. */
  'submissions.export': {
    input: z.object({ ids: z.array(z.string()).min(1).max(10_000), ...decisionShape }),
    output: z.object({ fileName: z.string(), csv: z.string() }),
  },
  'submissions.merge': { input: bulkShownInput, output: submissionDetailsSchema },
  'submissions.split': {
    input: z.object({
      id: z.string(),
      imageIds: z.array(z.string()).min(1),
      seen: statedSchema.optional(),
      ...decisionShape,
    }),
    output: z.object({ kept: submissionDetailsSchema, made: submissionDetailsSchema }),
  },
  ...patientCalls,
  ...sentWronglyCalls,
  /** Moves images to another open submission; a submission that loses its last image is discarded. */
  'submissions.moveImages': {
    input: z.object({
      imageIds: z.array(z.string()).min(1).max(1_000),
      toId: z.string(),
      ...shownDigests,
      ...decisionShape,
    }),
    output: submissionDetailsSchema,
  },
  /** A person's decision on an unconfirmed submission: it arrived, with its id, or it did not and is sent again. */
  'submissions.resolve': {
    input: z.object({
      id: z.string(),
      delivered: z.boolean(),
      caseId: z.string().min(1).max(200).optional(),
      /** True if the person has read the station's objection to this id and insists. */
      insists: z.boolean().optional(),
      ...shownDigests,
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

  /** Newest first, unread before read. */
  'reports.list': {
    input: z.object({ search: z.string().max(200).optional(), submissionId: z.string().optional() }),
    output: z.object({ items: z.array(reportSummarySchema), awaiting: z.number().int() }),
  },
  /** Cases without a report, longest wait first. */
  'reports.awaiting': {
    input: z.object({ search: z.string().max(200).optional(), submissionId: z.string().optional() }),
    output: z.object({ items: z.array(pendingReportSchema) }),
  },
  'reports.get': { input: reportOfSchema, output: reportSchema },
  'reports.markRead': { input: markReadSchema, output: noInput },
  /** A newer version of the report asks again. */
  'reports.markDone': { input: markDoneSchema, output: noInput },
  /** Asks the service now for every missing report. */
  'reports.check': { input: noInput, output: noInput },

  'centers.list': {
    input: noInput,
    output: z.object({
      items: z.array(centerSchema),
      centerId: z.string().nullable(),
    }),
  },
  /** Sets the center of new submissions; existing ones are not changed. */
  'centers.change': {
    input: z.object({ centerId: z.string(), ...decisionShape }),
    output: z.object({ centerId: z.string() }),
  },

  /** Dry run: groups the files of any folder and changes nothing. Without `reading`, as the folder is read now. */
  'folders.tryProfile': {
    input: z.object({
      path: z.string().min(1),
      reading: folderReadingSchema.optional(),
    }),
    output: profileDryRunSchema,
  },
  /** Decides about the files that were in a folder before the first start; `since` is a local date. */
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

  ...folderCalls,
  ...profileCalls,

  /** Tests an address and credentials without storing them; without `service`, tests the current settings. */
  'service.test': {
    input: z.object({ service: serviceSettingsSchema.optional() }),
    output: connectionTestSchema,
  },

  'settings.get': { input: noInput, output: shownSettingsSchema },
  /** Every effective value with its source; no secrets. */
  'settings.sources': { input: noInput, output: settingsSourcesSchema },
  /** The update feed is read from the administrator's file only: it decides which program runs here. */
  'settings.update': {
    input: settingsChangesSchema.omit({ updates: true }).extend(decisionShape),
    output: shownSettingsSchema,
  },

  /** Is a newer version of the desktop app available, and what is it waiting for? */
  'updates.get': { input: noInput, output: updateStateSchema },
  /** Checks for an update now; resolves with the answer, while the download may still be running. */
  'updates.look': { input: noInput, output: updateStateSchema },
  /** A person asks for the downloaded update: it is installed as soon as nothing is being sent. */
  'updates.install': { input: noInput, output: updateStateSchema },
  /** A person is editing something that a restart would lose: defers the installation. */
  'updates.holdOff': { input: z.object({ seconds: z.number().positive().max(600) }), output: noInput },

  ...windowCalls,

  'audit.list': {
    input: z.object({
      ...auditFilter,
      limit: z.number().int().min(1).max(1_000).default(100),
    }),
    output: z.object({ items: z.array(namedEntrySchema) }),
  },
  /** The audit trail as CSV (RFC 4180), oldest first; cells are protected against formula injection. */
  'audit.export': {
    input: z.object(auditFilter),
    output: z.object({ fileName: z.string(), csv: z.string(), entries: z.number().int() }),
  },
} as const satisfies Record<string, { readonly input: z.ZodType; readonly output: z.ZodType }>

export type CallName = keyof typeof calls
/** What a caller passes; fields with defaults are optional. */
export type CallInput<Name extends CallName> = z.input<(typeof calls)[Name]['input']>
/** What a handler receives, with defaults filled in. */
export type ParsedInput<Name extends CallName> = z.output<(typeof calls)[Name]['input']>
export type CallOutput<Name extends CallName> = z.output<(typeof calls)[Name]['output']>

export function isCallName(name: string): name is CallName {
  return Object.hasOwn(calls, name)
}

export const events = {
  stationChanged: stationStatusSchema,
  /** The submission as it is now; also emitted for new ones. */
  submissionChanged: submissionSchema,
  /** Many submissions changed at once: replaces one `submissionChanged` each, so receivers read them again. */
  submissionsChanged: z.object({ ids: z.array(z.string()) }),
  /** Progress of a bulk call that takes more than a moment. */
  callProgressed: z.object({ done: z.number().int(), total: z.number().int() }),
  /** Bytes of a submission that are already handed to the network. */
  deliveryProgressed: z.object({
    id: z.string(),
    handedOverBytes: z.number().int(),
    requestBytes: z.number().int(),
    /** Since when the peer has accepted no more bytes; null while it does. */
    stalledSince: z.number().int().nullable(),
  }),
  reportArrived: z.object({ caseId: z.string(), submissionId: z.string() }),
  settingsChanged: shownSettingsSchema,
  windowsChanged: windowsSchema,
} as const satisfies Record<string, z.ZodType>

export type EventName = keyof typeof events
export type EventPayload<Name extends EventName> = z.output<(typeof events)[Name]>
export type StationEvent = {
  [Name in EventName]: Readonly<z.output<ReturnType<typeof eventSchema<Name>>>>
}[EventName]

function eventSchema<Name extends EventName>(name: Name) {
  return z.object({ name: z.literal(name), revision: z.number().int(), payload: events[name] })
}

/** Parses an event from the wire; throws a ZodError if it is not in this contract. */
export const stationEventSchema = z.discriminatedUnion('name', [
  eventSchema('stationChanged'),
  eventSchema('submissionChanged'),
  eventSchema('submissionsChanged'),
  eventSchema('callProgressed'),
  eventSchema('deliveryProgressed'),
  eventSchema('reportArrived'),
  eventSchema('settingsChanged'),
  eventSchema('windowsChanged'),
])

/** The bytes that both hosts serve by id, outside JSON. `image` can be displayed, `original` is the camera's file. */
export const BYTES_KINDS = ['image', 'original', 'thumbnail', 'report'] as const
export type BytesKind = (typeof BYTES_KINDS)[number]
export function isBytesKind(text: string): text is BytesKind {
  return (BYTES_KINDS as readonly string[]).includes(text)
}

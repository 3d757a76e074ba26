/** What the calls share: the parts of the station that they work with, and how a decision gets into the trail. */
import type { EventPayload } from '../../../src-shared/contract.ts'
import {
  fail,
  type Failure,
  type FailureKind,
  failureOf,
  type Result,
  succeed,
} from '../../../src-shared/failure.ts'
import type { ManagedFile, ServiceSettings } from '../../../src-shared/settings.ts'
import type { StationStatus } from '../../../src-shared/station-status.ts'
import type { SubmissionDetails } from '../../../src-shared/submission.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Delivery } from '../delivery/delivery.ts'
import type { Intake } from '../intake/intake.ts'
import type { Loop } from '../lib/schedule.ts'
import type { AuditDetails } from '../outbox/audit.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Ports } from '../ports.ts'
import type { ServiceClient } from '../service/client.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { Uploads } from '../storage/uploads.ts'

/** What a change of the settings means for the parts that are open. */
export type SettingsChange = {
  readonly isServiceChanged: boolean
  readonly areFoldersChanged: boolean
  readonly isPatientListChanged: boolean
  /** How names are read may have changed: open cases are read again, and so are ignored files. */
  readonly areProfilesChanged: boolean
}

/** What the calls work with: the parts of a running station, by type. */
export type StationParts = {
  readonly ports: Ports
  readonly outbox: Outbox
  readonly intake: Intake
  readonly uploads: Pick<Uploads, 'taken'>
  readonly reports: Loop
  readonly settings: SettingsStore
  /** What became of the files of administrators, and what this start's command line states. */
  readonly managedFiles: readonly ManagedFile[]
  readonly commandLine: Readonly<Record<string, string>>
  readonly reportsFolder: string
  readonly stationId: string
  readonly dataFolder: string
  /** Null while no service is set. */
  delivery(): Delivery | null
  status(): StationStatus
  /** Stores until when a person has paused sending; null resumes. */
  setPause(until: number | 'untilResumed' | null): void
  /** Ends safe mode, if the station is in it. */
  startNormally(): Promise<void>
  /** Settings have changed: the parts that depend on them follow. */
  applySettings(changed: SettingsChange): Promise<void>
  /** A client for a connection test. */
  openTestClient(service: ServiceSettings): ServiceClient
  /** Something outside the outbox changed that the status shows. */
  emitStatus(): void
  /** How far a call on many cases has come. */
  emitCallProgress(progress: EventPayload<'callProgressed'>): void
  /** Is the station ending? Then nothing new is begun. */
  isStopping(): boolean
  /** The host is to end the station and itself. */
  requestStop(): void
}

/** Who decided, and why, as written to the audit trail. */
export type Decision = { readonly by?: string | undefined; readonly why?: string | undefined }

export type DecisionStamp = {
  readonly at: number
  readonly by: string | undefined
  readonly details: Readonly<Record<string, string>>
}

/** The part that all audit entries of one decision share; an entry may add details. */
export function stampAt(decision: Decision, at: number): DecisionStamp {
  const { by, why } = decision
  return { at, by, details: why === undefined ? {} : { why } }
}

export function stampNow({ ports }: Pick<StationParts, 'ports'>, decision: Decision): DecisionStamp {
  return stampAt(decision, ports.clock.now())
}

/** Writes an audit entry for a decision that changes no state; `submissionId` is null if it is about the station. */
export function auditDecision(
  { outbox }: Pick<StationParts, 'outbox'>,
  submissionId: string | null,
  what: string,
  { at, by, details }: DecisionStamp,
  facts: AuditDetails = {},
): void {
  outbox.audit.append({ at, submissionId, what, by: by ?? null, details: { ...facts, ...details } })
}

/** The failure for an id without a usable row: a quarantined case is on the disk, but cannot be changed. */
export function notThere({ outbox }: Pick<StationParts, 'outbox'>, id: string): Failure {
  return failureOf(outbox.quarantine.of(id) === null ? 'notFound' : 'caseUnreadable')
}

export function detailsOf({ outbox }: Pick<StationParts, 'outbox'>, id: string): Result<SubmissionDetails> {
  const found = outbox.submissions.details(id)
  return found ? succeed(found) : fail(failureOf('notFound'))
}

/** A failure with a message of its own. */
export function refusal(kind: FailureKind, ...wording: Parameters<typeof worded>): Failure {
  return failureOf(kind, worded(...wording))
}

export function refuse(kind: FailureKind, ...wording: Parameters<typeof worded>): Result<never> {
  return fail(refusal(kind, ...wording))
}

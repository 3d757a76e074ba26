/** The service that is asked for reports, and what a failure of it means for the others. */
import type { ServiceCase } from '../../../src-shared/case.ts'
import type { Failure } from '../../../src-shared/failure.ts'
import type { Result } from '../../../src-shared/result.ts'
import type { ReportWatch } from '../outbox/report-store.ts'
import type { ServiceIdentity } from '../outbox/service-store.ts'
import type { CaseList, ReportAnswer } from '../service/service-client.ts'

/** What is about the way and not about one report: the others would hear the same. */
const SERVICE_WIDE_KINDS: readonly Failure['kind'][] = [
  'offline',
  'notAnswering',
  'signedOut',
  'throttled',
  'notTrusted',
  'proxySignIn',
  'centerNotChanged',
  'serviceNotSet',
  'secretsLocked',
]

/** The service that is set now, and what is asked of it; each question under the center of its case. */
export type ReportSource = {
  readonly identity: ServiceIdentity
  /** While the service is in trouble: when it is tried again. Null where it may be asked. */
  troubledUntil(): number | null
  getReport(watch: ReportWatch): Promise<Result<ReportAnswer>>
  listCases(centerId: string | null): Promise<Result<CaseList>>
  /** Keeps what a list says of our cases, and compares it with ours, as with every list that is read. */
  learnFromList(centerId: string | null, cases: readonly ServiceCase[]): Promise<void>
}

export function isServiceWide(failure: Failure): boolean {
  return SERVICE_WIDE_KINDS.includes(failure.kind)
}

/** A center that cannot be set keeps nobody of another center waiting. */
export function affectsAll(failure: Failure | null): failure is Failure {
  return failure !== null && isServiceWide(failure) && failure.kind !== 'centerNotChanged'
}

/** A service, or one center of it, as the key of what is remembered about it. */
export function serviceKey({ baseUrl, clientId }: ServiceIdentity, centerId?: string | null): string {
  return JSON.stringify([baseUrl, clientId, centerId])
}

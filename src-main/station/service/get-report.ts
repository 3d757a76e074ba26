import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import { readReport, type ReportReading } from './read-report.ts'
import type { ServiceAddress } from './service-address.ts'
import type { RawAnswer, ReportAnswer } from './service-client.ts'

/**
 * Reads the report of a case. A link on the service's own origin is followed once, under the token; any other is
 * the report itself, to be shown to a person and never fetched.
 */
export async function getReport(
  address: ServiceAddress,
  caseId: string,
  askFor: (url: URL) => Promise<Result<RawAnswer>>,
  failed: (answer: RawAnswer) => Result<never>,
): Promise<Result<ReportAnswer>> {
  const url = address.endpoint('cases', 'report', caseId)
  const answer = await askFor(url)
  if (!answer.ok) return answer
  const reading = readReport(answer.value)
  const link = linkOf(reading)
  const target = link === null ? null : address.resolveLink(link, url)
  if (target === null) return resultOf(reading, answer.value, failed)
  const linked = await askFor(target)
  if (!linked.ok) return linked
  const document = readReport(linked.value)
  // The page behind the link is no report or not there for us: the person gets the link.
  const isDocument = document.kind === 'report' && document.reportKind !== 'link'
  return isDocument ? succeed(document) : resultOf(withAddress(reading, target), answer.value, failed)
}

function resultOf(
  reading: ReportReading,
  answer: RawAnswer,
  failed: (answer: RawAnswer) => Result<never>,
): Result<ReportAnswer> {
  if (reading.kind === 'unreadable') return failed(answer)
  if (reading.kind === 'signInPage') return fail(failureOf('wrongAddress', { status: answer.status }))
  return succeed(reading)
}

function linkOf(reading: ReportReading): string | null {
  const isLink = reading.kind === 'report' && reading.reportKind === 'link'
  return isLink ? new TextDecoder().decode(reading.bytes) : null
}

/** A path alone would mean nothing outside: the whole address is kept. */
function withAddress(reading: ReportReading, target: URL): ReportReading {
  return reading.kind === 'report' ? { ...reading, bytes: Buffer.from(target.href) } : reading
}

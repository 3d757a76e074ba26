/** Requests to the service on behalf of a person: its cases, its centers, and a connection test. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ListedCase, ServiceCase } from '../../../src-shared/case.ts'
import type { CallOutput, ParsedInput } from '../../../src-shared/contract.ts'
import { fail, failureOf, refuse, type Result, succeed } from '../../../src-shared/failure.ts'
import { reportKindSchema, type ReportVersion } from '../../../src-shared/report.ts'
import type { CallHandlers, StationParts } from '../api.ts'
import { idsOf } from '../lib/service-case.ts'
import { eachSlice } from '../lib/schedule.ts'
import type { ReportVersionRow } from '../outbox/reports.ts'
import type { Destination } from '../outbox/rows.ts'
import type { ServiceClient } from '../service/client.ts'
import { auditDecision, inOneCommit, stampNow } from './decisions.ts'

/** A list not older than this is shown again unless a refresh is requested. */
const LIST_CACHE_MS = 30_000

type ParsedList = CallOutput<'cases.list'>

export function serviceCalls(parts: StationParts) {
  let cached: Pick<ParsedList, 'readAt' | 'centerId'> & {
    readonly cases: readonly ServiceCase[]
    /** The service that it was read from: another one gives the same numbers to other cases. */
    readonly identity: ServiceClient['identity'] | null
  } = {
    cases: [],
    readAt: Number.NEGATIVE_INFINITY,
    centerId: null,
    identity: null,
  }

  const listCases = async ({
    search = '',
    refresh,
  }: ParsedInput<'cases.list'>): Promise<Result<ParsedList>> => {
    const { centerId } = parts.settings.current()
    const delivery = parts.delivery()
    if (!delivery) return noDeliveryFailure(parts)
    const { identity } = delivery
    const isCached =
      cached.identity === identity &&
      cached.centerId === centerId &&
      Math.abs(parts.ports.clock.now() - cached.readAt) < LIST_CACHE_MS
    if (!isCached || refresh) {
      const list = await delivery.ask(centerId, (client, signal) => client.listCases(signal))
      if (!list.ok) return list
      await delivery.learnFromList(centerId, list.value.cases)
      cached = { cases: list.value.cases, readAt: parts.ports.clock.now(), centerId, identity }
    }
    // Another call may read another list meanwhile, and the service be changed.
    const { cases, readAt } = cached
    const found: ListedCase[] = []
    await eachSlice(cases, (slice) => {
      found.push(
        ...withSubmissions(parts, slice, { ...identity, centerId }).filter((one) =>
          matchesSearch(one, search.trim()),
        ),
      )
    })
    return succeed({ items: found, readAt, centerId })
  }

  return {
    'cases.list': listCases,
    'cases.get': async ({ id }) => {
      const delivery = parts.delivery()
      if (!delivery) return noDeliveryFailure(parts)
      // The current center takes precedence: another one may use the same number.
      const current = parts.settings.current().centerId
      const ours = submissionOfCase(parts, id, current) ?? submissionOfCase(parts, id)
      const centerId = ours ? (parts.outbox.rowOf(ours.id)?.center_id ?? null) : current
      const found = await delivery.ask(centerId, (client, signal) => client.getCase(id, signal))
      if (!found.ok) return found
      const [shown] = withSubmissions(parts, [found.value], { ...delivery.identity, centerId })
      return shown === undefined ? fail(failureOf('notFound')) : succeed(shown)
    },
    'centers.list': async () => {
      const delivery = parts.delivery()
      if (!delivery) return noDeliveryFailure(parts)
      // Without a center: one that the service no longer knows must not hide the others.
      const centers = await delivery.askAnywhere((client, signal) => client.listCenters(signal))
      if (!centers.ok) return centers
      delivery.learnCenters(centers.value)
      return succeed({
        items: [...centers.value],
        centerId: parts.settings.current().centerId,
      })
    },
    'centers.change': (input) => changeCenter(parts, input),
    'service.test': async ({ service }) => {
      const current = parts.settings.current().service
      // A secret from a configuration file belongs to the service named there, which may differ from the current one.
      const candidate = service ?? (current && { ...current, clientSecret: undefined })
      // The stored secret belongs to the address that it was entered for and is sent to no other.
      if (service && service.clientSecret === undefined && service.baseUrl !== current?.baseUrl) {
        return refuse('badRequest', 'sending:settings.secretForAnother')
      }
      return candidate ? await testExclusively(parts, candidate) : fail(failureOf('serviceNotSet'))
    },
  } satisfies Partial<CallHandlers>
}

/** Our submission for an id of the service that is set now. */
function submissionOfCase(
  parts: StationParts,
  caseId: string,
  centerId?: string | null,
): { readonly id: string; readonly reference: string } | null {
  const identity = parts.delivery()?.identity
  if (!identity) return null
  const at = centerId === undefined ? identity : { ...identity, centerId }
  return parts.outbox.submissionByCase(caseId, at)
}

/** New cases go to the new center from now on; a center that the service does not list is refused. */
async function changeCenter(
  parts: StationParts,
  { centerId, ...decision }: ParsedInput<'centers.change'>,
): Promise<Result<CallOutput<'centers.change'>>> {
  const delivery = parts.delivery()
  const listed = delivery ? await delivery.askAnywhere((client, signal) => client.listCenters(signal)) : null
  const centers = listed?.ok === true ? listed.value : []
  delivery?.learnCenters(centers)
  if (centers.length > 0 && !centers.some((center) => center.centerId === centerId)) {
    return refuse('badRequest', 'call:center.notListed')
  }
  const updated = await parts.settings.update({ centerId })
  if (!updated.ok) return updated
  const sections = ['centerId']
  const facts = { sections, centerId, isListed: centers.length > 0 }
  auditDecision(parts, null, 'settingsChanged', stampNow(parts, decision), facts)
  await parts.applySettings(sections)
  return succeed({ centerId })
}

/** A test with the credentials of the running delivery must not interfere with it, so it uses a token of its own. */
async function testExclusively(
  parts: StationParts,
  service: NonNullable<ParsedInput<'service.test'>['service']>,
): Promise<Result<CallOutput<'service.test'>>> {
  const client = parts.openTestClient(service)
  const delivery = parts.delivery()
  const isSame =
    delivery?.identity.baseUrl === client.identity.baseUrl &&
    delivery.identity.clientId === client.identity.clientId
  const runTest = async (): Promise<Result<CallOutput<'service.test'>>> =>
    succeed(await testConnection(client))
  if (!delivery || !isSame) return await runTest()
  const tested = await delivery.runExclusive(runTest)
  // A person has just seen that signing in works: whatever waits for that need wait no longer.
  if (tested.ok && tested.value.signedIn.kind === 'passed') delivery.retryNow('person')
  return tested
}

/** Tests a service step by step, and closes its client. */
async function testConnection(client: ServiceClient): Promise<CallOutput<'service.test'>> {
  const succeeded = { kind: 'passed' } as const
  const skipped = { kind: 'notTried' } as const
  const untried = { signedIn: skipped, centersListed: skipped, centers: [] }
  try {
    const signedIn = await client.authorise({ isFresh: true })
    if (!signedIn.ok) {
      const failed = { kind: 'failed', failure: signedIn.failure } as const
      // A service that refuses a sign-in has been reached.
      const isReached = signedIn.failure.kind === 'signedOut' || signedIn.failure.kind === 'throttled'
      return isReached
        ? { ...untried, reachable: succeeded, signedIn: failed }
        : { ...untried, reachable: failed }
    }
    const centers = await client.listCenters()
    const signed = { reachable: succeeded, signedIn: succeeded }
    return centers.ok
      ? { ...signed, centersListed: succeeded, centers: [...centers.value] }
      : { ...signed, centersListed: { kind: 'failed', failure: centers.failure }, centers: [] }
  } finally {
    await client.close()
  }
}

/** Why there is no delivery: no service is set, or safe mode keeps it closed. */
function noDeliveryFailure(parts: StationParts): Result<never> {
  const { mode } = parts.status()
  return fail(failureOf(mode.kind === 'paused' && mode.why === 'safeMode' ? 'safeMode' : 'serviceNotSet'))
}

function matchesSearch(one: ListedCase, search: string): boolean {
  const { caseId, state, historyNumber, firstName, lastName, visitDate, reference } = one
  const text = [caseId, state, historyNumber, firstName, lastName, visitDate, reference].join(' ')
  const terms = search.toLowerCase().split(/\s+/)
  return terms.every((term) => text.toLowerCase().includes(term))
}

/** Cases of a service with our submissions; one may be listed under another id than it was received with. */
function withSubmissions(
  parts: StationParts,
  cases: readonly ServiceCase[],
  at: Destination,
): readonly ListedCase[] {
  const ours = parts.outbox.submissionsByCase(cases.flatMap(idsOf), at)
  return cases.map((one) => {
    const own = idsOf(one).flatMap((id) => ours.get(id) ?? [])[0]
    return {
      ...one,
      submissionId: own?.id ?? null,
      reference: own?.reference ?? null,
      sentAt: own?.sentAt ?? null,
      hasReport: own !== undefined && parts.outbox.hasReportOf(own.id),
    }
  })
}

export function reportCalls(parts: StationParts) {
  const { outbox } = parts
  return {
    'reports.list': (query) =>
      Promise.resolve(
        succeed({ items: outbox.listReports(query), awaiting: outbox.countReports().awaiting }),
      ),
    'reports.awaiting': (query) => Promise.resolve(succeed({ items: outbox.pendingReports(query) })),
    'reports.get': async ({ caseId, submissionId }) => {
      const rows = outbox.reportVersionsOf(caseId, submissionId)
      const [latest] = rows
      if (!latest) return fail(failureOf(outbox.awaitsReport(caseId, submissionId) ? 'notReady' : 'notFound'))
      const versions = await Promise.all(rows.map((row) => withContent(parts, row)))
      const { submission_id: owner } = latest
      const [listed] = outbox.listReports({ submissionId: owner })
      return succeed({ caseId, submissionId: owner, sentWrongly: listed?.sentWrongly, versions })
    },
    'reports.markRead': ({ caseId, submissionId, isRead }) => {
      outbox.markReportRead(caseId, isRead ? parts.ports.clock.now() : null, submissionId)
      parts.emitStatus()
      return Promise.resolve(succeed({}))
    },
    'reports.markDone': inOneCommit(
      parts,
      ({ outbox }, { caseId, submissionId, version, what, by }, stamp) => {
        const [latest] = outbox.reportVersionsOf(caseId, submissionId)
        if (!latest) return fail(failureOf('notFound'))
        const { submission_id: owner } = latest
        const [listed] = outbox.listReports({ submissionId: owner })
        // A newer version has come, or another window has answered.
        if (latest.id !== version || (what !== null && listed?.done)) return fail(failureOf('changed'))
        outbox.markReportDone(owner, what && { what, by, at: stamp.at })
        auditDecision(parts, owner, what ?? 'reportReopened', stamp)
        return succeed({})
      },
    ),
    'reports.check': () => {
      outbox.checkMissingNow(parts.ports.clock.now())
      parts.reports.wake()
      return Promise.resolve(succeed({}))
    },
  } satisfies Partial<CallHandlers>
}

/** JSON, text and links travel inline; HTML is hostile until it is sandboxed, and the rest is bytes. */
async function withContent(parts: StationParts, row: ReportVersionRow): Promise<ReportVersion> {
  const version: ReportVersion = {
    id: row.id,
    kind: reportKindSchema.catch('unknown').parse(row.kind),
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    fetchedAt: row.fetched_at,
  }
  if (row.kind !== 'json' && row.kind !== 'text' && row.kind !== 'link') return version
  const text = await readFile(join(parts.reportsFolder, row.file_name), 'utf8')
  return row.kind === 'json' ? { ...version, json: JSON.parse(text) as unknown } : { ...version, text }
}

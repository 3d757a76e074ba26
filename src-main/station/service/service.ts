/** The client of the case submission service. */
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import { worded } from '../../../src-shared/wording.ts'
import type { Clock, Ports, Proxies } from '../ports.ts'
import { openConnections, readServiceAddress, type ServiceAddress } from './http.ts'
import { listCases, readCase, saysNoCase } from './cases.ts'
import { readCenters } from './centers.ts'
import type { RawAnswer, ServiceClient } from './client.ts'
import { createClockWatch, createExchange, READ_TIMEOUT_MS } from './exchange.ts'
import { readJson, saysFailure } from './answers.ts'
import { type Endpoint, failureFromAnswer, isHtmlPage } from './failures.ts'
import { createRequestWithToken, postCase } from './post-case.ts'
import { getReport } from './reports.ts'
import { createTokens, requestToken } from './tokens.ts'

type ServiceClientOptions = {
  readonly settings: { readonly baseUrl: string; readonly clientId: string }
  /** The secret as issued; null if none is stored. Read for every new token and never cached. */
  readonly readSecret: () => Promise<string | null>
  readonly proxies: Proxies
  readonly clock: Clock
  /** The station's version, for `User-Agent`. */
  readonly version: string
  /** A difference between the two clocks appeared or disappeared. */
  readonly onClockChanged?: () => void
}

const MEBIBYTE = 1_024 * 1_024
const MAX_JSON_BYTES = 16 * MEBIBYTE
const MAX_REPORT_BYTES = 64 * MEBIBYTE

/** On a clinic's line a report of that size takes longer than a list. */
const REPORT_TIMEOUT_MS = 5 * MINUTE
const REPORT_ACCEPT = 'application/json, application/pdf;q=0.9, */*;q=0.5'

/**
 * Opens a client for one service; the caller closes it. With an unusable address, every call fails and says so.
 */
export function openServiceClient(options: ServiceClientOptions): ServiceClient {
  const address = readServiceAddress(options.settings.baseUrl)
  return address === null ? createRefusingClient(options.settings) : openClientOf(address, options)
}

function openClientOf(address: ServiceAddress, options: ServiceClientOptions): ServiceClient {
  const { settings, clock } = options
  const closing = new AbortController()
  const connections = openConnections(address, options.proxies)
  const clockWatch = createClockWatch(clock, () => options.onClockChanged?.())
  const exchange = createExchange({ connections, clock, clockWatch, closing: closing.signal })
  const headers = { accept: 'application/json', 'user-agent': `FundusCourier/${options.version}` }
  const tokens = createTokens({
    clock,
    take: () =>
      requestToken({
        exchange,
        clock,
        url: address.endpoint('authorize'),
        headers,
        clientId: settings.clientId,
        readSecret: options.readSecret,
      }),
  })
  const requestWithToken = createRequestWithToken({ exchange, tokens, clock })
  const get = (endpoint: Endpoint, url: URL, signal: AbortSignal | undefined): Promise<Result<RawAnswer>> =>
    requestWithToken(endpoint, {
      method: 'GET',
      url,
      headers,
      maxBytes: MAX_JSON_BYTES,
      totalMs: READ_TIMEOUT_MS,
      signal,
    })
  const failed = (endpoint: Endpoint, answer: RawAnswer): Result<never> =>
    fail(failureFromAnswer(endpoint, answer, clock.now()))

  return {
    identity: { baseUrl: address.base, clientId: settings.clientId },
    tokenNumber: () => tokens.number(),
    clockReading: () => clockWatch.reading(),
    authorise: async ({ isFresh, signal }) => {
      const token = isFresh ? await tokens.replace(tokens.number(), signal) : await tokens.acquire({ signal })
      return token.ok ? succeed(null) : token
    },
    listCases: (signal) =>
      listCases(
        address,
        (url) => get('cases', url, signal),
        (answer) => failed('cases', answer),
      ),
    getCase: async (caseId, signal) => {
      if (!isPathSegment(caseId)) return fail(failureOf('notFound'))
      const answer = await get('case', address.endpoint('cases', caseId), signal)
      if (!answer.ok) return answer
      const value = jsonOfSuccess(answer.value)
      const found = value === null ? null : readCase(value.value, caseId)
      if (found !== null) return succeed(found)
      return value !== null && saysNoCase(value.value)
        ? fail(failureOf('notFound', { status: answer.value.status }))
        : failed('case', answer.value)
    },
    getReport: async (caseId, signal) => {
      if (!isPathSegment(caseId)) return fail(failureOf('notFound'))
      const ask = (url: URL): Promise<Result<RawAnswer>> =>
        requestWithToken('report', {
          method: 'GET',
          url,
          headers: { ...headers, accept: REPORT_ACCEPT },
          maxBytes: MAX_REPORT_BYTES,
          totalMs: REPORT_TIMEOUT_MS,
          signal,
        })
      return await getReport(address, caseId, ask, (answer) => failed('report', answer))
    },
    listCenters: async (signal) => {
      const answer = await get('centers', address.endpoint('centers'), signal)
      if (!answer.ok) return answer
      const value = jsonOfSuccess(answer.value)
      const centers = value === null ? null : readCenters(value.value)
      return centers === null ? failed('centers', answer.value) : succeed(centers)
    },
    changeCenter: async (centerId, signal) => {
      const answer = await requestWithToken('center', {
        method: 'POST',
        url: address.endpoint('change-center'),
        headers,
        form: new URLSearchParams({ center_id: centerId }),
        maxBytes: MAX_JSON_BYTES,
        totalMs: READ_TIMEOUT_MS,
        signal,
      })
      if (!answer.ok) return answer
      const isRefused = isHtmlPage(answer.value) || saysFailure(readJson(answer.value.body)?.value)
      const isDone = isSuccess(answer.value) && !isRefused
      return isDone ? succeed(null) : failed('center', answer.value)
    },
    postCase: (post) =>
      postCase(
        {
          connections,
          tokens,
          clock,
          clockWatch,
          url: address.endpoint('cases'),
          headers,
          closing: closing.signal,
        },
        post,
      ),
    close: async () => {
      closing.abort()
      await connections.close()
    },
  }
}

/** `.` and `..` are steps in a path, never ids. */
function isPathSegment(caseId: string): boolean {
  return caseId !== '' && caseId !== '.' && caseId !== '..'
}

/** For an unusable address: every call fails and nothing is sent. */
function createRefusingClient(settings: ServiceClient['identity']): ServiceClient {
  const failure = failureOf('wrongAddress', worded('sending:service.addressUnusable'))
  const refuse = (): Promise<Result<never>> => Promise.resolve(fail(failure))
  return {
    identity: { baseUrl: settings.baseUrl, clientId: settings.clientId },
    tokenNumber: () => 0,
    clockReading: () => ({ kind: 'unknown' }),
    authorise: refuse,
    listCases: refuse,
    getCase: refuse,
    getReport: refuse,
    listCenters: refuse,
    changeCenter: refuse,
    postCase: ({ body }) =>
      Promise.resolve({
        handedOverBytes: 0,
        requestBytes: body.contentLength,
        answer: null,
        caseId: null,
        failure,
        saysTokenEnded: false,
      }),
    close: () => Promise.resolve(),
  }
}

function isSuccess(answer: RawAnswer): boolean {
  return answer.status >= 200 && answer.status < 300
}

function jsonOfSuccess(answer: RawAnswer): { readonly value: unknown } | null {
  return isSuccess(answer) ? readJson(answer.body) : null
}

/** A client for a service, with the secret that the settings give or, if they give none, the one that is stored. */
export function openClientFor(
  ports: Pick<Ports, 'clock' | 'proxies' | 'version'>,
  service: ServiceSettings,
  readStoredSecret: (baseUrl: string) => Promise<string | null>,
  /** The clocks of both sides were found to differ, or no longer do. */
  onClockChanged: () => void = () => undefined,
): ServiceClient {
  const { baseUrl, clientId, clientSecret } = service
  return openServiceClient({
    settings: { baseUrl, clientId },
    readSecret: () =>
      clientSecret === undefined ? readStoredSecret(baseUrl) : Promise.resolve(clientSecret),
    proxies: ports.proxies,
    clock: ports.clock,
    version: ports.version,
    onClockChanged,
  })
}

/** The client of the case submission service. */
import { MINUTE } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import { createSignal } from '../lib/part.ts'
import type { Ports } from '../ports.ts'
import { openConnections, openDeadline, readServiceAddress } from './http.ts'
import { listCases, type ListReading, openListReader, type ReadLongPage } from './case-lists.ts'
import { readCase, readCenters, saysNoCase } from './cases.ts'
import type { Heard, RawAnswer, ServiceClient } from './client.ts'
import { createClockWatch, createExchange, createTokens, type HttpRequest, requestToken } from './exchange.ts'
import { isSuccess, jsonOfSuccess, readJson, saysFailure, saysProgramError } from './answers.ts'
import {
  type Endpoint,
  failureFromAnswer,
  failureFromError,
  heardFrom,
  isAboutToken,
  isHtmlPage,
} from './failures.ts'
import { postCase } from './post-case.ts'
import { getReport } from './reports.ts'

const MAX_REPORT_BYTES = 64 * 1_024 * 1_024

/** On a clinic's line a report of that size takes longer than a list. */
const REPORT_TIMEOUT_MS = 5 * MINUTE
const REPORT_ACCEPT = 'application/json, application/pdf;q=0.9, */*;q=0.5'

type ClientPorts = Pick<Ports, 'clock' | 'logger' | 'proxies' | 'version'> & {
  readonly readLongPage: ReadLongPage
}

/**
 * Opens a client for one service; the caller closes it. The secret of the
 * settings, or the stored one, is read for every new token and never cached. `onClockChanged`: whether the clocks
 * differ has changed.
 */
export function openServiceClient(
  { clock, logger, proxies, version, readLongPage }: ClientPorts,
  { baseUrl, clientId, clientSecret }: Pick<ServiceSettings, 'baseUrl' | 'clientId' | 'clientSecret'>,
  readStoredSecret: (baseUrl: string) => Promise<string | null>,
  onClockChanged: () => void = () => undefined,
): ServiceClient {
  const address = readServiceAddress(baseUrl)
  const closing = new AbortController()
  const connections = openConnections(address, proxies)
  const lists = openListReader({ readLongPage, clock, logger })
  const clockWatch = createClockWatch(clock, onClockChanged)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `FundusCourier/${version}`,
  }
  const parts = { connections, headers, clock, clockWatch, closing: closing.signal }
  const exchange = createExchange(parts)
  const readSecret = async (): Promise<string | null> => clientSecret ?? (await readStoredSecret(baseUrl))
  const url = address.endpoint('authorize')
  const heard = createSignal<[Heard]>()
  const take = async () => {
    const token = await requestToken({ exchange, clock, url, clientId, readSecret })
    // A token is no answer to a question yet.
    if (!token.ok) heard.emit({ failure: token.failure, isSignIn: isSignInRefused(token.failure) })
    return token
  }
  const tokens = createTokens({ clock, take })
  const failed = (endpoint: Endpoint, answer: RawAnswer): Result<never> =>
    fail(failureFromAnswer(endpoint, answer, clock.now()))
  /** A list that is not wanted any more is not waited for. */
  const readList = async (answer: RawAnswer, signal: AbortSignal | undefined): Promise<ListReading> => {
    const deadline = openDeadline(clock, [signal, closing.signal])
    try {
      return await deadline.race(lists.read(answer))
    } catch (error) {
      return { kind: 'noList', failure: failureFromError(error), isAboutToken: false, heard: undefined }
    } finally {
      deadline.dispose()
    }
  }
  /** What an answer says of the token and of the service; of a list of cases, which may be long, what was read with it. */
  const assess = async (
    endpoint: Endpoint,
    answer: RawAnswer,
    signal: AbortSignal | undefined,
  ): Promise<Pick<ListReading, 'isAboutToken' | 'heard'>> =>
    endpoint === 'cases'
      ? readList(answer, signal)
      : { isAboutToken: isAboutToken(answer), heard: heardFrom(endpoint, succeed(answer), clock.now()) }
  /** If the service refuses the token, the request is repeated once with a new one. A second refusal is a failure. */
  const ask = async (endpoint: Endpoint, request: HttpRequest): Promise<Result<RawAnswer>> => {
    const token = await tokens.acquire({ signal: request.signal })
    if (!token.ok) return token
    const first = await exchange({ ...request, token: token.value.value })
    if (!first.ok || !(await assess(endpoint, first.value, request.signal)).isAboutToken) return first
    const fresh = await tokens.replace(token.value.number, request.signal)
    if (!fresh.ok) return fresh
    const second = await exchange({ ...request, token: fresh.value.value })
    return second.ok && (await assess(endpoint, second.value, request.signal)).isAboutToken
      ? failed(endpoint, second.value)
      : second
  }
  const requestWithToken = async (endpoint: Endpoint, request: HttpRequest): Promise<Result<RawAnswer>> => {
    const asked = await ask(endpoint, request)
    const failure = asked.ok
      ? (await assess(endpoint, asked.value, request.signal)).heard
      : heardFrom(endpoint, asked, clock.now())
    if (failure !== undefined) heard.emit({ failure, isSignIn: false })
    return asked
  }
  const get = (endpoint: Endpoint, url: URL, signal: AbortSignal | undefined): Promise<Result<RawAnswer>> =>
    requestWithToken(endpoint, { url, signal })

  return {
    identity: { baseUrl: address.base, clientId },
    tokenNumber: () => tokens.number(),
    clockReading: () => clockWatch.reading(),
    onHeard: (listener) => heard.subscribe(listener),
    authorise: async ({ isFresh, signal }) => {
      const token = isFresh ? await tokens.replace(tokens.number(), signal) : await tokens.acquire({ signal })
      return token.ok ? succeed(null) : token
    },
    listCases: (signal) =>
      listCases(
        address,
        (url) => get('cases', url, signal),
        (answer) => readList(answer, signal),
      ),
    getCase: async (caseId, signal) => {
      if (!isPathSegment(caseId)) return fail(failureOf('notFound'))
      const answer = await get('case', address.endpoint('cases', caseId), signal)
      if (!answer.ok) return answer
      const value = jsonOfSuccess(answer.value)
      const found = value === null ? null : readCase(value.value, caseId)
      if (found !== null) return succeed(found)
      return value?.hasOtherText === false && saysNoCase(value.value)
        ? fail(failureOf('notFound', { status: answer.value.status }))
        : failed('case', answer.value)
    },
    getReport: async (caseId, signal) => {
      if (!isPathSegment(caseId)) return fail(failureOf('notFound'))
      const askFor = (url: URL): Promise<Result<RawAnswer>> =>
        requestWithToken('report', {
          url,
          accept: REPORT_ACCEPT,
          isForDocument: true,
          maxBytes: MAX_REPORT_BYTES,
          totalMs: REPORT_TIMEOUT_MS,
          signal,
        })
      return await getReport(address, caseId, askFor, (answer) => failed('report', answer))
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
        url: address.endpoint('change-center'),
        form: new URLSearchParams({ center_id: centerId }),
        signal,
      })
      if (!answer.ok) return answer
      const json = readJson(answer.value.body)
      const isOther = isHtmlPage(answer.value) || (json === null && saysProgramError(answer.value.body))
      const isRefused = isOther || saysFailure(json?.value)
      const isDone = isSuccess(answer.value) && !isRefused
      return isDone ? succeed(null) : failed('center', answer.value)
    },
    postCase: (post) => postCase({ ...parts, tokens, url: address.endpoint('cases') }, post),
    close: async () => {
      closing.abort()
      lists.close()
      await connections.close()
    },
  }
}

/** Did the service itself refuse? A secret that is missing or locked away here costs nothing to try again. */
function isSignInRefused({ kind, status }: Failure): boolean {
  return kind === 'signedOut' && status !== undefined
}

/** `.` and `..` are steps in a path, never ids. */
function isPathSegment(caseId: string): boolean {
  return caseId !== '' && caseId !== '.' && caseId !== '..'
}

/**
 * Translates errors and answers to failures; the only file that knows error codes. Measured with undici 8 on
 * HTTP/1.1: a code may be a string, a number or missing, and is the same whether or not anything arrived. So a
 * failure says what happened, never whether a case was delivered.
 */
import { HOUR } from '../../../src-shared/durations.ts'
import {
  type Failure,
  type FailureKind,
  failureKindSchema,
  failureOf,
  OF_THE_SERVICE,
  type Result,
} from '../../../src-shared/failure.ts'
import { type Message, worded, wordingOf } from '../../../src-shared/wording.ts'
import { errorCode } from '../lib/errors.ts'
import type { RawAnswer } from './client.ts'
import {
  isHtml,
  namesIncident,
  notBeforeOf,
  readFailureText,
  readJson,
  saysFailure,
  saysProgramError,
} from './answers.ts'
import { BodyError, StoppedError, type StopReason } from './http.ts'

const CODES_BY_KIND: Partial<Readonly<Record<FailureKind, string>>> = {
  // No route from here: DNS, network, or a firewall on this computer.
  offline:
    'ENOTFOUND EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME ENODATA ESERVFAIL ENETUNREACH ENETDOWN EHOSTUNREACH ' +
    'EHOSTDOWN EADDRNOTAVAIL ENONET EACCES EPERM UND_ERR_PRX_CONN UND_ERR_SOCKS5 ERR_PROXY_NOT_USABLE',
  // The other side exists but does not answer.
  notAnswering:
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT ENOTCONN UND_ERR_CONNECT_TIMEOUT ' +
    'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT UND_ERR_SOCKET UND_ERR_ABORTED UND_ERR_INFO ' +
    'UND_ERR_DESTROYED UND_ERR_CLOSED',
  // It answers, but not with a usable HTTP answer.
  answerUnreadable:
    'UND_ERR_HEADERS_OVERFLOW UND_ERR_RES_EXCEEDED_MAX_SIZE UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  // It does not speak TLS.
  wrongAddress:
    'ERR_SSL_WRONG_VERSION_NUMBER ERR_SSL_PACKET_LENGTH_TOO_LONG ERR_SSL_HTTP_REQUEST ERR_INVALID_URL',
  // Certificate errors of OpenSSL, and undici's for a proxy.
  notTrusted:
    'DEPTH_ZERO_SELF_SIGNED_CERT SELF_SIGNED_CERT_IN_CHAIN INVALID_CA INVALID_PURPOSE HOSTNAME_MISMATCH ' +
    'PATH_LENGTH_EXCEEDED CRL_HAS_EXPIRED EPROTO UND_ERR_PRX_TLS',
  imageDamaged: 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
}

const KIND_BY_CODE: ReadonlyMap<string, FailureKind> = new Map(
  failureKindSchema.options.flatMap((kind) =>
    (CODES_BY_KIND[kind]?.split(' ') ?? []).map((code) => [code, kind]),
  ),
)

/** A spooled file cannot be read for the moment: too many open files, or held by a virus scanner. */
const TRANSIENT_FILE_CODES = new Set(['EMFILE', 'ENFILE', 'EBUSY', 'EPERM', 'EACCES', 'EAGAIN', 'ENOMEM'])

/** DOMException uses numeric codes: 23 is TimeoutError, 20 AbortError, 0 a blob that changed on disk. */
const KIND_BY_NAME: ReadonlyMap<string, FailureKind> = new Map<string, FailureKind>([
  ['TimeoutError', 'notAnswering'],
  ['AbortError', 'interrupted'],
  ['NotReadableError', 'imageDamaged'],
  ['HTTPParserError', 'answerUnreadable'],
])

function failureOfStop(reason: StopReason): Failure {
  switch (reason) {
    case 'cancelled':
      return failureOf('interrupted', worded('sending:service.stoppedHere'))
    case 'stalled':
      return failureOf('interrupted', worded('sending:service.stalled'))
    case 'timeOver':
    case 'notConnected':
      return failureOf('notAnswering')
  }
}

const proxyRefuses = (): Failure => failureOf('offline', worded('sending:service.proxyRefuses'))
const DATE_CODES = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])

/** Classifies an error of the network, TLS, a proxy or the spool. The failure contains no text of the error. */
export function failureFromError(error: unknown): Failure {
  const chain = chainOf(error)
  for (const link of chain) {
    if (link instanceof StoppedError) return failureOfStop(link.reason)
    if (link instanceof BodyError) return failureFromFile(link.cause)
  }
  const proxyStatus = chain.map(proxyRefusalStatus).find((status) => status !== null)
  if (proxyStatus !== undefined) return proxyStatus === 407 ? failureOf('proxySignIn') : proxyRefuses()
  for (const link of chain) {
    const code = errorCode(link)
    const found = code === undefined ? undefined : (KIND_BY_CODE.get(code) ?? kindOfFamily(code))
    if (found !== undefined) return withMessage(found, code)
  }
  for (const link of chain) {
    const found = KIND_BY_NAME.get(textOf(link, 'name'))
    if (found !== undefined) return failureOf(found)
  }
  return failureOf('internal')
}

/** The body could not be read: the file is missing, changed or broken, unless the error is transient. */
function failureFromFile(cause: unknown): Failure {
  const isTransient = chainOf(cause).some((link) => TRANSIENT_FILE_CODES.has(errorCode(link) ?? ''))
  return failureOf(isTransient ? 'interrupted' : 'imageDamaged')
}

function withMessage(found: FailureKind, code: string | undefined): Failure {
  if (code !== undefined && DATE_CODES.has(code))
    return failureOf(found, worded('sending:service.certificateDate'))
  if (code?.startsWith('ERR_PROXY_') === true) return proxyRefuses()
  return failureOf(found)
}

/** Families of codes: OpenSSL's alerts, Node's TLS errors, the HTTP parser's errors. */
function kindOfFamily(code: string): FailureKind | undefined {
  if (/^(?:ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|ERR_OSSL_)/.test(code)) return 'notTrusted'
  return code.startsWith('HPE_') ? 'answerUnreadable' : undefined
}

/** undici reports a refusal by a proxy as an abort, or as an invalid argument if there is no tunnel. */
function proxyRefusalStatus(error: unknown): number | null {
  const code = errorCode(error)
  if (code !== 'UND_ERR_ABORTED' && code !== 'UND_ERR_INVALID_ARG') return null
  const status = /^proxy .*\((\d{3})\)/i.exec(textOf(error, 'message'))?.[1]
  return status === undefined ? null : Number(status)
}

/** The error, its causes and the errors of an AggregateError, nearest first and bounded. */
function chainOf(error: unknown): unknown[] {
  const chain: unknown[] = [error]
  for (let index = 0; index < chain.length && chain.length < 16; index++) {
    const link = chain[index]
    if (typeof link !== 'object' || link === null) continue
    if ('cause' in link && link.cause !== undefined) chain.push(link.cause)
    if ('errors' in link && Array.isArray(link.errors)) chain.push(...link.errors.slice(0, 4))
  }
  return chain
}

function textOf(value: unknown, field: 'name' | 'message'): string {
  if (typeof value !== 'object' || value === null || !(field in value)) return ''
  const text: unknown = Reflect.get(value, field)
  return typeof text === 'string' ? text : ''
}

/** The same status means different things on different endpoints. */
export type Endpoint = 'token' | 'newCase' | 'cases' | 'case' | 'report' | 'centers' | 'center'

const TOKEN_PATTERN =
  /\btokens?\b|\bjwt\b|\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:logged|signed) in\b|\bsession (?:has )?(?:expired|ended)\b|\bno (?:autori[sz]ad|autenticad)|\bsesi[oó]n (?:ha )?(?:expirad|caducad)/i

/** A program that could not read something calls a token what it stumbled over, perhaps after it has stored the case. */
const STUMBLED_PATTERN =
  /\b(?:unexpected|syntax|parse|parsing|illegal|unknown)\b[^.]{0,60}\btokens?\b|\btokens?\b[^.]{0,20}\bin json\b/i

function namesToken(body: Uint8Array): boolean {
  const text = readFailureText(body) ?? ''
  return TOKEN_PATTERN.test(text) && !STUMBLED_PATTERN.test(text)
}

/** Does the service say, by status or in its text, that it does not accept the token? */
export function isAboutToken(answer: RawAnswer): boolean {
  if (answer.status === 401 || answer.status === 403) return true
  const saysNo = answer.status === 400 || (answer.status < 300 && saysFailure(readJson(answer.body)?.value))
  return saysNo && namesToken(answer.body)
}

/** The service itself says so: then it took no case. A bare 403, a page or an incident may come from a proxy after it. */
export function saysTokenEnded(answer: RawAnswer): boolean {
  const isSpeaking = readJson(answer.body) !== null && !namesIncident(answer.body)
  if (answer.status === 401) return isSpeaking || answer.headers['www-authenticate'] !== undefined
  return isSpeaking && namesToken(answer.body)
}

/** Is it a web page instead of JSON: a captive portal, a login, some other site? */
export function isHtmlPage(answer: RawAnswer): boolean {
  if (saysProgramError(answer.body)) return false
  const start = new TextDecoder('utf-8').decode(answer.body.subarray(0, 65_536))
  return (
    isHtml(start) || (/html/i.test(answer.headers['content-type'] ?? '') && readJson(answer.body) === null)
  )
}

/** Classifies an unsuccessful answer, with the service's own text. `now` is epoch milliseconds. */
export function failureFromAnswer(endpoint: Endpoint, answer: RawAnswer, now: number): Failure {
  const failure = failureByStatus(endpoint, answer)
  const serviceText = readFailureText(answer.body)
  const notBefore = isThrottled(answer) ? notBeforeOf(answer, now) : null
  return {
    ...failure,
    ...longWaitMessage(notBefore, now),
    status: answer.status,
    ...(serviceText === null ? {} : { serviceSaid: serviceText }),
    ...(notBefore === null ? {} : { notBefore }),
  }
}

/** A wait of hours may be a mistake of the service: it is respected, but the message questions it. */
function longWaitMessage(notBefore: number | null, now: number): Partial<Message> {
  if (notBefore === null || notBefore - now <= HOUR) return {}
  // Local time for a person: 2026-11-21 14:05.
  const until = new Date(notBefore).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
  const hours = Math.round((notBefore - now) / HOUR)
  const length =
    hours < 2
      ? wordingOf('sending:service.longWaitOverHour')
      : wordingOf('sending:service.longWaitHours', { hours })
  return worded('sending:service.longWait', { length, until })
}

/** Beyond this size an answer is data, and is not read twice. */
const MAX_REFUSAL_BYTES = 65_536

/** Null for a readable answer, or its failure; undefined if unknown: ended here, or a page that may be a report. */
export function heardFrom(
  endpoint: Endpoint,
  asked: Result<RawAnswer>,
  now: number,
): Failure | null | undefined {
  if (!asked.ok) {
    const { kind, status } = asked.failure
    return OF_THE_SERVICE.includes(kind) ? asked.failure : status === undefined ? undefined : null
  }
  const answer = asked.value
  const isData = answer.body.byteLength > MAX_REFUSAL_BYTES && !isHtmlPage(answer)
  const isJson = isData || answer.status === 204 || readJson(answer.body) !== null
  const isReport = endpoint === 'report' && answer.status < 300
  if (answer.status < 300 && isJson && !saysFailure(readSmall(answer))) return null
  if (isReport) return isHtmlPage(answer) ? undefined : null
  const failure = failureFromAnswer(endpoint, answer, now)
  return OF_THE_SERVICE.includes(failure.kind) ? failure : isJson ? null : undefined
}

function readSmall({ body }: RawAnswer): unknown {
  return body.byteLength > MAX_REFUSAL_BYTES ? null : readJson(body)?.value
}

function failureByStatus(endpoint: Endpoint, answer: RawAnswer): Failure {
  const { status } = answer
  if (status === 429 || (status === 503 && isThrottled(answer))) return failureOf('throttled')
  // From the network itself, such as a guest network that requires a sign-in (RFC 6585 6).
  if (status === 511) return failureOf('wrongAddress', worded('sending:service.portal'))
  if (status >= 500 || status === 408 || status === 425) return failureOf('notAnswering')
  if (status === 407) return failureOf('proxySignIn')
  if (status >= 300 && status < 400) return movedFailure(answer) ?? wrongAddress(endpoint)
  const isOfNewCase = endpoint === 'newCase'
  // After a complete post its words are kept, and nothing is concluded from them.
  if (status < 300 && !isOfNewCase && readJson(answer.body) === null && saysProgramError(answer.body))
    return failureOf('notAnswering', worded('sending:service.programError'))
  if (endpoint === 'token') return tokenFailure(answer)
  if (status < 300) return failureInside(endpoint, answer)
  const isOfOneCase = endpoint === 'case' || endpoint === 'report'
  // A 403 for one case under a new token concerns that case only: other cases and the queue go on.
  if (isAboutToken(answer)) return status === 403 && isOfOneCase ? refusal(endpoint) : failureOf('signedOut')
  if (status === 413) return failureOf('tooLarge')
  if (status === 404 || status === 405 || status === 410) return notFoundFailure(endpoint, answer)
  return refusal(endpoint)
}

/** A 503 counts only if it names a time. */
function isThrottled(answer: RawAnswer): boolean {
  return answer.status === 429 || (answer.status === 503 && answer.headers['retry-after'] !== undefined)
}

/** `POST /authorize` refuses with 400 (RFC 6749 5.2), 401, 403 or with a text under 200. */
function tokenFailure(answer: RawAnswer): Failure {
  if (answer.status === 404 || answer.status === 405 || answer.status === 410)
    return failureOf('wrongAddress')
  if (answer.status >= 400) return failureOf('signedOut')
  if (isHtmlPage(answer)) return failureOf('wrongAddress')
  return failureOf(saysFailure(readJson(answer.body)?.value) ? 'signedOut' : 'answerUnreadable')
}

function failureInside(endpoint: Endpoint, answer: RawAnswer): Failure {
  if (saysFailure(readJson(answer.body)?.value))
    return isAboutToken(answer) ? failureOf('signedOut') : refusal(endpoint)
  // After a complete post, a web page is merely an answer without an id: assume nothing from it.
  if (endpoint === 'newCase')
    return isServicesOwn(answer) ? failureOf('answerUnreadable') : answeredInstead(answer)
  return isHtmlPage(answer) ? failureOf('wrongAddress') : failureOf('answerUnreadable')
}

/** JSON that names no incident, or nothing. */
function isServicesOwn({ body }: RawAnswer): boolean {
  return body.byteLength === 0 || (readJson(body) !== null && !namesIncident(body))
}

/** A firewall, a portal or a broken program answers with a success: in its own words, which hold the number to ask for. */
function answeredInstead(answer: RawAnswer): Failure {
  const quote = readFailureText(answer.body)
  return failureOf(
    'answerUnreadable',
    quote === null ? {} : worded('sending:service.answeredInstead', { quote }),
  )
}

/** The longest address that is shown. */
const MAX_ADDRESS = 200

/** Null without an address. A query may name a patient, and what stands before an @ a password: neither is shown. */
function movedFailure({ headers: { location = '' } }: RawAnswer): Failure | null {
  const isWhole = URL.canParse(location)
  if (!isWhole && !/^\/[^\s]*$/.test(location)) return null
  const url = new URL(location, 'https://service.invalid')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null
  const own = isWhole && url.host !== 'service.invalid' ? url.origin : ''
  const base = /^(.*)\/(?:authorize|cases|centers|change-center)$/.exec(url.pathname)?.[1]
  const address = `${own}${own !== '' && base !== undefined ? base : url.pathname}`.slice(0, MAX_ADDRESS)
  const key = own !== '' && base !== undefined ? 'sending:service.moved' : 'sending:service.movedWithin'
  return failureOf('wrongAddress', worded(key, { address }))
}

function notFoundFailure(endpoint: Endpoint, answer: RawAnswer): Failure {
  if (endpoint === 'case' || endpoint === 'report') return failureOf('notFound')
  if (endpoint === 'center') return refusal(endpoint)
  const isServiceSpeaking = readJson(answer.body) !== null && readFailureText(answer.body) !== null
  return endpoint === 'newCase' && isServiceSpeaking ? refusal(endpoint) : wrongAddress(endpoint)
}

function wrongAddress(endpoint: Endpoint): Failure {
  return failureOf('wrongAddress', endpoint === 'newCase' ? worded('sending:service.notTheService') : {})
}

function refusal(endpoint: Endpoint): Failure {
  if (endpoint === 'newCase') return failureOf('serviceRefused')
  if (endpoint === 'center') return failureOf('centerNotChanged')
  return failureOf('serviceRefused', worded('sending:service.questionRefused'))
}

import { HOUR } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { isHtml } from './plain-text.ts'
import { readFailureText } from './read-failure-text.ts'
import { readJson } from './read-json.ts'
import { notBeforeOf } from './retry-after.ts'
import { saysFailure } from './says-failure.ts'
import type { RawAnswer } from './service-client.ts'

/** What was asked: the same status means different things to different questions. */
export type Endpoint = 'token' | 'newCase' | 'cases' | 'case' | 'report' | 'centers' | 'center'

const TOKEN_PATTERN =
  /\btokens?\b|\bjwt\b|\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:logged|signed) in\b|\bsession (?:has )?(?:expired|ended)\b|\bno (?:autori[sz]ad|autenticad)|\bsesi[oó]n (?:ha )?(?:expirad|caducad)/i

/** Whether the service says, by status or in words, that the token is not accepted. */
export function isAboutToken(answer: RawAnswer): boolean {
  if (answer.status === 401 || answer.status === 403) return true
  const saysNo = answer.status === 400 || (answer.status < 300 && saysFailure(readJson(answer.body)?.value))
  return saysNo && TOKEN_PATTERN.test(readFailureText(answer.body) ?? '')
}

/**
 * Whether the service itself says that the token has ended: such a case was provably not taken. A bare 403, or a page,
 * may come from something on the way that saw only the answer.
 */
export function saysTokenEnded(answer: RawAnswer): boolean {
  const isSpeaking = readJson(answer.body) !== null
  if (answer.status === 401) return isSpeaking || answer.headers['www-authenticate'] !== undefined
  return isSpeaking && TOKEN_PATTERN.test(readFailureText(answer.body) ?? '')
}

/** Whether a web page came where JSON was asked for: a captive portal, a login, some other site. */
export function isHtmlPage(answer: RawAnswer): boolean {
  const start = new TextDecoder('utf-8').decode(answer.body.subarray(0, 65_536))
  return (
    isHtml(start) || (/html/i.test(answer.headers['content-type'] ?? '') && readJson(answer.body) === null)
  )
}

/** What an answer that is no success means, with the service's own words. `now` is epoch milliseconds. */
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

/** A wait of hours may be a mistake of the service: obeyed, and questioned. */
function longWaitMessage(notBefore: number | null, now: number): { readonly message?: string } {
  if (notBefore === null || notBefore - now <= HOUR) return {}
  // The clock of the wall, as the person reads it: 2026-11-21 14:05.
  const until = new Date(notBefore).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' })
  const hours = Math.round((notBefore - now) / HOUR)
  const length = hours < 2 ? 'more than an hour' : `${hours} hours`
  return {
    message: `The service asks this station to wait ${length}, until ${until}. That is unusually long; cases are kept safely here and go out then. "Try now" asks the service at once.`,
  }
}

/** 511 comes from the network itself (RFC 6585 6): a guest network that wants a sign-in. */
const PORTAL = failureOf('wrongAddress', {
  message:
    'This network wants a sign-in of its own before it lets anything through, so nothing was taken by the service. Cases are kept; sign in to the network, or ask the IT department.',
})

function failureByStatus(endpoint: Endpoint, answer: RawAnswer): Failure {
  const { status } = answer
  if (status === 429 || (status === 503 && isThrottled(answer))) return failureOf('throttled')
  if (status === 511) return PORTAL
  if (status >= 500 || status === 408 || status === 425) return failureOf('notAnswering')
  if (status === 407) return failureOf('proxySignIn')
  if (status >= 300 && status < 400) return wrongAddress(endpoint)
  if (endpoint === 'token') return tokenFailure(answer)
  if (status < 300) return failureInside(endpoint, answer)
  if (isAboutToken(answer)) return tokenRefusal(endpoint, status)
  if (status === 413) return failureOf('tooLarge')
  if (status === 404 || status === 405 || status === 410) return notFoundFailure(endpoint, answer)
  return refusal(endpoint)
}

/** 429 always; 503 where it names a time. */
function isThrottled(answer: RawAnswer): boolean {
  return answer.status === 429 || (answer.status === 503 && answer.headers['retry-after'] !== undefined)
}

/** `POST /authorize` refuses with 400 (RFC 6749 5.2), 401, 403 or with words under 200. */
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
  // After a whole case has been sent, a page is just an answer without an id: nothing is assumed from it.
  return endpoint !== 'newCase' && isHtmlPage(answer)
    ? failureOf('wrongAddress')
    : failureOf('answerUnreadable')
}

/** 403 to one case, under a token that is new, speaks of that case: other cases and the queue go on. */
function tokenRefusal(endpoint: Endpoint, status: number): Failure {
  return status === 403 && (endpoint === 'case' || endpoint === 'report')
    ? refusal(endpoint)
    : failureOf('signedOut')
}

function notFoundFailure(endpoint: Endpoint, answer: RawAnswer): Failure {
  if (endpoint === 'case' || endpoint === 'report') return failureOf('notFound')
  if (endpoint === 'center') return refusal(endpoint)
  const isServiceSpeaking = readJson(answer.body) !== null && readFailureText(answer.body) !== null
  return endpoint === 'newCase' && isServiceSpeaking ? refusal(endpoint) : wrongAddress(endpoint)
}

function wrongAddress(endpoint: Endpoint): Failure {
  if (endpoint !== 'newCase') return failureOf('wrongAddress')
  return failureOf('wrongAddress', {
    message: 'Something else answers where cases should be sent to. Check the address in Settings.',
  })
}

function refusal(endpoint: Endpoint): Failure {
  if (endpoint === 'newCase') return failureOf('serviceRefused')
  if (endpoint === 'center') return failureOf('centerNotChanged')
  return failureOf('serviceRefused', {
    message: 'The service did not answer this question. Nothing was changed; read its words.',
  })
}

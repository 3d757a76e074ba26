import { HOUR } from '../../../src-shared/durations.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'
import { looksLikeHtml } from './plain-text.ts'
import { readFailureText } from './read-failure-text.ts'
import { readJson } from './read-json.ts'
import { notBeforeOf } from './retry-after.ts'
import { saysFailure } from './says-failure.ts'
import type { RawAnswer } from './service-client.ts'

/** What was asked: the same status means different things to different questions. */
export type Asked = 'token' | 'newCase' | 'cases' | 'case' | 'report' | 'centers' | 'center'

const ABOUT_THE_TOKEN =
  /\btokens?\b|\bjwt\b|\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:logged|signed) in\b|\bsession (?:has )?(?:expired|ended)\b|\bno (?:autori[sz]ad|autenticad)|\bsesi[oó]n (?:ha )?(?:expirad|caducad)/i

/** Whether the service says, by status or in words, that the token is not accepted. */
export function isAboutToken(answer: RawAnswer): boolean {
  if (answer.status === 401 || answer.status === 403) return true
  const saysNo = answer.status === 400 || (answer.status < 300 && saysFailure(readJson(answer.body)?.value))
  return saysNo && ABOUT_THE_TOKEN.test(readFailureText(answer.body) ?? '')
}

/**
 * Whether the service itself says that the token has ended: such a case was provably not taken. A bare 403, or a page,
 * may come from something on the way that saw only the answer.
 */
export function saysTokenEnded(answer: RawAnswer): boolean {
  const isSpeaking = readJson(answer.body) !== null
  if (answer.status === 401) return isSpeaking || answer.headers['www-authenticate'] !== undefined
  return isSpeaking && ABOUT_THE_TOKEN.test(readFailureText(answer.body) ?? '')
}

/** Whether a web page came where JSON was asked for: a captive portal, a login, some other site. */
export function isPage(answer: RawAnswer): boolean {
  const start = new TextDecoder('utf-8').decode(answer.body.subarray(0, 65_536))
  return (
    looksLikeHtml(start) ||
    (/html/i.test(answer.headers['content-type'] ?? '') && readJson(answer.body) === null)
  )
}

/** What an answer that is no success means, with the service's own words. `now` is epoch milliseconds. */
export function failureFromAnswer(asked: Asked, answer: RawAnswer, now: number): Failure {
  const failure = failureByStatus(asked, answer)
  const said = readFailureText(answer.body)
  const notBefore = isThrottled(answer) ? notBeforeOf(answer, now) : null
  return {
    ...failure,
    ...longWait(notBefore, now),
    status: answer.status,
    ...(said === null ? {} : { serviceSaid: said }),
    ...(notBefore === null ? {} : { notBefore }),
  }
}

/** A wait of hours may be a mistake of the service: obeyed, and questioned. */
function longWait(notBefore: number | null, now: number): { readonly message?: string } {
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

function failureByStatus(asked: Asked, answer: RawAnswer): Failure {
  const { status } = answer
  if (status === 429 || (status === 503 && isThrottled(answer))) return failureOf('throttled')
  if (status === 511) return PORTAL
  if (status >= 500 || status === 408 || status === 425) return failureOf('notAnswering')
  if (status === 407) return failureOf('proxySignIn')
  if (status >= 300 && status < 400) return wrongAddress(asked)
  if (asked === 'token') return tokenFailure(answer)
  if (status < 300) return failureInside(asked, answer)
  if (isAboutToken(answer)) return refusedToken(asked, status)
  if (status === 413) return failureOf('tooLarge')
  if (status === 404 || status === 405 || status === 410) return nothingThere(asked, answer)
  return refusal(asked)
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
  if (isPage(answer)) return failureOf('wrongAddress')
  return failureOf(saysFailure(readJson(answer.body)?.value) ? 'signedOut' : 'answerUnreadable')
}

function failureInside(asked: Asked, answer: RawAnswer): Failure {
  if (saysFailure(readJson(answer.body)?.value))
    return isAboutToken(answer) ? failureOf('signedOut') : refusal(asked)
  // After a whole case has been sent, a page is just an answer without an id: nothing is assumed from it.
  return asked !== 'newCase' && isPage(answer) ? failureOf('wrongAddress') : failureOf('answerUnreadable')
}

/** 403 to one case, under a token that is new, speaks of that case: other cases and the queue go on. */
function refusedToken(asked: Asked, status: number): Failure {
  return status === 403 && (asked === 'case' || asked === 'report') ? refusal(asked) : failureOf('signedOut')
}

function nothingThere(asked: Asked, answer: RawAnswer): Failure {
  if (asked === 'case' || asked === 'report') return failureOf('notFound')
  if (asked === 'center') return refusal(asked)
  const isServiceSpeaking = readJson(answer.body) !== null && readFailureText(answer.body) !== null
  return asked === 'newCase' && isServiceSpeaking ? refusal(asked) : wrongAddress(asked)
}

function wrongAddress(asked: Asked): Failure {
  if (asked !== 'newCase') return failureOf('wrongAddress')
  return failureOf('wrongAddress', {
    message: 'Something else answers where cases should be sent to. Check the address in Settings.',
  })
}

function refusal(asked: Asked): Failure {
  if (asked === 'newCase') return failureOf('serviceRefused')
  if (asked === 'center') return failureOf('centerNotChanged')
  return failureOf('serviceRefused', {
    message: 'The service did not answer this question. Nothing was changed; read its words.',
  })
}

import { failureOf } from '../../../src-shared/failure.ts'
import { fail, succeed, type Result } from '../../../src-shared/result.ts'
import type { Clock } from '../ports.ts'
import { READ_TIMEOUT_MS, type Exchange } from './exchange.ts'
import { failureFromAnswer } from './failure-from-answer.ts'
import { SecretsLockedError } from '../secrets-locked.ts'
import { failureFromError } from './failure-from-error.ts'
import { readToken, type IssuedToken } from './read-token.ts'

/** It never was entered, or this account on this computer cannot open it any more. */
const SECRET_MISSING =
  'The client secret is missing or cannot be opened any more on this computer, so all sending is stopped and all cases are kept. Enter the client secret again in Settings.'

const MAX_BYTES = 64 * 1_024

/** `POST /authorize`: the secret goes out exactly as it was issued, although the interface calls it a hash. */
export async function requestToken(parts: {
  readonly exchange: Exchange
  readonly clock: Clock
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly clientId: string
  readonly readSecret: () => Promise<string | null>
}): Promise<Result<IssuedToken>> {
  const { exchange, clock, url, headers, clientId, readSecret } = parts
  const secret = await secretOf(readSecret)
  if (!secret.ok) return secret
  const form = new URLSearchParams({
    client_id: clientId,
    client_secret: secret.value,
    grant_type: 'client_credentials',
  })
  const answer = await exchange({
    method: 'POST',
    url,
    headers,
    form,
    maxBytes: MAX_BYTES,
    totalMs: READ_TIMEOUT_MS,
  })
  if (!answer.ok) return answer
  const isSuccess = answer.value.status >= 200 && answer.value.status < 300
  const token = isSuccess ? readToken(answer.value.body, clock.now()) : null
  return token === null ? fail(failureFromAnswer('token', answer.value, clock.now())) : succeed(token)
}

async function secretOf(readSecret: () => Promise<string | null>): Promise<Result<string>> {
  try {
    const secret = await readSecret()
    return secret === null ? fail(failureOf('signedOut', { message: SECRET_MISSING })) : succeed(secret)
  } catch (error) {
    if (error instanceof SecretsLockedError) return fail(failureOf('secretsLocked'))
    return fail(failureFromError(error))
  }
}

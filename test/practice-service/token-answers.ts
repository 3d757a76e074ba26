import { jsonAnswer, placed, type Answer } from './answer.ts'
import type { Dialect } from './dialects.ts'
import type { Tokens } from './tokens.ts'

/** A token in the dialect's words. */
export function tokenAnswer(dialect: Dialect, issued: ReturnType<Tokens['issue']>): Answer {
  const full = { access_token: issued.token, token_type: 'Bearer', ...expiry(dialect, issued) }
  switch (dialect.token) {
    case 'bare':
      return jsonAnswer(200, full)
    case 'token':
      return jsonAnswer(200, { token: issued.token, ...expiry(dialect, issued) })
    case 'content':
      return jsonAnswer(200, { success: true, content: full })
    case 'tokenObject':
      return jsonAnswer(200, placed('token', full))
    case 'data':
    case 'result':
      return jsonAnswer(200, placed(dialect.token, full))
    case 'string':
      return jsonAnswer(200, issued.token)
  }
}

function expiry(dialect: Dialect, issued: ReturnType<Tokens['issue']>): Readonly<Record<string, unknown>> {
  const seconds = Math.floor(issued.lifeMs / 1_000)
  const epochSeconds = Math.floor(issued.expiresAt / 1_000)
  switch (dialect.expiry) {
    case 'expiresIn':
      return { expires_in: seconds }
    case 'expiresInText':
      return { expires_in: String(seconds) }
    case 'expiresEpoch':
      return { expires: epochSeconds }
    case 'expiresEpochText':
      return { expires: String(epochSeconds) }
    case 'expiresIso':
      return { expires: new Date(issued.expiresAt).toISOString() }
    case 'none':
      return {}
  }
}

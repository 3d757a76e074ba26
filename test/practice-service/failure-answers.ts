import { emptyAnswer, htmlAnswer, jsonAnswer, type Answer } from './answer.ts'
import type { Dialect } from './dialects.ts'

export type Refusal = {
  readonly status: number
  readonly message: string
  /** Field by field, where the refusal is about fields. */
  readonly errors?: Readonly<Record<string, readonly string[]>>
}

/** A refusal in the dialect's words. Only an envelope can say no with a 200. */
export function failureAnswer(dialect: Dialect, refusal: Refusal): Answer {
  const { message } = refusal
  const isHidden = dialect.failure === 'envelope' && dialect.failureStatus === 'alwaysOk'
  const status = isHidden ? 200 : refusal.status
  switch (dialect.failure) {
    case 'envelope':
      return jsonAnswer(status, { success: false, content: message })
    case 'error':
      return jsonAnswer(status, { error: message })
    case 'oauth':
      return jsonAnswer(status, { error: errorCodeOf(status), error_description: message })
    case 'errorMessageCode':
      return jsonAnswer(status, { error: errorCodeOf(status), message, code: status })
    case 'message':
      return jsonAnswer(status, { message })
    case 'errors':
      return jsonAnswer(status, { errors: refusal.errors ?? { request: [message] } })
    case 'codeDetail':
      return jsonAnswer(status, { code: errorCodeOf(status), detail: message })
    case 'html':
      return htmlAnswer(status, `${status} ${message}`)
    case 'empty':
      return emptyAnswer(status)
  }
}

function errorCodeOf(status: number): string {
  if (status === 401) return 'invalid_token'
  return status < 500 ? 'invalid_request' : 'server_error'
}

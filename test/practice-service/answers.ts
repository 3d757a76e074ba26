import type { Centers, StoredCase, Tokens } from './desk.ts'
import type { Dialect } from './dialects.ts'

/** An answer before it goes onto the wire. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export function emptyAnswer(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers, body: Buffer.alloc(0) }
}

export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return bytesAnswer(status, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(value)), headers)
}

export function htmlAnswer(status: number, title: string): Answer {
  const page = `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><hr>practice service</body></html>`
  return bytesAnswer(status, 'text/html; charset=utf-8', Buffer.from(page))
}

export function bytesAnswer(
  status: number,
  contentType: string,
  body: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return { status, headers: { 'content-type': contentType, ...headers }, body }
}

/** Puts a value at a dotted path, in objects of its own: `('data.id', 7)` is `{data: {id: 7}}`. */
function placed(path: string, value: unknown): unknown {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

/** Beside `content` an envelope says that all went well. */
function enveloped(path: string, value: unknown): unknown {
  const object = placed(path, value) as Record<string, unknown>
  return path === 'content' || path.startsWith('content.') ? { success: true, ...object } : object
}

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
  const seconds = Math.floor(issued.validMs / 1_000)
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

export type Refusal = {
  readonly status: number
  readonly message: string
  /** Field by field, if the refusal is about fields. */
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

/** The centers as a list, wrapped or not, or as a map of id to name. */
export function centersAnswer(dialect: Dialect, centers: Centers): Answer {
  const items = centers.all.map((center) => ({
    [dialect.centerId]: center.id,
    [dialect.centerName]: center.name,
    ...(dialect.marksCurrentCenter ? { current: center.id === centers.currentId } : {}),
  }))
  const map = Object.fromEntries(centers.all.map((center) => [center.id, center.name]))
  switch (dialect.centers) {
    case 'array':
      return jsonAnswer(200, items)
    case 'map':
      return jsonAnswer(200, map)
    case 'content.map':
      return jsonAnswer(200, enveloped('content', map))
    case 'centers':
    case 'content':
    case 'data':
      return jsonAnswer(200, enveloped(dialect.centers, items))
  }
}

/** The answer to a change of center that was made. */
export function centerChangedAnswer(dialect: Dialect): Answer {
  switch (dialect.centerChanged) {
    case 'envelope':
      return jsonAnswer(200, { success: true, content: 'Center changed.' })
    case 'empty':
      return emptyAnswer(200)
    case 'noContent':
      return emptyAnswer(204)
  }
}

/** The answer to a case that was stored. */
export function createdAnswer(dialect: Dialect, stored: StoredCase, basePath: string): Answer {
  switch (dialect.created) {
    case 'bare':
      return jsonAnswer(200, stored.id)
    case 'location':
      return emptyAnswer(201, { location: `${basePath}/cases/${stored.id}` })
    case 'content':
    case 'id':
    case 'case_id':
    case 'caso':
    case 'uuid':
    case 'data.id':
    case 'content.id':
    case 'content.case_id':
    case 'case.id':
      return jsonAnswer(201, enveloped(dialect.created, stored.id))
  }
}

/** One case, bare or wrapped. */
export function caseAnswer(dialect: Dialect, stored: StoredCase, now: number): Answer {
  const shown = shownCase(dialect, stored, now)
  return jsonAnswer(200, dialect.oneCase === 'bare' ? shown : enveloped(dialect.oneCase, shown))
}

/** The list of cases, newest last; with a page size also the way to the next page. `address` is that of the list. */
export function listAnswer(
  dialect: Dialect,
  cases: readonly StoredCase[],
  options: { readonly page: number; readonly address: string; readonly now: number },
): Answer {
  const size = dialect.pageSize ?? Math.max(cases.length, 1)
  const shown = cases.slice((options.page - 1) * size, options.page * size)
  const next =
    options.page * size < cases.length ? `${options.address}?page=${String(options.page + 1)}` : null
  const list = shapedList(dialect, shown, options.now)
  if (next === null) return jsonAnswer(200, list)
  const isObject =
    typeof list === 'object' && list !== null && !Array.isArray(list) && dialect.list !== 'keyedById'
  if (dialect.pageLink === 'header' || !isObject)
    return jsonAnswer(200, list, { link: `<${next}>; rel="next"` })
  return jsonAnswer(200, { ...list, ...(dialect.pageLink === 'next' ? { next } : { links: { next } }) })
}

function shapedList(dialect: Dialect, cases: readonly StoredCase[], now: number): unknown {
  const items = cases.map((stored) => shownCase(dialect, stored, now))
  const isNull = items.length === 0 && dialect.emptyList === 'null'
  // An id that is the key does not stand in the value as well.
  const keyed = Object.fromEntries(
    cases.map((stored, index) => {
      const { id, ...others } = items[index] ?? { id: stored.id }
      return [String(id), others]
    }),
  )
  switch (dialect.list) {
    case 'array':
      return isNull ? null : items
    case 'keyedById':
      return isNull ? null : keyed
    case 'content.keyedById':
      return enveloped('content', isNull ? null : keyed)
    case 'cases':
    case 'content':
    case 'data':
    case 'items':
    case 'results':
    case 'data.cases':
    case 'content.items':
      return enveloped(dialect.list, isNull ? null : items)
  }
}

function shownCase(
  dialect: Dialect,
  stored: StoredCase,
  now: number,
): Readonly<Record<string, unknown>> & { id: StoredCase['id'] } {
  const id = stored.id
  const minimal = {
    id,
    history_number: stored.fields['history_number'] ?? null,
    visit_date: stored.fields['visit_date'] ?? null,
    state: now >= stored.reportReadyAt ? 'reported' : 'pending',
  }
  switch (dialect.caseFields) {
    case 'ids':
      return { id }
    case 'minimal':
      return minimal
    case 'everything':
      return {
        ...minimal,
        ...stored.fields,
        urgency: 'normal',
        created_at: new Date(stored.storedAt).toISOString(),
        images: stored.images.map((image) => ({ name: image.fileName, size: image.sizeBytes })),
      }
  }
}

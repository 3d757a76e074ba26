import type { Dialect, StoredCase } from './desk.ts'

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

/** Every success comes in an envelope. */
export function envelope(content: unknown, status = 200): Answer {
  return jsonAnswer(status, { success: true, content })
}

export type Refusal = { readonly status: number; readonly message: string }

export function failureAnswer({ status, message }: Refusal): Answer {
  return jsonAnswer(status, { success: false, content: message })
}

/** A case as it is shown in a list and on its own. */
export function shownCase(dialect: Dialect, stored: StoredCase, now: number): unknown {
  const minimal = {
    id: stored.id,
    history_number: stored.fields['history_number'] ?? null,
    visit_date: stored.fields['visit_date'] ?? null,
    state: now >= stored.reportReadyAt ? 'reported' : 'pending',
  }
  if (dialect.caseFields === 'minimal') return minimal
  return {
    ...minimal,
    ...stored.fields,
    urgency: 'normal',
    created_at: new Date(stored.storedAt).toISOString(),
    images: stored.images.map((image) => ({ name: image.fileName, size: image.sizeBytes })),
  }
}

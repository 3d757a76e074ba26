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

/** Puts a value where a dotted path says, in objects of its own: `('data.id', 7)` is `{data: {id: 7}}`. */
export function placed(path: string, value: unknown): unknown {
  return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
}

/** Beside `content` an envelope says that all went well. */
export function enveloped(path: string, value: unknown): unknown {
  const object = placed(path, value) as Record<string, unknown>
  return path === 'content' || path.startsWith('content.') ? { success: true, ...object } : object
}

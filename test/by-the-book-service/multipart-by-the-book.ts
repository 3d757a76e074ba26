/**
 * multipart/form-data, read to the letter of RFC 7578 and RFC 2046 section 5.1.1, with no library and no leniency:
 * what this parser takes, every server takes. The whole body is held in memory, which is the point of reading
 * RFCs in a test and no way to build a server.
 */

export type Part = {
  readonly name: string
  /** Null if the part is no file. */
  readonly fileName: string | null
  /** Null if the part names none, which means text/plain. */
  readonly contentType: string | null
  readonly bytes: Buffer
}

/** The bytes are no form by the book; the message names the rule. */
export class NotByTheBook extends Error {
  override readonly name = 'NotByTheBook'
}

/** RFC 2046: one to seventy characters of `bchars`, not ending with a space. */
const BOUNDARY = /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/
/** RFC 7230: a quoted string; the escapes of RFC 7578 are percent signs, so no backslash is expected in it. */
const PARAMETER = /^;\s*([!#$%&'*+.^`|~\w-]+)=(?:"([^"\\\r\n]*)"|([!#$%&'*+.^`|~\w-]+))/

/** The parts of a body, in their order. Throws `NotByTheBook`. */
export function readMultipart(contentType: string, body: Buffer): readonly Part[] {
  const boundary = boundaryOf(contentType)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // A body without a preamble begins with a delimiter whose line break is understood.
  const bytes = Buffer.concat([Buffer.from('\r\n'), body])
  const parts: Part[] = []
  let at = bytes.indexOf(delimiter)
  demand(at !== -1, 'no delimiter')
  for (;;) {
    const afterDelimiter = at + delimiter.length
    if (bytes.subarray(afterDelimiter, afterDelimiter + 2).equals(Buffer.from('--'))) {
      const rest = bytes.subarray(afterDelimiter + 2).toString('latin1')
      demand(/^[ \t]*(\r\n[^]*)?$/.test(rest), 'something follows the closing delimiter on its line')
      return parts
    }
    const lineEnd = bytes.indexOf('\r\n', afterDelimiter)
    const padding = bytes.subarray(afterDelimiter, Math.max(lineEnd, afterDelimiter)).toString('latin1')
    demand(lineEnd !== -1 && /^[ \t]*$/.test(padding), 'a delimiter line with more than the delimiter')
    const next = bytes.indexOf(delimiter, lineEnd)
    demand(next !== -1, 'no closing delimiter')
    parts.push(readPart(bytes.subarray(lineEnd + 2, next)))
    at = next
  }
}

function boundaryOf(contentType: string): string {
  const match = /^multipart\/form-data\s*(;.*)$/i.exec(contentType)
  demand(match !== null, 'not multipart/form-data')
  const boundary = parametersOf(match[1] ?? '').get('boundary') ?? ''
  demand(BOUNDARY.test(boundary), 'no boundary, or one that RFC 2046 does not allow')
  return boundary
}

function readPart(bytes: Buffer): Part {
  const headEnd = bytes.indexOf('\r\n\r\n')
  demand(headEnd !== -1, 'a part without the empty line after its head')
  const headers = new Map<string, string>()
  for (const line of bytes.subarray(0, headEnd).toString('utf8').split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    demand(colon > 0 && TOKEN.test(name), 'a line in a head that is no header')
    demand(!/[\r\n\0]/.test(line), 'a bare line break in a head')
    demand(!headers.has(name), `${name} twice in one part`)
    headers.set(name, line.slice(colon + 1).trim())
  }
  // RFC 7578, 4.8: other fields than these must not be there; 4.7: the transfer encoding is not to be generated.
  for (const name of headers.keys())
    demand(['content-disposition', 'content-type'].includes(name), `${name} in a part`)
  const disposition = /^form-data\s*(;.*)$/i.exec(headers.get('content-disposition') ?? '')
  demand(disposition !== null, 'a part whose disposition is not form-data')
  const parameters = parametersOf(disposition[1] ?? '')
  demand(!parameters.has('filename*'), 'filename*, which RFC 7578 section 4.2 forbids')
  const name = parameters.get('name')
  demand(name !== undefined && name !== '', 'a part without a name')
  return {
    name,
    fileName: parameters.get('filename') ?? null,
    contentType: headers.get('content-type') ?? null,
    bytes: bytes.subarray(headEnd + 4),
  }
}

function parametersOf(text: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (let rest = text; rest !== '';) {
    const match = PARAMETER.exec(rest)
    demand(match !== null, 'a parameter that cannot be read')
    const name = (match[1] ?? '').toLowerCase()
    demand(!parameters.has(name), `parameter ${name} twice`)
    parameters.set(name, match[2] ?? match[3] ?? '')
    rest = rest.slice(match[0].length).trimStart()
  }
  return parameters
}

function demand(holds: boolean, rule: string): asserts holds {
  if (!holds) throw new NotByTheBook(rule)
}

/** What may happen to one request between the station and the service. */
import { pick, type Random } from '../camera/random.ts'

export type ProxyFault =
  | { readonly kind: 'pass' }
  /** The head has come, nothing is passed on, both ends are reset. */
  | { readonly kind: 'resetBefore' }
  /** So great a share of the body is passed on, then both ends are reset. */
  | { readonly kind: 'resetAmid'; readonly share: number }
  /** The service gets everything; the station is reset as soon as its last byte was read. */
  | { readonly kind: 'resetAfter' }
  /** The service gets everything and answers; the station is reset in place of the answer. */
  | { readonly kind: 'swallow' }
  /** After so great a share of the body nothing moves any more until healing; 1: only the answer is missing. */
  | { readonly kind: 'hang'; readonly share: number }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  /** The answer breaks off in its middle. */
  | { readonly kind: 'cutAnswer' }
  /** The station reads another answer; `isStored`: the service had got everything all the same. */
  | { readonly kind: 'replace'; readonly name: ReplacementName; readonly isStored: boolean }

export const REPLACEMENTS = {
  '400': 'HTTP/1.1 400 Bad Request',
  '403': 'HTTP/1.1 403 Forbidden',
  '413': 'HTTP/1.1 413 Payload Too Large',
  '500': 'HTTP/1.1 500 Internal Server Error',
  '502': 'HTTP/1.1 502 Bad Gateway',
  '302': 'HTTP/1.1 302 Found',
  '200 HTML': 'HTTP/1.1 200 OK',
  '200 without id': 'HTTP/1.1 200 OK',
  garbage: '',
} as const
export type ReplacementName = keyof typeof REPLACEMENTS

const PAGE = '<!doctype html><title>Gateway</title><h1>A gateway speaks</h1>'

/** The bytes of an answer that does not come from the service. */
export function replacementBytes(name: ReplacementName): Buffer {
  if (name === 'garbage')
    return Buffer.from('\u0000\u0001\u0002 this is no HTTP at all \r\n\r\n\u0007', 'latin1')
  const isJson = name === '200 without id'
  const body = isJson ? '{"success":true,"content":null}' : PAGE
  const headers = [
    REPLACEMENTS[name],
    `content-type: ${isJson ? 'application/json' : 'text/html'}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...(name === '302' ? ['location: http://127.0.0.1:9/login'] : []),
    'connection: close',
  ]
  return Buffer.from(`${headers.join('\r\n')}\r\n\r\n${body}`)
}

export function nameOf(fault: ProxyFault): string {
  switch (fault.kind) {
    case 'replace':
      return `answer replaced by ${fault.name}${fault.isStored ? ', stored' : ''}`
    case 'pass':
    case 'resetBefore':
    case 'resetAmid':
    case 'resetAfter':
    case 'swallow':
    case 'hang':
    case 'delay':
    case 'throttle':
    case 'cutAnswer':
      return fault.kind
  }
}

/** Any fault that a network is known for; `replace` only where nobody vouches for a no, so that a no stays a no. */
export function anyProxyFault(random: Random): ProxyFault {
  return pick<ProxyFault>(random, [
    { kind: 'pass' },
    { kind: 'pass' },
    { kind: 'resetBefore' },
    { kind: 'resetAmid', share: random() },
    { kind: 'resetAfter' },
    { kind: 'swallow' },
    { kind: 'delay', ms: Math.round(random() * 800) },
    { kind: 'throttle', bytesPerSecond: 8_000_000 + Math.round(random() * 8_000_000) },
    { kind: 'cutAnswer' },
    { kind: 'replace', name: '500', isStored: random() < 0.5 },
    { kind: 'replace', name: '502', isStored: random() < 0.5 },
    { kind: 'replace', name: '302', isStored: random() < 0.5 },
    { kind: 'replace', name: '200 HTML', isStored: random() < 0.5 },
    { kind: 'replace', name: '200 without id', isStored: true },
    { kind: 'replace', name: 'garbage', isStored: random() < 0.5 },
  ])
}

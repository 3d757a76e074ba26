/** The base address of a service and what lies under it. A base address may have a path, which is kept. */

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

export type ServiceAddress = {
  /** Without a slash at its end. */
  readonly base: string
  readonly origin: string
  readonly isEncrypted: boolean
  /** The address of an endpoint: its segments are escaped, one slash between each. */
  endpoint(...segments: readonly string[]): URL
  /** A link that an answer offers, seen from the page it stood on; null where it leads to another origin. */
  resolveLink(link: string, from: URL): URL | null
}

/** Reads a base address; null where it is no https address, http being for this very machine only. */
export function readServiceAddress(baseUrl: string): ServiceAddress | null {
  if (!URL.canParse(baseUrl)) return null
  const url = new URL(baseUrl)
  const isEncrypted = url.protocol === 'https:'
  const isHere = url.protocol === 'http:' && LOOPBACK_NAMES.has(url.hostname)
  if ((!isEncrypted && !isHere) || url.username !== '' || url.password !== '') return null
  const base = url.origin + url.pathname.replace(/\/+$/, '')
  return {
    base,
    origin: url.origin,
    isEncrypted,
    endpoint: (...segments) => new URL([base, ...segments.map(escapeSegment)].join('/')),
    resolveLink: (link, from) => resolveSameOrigin(link, from, url),
  }
}

/** Escapes everything that would end a segment. */
function escapeSegment(segment: string): string {
  // URL treats these two as steps and would leave the base path, escaped or not.
  if (segment === '.' || segment === '..') throw new TypeError('no segment of an endpoint')
  return encodeURIComponent(segment.toWellFormed())
}

/**
 * A service behind a gateway often writes its links with http, not knowing that the world sees it by https: such a
 * link is followed by https, or else lists would end after their first page.
 */
function resolveSameOrigin(link: string, from: URL, base: URL): URL | null {
  if (!URL.canParse(link, from.href)) return null
  const url = new URL(link, from)
  if (base.protocol === 'https:' && url.protocol === 'http:' && url.port === '') url.protocol = 'https:'
  url.hash = ''
  return url.origin === base.origin && url.username === '' && url.password === '' ? url : null
}

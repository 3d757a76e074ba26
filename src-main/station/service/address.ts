/** The base address of a service and what lies under it. A base address may have a path, which is kept. */
import type { ServiceSettings } from '../../../src-shared/settings.ts'
import type { ServiceIdentity } from '../outbox/cases-and-centers.ts'

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

export type ServiceAddress = {
  /** Without a trailing slash. */
  readonly base: string
  readonly origin: string
  readonly isEncrypted: boolean
  /** The URL of an endpoint. Each segment is escaped. */
  endpoint(...segments: readonly string[]): URL
  /** Resolves a link from an answer against the page that contained it; null if it leads to another origin. */
  resolveLink(link: string, from: URL): URL | null
}

/** Parses a base address. Null unless it is https, or http to this machine. */
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

function escapeSegment(segment: string): string {
  // URL resolves these two as steps, escaped or not, and would leave the base path.
  if (segment === '.' || segment === '..') throw new TypeError('no segment of an endpoint')
  return encodeURIComponent(segment.toWellFormed())
}

/**
 * Upgrades http links to https if the base is https: a service behind a gateway often does not know its public
 * scheme, and its lists would end after their first page.
 */
function resolveSameOrigin(link: string, from: URL, base: URL): URL | null {
  if (!URL.canParse(link, from.href)) return null
  const url = new URL(link, from)
  if (base.protocol === 'https:' && url.protocol === 'http:' && url.port === '') url.protocol = 'https:'
  url.hash = ''
  return url.origin === base.origin && url.username === '' && url.password === '' ? url : null
}

/** The service that is set, as attempts name it; null if none is, or its address cannot be read. */
export function serviceIdentity(service: ServiceSettings | undefined): ServiceIdentity | null {
  const base = service ? readServiceAddress(service.baseUrl)?.base : undefined
  return service && base !== undefined ? { baseUrl: base, clientId: service.clientId } : null
}

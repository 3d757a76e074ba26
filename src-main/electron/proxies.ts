import type { Proxies } from '../station/ports.ts'

/**
 * Reads what `session.resolveProxy` answers: the words of a proxy auto-configuration file, such as
 * `PROXY a.example:3128; SOCKS5 b.example; DIRECT`, in the order in which they are to be tried.
 */

/** The schemes that our HTTP client can use a proxy by, and their ports where none is given. */
const PROXY_SCHEMES: Readonly<
  Record<string, { readonly scheme: string; readonly port: number } | undefined>
> = {
  PROXY: { scheme: 'http', port: 80 },
  HTTP: { scheme: 'http', port: 80 },
  HTTPS: { scheme: 'https', port: 443 },
  SOCKS5: { scheme: 'socks5', port: 1080 },
}

/** The first way that can be used, as a URL; null for a direct one, also if the answer names nothing usable. */
export function parsePacResult(answer: string): string | null {
  for (const entry of answer.split(';')) {
    const [kind = '', address = ''] = entry.trim().split(/\s+/)
    if (kind.toUpperCase() === 'DIRECT') return null
    const scheme = PROXY_SCHEMES[kind.toUpperCase()]
    if (!scheme || address === '') continue
    const url = URL.parse(`${scheme.scheme}://${address}`)
    if (!url || url.username !== '' || url.pathname.replace('/', '') !== '') continue
    const host = address.replace(/:\d+$/, '')
    const port = /:(\d+)$/.exec(address)?.[1] ?? String(scheme.port)
    return `${scheme.scheme}://${host}:${port}`
  }
  return null
}

/** The part of `session` that is needed. */
type ProxyResolver = { resolveProxy(url: string): Promise<string> }

/** The proxies of the operating system, its auto-configuration included, as Chromium reads them. */
export function systemProxies(session: ProxyResolver): Proxies {
  return { proxyFor: async (url) => parsePacResult(await session.resolveProxy(url)) }
}

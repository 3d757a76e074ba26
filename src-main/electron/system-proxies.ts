import type { Proxies } from '../station/ports.ts'
import { parsePacResult } from './pac-answer.ts'

/** The part of `session` that is needed. */
export type ProxyResolver = { resolveProxy(url: string): Promise<string> }

/** The proxies of the operating system, its auto-configuration included, as Chromium reads them. */
export function systemProxies(session: ProxyResolver): Proxies {
  return { proxyFor: async (url) => parsePacResult(await session.resolveProxy(url)) }
}

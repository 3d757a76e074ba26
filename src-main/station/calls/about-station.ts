import type { About } from '../../../src-shared/about.ts'
import type { StationParts } from '../station-parts.ts'

/** The address of a proxy without the sign-in that may stand in it, also where its password holds a slash. Pure. */
export function stripCredentials(proxy: string): string {
  return proxy.replace(/^([a-z][\w+.-]*:\/\/)?(?:.*@)?([^/?#]*).*$/is, '$1$2')
}

/** What this station is and runs on. */
export async function aboutStation(
  parts: Pick<StationParts, 'ports' | 'settings' | 'stationId' | 'dataFolder'>,
): Promise<About> {
  const { host, version, system, runtime, proxies, startAtLogin } = parts.ports
  const address = parts.settings.current().service?.baseUrl
  // Plain http stays on this machine and is never given to a proxy.
  const proxy = address?.startsWith('https:') ? await proxies.proxyFor(address) : null
  return {
    version,
    host,
    stationId: parts.stationId,
    system,
    runtime,
    dataFolder: parts.dataFolder,
    secretsKept: await parts.ports.secrets.storedIn(),
    proxy: proxy === null ? null : stripCredentials(proxy),
    startAtLogin: startAtLogin?.() ?? null,
  }
}

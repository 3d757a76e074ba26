import type { ServiceSettings } from '../../src-shared/settings.ts'
import type { Ports } from './ports.ts'
import { openServiceClient } from './service/open-service-client.ts'
import type { ServiceClient } from './service/service-client.ts'

/** A client for a service, with the secret that the settings give or, where they give none, the one that is kept. */
export function createClient(
  ports: Ports,
  service: ServiceSettings,
  readSavedSecret: (baseUrl: string) => Promise<string | null>,
  /** The clocks of both sides were found to be apart, or no longer are. */
  onClockChanged: () => void = () => undefined,
): ServiceClient {
  const { baseUrl, clientId, clientSecret } = service
  return openServiceClient({
    settings: { baseUrl, clientId },
    readSecret: () => (clientSecret === undefined ? readSavedSecret(baseUrl) : Promise.resolve(clientSecret)),
    proxies: ports.proxies,
    clock: ports.clock,
    version: ports.version,
    onClockChanged,
  })
}

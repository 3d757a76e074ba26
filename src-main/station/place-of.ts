import type { ServiceSettings } from '../../src-shared/settings.ts'
import type { Service } from './outbox/put-in-doubt.ts'
import { readServiceAddress } from './service/service-address.ts'

/** A service as attempts name it, or null where none is set. */
export function serviceOf(service: ServiceSettings | undefined): Service | null {
  const base = service ? readServiceAddress(service.baseUrl)?.base : undefined
  return service && base !== undefined ? { baseUrl: base, clientId: service.clientId } : null
}

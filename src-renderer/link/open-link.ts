import { openHttpLink } from './link-over-http.ts'
import { openIpcLink } from './link-over-ipc.ts'
import type { StationLink } from './station-link.ts'
import { readToken } from './take-token.ts'

/** The link that this window has: the preload's bridge in the desktop host, else HTTP to where the page came from. */
export function openLink(page: Window): StationLink {
  if (page.fundusCourier) return openIpcLink(page.fundusCourier)
  return openHttpLink({
    origin: page.location.origin,
    token: readToken(page.location, page.sessionStorage, page.history),
  })
}

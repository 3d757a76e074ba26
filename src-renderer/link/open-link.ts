import { openLinkOverHttp } from './link-over-http.ts'
import { openLinkOverIpc } from './link-over-ipc.ts'
import type { StationLink } from './station-link.ts'
import { takeToken } from './take-token.ts'

/** The link that this window has: the preload's bridge in the desktop host, else HTTP to where the page came from. */
export function openLink(page: Window): StationLink {
  if (page.fundusCourier) return openLinkOverIpc(page.fundusCourier)
  return openLinkOverHttp({
    origin: page.location.origin,
    token: takeToken(page.location, page.sessionStorage, page.history),
  })
}

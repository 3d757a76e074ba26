/** What the pages of a session may never have, whatever they ask for: devices, permissions, a network. */
import type { Session } from 'electron'
import { isAppAddress, isScreenAddress } from './app-address.ts'

/** Images may fill the screen, and an id may be copied to the clipboard; nothing can be read from there. */
const GRANTED_PERMISSIONS: readonly string[] = ['fullscreen', 'clipboard-sanitized-write']

/** Who asks, in the words of Electron. */
export type PermissionRequest = { readonly isMainFrame: boolean; readonly requestingUrl?: string }

export function mayUse(permission: string, { isMainFrame, requestingUrl }: PermissionRequest): boolean {
  if (!isMainFrame || requestingUrl === undefined) return false
  return GRANTED_PERMISSIONS.includes(permission) && isScreenAddress(requestingUrl)
}

/** The part of a session that is needed. */
export type GuardedSession = Pick<
  Session,
  | 'setDevicePermissionHandler'
  | 'setPermissionCheckHandler'
  | 'setPermissionRequestHandler'
  | 'setSpellCheckerEnabled'
>

/**
 * Denies what the screens do not need: camera, microphone, position, devices, notices of their own, capture of the
 * screen (which nobody grants, because no handler for it is set). A write to the clipboard is checked first and asked
 * for afterwards, so both handlers must know it.
 */
export function guardSession(session: GuardedSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer, request) =>
    answer(mayUse(permission, request)),
  )
  session.setPermissionCheckHandler((_contents, permission, _origin, request) => mayUse(permission, request))
  session.setDevicePermissionHandler(() => false)
  // It would fetch dictionaries from a stranger, and what is typed here is about patients.
  session.setSpellCheckerEnabled(false)
}

/** May a page load from this address? Our own scheme, and what the page itself holds; never a network, never the disk. */
export function mayLoad(address: string): boolean {
  const protocol = URL.parse(address)?.protocol
  if (protocol === 'blob:' || protocol === 'data:' || protocol === 'devtools:') return true
  return isAppAddress(address)
}

type NetworkSession = {
  readonly webRequest: {
    onBeforeRequest(
      listener: (
        details: { readonly url: string },
        answer: (response: { readonly cancel: boolean }) => void,
      ) => void,
    ): void
  }
}

/** Takes the network away from every page: behind the policy of the pages, for what a policy does not reach. */
export function closeNetwork(session: NetworkSession): void {
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayLoad(url) }))
}

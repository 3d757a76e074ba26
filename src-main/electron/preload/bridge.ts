/**
 * Names shared by the main process, the preload and Chromium: the channels, and the custom scheme of the window. They
 * are needed before Electron is ready, so this file imports nothing.
 */

export const APP_SCHEME = 'app'
export const APP_HOST = 'station'
const ORIGIN = `${APP_SCHEME}://${APP_HOST}`
export const START_ADDRESS = `${ORIGIN}/index.html`
/** The base address of bytes, followed by a kind and an id. */
export const BYTES_ADDRESS = `${ORIGIN}/bytes/`

/** `standard` and `secure` make the scheme an origin like https, which never bypasses the content policy. */
export const APP_SCHEME_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  codeCache: true,
} as const

/** Carries the name of a call and its input; answered with a Result. */
export const CALL_CHANNEL = 'fundus-courier:call'
export const EVENT_CHANNEL = 'fundus-courier:event'
/** Carries the screen that the person should see, a `DesktopRoute`. */
export const ROUTE_CHANNEL = 'fundus-courier:place'

/** The custom scheme of the window. It is needed before Electron is ready, so this file imports nothing. */

export const APP_SCHEME = 'app'
export const APP_HOST = 'station'
export const START_ADDRESS = `${APP_SCHEME}://${APP_HOST}/index.html`
export const RECOVERY_ADDRESS = `${APP_SCHEME}://${APP_HOST}/recovery`

/** `standard` and `secure` make the scheme an origin like https, which never bypasses the content policy. */
export const APP_SCHEME_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  codeCache: true,
} as const

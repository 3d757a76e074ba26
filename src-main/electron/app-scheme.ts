/** The words of our own scheme. They are needed before Electron is ready, so nothing is imported here. */

export const APP_SCHEME = 'app'
export const APP_HOST = 'station'
export const START_ADDRESS = `${APP_SCHEME}://${APP_HOST}/index.html`

/**
 * What the scheme may do. `standard` and `secure` make it an origin like https, so that relative addresses, fetch
 * and storage work; it never bypasses the content security policy.
 */
export const APP_SCHEME_PRIVILEGES = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  codeCache: true,
} as const

/**
 * Recovers from renderer crashes. A page whose process dies leaves a black window, for hours if no one is there. So it
 * is reloaded, but not forever: a page that keeps crashing is replaced by a plain recovery page with a link to try
 * again.
 */
import type { WebContents } from 'electron'
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { APP_HOST, APP_SCHEME, START_ADDRESS } from './app-scheme.ts'
import { createRateLimit } from './crash-history.ts'
import type { Emitter } from './power.ts'
import type { HostTexts } from './texts.ts'

/** The recovery page: text and one link, no script, nothing that could fail. */
export const RECOVERY_ADDRESS = `${APP_SCHEME}://${APP_HOST}/recovery`

/** Stricter than the screens' own policy: nothing is loaded at all. */
const RECOVERY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const STYLE = `
:root { color-scheme: light dark; font: 18px/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem }
main { max-width: 36rem }
a { display: inline-block; min-height: 44px; line-height: 44px; padding: 0 1.5rem; border: 2px solid; border-radius: 6px; color: inherit; text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
code { overflow-wrap: anywhere; user-select: all }
`

/** The page; `logFolder` holds the log of what happened. Pure. */
export function recoveryPage({ language, t }: HostTexts, logFolder: string): string {
  return `<!doctype html>
<html lang="${language}">
<meta charset="utf-8">
<title>Fundus Courier</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(t('life.failedTitle'))}</h1>
<p>${escapeHtml(t('life.failedSafe'))} ${escapeHtml(t('life.failedBody'))}</p>
<p><a href="${URL.parse(START_ADDRESS)?.pathname}" autofocus>${escapeHtml(t('life.tryAgain'))}</a></p>
<p>${escapeHtml(t('life.failedLogs'))} <code>${escapeHtml(logFolder)}</code></p>
</main>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

/** Answers the address of the recovery page; passes all other requests on to the handler. */
export function withRecoveryPage(
  handler: (request: Request) => Promise<Response>,
  page: () => string,
): (request: Request) => Promise<Response> {
  return (request) => {
    if (request.method !== 'GET' || request.url !== RECOVERY_ADDRESS) return handler(request)
    return Promise.resolve(
      new Response(page(), {
        headers: {
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': RECOVERY_POLICY,
          'X-Content-Type-Options': 'nosniff',
          'Referrer-Policy': 'no-referrer',
          'Cache-Control': 'no-store',
        },
      }),
    )
  }
}

/** Enough for a transient fault; a lasting one is not hidden by endless reloads. */
const RELOAD_LIMIT = { most: 3, withinMs: 5 * MINUTE }

/** Long enough for a page that draws a hundred images on an old machine. */
const UNRESPONSIVE_TIMEOUT_MS = 30 * SECOND

/** Whether the session ends is known within a minute. */
const RECHECK_AFTER_MS = 5 * SECOND

/** Chromium's ERR_ABORTED: another page is loaded instead. */
const ABORTED = -3

type RecoverableWindow = Emitter<'unresponsive' | 'responsive'> & {
  readonly webContents: Emitter<'render-process-gone' | 'did-fail-load'> &
    Pick<WebContents, 'getURL' | 'reload' | 'forcefullyCrashRenderer'>
  loadURL(address: string): Promise<void>
}

type PageGone = { readonly reason: string; readonly exitCode: number }

export function recoverRenderer(options: {
  readonly window: RecoverableWindow
  readonly clock: Clock
  readonly logger: Logger
  readonly isEnding: () => boolean
  readonly isSessionEnding: () => boolean
  /** Reports outside the window that it cannot display anything. */
  readonly showFailure: () => void
}): void {
  const { window, clock, logger, isEnding, isSessionEnding } = options
  const { webContents } = window
  const mayReload = createRateLimit(clock, RELOAD_LIMIT)
  let cancelTimeout: (() => void) | null = null

  const chooseRepair = (): 'reload' | 'showRecoveryPage' | 'report' => {
    // If the recovery page crashes too, nothing is left to show.
    if (webContents.getURL().startsWith(RECOVERY_ADDRESS)) return 'report'
    return mayReload() ? 'reload' : 'showRecoveryPage'
  }
  const repair = (reason: string, exitCode: number): void => {
    cancelTimeout?.()
    // While the app ends, the window may be gone.
    if (isEnding() || reason === 'clean-exit') return
    // During a sign-out Windows refuses to start processes and says so on the screen. If the sign-out is called
    // off, the page must come back.
    if (isSessionEnding()) {
      clock.after(RECHECK_AFTER_MS, () => repair(reason, exitCode))
      return
    }
    const action = chooseRepair()
    logger.error('the screens ended unexpectedly', { reason, exitCode, mending: action })
    if (action === 'reload') webContents.reload()
    else if (action === 'showRecoveryPage')
      // An event of the window reports a failed load.
      void window.loadURL(RECOVERY_ADDRESS).catch(() => undefined)
    else options.showFailure()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }: PageGone) => repair(reason, exitCode))
  webContents.on('did-fail-load', (_event, code: number, _what, _url, isMainFrame: boolean) => {
    if (isMainFrame && code !== ABORTED) repair('not loaded', code)
  })
  window.on('unresponsive', () => {
    logger.warn('the screens do not respond')
    cancelTimeout?.()
    cancelTimeout = clock.after(UNRESPONSIVE_TIMEOUT_MS, () => {
      logger.error('the screens have not responded for long; they are ended to be loaded again')
      webContents.forcefullyCrashRenderer()
    })
  })
  window.on('responsive', () => {
    logger.info('the screens respond again')
    cancelTimeout?.()
  })
}

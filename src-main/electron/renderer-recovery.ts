/**
 * A page whose process dies leaves a black window, for hours where nobody clicks. So it is loaded again, but not for
 * ever: one that dies again and again gives its place to a plain page (recovery-page.ts), from which a person tries anew.
 */
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { createRateLimit } from './crash-allowance.ts'
import { RECOVERY_ADDRESS } from './recovery-page.ts'

/** A passing fault is over by then, and a lasting one is not hidden by flicker. */
const RELOAD_LIMIT = { most: 3, withinMs: 5 * MINUTE }
/** Long enough for a page that draws a hundred images on an old machine. */
const UNRESPONSIVE_TIMEOUT_MS = 30 * SECOND
/** Whether the session ends is known within a minute. */
const RECHECK_AFTER_MS = 5 * SECOND
/** Chromium's ERR_ABORTED: another page is loaded in its place. */
const ABORTED = -3

export type PageFailure = {
  /** Is the app about to end? */
  readonly isEnding: boolean
  /** Was the page gone for good reason? Chromium's word for it. */
  readonly reason: string
  /** What the window showed. */
  readonly shown: 'screens' | 'recoveryPage'
  /** Is one more reload allowed? Asked only where it matters, because asking counts. */
  readonly mayReload: () => boolean
}

/** What to do about a page that is gone. A recovery page that dies, too, has nothing left to show. Pure. */
export function chooseRepair(failure: PageFailure): 'nothing' | 'reload' | 'showRecoveryPage' | 'tell' {
  if (failure.isEnding || failure.reason === 'clean-exit') return 'nothing'
  if (failure.shown === 'recoveryPage') return 'tell'
  return failure.mayReload() ? 'reload' : 'showRecoveryPage'
}

/** The part of a `BrowserWindow` that is needed. */
export type RecoverableWindow = {
  readonly webContents: {
    on(
      event: 'render-process-gone',
      listener: (event: unknown, details: { readonly reason: string; readonly exitCode: number }) => void,
    ): unknown
    on(
      event: 'did-fail-load',
      listener: (event: unknown, code: number, what: string, url: string, isMainFrame: boolean) => void,
    ): unknown
    getURL(): string
    reload(): void
    forcefullyCrashRenderer(): void
  }
  on(event: 'unresponsive', listener: () => void): unknown
  on(event: 'responsive', listener: () => void): unknown
  loadURL(address: string): Promise<void>
}

export function recoverRenderer(options: {
  readonly window: RecoverableWindow
  readonly clock: Clock
  readonly logger: Logger
  readonly isEnding: () => boolean
  /** May the session end any moment? */
  readonly isSessionEnding: () => boolean
  /** Says outside of the window that it shows nothing any more. */
  readonly showFailure: () => void
}): void {
  const { window, clock, logger, isEnding, isSessionEnding } = options
  const { webContents } = window
  const mayReload = createRateLimit(clock, RELOAD_LIMIT)
  let cancelTimeout: (() => void) | null = null

  const repair = (reason: string, exitCode: number): void => {
    cancelTimeout?.()
    // The window may be gone.
    if (isEnding()) return
    // Windows lets no process begin amid a sign-out and tells so on the screen. Called off, the page is to come back.
    if (isSessionEnding()) {
      clock.after(RECHECK_AFTER_MS, () => repair(reason, exitCode))
      return
    }
    const shown = webContents.getURL().startsWith(RECOVERY_ADDRESS) ? 'recoveryPage' : 'screens'
    const action = chooseRepair({ isEnding: isEnding(), reason, shown, mayReload })
    if (action === 'nothing') return
    logger.error('the screens ended unexpectedly', { reason, exitCode, mending: action })
    if (action === 'reload') webContents.reload()
    else if (action === 'showRecoveryPage')
      // That it cannot be loaded is told by an event of the window.
      void window.loadURL(RECOVERY_ADDRESS).catch(() => undefined)
    else options.showFailure()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => repair(reason, exitCode))
  webContents.on('did-fail-load', (_event, code, _what, _url, isMainFrame) => {
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

/**
 * A page whose process dies leaves a black window, for hours where nobody clicks. So it is loaded again, but not for
 * ever: one that dies again and again gives its place to a plain page (recovery-page.ts), from which a person tries anew.
 */
import { MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Clock, Logger } from '../station/ports.ts'
import { createAllowance } from './crash-allowance.ts'
import { RECOVERY_ADDRESS } from './recovery-page.ts'

/** A passing fault is over by then, and a lasting one is not hidden by flicker. */
const RELOADS = { most: 3, withinMs: 5 * MINUTE }
/** Long enough for a page that draws a hundred images on an old machine. */
const UNRESPONSIVE_FOR_MS = 30 * SECOND
/** Whether the session ends is known within a minute. */
const LOOK_AGAIN_AFTER_MS = 5 * SECOND
/** Chromium's ERR_ABORTED: another page is loaded in its place. */
const ABORTED = -3

export type Trouble = {
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
export function mendingOf(trouble: Trouble): 'nothing' | 'reload' | 'showRecoveryPage' | 'tell' {
  if (trouble.isEnding || trouble.reason === 'clean-exit') return 'nothing'
  if (trouble.shown === 'recoveryPage') return 'tell'
  return trouble.mayReload() ? 'reload' : 'showRecoveryPage'
}

/** The part of a `BrowserWindow` that is needed. */
export type MendedWindow = {
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

export function recoverRenderer(given: {
  readonly window: MendedWindow
  readonly clock: Clock
  readonly logger: Logger
  readonly isEnding: () => boolean
  /** May the session end any moment? */
  readonly isSessionEnding: () => boolean
  /** Says outside of the window that it shows nothing any more. */
  readonly tell: () => void
}): void {
  const { window, clock, logger, isEnding, isSessionEnding } = given
  const { webContents } = window
  const mayReload = createAllowance(clock, RELOADS)
  let cancelPatience: (() => void) | null = null

  const mend = (reason: string, exitCode: number): void => {
    cancelPatience?.()
    // The window may be gone.
    if (isEnding()) return
    // Windows lets no process begin amid a sign-out and tells so on the screen. Called off, the page is to come back.
    if (isSessionEnding()) {
      clock.after(LOOK_AGAIN_AFTER_MS, () => mend(reason, exitCode))
      return
    }
    const shown = webContents.getURL().startsWith(RECOVERY_ADDRESS) ? 'recoveryPage' : 'screens'
    const mending = mendingOf({ isEnding: isEnding(), reason, shown, mayReload })
    if (mending === 'nothing') return
    logger.error('the screens ended unexpectedly', { reason, exitCode, mending })
    if (mending === 'reload') webContents.reload()
    else if (mending === 'showRecoveryPage')
      // That it cannot be loaded is told by an event of the window.
      void window.loadURL(RECOVERY_ADDRESS).catch(() => undefined)
    else given.tell()
  }

  webContents.on('render-process-gone', (_event, { reason, exitCode }) => mend(reason, exitCode))
  webContents.on('did-fail-load', (_event, code, _what, _url, isMainFrame) => {
    if (isMainFrame && code !== ABORTED) mend('not loaded', code)
  })
  window.on('unresponsive', () => {
    logger.warn('the screens do not respond')
    cancelPatience?.()
    cancelPatience = clock.after(UNRESPONSIVE_FOR_MS, () => {
      logger.error('the screens have not responded for long; they are ended to be loaded again')
      webContents.forcefullyCrashRenderer()
    })
  })
  window.on('responsive', () => {
    logger.info('the screens respond again')
    cancelPatience?.()
  })
}

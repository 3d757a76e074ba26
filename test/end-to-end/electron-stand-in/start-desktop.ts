/** Starts the desktop app for a test: on Electron where it is installed, else on the stand-in for it. */
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import type { Desktop, DesktopOptions } from './desktop.ts'

/** A browser for windows of the stand-in, to be shared by the tests of one file; whoever opens it closes it. */
export function openDesktopBrowser(): Promise<TestBrowser> {
  return openTestBrowser()
}

/**
 * Starts the app and waits for its page. Rejects, with what it said on stderr, where it ends before.
 * Whoever starts it stops it.
 */
export function startDesktop(options: DesktopOptions = {}): Promise<Desktop> {
  return Promise.reject(new Error(`not there yet: ${Object.keys(options).join()}`))
}

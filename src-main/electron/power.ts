/** Sleep and shutdown of the machine, as far as the system tells of them. Both are hints: on Linux they may not come. */
import { powerMonitor, type BrowserWindow } from 'electron'

export type PowerOptions = {
  readonly onResume: () => void
  readonly onShutdown: (reason: string) => void
}

export function watchPower(window: BrowserWindow, { onResume, onShutdown }: PowerOptions): void {
  powerMonitor.on('resume', onResume)
  powerMonitor.on('shutdown', () => onShutdown('the computer shuts down'))
  // Windows only, where before-quit does not come at the end of a session.
  window.on('session-end', () => onShutdown('the session ends'))
}

/** The part of a `BrowserWindow` that is needed. */
type HiddenWindow = {
  isFullScreen(): boolean
  setFullScreen(isFullScreen: false): void
  once(event: 'leave-full-screen', listener: () => void): unknown
  hide(): void
}

/** Puts the window out of sight. In full screen it has a space of its own on macOS, which would stay, black (electron 20263). */
export function hideWindow(window: HiddenWindow, platform: NodeJS.Platform): void {
  if (platform !== 'darwin' || !window.isFullScreen()) return window.hide()
  window.once('leave-full-screen', () => window.hide())
  window.setFullScreen(false)
}

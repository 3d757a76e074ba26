/** The faded dialog leaves the page with the next drawing, and with it the focus that it held. */
const GONE_MS = 50

/** Where the keyboard goes on once a dialog has faded out: where it came from, or the screen where that is gone. */
export function restoreFocus(cameFrom: HTMLElement | null): void {
  setTimeout(() => {
    // Somebody has taken it already.
    if (document.activeElement !== document.body) return
    const target = cameFrom?.isConnected ? cameFrom : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, GONE_MS)
}

/** A dialog keeps the focus until it has faded out. */
const FADED_MS = 170

/** Where the keyboard goes on after a dialog: where it came from, or the screen where that is gone. */
export function giveFocusBack(cameFrom: HTMLElement | null): void {
  setTimeout(() => {
    // Somebody has taken it already.
    if (document.activeElement !== document.body) return
    const target = cameFrom?.isConnected ? cameFrom : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }, FADED_MS)
}

/** Keys of a screen must not act on what a dialog covers: there they would approve a case that nobody sees. */

const IN_DIALOG = '[role="dialog"], [role="alertdialog"]'
const MODAL = '[aria-modal="true"], dialog[open]'

/** Was this pressed in a dialog, or while one covers the screen? */
export function isBehindDialog({ target }: Event, page: ParentNode = document): boolean {
  const isInside = target instanceof Element && target.closest(IN_DIALOG) !== null
  return isInside || page.querySelector(MODAL) !== null
}

/** A key of the screen that rests while a dialog is open. */
export function unlessBehindDialog(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!isBehindDialog(event)) act()
  }
}

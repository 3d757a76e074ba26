/** Starting again, with the words of this start. */

/** The part of `app` that is needed. */
type Relauncher = {
  relaunch(options: { readonly args: string[]; readonly execPath?: string }): void
}

/**
 * The words for the next start. A recovery was for this start only. A window that was out of sight stays so: nobody
 * expects one to open by itself beside a patient. Pure.
 */
export function wordsForRelaunch(
  words: readonly string[],
  {
    isHidden,
    without = [],
    add = [],
  }: { isHidden: boolean; without?: readonly string[]; add?: readonly string[] },
): string[] {
  const dropped = ['--recover', '--hidden', ...without, ...add]
  return [...words.filter((word) => !dropped.includes(word)), ...(isHidden ? ['--hidden'] : []), ...add]
}

/** Starts the app again as soon as this process has ended. */
export function relaunch(app: Relauncher, words: string[], appImage: string | undefined): void {
  // An AppImage runs from a mount that goes away with this process; the file itself stays.
  app.relaunch(appImage === undefined ? { args: words } : { args: words, execPath: appImage })
}

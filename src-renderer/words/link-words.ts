/** What the screens say about the way to their own station. */
export const LINK_WORDS = {
  noAnswer:
    'The station on this computer did not answer, so it is not known whether this was done. Look at the case again before you repeat it.',
  unreadable:
    'The station answered in a way that these screens do not understand, so nothing is shown from it. Reload the screens; if it stays, the station and its screens are of different versions.',
} as const

/** What becomes of the files that lay in a folder before the station first watched it. */
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'

/**
 * - `include`, `ignore`  take them all, or none
 * - `since`              take those that were last changed on a day or later
 * - `ask`                take none until a person has decided
 */
export type ExistingDecision =
  | { readonly kind: 'include' | 'ignore' | 'ask' }
  /** `since` is a calendar day, YYYY-MM-DD. */
  | { readonly kind: 'since'; readonly since: string }

/** What the settings of a folder say; where they do not, `byDefault`. A day that is missing is asked for. */
export function existingDecisionOf(
  { existing, existingSince }: Pick<FolderSettings, 'existing' | 'existingSince'>,
  byDefault: 'ask' | 'include',
): ExistingDecision {
  const kind = existing ?? byDefault
  if (kind !== 'since') return { kind }
  return existingSince === undefined ? { kind: 'ask' } : { kind, since: existingSince }
}

/**
 * The first time of change, epoch milliseconds, from which on files are taken: a day begins at midnight on the
 * calendar of this computer, which is the one that the clinic reads.
 */
export function includeFromMs(decision: ExistingDecision): number {
  switch (decision.kind) {
    case 'include':
      return -Infinity
    case 'ignore':
    case 'ask':
      return Infinity
    case 'since':
      return startOfDayMs(decision.since)
  }
}

/** Midnight at the beginning of a calendar day, YYYY-MM-DD, on this computer; epoch milliseconds. */
export function startOfDayMs(day: string): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date).getTime()
}

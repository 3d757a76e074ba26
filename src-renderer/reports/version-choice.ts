/** Which version of a report is read. Pure. */
import type { ReportVersion } from '../../src-shared/report.ts'

export type NumberedVersion = { readonly number: number; readonly version: ReportVersion }

/** The versions, the newest first, each with the how manieth it was. */
export function numberVersions(versions: readonly ReportVersion[]): NumberedVersion[] {
  return versions
    .toSorted((one, other) => other.fetchedAt - one.fetchedAt)
    .map((version, index) => ({ version, number: versions.length - index }))
}

export type Reading = {
  readonly shown: NumberedVersion
  readonly newest: NumberedVersion
  /** Is something newer there than what is shown, and did it come while it was read? */
  readonly isOlder: 'no' | 'chosen' | 'overtaken'
}

/**
 * What is shown of these versions. `chosenId` is what a person chose, `openedId` the newest when the report was opened:
 * what somebody reads is not taken away by a version that comes meanwhile.
 */
export function readingOf(
  versions: readonly ReportVersion[],
  openedId: string,
  chosenId: string | null,
): Reading | null {
  const all = numberVersions(versions)
  const [newest] = all
  if (!newest) return null
  const shown = all.find(({ version }) => version.id === (chosenId ?? openedId)) ?? newest
  const isOlder = shown === newest ? 'no' : chosenId === null ? 'overtaken' : 'chosen'
  return { shown, newest, isOlder }
}

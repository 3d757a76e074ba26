import type { ManagedFile } from '../../src-shared/setting-source.ts'
import type { ConfigReading } from './config-file.ts'
import type { Policy } from './policy.ts'

/** What an administrator has laid beside the station, as its host found it. */
export type ManagedSetup = {
  /** What counts of it: where the file cannot be used, what it said when it last could. */
  readonly policy: Policy | null
  /** `isExpected`: somebody has named the file; the usual place may be empty. */
  readonly enrolment: { readonly path: string; readonly isExpected: boolean } | null
  /** What became of the files, for the screens. */
  readonly files: readonly ManagedFile[]
  /** What this start's command line states, by name, such as `dataFolder`. */
  readonly commandLine: Readonly<Record<string, string>>
}

/** Nothing at all. */
export const UNMANAGED: ManagedSetup = { policy: null, enrolment: null, files: [], commandLine: {} }

/** What became of the file of `--config`, for the screens; `inForce`: what counts where the file cannot be used. */
export function configurationStatus(
  path: string,
  reading: ConfigReading,
  inForce: 'lastKnown' | 'nothing' = 'nothing',
): ManagedFile {
  const file = { kind: 'configuration', path } as const
  if (reading.kind === 'unusable')
    return { ...file, state: reading.state, inForce, detail: reading.detail, unknownNames: [] }
  const unknownNames = [...reading.config.unknownNames]
  return { ...file, state: 'read', inForce: 'this', detail: null, unknownNames }
}

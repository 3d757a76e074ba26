/** Opens the settings of a station with all that an administrator has laid beside it. */
import type { ManagedFile } from '../../src-shared/setting-source.ts'
import { UNMANAGED } from './managed-setup.ts'
import type { Outbox } from './outbox/outbox.ts'
import { openSettingsStore, type SettingsStore } from './settings-store.ts'
import type { StationOptions } from './station-api.ts'
import { applyEnrolment } from './take-enrolment.ts'

export type OpenedSettings = {
  readonly settings: SettingsStore
  /** What became of the administrator's files. */
  readonly managedFiles: readonly ManagedFile[]
}

/** Throws a StorageError where the settings that were kept cannot be read. */
export async function openSettings(
  { dataFolder, config, managed = UNMANAGED, ports }: StationOptions,
  outbox: Pick<Outbox, 'audit'>,
): Promise<OpenedSettings> {
  const { clock, logger, secrets } = ports
  const settings = await openSettingsStore({ dataFolder, config, policy: managed.policy, secrets, logger })
  if (config !== null && config.unknownNames.length > 0)
    logger.warn('names in the configuration file mean nothing', { names: config.unknownNames.join(', ') })
  if (managed.policy !== null && managed.policy.unknownNames.length > 0)
    logger.warn('names in the policy mean nothing', { names: managed.policy.unknownNames.join(', ') })
  if (managed.enrolment === null) return { settings, managedFiles: managed.files }
  const { file, changed } = await applyEnrolment({ ...managed.enrolment, store: settings, logger })
  if (changed.length > 0)
    outbox.audit.append({
      at: clock.now(),
      submissionId: null,
      what: 'settingsChanged',
      by: null,
      details: { sections: changed, from: 'enrolment' },
    })
  return { settings, managedFiles: file === null ? managed.files : [...managed.files, file] }
}

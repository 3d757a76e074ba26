/** Opens a settings store in a folder of its own, and again, as after a restart. */
import {
  parseConfig,
  parsePolicy,
  type SettingsSection,
} from '../../../../src-main/station/settings/managed-files.ts'
import { openSettingsStore, type SettingsStore } from '../../../../src-main/station/settings/settings.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

export const config = (stated: object): Settings => settingsSchema.parse(stated)

export type Opened = {
  readonly store: SettingsStore
  readonly secrets: ReturnType<typeof createMemorySecrets>
  readonly folder: string
  /** Opens the same folder again, as after a restart, with this configuration file. */
  again(file: object | null, enforced?: readonly SettingsSection[]): Promise<Opened>
}

export async function openSettings(
  file: object | null,
  folder = temporaryFolder(),
  secrets = createMemorySecrets(),
  enforced: readonly SettingsSection[] = [],
): Promise<Opened> {
  const store = await openSettingsStore({
    dataFolder: folder,
    config: file === null ? null : parseConfig({ ...file, enforced }),
    secrets,
    logger: createRecordingLogger(),
  })
  return { store, secrets, folder, again: (next, locked) => openSettings(next, folder, secrets, locked) }
}

export type Start = {
  readonly policy?: object
  readonly file?: object
  readonly enforced?: readonly SettingsSection[]
}

/** Opens stores one after the other in one folder, as restarts do. */
export function station(secrets = createMemorySecrets(), dataFolder = temporaryFolder()) {
  const start = ({ policy, file, enforced = [] }: Start): Promise<SettingsStore> =>
    openSettingsStore({
      dataFolder,
      config: file ? parseConfig({ ...file, enforced }) : null,
      policy: policy ? parsePolicy(policy) : null,
      secrets,
      logger: createRecordingLogger(),
    })
  return { start, secrets }
}

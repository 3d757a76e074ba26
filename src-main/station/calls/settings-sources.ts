import type { SettingInForce, SettingsSources } from '../../../src-shared/setting-source.ts'
import type { StationParts } from '../station-parts.ts'

/** Every value in force with where it comes from, and the files that administrators laid beside the station. */
export async function settingsSources(
  parts: Pick<StationParts, 'settings' | 'ports' | 'dataFolder' | 'managedFiles' | 'commandLine'>,
): Promise<SettingsSources> {
  const { settings, ports, dataFolder, managedFiles, commandLine } = parts
  const stated = Object.entries(commandLine).map(([name, value]): SettingInForce => ({
    name,
    value,
    source: 'commandLine',
    isLocked: true,
  }))
  const builtIn: SettingInForce[] = Object.hasOwn(commandLine, 'dataFolder')
    ? []
    : [{ name: 'dataFolder', value: dataFolder, source: 'builtIn', isLocked: true }]
  const secretsKept = await ports.secrets.storedIn()
  const secret = await settings.secretSource()
  return {
    items: [
      ...settings.sources(),
      {
        name: 'service.clientSecret',
        value: secret !== null,
        source: secretsKept === 'environment' ? 'environment' : (secret?.source ?? 'builtIn'),
        isLocked: secretsKept === 'environment' || (secret?.isLocked ?? false),
      },
      ...builtIn,
      ...stated,
    ],
    files: [...managedFiles],
    secretsKept,
  }
}

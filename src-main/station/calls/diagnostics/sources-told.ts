import type { SettingsSources } from '../../../../src-shared/setting-source.ts'
import type { Cover } from './cover.ts'

/**
 * Where the settings come from: the administrator's files and what became of them, then every value that is not built
 * in, without the value. What a clinic has written is left out, also where it is a name within the settings.
 */
export function sourcesTold({ items, files, secretsKept }: SettingsSources, cover: Cover): string[] {
  const stated = items
    .filter(({ source }) => source !== 'builtIn')
    .map(({ name, source, isLocked }) => `${inOurWords(name)}: ${source}${isLocked ? ', locked' : ''}`)
  return [
    `secrets are kept: ${secretsKept}`,
    ...files.map(({ kind, path, state, inForce, unknownNames }) =>
      JSON.stringify({ kind, path: cover.path(path), state, inForce, unknownNames: unknownNames.length }),
    ),
    ...new Set(stated),
    'all else is built in',
  ]
}

/** The headings of a patient list are names within the settings, and the clinic's own. */
function inOurWords(name: string): string {
  return name.replace(/^(patientList\.columns)\..*$/s, '$1')
}

import type { SettingsSources } from '../../../../src-shared/setting-source.ts'
import type { Redactor } from './cover.ts'

/**
 * Where the settings come from: the administrator's files and what became of them, then every value that is not built
 * in, without the value. What a clinic has written is left out, also where it is a name within the settings.
 */
export function redactSources({ items, files, secretsKept }: SettingsSources, redactor: Redactor): string[] {
  const stated = items
    .filter(({ source }) => source !== 'builtIn')
    .map(({ name, source, isLocked }) => `${generalName(name)}: ${source}${isLocked ? ', locked' : ''}`)
  return [
    `secrets are kept: ${secretsKept}`,
    ...files.map(({ kind, path, state, inForce, unknownNames }) =>
      JSON.stringify({ kind, path: redactor.path(path), state, inForce, unknownNames: unknownNames.length }),
    ),
    ...new Set(stated),
    'all else is built in',
  ]
}

/** The headings of a patient list are names within the settings, and the clinic's own. */
function generalName(name: string): string {
  return name.replace(/^(patientList\.columns)\..*$/s, '$1')
}

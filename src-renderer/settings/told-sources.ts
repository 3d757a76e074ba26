/** What the table of sources shows, and its text for the clipboard. */
import type { ManagedFile, SettingInForce } from '../../src-shared/setting-source.ts'
import { t } from '../words/t.ts'

const NO_VALUE = '\u2013'
const SECRET = 'service.clientSecret'

/** A value as the files write it; of a secret only whether it is there. */
export function settingText({ name, value }: SettingInForce): string {
  if (name === SECRET)
    return t(value === true ? 'settings:sources.secretKept' : 'settings:sources.secretMissing')
  return value === null || value === '' ? NO_VALUE : String(value)
}

/** What is found by all words that are searched for, in the name, the value or where it comes from. */
export function filterSources(
  items: readonly SettingInForce[],
  { search, isStatedOnly }: { readonly search: string; readonly isStatedOnly: boolean },
): readonly SettingInForce[] {
  const terms = search.toLowerCase().split(/\s+/)
  return items.filter((item) => {
    const text =
      `${item.name} ${settingText(item)} ${t(`settings:sources.from.${item.source}`)}`.toLowerCase()
    return (!isStatedOnly || item.source !== 'builtIn') && terms.every((term) => text.includes(term))
  })
}

/** A line a value, with tabs between, as a sheet takes it; the files before them. */
export function sourcesAsText(items: readonly SettingInForce[], files: readonly ManagedFile[]): string {
  return [
    ...files.map((file) =>
      [t(`settings:sources.kind.${file.kind}`), file.path, t(`settings:sources.state.${file.state}`)].join(
        '\t',
      ),
    ),
    ...items.map((item) =>
      [
        item.name,
        settingText(item),
        t(`settings:sources.from.${item.source}`),
        item.isLocked ? t('settings:sources.locked') : '',
      ]
        .join('\t')
        .trimEnd(),
    ),
  ].join('\n')
}

/** Where each setting comes from. */
import { Checkbox, Loader, Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { ManagedFile, SettingInForce, SettingsSources } from '../../src-shared/setting-sources.ts'
import { CopyAction, FailureNotice, SearchInput } from '../components/controls.tsx'
import { isFound, t } from '../i18n/i18n.ts'
import { useAnswer } from '../store/use-station.ts'
import screen from './settings-screen.module.css'
import css from './sources.module.css'

/** All others are problems; `none` is one if an earlier version of the file is still in effect. */
const SOUND_STATES: readonly ManagedFile['state'][] = ['read', 'taken']

function ManagedFiles({ files }: { readonly files: readonly ManagedFile[] }) {
  return (
    <section className={screen.card} aria-labelledby="managed-files">
      <h3 id="managed-files">{t('settings:sources.files')}</h3>
      {files.length === 0 && <p className="dim">{t('settings:sources.noFiles')}</p>}
      <Stack component="ul" role="list" gap={12}>
        {files.map((file) => (
          <li key={`${file.kind} ${file.path}`} className={css.file}>
            <strong>{t(`settings:sources.kind.${file.kind}`)}</strong>
            <code className="breakable">{file.path}</code>
            <FileState file={file} />
          </li>
        ))}
      </Stack>
    </section>
  )
}

function FileState({ file }: { readonly file: ManagedFile }) {
  const { inForce } = file
  const isConfiguration = file.kind === 'configuration'
  const hasProblem = file.state === 'none' ? inForce === 'lastKnown' : !SOUND_STATES.includes(file.state)
  return (
    <div className={css.state}>
      <span className={hasProblem ? 'amber' : undefined}>{t(`settings:sources.state.${file.state}`)}</span>
      {file.detail !== null && <code className="breakable">{file.detail}</code>}
      {inForce === 'lastKnown' && (
        <span>{t(`settings:sources.${isConfiguration ? 'lastKnownConfiguration' : 'lastKnown'}`)}</span>
      )}
      {inForce === 'nothing' && isConfiguration && <span>{t('settings:sources.noConfiguration')}</span>}
      {file.unknownNames.length > 0 && (
        <span className="amber">
          {t('settings:sources.unknownNames', { names: file.unknownNames.join(', ') })}
        </span>
      )}
    </div>
  )
}

const NO_VALUE = '\u2013'
const SECRET = 'service.clientSecret'

/** A value as the files write it; for a secret only whether it exists. */
export function settingText({ name, value }: SettingInForce): string {
  if (name === SECRET)
    return t(value === true ? 'settings:sources.secretKept' : 'settings:sources.secretMissing')
  return value === null || value === '' ? NO_VALUE : String(value)
}

export function filterSources(
  items: readonly SettingInForce[],
  { search, isStatedOnly }: { readonly search: string; readonly isStatedOnly: boolean },
): readonly SettingInForce[] {
  return items.filter(
    (item) =>
      (!isStatedOnly || item.source !== 'builtIn') &&
      isFound(search, [item.name, settingText(item), t(`settings:sources.from.${item.source}`)]),
  )
}

/** The files, then one line per value with tabs between the columns, for a spreadsheet. */
export function sourcesAsText(items: readonly SettingInForce[], files: readonly ManagedFile[]): string {
  return [
    ...files.map(({ kind, path, state }) => [
      t(`settings:sources.kind.${kind}`),
      path,
      t(`settings:sources.state.${state}`),
    ]),
    ...items.map((item) => [
      item.name,
      settingText(item),
      t(`settings:sources.from.${item.source}`),
      ...(item.isLocked ? [t('settings:sources.locked')] : []),
    ]),
  ]
    .map((columns) => columns.join('\t'))
    .join('\n')
}

/** The source of each setting, for support staff. Read-only, and without secrets. */
export function SourcesSection() {
  const { value, failure } = useAnswer('settings.sources', {})
  return (
    <div className={screen.form}>
      <p className={screen.explain}>{t('settings:sources.explain')}</p>
      {failure && <FailureNotice failure={failure} />}
      {!value && !failure && <Loader size="sm" aria-label={t('settings:section.sources')} />}
      {value && <ManagedFiles files={value.files} />}
      {value && (
        <section className={screen.card} aria-labelledby="secrets-kept">
          <h3 id="secrets-kept">{t('settings:secretsKept.title')}</h3>
          <p>
            <strong className={value.secretsKept === 'privateFile' ? 'amber' : undefined}>
              {t(`settings:secretsKept.${value.secretsKept}`)}
            </strong>{' '}
            {t(`settings:secretsKept.${value.secretsKept}Means`)}
          </p>
        </section>
      )}
      {value && <Values sources={value} />}
    </div>
  )
}

function Values({ sources }: { readonly sources: SettingsSources }) {
  const [search, setSearch] = useState('')
  const [isStatedOnly, setStatedOnly] = useState(false)
  const found = filterSources(sources.items, { search, isStatedOnly })
  return (
    <section className={screen.card} aria-labelledby="setting-values">
      <div className={screen.foot}>
        <h3 id="setting-values" className="grow">
          {t('settings:sources.values')}
        </h3>
        <CopyAction text={sourcesAsText(found, sources.files)} label={t('settings:sources.copy')} />
      </div>
      <div className={css.search}>
        <SearchInput label={t('settings:sources.search')} text={search} onWrite={setSearch} />
        <Checkbox
          label={t('settings:sources.statedOnly')}
          checked={isStatedOnly}
          onChange={(event) => setStatedOnly(event.currentTarget.checked)}
        />
        <span role="status" className="dim tabular">
          {t('settings:sources.count', { count: found.length })}
        </span>
      </div>
      {found.length > 0 && (
        <div className={css.frame} role="group" aria-label={t('settings:sources.values')} tabIndex={0}>
          <table className={css.table}>
            <thead>
              <tr>
                <th scope="col">{t('settings:sources.name')}</th>
                <th scope="col">{t('settings:sources.value')}</th>
                <th scope="col">{t('settings:sources.source')}</th>
              </tr>
            </thead>
            <tbody>
              {found.map((item) => (
                <tr key={item.name}>
                  <th scope="row">
                    <code>{item.name}</code>
                  </th>
                  <td className="breakable">{settingText(item)}</td>
                  <td data-source={item.source}>
                    {t(`settings:sources.from.${item.source}`)}
                    {item.isLocked && (
                      <span className={css.lock}>
                        <IconLock size={15} aria-hidden />
                        {t('settings:sources.locked')}
                      </span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

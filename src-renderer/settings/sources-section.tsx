import { Checkbox, Loader, TextInput } from '@mantine/core'
import { IconLock, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import type { SettingInForce, SettingsSources } from '../../src-shared/setting-source.ts'
import { CopyAction } from '../parts/copy-action.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { t } from '../words/t.ts'
import { ManagedFiles } from './managed-files.tsx'
import screen from './settings-screen.module.css'
import { filterSources, sourcesAsText, settingText } from './told-sources.ts'
import css from './sources-section.module.css'

/** Where each setting comes from, for whoever looks after many stations. Nothing is set here, and no secret is shown. */
export function SourcesSection() {
  const { value, failure } = useAnswer('settings.sources', {})
  return (
    <div className={screen.form}>
      <p className={screen.explain}>{t('settings:sources.explain')}</p>
      {failure && <FailureNotice failure={failure} />}
      {!value && !failure && <Loader size="sm" aria-label={t('settings:section.sources')} />}
      {value && <ManagedFiles files={value.files} />}
      {value && <SecretStorageNote kept={value.secretsKept} />}
      {value && <Values sources={value} />}
    </div>
  )
}

function SecretStorageNote({ kept: storage }: { readonly kept: SettingsSources['secretsKept'] }) {
  return (
    <section className={screen.card} aria-labelledby="secrets-kept">
      <h3 id="secrets-kept">{t('settings:secretsKept.title')}</h3>
      <p>
        <strong className={storage === 'privateFile' ? screen.caution : undefined}>
          {t(`settings:secretsKept.${storage}`)}
        </strong>{' '}
        {t(`settings:secretsKept.${storage}Means`)}
      </p>
    </section>
  )
}

function Values({ sources }: { readonly sources: SettingsSources }) {
  const [search, setSearch] = useState('')
  const [isStatedOnly, setStatedOnly] = useState(false)
  const found = filterSources(sources.items, { search, isStatedOnly })
  return (
    <section className={screen.card} aria-labelledby="setting-values">
      <div className={screen.foot}>
        <h3 id="setting-values" className={screen.gap}>
          {t('settings:sources.values')}
        </h3>
        <CopyAction text={sourcesAsText(found, sources.files)} label={t('settings:sources.copy')} />
      </div>
      <div className={css.search}>
        <TextInput
          type="search"
          aria-label={t('settings:sources.search')}
          placeholder={t('settings:sources.search')}
          leftSection={<IconSearch size={17} aria-hidden />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
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
                <Row key={item.name} item={item} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Row({ item }: { readonly item: SettingInForce }) {
  return (
    <tr>
      <th scope="row">
        <code>{item.name}</code>
      </th>
      <td className={screen.long}>{settingText(item)}</td>
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
  )
}

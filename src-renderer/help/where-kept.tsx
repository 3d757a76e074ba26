import type { ReactNode } from 'react'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import css from './help-screen.module.css'
import { joinPath } from './under.ts'

/** Where everything lies that somebody may look for, back up or clean away. */
export function StorageLocations() {
  const { value: about, failure } = useAnswer('station.about', {})
  const settings = useStation((state) => state.settings)
  const host = useStation((state) => state.status?.host ?? null)
  const inData = (...names: string[]): string => (about ? joinPath(about.dataFolder, ...names) : '\u2026')
  const folders = settings?.folders ?? []
  return (
    <>
      {failure && (
        <>
          <p className="dim">{t('help:kept.unknown')}</p>
          <FailureNotice failure={failure} tone="amber" />
        </>
      )}
      <dl className={css.kept}>
        <LocationEntry name={t('help:kept.cases')} explain={t('help:kept.casesExplain')}>
          <code>{inData()}</code>
        </LocationEntry>
        <LocationEntry name={t('help:kept.backups')} explain={t('help:kept.backupsExplain')}>
          <code>{inData('backups')}</code>
        </LocationEntry>
        <LocationEntry name={t('help:kept.folders')} explain={t('help:kept.foldersExplain')}>
          {folders.length === 0 ? (
            <span>{t('help:kept.noFolders')}</span>
          ) : (
            folders.map(({ path }) => <code key={path}>{path}</code>)
          )}
        </LocationEntry>
        <LocationEntry name={t('help:kept.copies')}>
          {settings?.reports.saveTo ? (
            <code>{settings.reports.saveTo}</code>
          ) : (
            <span>{t('help:kept.noCopies')}</span>
          )}
        </LocationEntry>
        <LocationEntry name={t('help:kept.log')} explain={host === null ? '' : t(`help:kept.logs.${host}`)}>
          {host === 'electron' && <code>{inData('logs')}</code>}
        </LocationEntry>
        <LocationEntry name={t('help:kept.secret')} explain={t('help:kept.secretExplain')} />
      </dl>
    </>
  )
}

function LocationEntry({
  name,
  explain,
  children,
}: {
  readonly name: string
  readonly explain?: string
  readonly children?: ReactNode
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {children}
        {explain !== undefined && <span className="dim">{explain}</span>}
      </dd>
    </div>
  )
}

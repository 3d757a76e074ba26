import { Loader, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Profile } from '../../../src-shared/profile.ts'
import type { FolderSettings } from '../../../src-shared/folder-settings.ts'
import screen from '../settings-screen.module.css'
import css from './profiles.module.css'
import { DryRunResult } from './trial-result.tsx'
import { useDryRun } from './use-trial.ts'
import { said } from '../../words/said.ts'
import { t } from '../../words/t.ts'

const OTHER = '?other'

export type DryRunPanelProps = {
  readonly folders: readonly FolderSettings[]
  readonly path: string
  /** An id, or what is being written; null while that cannot be right. */
  readonly profile: Profile | string | null
  /** The profile is being written: the view stays in sight beside it. */
  readonly isEditing: boolean
  readonly onPath: (path: string) => void
}

/** A folder to try on, and what would become of its files. */
export function DryRunPanel({ folders, path, profile, isEditing, onPath }: DryRunPanelProps) {
  const watchedFolder = folders.find((folder) => folder.path === path)
  const [isOther, setOther] = useState(path !== '' && watchedFolder === undefined)
  const visitGapMinutes = watchedFolder?.visitGapMinutes ?? null
  const hasFolder = path.trim() !== ''
  const canTry = hasFolder && profile !== null
  const dryRun = useDryRun(canTry ? { path: path.trim(), profile, visitGapMinutes } : null)

  const choose = (value: string): void => {
    setOther(value === OTHER)
    if (value !== OTHER) onPath(value)
  }
  return (
    <section className={`${screen.card} ${css.trial}`} data-editing={isEditing} aria-labelledby="trial">
      <h3 id="trial" className={css.trialTitle}>
        {t('settings:trial.title')}
        {dryRun.isReading && <Loader size={15} aria-label={t('settings:trial.reading')} />}
      </h3>
      <NativeSelect
        label={t('settings:trial.folder')}
        value={isOther ? OTHER : path}
        data={[
          { value: '', label: t('settings:trial.noFolder') },
          ...folders.map((folder) => ({ value: folder.path, label: folder.path })),
          { value: OTHER, label: t('settings:trial.other') },
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {isOther && (
        <TextInput
          label={t('settings:trial.path')}
          autoComplete="off"
          spellCheck={false}
          value={path}
          onChange={(event) => onPath(event.currentTarget.value)}
        />
      )}
      {!hasFolder && <p className="dim">{t('settings:trial.none')}</p>}
      {hasFolder && profile === null && !dryRun.value && (
        <p className={screen.caution}>{t('settings:trial.waiting')}</p>
      )}
      {hasFolder && dryRun.failure && <p className={screen.trouble}>{said(dryRun.failure.message)}</p>}
      {hasFolder && !dryRun.failure && dryRun.value && (
        <DryRunResult
          dryRun={dryRun.value}
          isOld={dryRun.isReading || !canTry}
          isWaiting={profile === null}
        />
      )}
    </section>
  )
}

import { Loader } from '@mantine/core'
import { IconFiles } from '@tabler/icons-react'
import { formatCount } from '../format/numbers.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { TrialResult } from '../settings/profiles/trial-result.tsx'
import { useTrial } from '../settings/profiles/use-trial.ts'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'

export type FolderPreviewProps = { readonly path: string; readonly profile: string }

/** How many files lie in a folder while its name is typed, and how they would be grouped. Nothing is touched. */
export function FolderPreview({ path, profile }: FolderPreviewProps) {
  const trial = useTrial(path === '' ? null : { path, profile, visitGapMinutes: null })
  if (path === '') return <p className="dim">{t('setup:folder.empty')}</p>
  if (trial.failure)
    return (
      <FailureNotice failure={trial.failure} tone="amber">
        <p>{t('setup:folder.notYet')}</p>
      </FailureNotice>
    )
  if (!trial.value)
    return (
      <p className={css.count}>
        <Loader size={18} aria-hidden />
        {t('setup:folder.counting')}
      </p>
    )
  const { fileCount } = trial.value
  return (
    <section aria-labelledby="setup-preview" className={css.preview} data-old={trial.isReading}>
      <p className={css.count} role="status">
        <IconFiles size={20} stroke={1.7} aria-hidden />
        {fileCount === 0
          ? t('setup:folder.noFiles')
          : t('setup:folder.files', { count: fileCount, files: formatCount(fileCount) })}
      </p>
      {fileCount > 0 && (
        <>
          <h3 id="setup-preview">{t('setup:folder.preview')}</h3>
          <TrialResult trial={trial.value} isOld={trial.isReading} isWaiting={false} />
        </>
      )}
    </section>
  )
}

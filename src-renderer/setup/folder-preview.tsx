import { Loader } from '@mantine/core'
import { IconFiles } from '@tabler/icons-react'
import type { ProfileDryRun } from '../../src-shared/profile-trial.ts'
import { formatCount } from '../format/numbers.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { DryRunResult } from '../settings/profiles/trial-result.tsx'
import type { Answer } from '../store/use-answer.ts'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'

type FolderDryRun = Answer<ProfileDryRun>

/** How many files lie in a folder, while its name is typed. */
export function FolderCount({
  path,
  trial: dryRun,
}: {
  readonly path: string
  readonly trial: FolderDryRun
}) {
  if (path === '') return <p className="dim">{t('setup:folder.empty')}</p>
  if (dryRun.failure)
    return (
      <FailureNotice failure={dryRun.failure} tone="amber">
        <p>{t('setup:folder.notYet')}</p>
      </FailureNotice>
    )
  if (!dryRun.value || dryRun.isReading)
    return (
      <p className={css.count}>
        <Loader size={18} aria-hidden />
        {t('setup:folder.counting')}
      </p>
    )
  const { fileCount } = dryRun.value
  return (
    <p className={css.count} role="status">
      <IconFiles size={20} stroke={1.7} aria-hidden />
      {fileCount === 0
        ? t('setup:folder.noFiles')
        : t('setup:folder.files', { count: fileCount, files: formatCount(fileCount) })}
    </p>
  )
}

/** How the files would be grouped into cases. Nothing is touched. */
export function FolderGrouping({
  path,
  trial: dryRun,
}: {
  readonly path: string
  readonly trial: FolderDryRun
}) {
  if (path === '' || dryRun.failure || !dryRun.value || dryRun.value.fileCount === 0) return null
  return (
    <section aria-labelledby="setup-preview" className={css.card}>
      <h3 id="setup-preview">{t('setup:folder.preview')}</h3>
      <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading} isWaiting={false} />
    </section>
  )
}

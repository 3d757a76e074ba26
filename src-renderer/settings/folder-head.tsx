import { ActionIcon, Tooltip } from '@mantine/core'
import { IconFolder, IconTrash } from '@tabler/icons-react'
import type { FolderStatus } from '../../src-shared/station-status.ts'
import { formatInstant } from '../format/instants.ts'
import type { FolderForm } from './folder-form.ts'
import { isEnforced } from './managed.ts'
import css from './settings-screen.module.css'
import { useManaged } from './use-managed.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type FolderHeadProps = {
  readonly form: Pick<FolderForm, 'path'>
  readonly status: FolderStatus | null
  readonly onRemove: () => void
}

/** How a folder is: watched or not and since when, what is wrong, and whether a second station is kept off it. */
export function FolderHead({ form, status, onRemove }: FolderHeadProps) {
  const managed = useManaged()
  const health = status?.health ?? 'notSaved'
  const guard =
    status?.guard === 'unguarded' && status.health !== 'taken' ? t('settings:folders.guard.unguarded') : null
  return (
    <>
      <div className={css.folderHead}>
        <IconFolder size={20} stroke={1.7} aria-hidden />
        <span className={css.health} data-health={health}>
          {health === 'notSaved' ? t('settings:folders.notSaved') : t(`settings:folders.health.${health}`)}
        </span>
        {status && (
          <span className={`${css.gap} dim`}>
            {[
              t('settings:folders.sinceWhen', { when: formatInstant(status.since) }),
              status.lastImageAt === null
                ? t('settings:folders.noImage')
                : t('settings:folders.lastImage', { when: formatInstant(status.lastImageAt) }),
            ].join(' \u00b7 ')}
          </span>
        )}
        {!status && <span className={css.gap} />}
        {!isEnforced(managed, 'folders') && (
          <Tooltip label={t('settings:folders.remove', { path: form.path })}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t('settings:folders.remove', { path: form.path })}
              onClick={onRemove}
            >
              <IconTrash size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
      {status?.failure && <p className={css.trouble}>{said(status.failure.message)}</p>}
      {status?.health === 'paused' && <p className="dim">{t('settings:folders.pausedMeans')}</p>}
      {status?.health === 'taken' && <p className={css.trouble}>{t('settings:folders.takenMeans')}</p>}
      {guard && <p className={css.caution}>{guard}</p>}
    </>
  )
}

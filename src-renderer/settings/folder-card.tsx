import { Anchor, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core'
import { useId } from 'react'
import type { Profile } from '../../src-shared/profile.ts'
import type { FolderSettings } from '../../src-shared/folder-settings.ts'
import type { FolderStatus } from '../../src-shared/station-status.ts'
import { writeRoute } from '../shell/routes.ts'
import { ExistingDecision } from './existing-decision.tsx'
import { FOLDER_LIMITS, dayProblem, type FolderForm } from './folder-form.ts'
import { FolderHead } from './folder-head.tsx'
import { ManagedGroup } from './managed-part.tsx'
import { NumberSetting } from './number-setting.tsx'
import { ProfileSelect } from './profiles/profile-select.tsx'
import css from './settings-screen.module.css'
import { t } from '../words/t.ts'

const EXISTING = ['ask', 'include', 'since', 'ignore'] as const
const DICOM = ['unwrap', 'original'] as const satisfies readonly FolderSettings['dicom'][]

export type FolderCardProps = {
  readonly form: FolderForm
  /** How the folder is; null where the station does not know it yet. */
  readonly status: FolderStatus | null
  readonly ownProfiles: readonly Profile[]
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<FolderForm>) => void
  readonly onRemove: () => void
}

/** One watched folder: how it is, how its files are read, and when they are cases. */
export function FolderCard({ form, status, ownProfiles, isChecked, onWrite, onRemove }: FolderCardProps) {
  const watchingId = useId()
  const number = (name: 'settle' | 'quiet' | 'sweep') => (
    <NumberSetting
      label={t(`settings:folders.${name}`)}
      unit={t('settings:folders.seconds')}
      limits={FOLDER_LIMITS[name]}
      text={form[name]}
      onWrite={(text) => onWrite({ [name]: text })}
    />
  )
  return (
    <section className={css.card} aria-label={form.path === '' ? t('settings:folders.path') : form.path}>
      <FolderHead form={form} status={status} onRemove={onRemove} />
      {status?.health === 'asking' && <ExistingDecision path={status.path} count={status.existingCount} />}
      <ManagedGroup keys={['folders']}>
        <TextInput
          label={t('settings:folders.path')}
          description={t('settings:folders.pathHint')}
          autoComplete="off"
          spellCheck={false}
          value={form.path}
          error={isChecked && form.path.trim() === '' && t('settings:folders.pathMissing')}
          onChange={(event) => onWrite({ path: event.currentTarget.value })}
        />
        <div className={css.pair}>
          <div>
            <ProfileSelect
              label={t('settings:folders.profile')}
              own={ownProfiles}
              value={form.profile}
              onChoose={(profile) => onWrite({ profile })}
            />
            <Anchor
              size="sm"
              href={writeRoute({ screen: 'settings', section: 'profiles', folder: form.path })}
              className={css.under}
            >
              {t('settings:folders.tryProfile')}
            </Anchor>
          </div>
          <div>
            <span id={watchingId} className={css.label}>
              {t('settings:folders.watching')}
            </span>
            <SegmentedControl
              fullWidth
              aria-labelledby={watchingId}
              value={form.watching}
              data={[
                { value: 'on', label: t('settings:folders.watchingChoices.on') },
                { value: 'paused', label: t('settings:folders.watchingChoices.paused') },
              ]}
              onChange={(value) => onWrite({ watching: value === 'paused' ? 'paused' : 'on' })}
            />
          </div>
        </div>
        <h3 className={css.group}>{t('settings:folders.groups.cases')}</h3>
        <div className={css.pair}>{number('quiet')}</div>
        <Switch
          label={t('settings:folders.review')}
          description={t('settings:folders.reviewHint')}
          checked={form.sendWithoutReview}
          onChange={(event) => onWrite({ sendWithoutReview: event.currentTarget.checked })}
        />
        <h3 className={css.group}>{t('settings:folders.groups.files')}</h3>
        <div className={css.pair}>
          {number('settle')}
          {number('sweep')}
          <NativeSelect
            label={t('settings:folders.existing')}
            value={form.existing}
            data={EXISTING.map((value) => ({ value, label: t(`settings:folders.existingChoices.${value}`) }))}
            onChange={(event) =>
              onWrite({ existing: EXISTING.find((value) => value === event.currentTarget.value) ?? 'ask' })
            }
          />
          {form.existing === 'since' ? (
            <TextInput
              type="date"
              label={t('settings:folders.since')}
              value={form.existingSince}
              error={isChecked && dayProblem(form)}
              onChange={(event) => onWrite({ existingSince: event.currentTarget.value })}
            />
          ) : (
            <span />
          )}
          <NativeSelect
            label={t('settings:folders.dicom')}
            value={form.dicom}
            data={DICOM.map((value) => ({ value, label: t(`settings:folders.dicomChoices.${value}`) }))}
            onChange={(event) =>
              onWrite({ dicom: DICOM.find((value) => value === event.currentTarget.value) ?? 'unwrap' })
            }
          />
        </div>
        <Switch
          label={t('settings:folders.lease')}
          description={t('settings:folders.leaseHint')}
          checked={form.lease === 'on'}
          onChange={(event) => onWrite({ lease: event.currentTarget.checked ? 'on' : 'off' })}
        />
      </ManagedGroup>
    </section>
  )
}

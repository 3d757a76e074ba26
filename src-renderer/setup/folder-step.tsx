import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import {
  folderFormOf,
  newFolderForm,
  readFolderForm,
  dayProblem,
  type FolderForm,
} from '../settings/folder-form.ts'
import { ManagedGroup } from '../settings/managed-part.tsx'
import { ProfileSelect } from '../settings/profiles/profile-select.tsx'
import { useDryRun } from '../settings/profiles/use-trial.ts'
import { t } from '../words/t.ts'
import { FolderCount, FolderGrouping } from './folder-preview.tsx'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

const EXISTING = ['ask', 'include', 'since', 'ignore'] as const

/** The camera's folder, with what lies in it and what would become of it; what to do with what is there already. */
export function FolderStep({ settings }: { readonly settings: ShownSettings }) {
  const [first, ...further] = settings.folders
  const { save, isSaving, failure } = useStepSave()
  const [form, setForm] = useState<FolderForm>(() => (first ? folderFormOf(first, '0') : newFolderForm('0')))
  const [isChecked, setChecked] = useState(false)
  const write = (change: Partial<FolderForm>): void => setForm((before) => ({ ...before, ...change }))

  const path = form.path.trim()
  const { profile, visitGapMinutes } = form
  const dryRun = useDryRun(path === '' ? null : { path, profile, visitGapMinutes })

  const leave = async (): Promise<void> => {
    const folder = readFolderForm(form)
    setChecked(true)
    if (folder === null) return
    const isSame = first !== undefined && JSON.stringify(folderFormOf(first, '0')) === JSON.stringify(form)
    if (isSame || (await save({ folders: [folder, ...further] }))) completeStep('folder')
  }
  return (
    <StepFrame
      step="folder"
      explain={t('setup:folder.explain')}
      isSaving={isSaving}
      failure={failure}
      onContinue={() => void leave()}
      skip={first ? null : { means: t('setup:folder.skipMeans'), run: () => completeStep('folder') }}
    >
      <div className={css.card}>
        <ManagedGroup keys={['folders']}>
          <TextInput
            label={t('settings:folders.path')}
            description={t('settings:folders.pathHint')}
            autoComplete="off"
            spellCheck={false}
            value={form.path}
            error={isChecked && form.path.trim() === '' && t('settings:folders.pathMissing')}
            onChange={(event) => write({ path: event.currentTarget.value })}
          />
          <ProfileSelect
            label={t('settings:folders.profile')}
            own={settings.profiles}
            value={form.profile}
            onChoose={(profile) => write({ profile })}
          />
        </ManagedGroup>
        {further.length > 0 && <p className="dim">{t('setup:folder.further', { count: further.length })}</p>}
        <FolderCount path={path} trial={dryRun} />
      </div>
      <div className={css.card}>
        <ManagedGroup keys={['folders']} isNoted={false}>
          <Radio.Group
            label={t('setup:folder.existing')}
            value={form.existing}
            onChange={(value) => write({ existing: EXISTING.find((one) => one === value) ?? 'ask' })}
          >
            <div className={css.choices}>
              {EXISTING.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`settings:folders.existingChoices.${value}`)}
                  description={t(`setup:folder.existingHints.${value}`)}
                />
              ))}
            </div>
          </Radio.Group>
          {form.existing === 'since' && (
            <TextInput
              type="date"
              className={css.day}
              label={t('settings:folders.since')}
              value={form.existingSince}
              error={isChecked && dayProblem(form)}
              onChange={(event) => write({ existingSince: event.currentTarget.value })}
            />
          )}
        </ManagedGroup>
      </div>
      <FolderGrouping path={path} trial={dryRun} />
    </StepFrame>
  )
}

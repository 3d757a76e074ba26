/** The set-up steps for the camera's folder and for the summary. */
import { Button, Loader, Radio, TextInput } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconFiles } from '@tabler/icons-react'
import { useState } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { ProfileDryRun } from '../../src-shared/station-status.ts'
import { FailureNotice } from '../components/notices.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import {
  dayProblem,
  type FolderForm,
  folderFormOf,
  newFolderForm,
  readFolderForm,
} from '../settings/folders.tsx'
import { ProfileSelect } from '../settings/profiles/profile-editor.tsx'
import { DryRunResult, useDryRun } from '../settings/profiles/profiles.tsx'
import { ManagedGroup } from '../settings/settings-form.tsx'
import { goTo } from '../shell/navigation.tsx'
import { type Answer, useStation } from '../store/use-station.ts'
import css from './setup-screen.module.css'
import { completeStep, endSetup, showStep, StepFrame, useStepSave } from './step-frame.tsx'

type FolderDryRun = Answer<ProfileDryRun>

/** The number of files in a folder, while its path is typed. */
function FolderCount({ path, dryRun }: { readonly path: string; readonly dryRun: FolderDryRun }) {
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

/** How the files would be grouped into cases. Changes nothing. */
function FolderGrouping({ path, dryRun }: { readonly path: string; readonly dryRun: FolderDryRun }) {
  if (path === '' || dryRun.failure || !dryRun.value || dryRun.value.fileCount === 0) return null
  return (
    <section aria-labelledby="setup-preview" className={css.card}>
      <h3 id="setup-preview">{t('setup:folder.preview')}</h3>
      <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading} isWaiting={false} />
    </section>
  )
}

const EXISTING = ['ask', 'include', 'since', 'ignore'] as const

/** The camera's folder, its files and the cases they would form; what to do with existing files. */
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
        <FolderCount path={path} dryRun={dryRun} />
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
      <FolderGrouping path={path} dryRun={dryRun} />
    </StepFrame>
  )
}

/** What is configured, what is not yet, and the link to the queue. */
export function DoneStep({ settings }: { readonly settings: ShownSettings }) {
  const { save, isSaving, failure } = useStepSave()
  const folders = useStation((state) => state.status?.folders)
  const isComplete = settings.service !== null && settings.folders.length > 0
  const lines = [
    {
      step: 'folder',
      isSet: settings.folders.length > 0,
      texts: settings.folders.map(({ path }) => {
        const health = folders?.find((folder) => folder.path === path)?.health
        return health === undefined ? path : `${path} \u00b7 ${t(`settings:folders.health.${health}`)}`
      }),
    },
    {
      step: 'service',
      isSet: settings.service !== null,
      texts: settings.service === null ? [] : [settings.service.baseUrl],
    },
    {
      step: 'center',
      isSet: true,
      texts: [
        settings.centerId === null
          ? t('setup:center.never')
          : t('setup:center.id', { id: settings.centerId }),
      ],
    },
  ] as const
  const finish = async (): Promise<void> => {
    if (settings.setup !== 'done' && !(await save({ setup: 'done' }))) return
    endSetup()
    goTo({ screen: 'queue' })
  }
  return (
    <StepFrame
      step="done"
      title={isComplete ? t('setup:done.title') : t('setup:done.notYetTitle')}
      explain={isComplete ? t('setup:done.explain') : t('setup:done.notYetExplain')}
      isSaving={isSaving}
      failure={failure}
      continueLabel={t('setup:done.finish')}
      onContinue={() => void finish()}
    >
      <ul role="list" className={css.card}>
        {lines.map(({ step, isSet, texts }) => {
          const Sign = isSet ? IconCircleCheck : IconCircleDashed
          return (
            <li key={step} className={css.line} data-set={isSet}>
              <Sign size={22} aria-hidden />
              <div className={css.lineText}>
                <strong>{t(`setup:${step}.name`)}</strong>
                {texts.map((text) => (
                  <span key={text}>{text}</span>
                ))}
                {!isSet && (
                  <span>{t(step === 'folder' ? 'setup:done.noFolder' : 'setup:done.noService')}</span>
                )}
              </div>
              <Button
                variant="subtle"
                aria-label={`${t('setup:done.change')}: ${t(`setup:${step}.name`)}`}
                onClick={() => showStep(step)}
              >
                {t('setup:done.change')}
              </Button>
            </li>
          )
        })}
      </ul>
    </StepFrame>
  )
}

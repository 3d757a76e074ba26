/** The set-up steps for the camera's folder and for the summary. */
import { Button, Loader } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed, IconFiles } from '@tabler/icons-react'
import { useState } from 'react'
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'
import type { ProfileDryRun } from '../../src-shared/station-status.ts'
import { FailureNotice } from '../components/notices.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import {
  EXISTING,
  FirstDay,
  type FolderForm,
  folderFormOf,
  FolderPath,
  newFolderForm,
  readFolderForm,
} from '../settings/folders.tsx'
import { ProfileSelect } from '../settings/profiles/profile-editor.tsx'
import { DryRunResult, useDryRun } from '../settings/profiles/profiles.tsx'
import { ManagedGroup, RadioChoice } from '../settings/settings-form.tsx'
import { goTo } from '../shell/navigation.tsx'
import { type Answer, useStation } from '../store/use-station.ts'
import css from './setup-screen.module.css'
import { endSetup, showStep, StepFrame } from './step-frame.tsx'

type FolderDryRun = Answer<ProfileDryRun>

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

function FolderGrouping({ path, dryRun }: { readonly path: string; readonly dryRun: FolderDryRun }) {
  if (path === '' || dryRun.failure || !dryRun.value || dryRun.value.fileCount === 0) return null
  return (
    <section aria-labelledby="setup-preview" className={css.card}>
      <h3 id="setup-preview">{t('setup:folder.preview')}</h3>
      <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading} isWaiting={false} />
    </section>
  )
}

/** The camera's folder, its files and the cases they would form; what to do with existing files. */
export function FolderStep({ settings }: { readonly settings: ShownSettings }) {
  const [first, ...further] = settings.folders
  const [form, setForm] = useState<FolderForm>(() => (first ? folderFormOf(first, '0') : newFolderForm('0')))
  const [isChecked, setChecked] = useState(false)
  const write = (change: Partial<FolderForm>): void => setForm((before) => ({ ...before, ...change }))

  const path = form.path.trim()
  const { profile, visitGapMinutes } = form
  const dryRun = useDryRun(path === '' ? null : { path, profile, visitGapMinutes })

  const read = (): SettingsChanges | null => {
    const folder = readFolderForm(form)
    setChecked(true)
    const isSame = first !== undefined && JSON.stringify(folderFormOf(first, '0')) === JSON.stringify(form)
    return folder && (isSame ? {} : { folders: [folder, ...further] })
  }
  return (
    <StepFrame
      step="folder"
      explain={t('setup:folder.explain')}
      read={read}
      skipMeans={first ? null : t('setup:folder.skipMeans')}
    >
      <div className={css.card}>
        <ManagedGroup keys={['folders']}>
          <FolderPath form={form} isChecked={isChecked} onWrite={write} />
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
          <RadioChoice
            label={t('setup:folder.existing')}
            className={css.choices}
            choices={EXISTING}
            value={form.existing}
            labelOf={(value) => t(`settings:folders.existingChoices.${value}`)}
            hintOf={(value) => t(`setup:folder.existingHints.${value}`)}
            onChoose={(existing) => write({ existing })}
          />
          {form.existing === 'since' && (
            <div className={css.day}>
              <FirstDay form={form} isChecked={isChecked} onWrite={write} />
            </div>
          )}
        </ManagedGroup>
      </div>
      <FolderGrouping path={path} dryRun={dryRun} />
    </StepFrame>
  )
}

function leaveSetup(): void {
  endSetup()
  goTo({ screen: 'queue' })
}

export function DoneStep({ settings }: { readonly settings: ShownSettings }) {
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
  return (
    <StepFrame
      step="done"
      title={isComplete ? t('setup:done.title') : t('setup:done.notYetTitle')}
      explain={isComplete ? t('setup:done.explain') : t('setup:done.notYetExplain')}
      continueLabel={t('setup:done.finish')}
      read={() => (settings.setup === 'done' ? {} : { setup: 'done' })}
      onDone={leaveSetup}
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

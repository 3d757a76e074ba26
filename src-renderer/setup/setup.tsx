/** The first set-up: one question at a time. */
import { Anchor, Button, Loader, Radio, UnstyledButton } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconCircleDashed,
  IconFiles,
  IconMinus,
} from '@tabler/icons-react'
import { type ComponentType, useState } from 'react'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import type { ProfileDryRun } from '../../src-shared/station-status.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { FailureNotice } from '../components/controls.tsx'
import { formatCount } from '../format/numbers.ts'
import { chooseLanguage, failureTitle, t, useLanguageChoice } from '../i18n/i18n.ts'
import { ClinicalFields } from '../settings/clinical.tsx'
import {
  EXISTING,
  FirstDay,
  folderFormOf,
  FolderPath,
  newFolderForm,
  readFolderForm,
} from '../settings/folders.tsx'
import { NotificationFields, notificationFormOf, readNotificationForm } from '../settings/general.tsx'
import { DryRunResult, useDryRun } from '../settings/folder-reading.tsx'
import {
  ConnectionPanel,
  ServiceAddress,
  serviceFormOf,
  ServiceSecret,
  useServiceForm,
} from '../settings/service.tsx'
import {
  ManagedGroup,
  mayChange,
  RadioChoice,
  type SectionProps,
  StartAtLogin,
} from '../settings/settings-form.tsx'
import settingsCss from '../settings/settings-screen.module.css'
import { goTo, writeRoute } from '../shell/navigation.tsx'
import { type Answer, useAnswer, useStation } from '../store/use-station.ts'
import css from './setup-screen.module.css'
import { centerChoices, firstOpenStep, markOf, NEVER, SETUP_STEPS, type SetupStep } from './setup-steps.ts'
import { endSetup, showStep, StepFrame, useSetupProgress } from './step-frame.tsx'

function CenterStep({ settings }: SectionProps) {
  const listed = useAnswer('centers.list', settings.service === null ? null : {})
  const [chosen, setChosen] = useState(settings.centerId ?? NEVER)

  const read = (): SettingsChanges => {
    const centerId = chosen === NEVER ? null : chosen
    return centerId === settings.centerId ? {} : { centerId }
  }
  return (
    <StepFrame step="center" explain={t('setup:center.explain')} read={read}>
      <div className={css.card}>
        {settings.service === null && <p>{t('setup:center.noService')}</p>}
        {listed.isReading && !listed.value && (
          <p className={css.count}>
            <Loader size={18} aria-hidden />
            {t('setup:center.reading')}
          </p>
        )}
        {listed.failure && (
          <FailureNotice failure={listed.failure} tone="amber">
            <p>{t('setup:center.offline')}</p>
            <Button variant="default" loading={listed.isReading} onClick={listed.readAgain}>
              {t('setup:center.again')}
            </Button>
          </FailureNotice>
        )}
        <ManagedGroup part="centerId">
          <Radio.Group aria-label={t('shell:center.label')} value={chosen} onChange={setChosen}>
            <div className={css.choices}>
              {centerChoices(listed.value?.items ?? null, settings.centerId).map(
                ({ value, label, description }) => (
                  <Radio key={value} value={value} label={label} description={description} />
                ),
              )}
            </div>
          </Radio.Group>
        </ManagedGroup>
      </div>
    </StepFrame>
  )
}

function ComputerStep({ settings }: SectionProps) {
  const [isStarting, setStarting] = useState(settings.desktop.startAtLogin === 'on')
  const [form, write] = useSetState(notificationFormOf(settings.notifications))
  const read = (): SettingsChanges | null => {
    const notifications = readNotificationForm(form)
    const desktop = { ...settings.desktop, startAtLogin: isStarting ? 'on' : 'off' } as const
    return notifications && { notifications, desktop }
  }
  return (
    <StepFrame step="computer" explain={t('setup:computer.explain')} read={read}>
      <div className={css.card}>
        <StartAtLogin isOn={isStarting} onWrite={setStarting} />
      </div>
      <div className={css.card}>
        <NotificationFields form={form} onWrite={write} />
      </div>
    </StepFrame>
  )
}

function LanguageStep() {
  const chosen = useLanguageChoice()
  return (
    <StepFrame step="language" explain={t('setup:language.explain')} read={() => ({})}>
      <div className={css.card}>
        <RadioChoice
          label={t('shell:language.label')}
          className={css.choices}
          choices={[...LANGUAGES, 'auto']}
          value={chosen}
          labelOf={(choice) => t(`shell:language.${choice}`)}
          onChoose={(wanted) => void chooseLanguage(wanted, window)}
        />
      </div>
    </StepFrame>
  )
}

function ServiceStep({ settings }: SectionProps) {
  const { service, managed } = settings
  const editing = useServiceForm(service)
  const read = (): SettingsChanges | null => {
    const isSame =
      editing.hasSavedSecret && JSON.stringify(serviceFormOf(service)) === JSON.stringify(editing.form)
    if (isSame || !mayChange(managed, 'service')) return {}
    const wanted = editing.read()
    return wanted && { service: wanted }
  }
  return (
    <StepFrame
      step="service"
      explain={t('setup:service.explain')}
      read={read}
      skipMeans={service ? null : t('setup:service.skipMeans')}
    >
      <div className={css.card}>
        <ServiceAddress editing={editing} />
        <ServiceSecret editing={editing} />
      </div>
      <ConnectionPanel editing={editing} />
    </StepFrame>
  )
}

function StepList({ settings }: SectionProps) {
  const { completed, at } = useSetupProgress()
  const light = useStation((state) => state.status?.service.health)
  return (
    <nav aria-label={t('setup:steps')}>
      <ol role="list" className={css.list}>
        {SETUP_STEPS.map((step) => {
          const mark = markOf(step, at, completed, settings, light)
          return (
            <li key={step}>
              <UnstyledButton
                className={css.stepButton}
                data-mark={mark}
                disabled={!completed.includes(step) && step !== firstOpenStep(completed)}
                aria-label={`${t(`setup:${step}.name`)}, ${t(`setup:marks.${mark}`)}`}
                aria-current={step === at ? 'step' : undefined}
                onClick={() => showStep(step)}
              >
                <span className={css.sign} aria-hidden>
                  {mark === 'done' && <IconCheck size={15} stroke={2.4} />}
                  {mark === 'trouble' && <IconAlertTriangle size={15} stroke={2.2} />}
                  {mark === 'skipped' && <IconMinus size={15} stroke={2.4} />}
                </span>
                <span>{t(`setup:${step}.name`)}</span>
              </UnstyledButton>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

function UnitsStep({ settings }: SectionProps) {
  const [clinical, write] = useSetState(settings.clinical)
  return (
    <StepFrame step="units" explain={t('settings:clinical.explain')} read={() => ({ clinical })}>
      <div className={css.card}>
        <ClinicalFields clinical={clinical} onWrite={write} />
      </div>
    </StepFrame>
  )
}

function FolderCount({ path, dryRun }: { readonly path: string; readonly dryRun: Answer<ProfileDryRun> }) {
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

function FolderStep({ settings }: SectionProps) {
  const [first, ...further] = settings.folders
  const [form, write] = useSetState(first ? folderFormOf(first, '0') : newFolderForm('0'))
  const [isChecked, setChecked] = useState(false)

  const path = form.path.trim()
  const { visitGapMinutes } = form
  const dryRun = useDryRun(path === '' ? null : { path, visitGapMinutes })

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
        <ManagedGroup part="folders">
          <FolderPath form={form} isChecked={isChecked} onWrite={write} />
        </ManagedGroup>
        {further.length > 0 && <p className="dim">{t('setup:folder.further', { count: further.length })}</p>}
        <FolderCount path={path} dryRun={dryRun} />
      </div>
      <div className={css.card}>
        <ManagedGroup part="folders" isNoted={false}>
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
      {path !== '' && !dryRun.failure && dryRun.value && dryRun.value.fileCount > 0 && (
        <section aria-labelledby="setup-preview" className={css.card}>
          <h3 id="setup-preview">{t('setup:folder.preview')}</h3>
          <DryRunResult dryRun={dryRun.value} isOld={dryRun.isReading} />
        </section>
      )}
    </StepFrame>
  )
}

function DoneStep({ settings }: SectionProps) {
  const folders = useStation((state) => state.status?.folders)
  const failure = useStation(({ status }) => status?.service.failure ?? null)
  const { service, centerId } = settings
  const isComplete = service !== null && settings.folders.length > 0 && failure === null
  const lines = [
    {
      step: 'folder',
      isWell: true,
      texts: settings.folders.map(({ path }) => {
        const health = folders?.find((folder) => folder.path === path)?.health
        return health === undefined ? path : `${path} \u00b7 ${t(`settings:folders.health.${health}`)}`
      }),
    },
    {
      step: 'service',
      isWell: failure === null,
      texts:
        service === null ? [] : [service.baseUrl, ...(failure === null ? [] : [failureTitle(failure.kind)])],
    },
    {
      step: 'center',
      isWell: true,
      texts: [centerId === null ? t('setup:center.never') : t('setup:center.id', { id: centerId })],
    },
  ] as const
  return (
    <StepFrame
      step="done"
      title={t(isComplete ? 'setup:done.title' : 'setup:done.notYetTitle')}
      explain={t(isComplete ? 'setup:done.explain' : 'setup:done.notYetExplain')}
      continueLabel={t('setup:done.finish')}
      read={() => (settings.setup === 'done' ? {} : { setup: 'done' })}
      onDone={() => {
        endSetup()
        goTo({ screen: 'queue' })
      }}
    >
      <ul role="list" className={css.card}>
        {lines.map(({ step, texts, isWell }) => {
          const isSet = texts.length > 0
          const Sign = !isWell ? IconAlertTriangle : isSet ? IconCircleCheck : IconCircleDashed
          return (
            <li key={step} className={css.line} data-set={isSet} data-trouble={!isWell || undefined}>
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

const STEPS: Readonly<Record<SetupStep, ComponentType<SectionProps>>> = {
  language: LanguageStep,
  folder: FolderStep,
  service: ServiceStep,
  center: CenterStep,
  units: UnitsStep,
  computer: ComputerStep,
  done: DoneStep,
}

/** Everything that a new station needs. Each answer is saved when its step is left. */
export function SetupScreen() {
  const settings = useStation((state) => state.settings)
  const { at } = useSetupProgress()
  const Step = STEPS[at]
  if (!settings) return <Loader m={24} aria-label={t('setup:title')} />
  return (
    <div className={settingsCss.screen}>
      <div className={settingsCss.sections}>
        <h1 className={settingsCss.title}>{t('setup:title')}</h1>
        <StepList settings={settings} />
        <div className={css.later}>
          <Anchor href={writeRoute({ screen: 'queue' })}>{t('setup:later')}</Anchor>
          <p className="dim">{t('setup:laterHint')}</p>
        </div>
      </div>
      <div className={css.content}>
        <Step key={at} settings={settings} />
      </div>
    </div>
  )
}

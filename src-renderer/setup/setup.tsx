/** The first set-up: one question at a time. */
import { Anchor, Button, Loader, Radio, UnstyledButton } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'
import { FailureNotice } from '../components/notices.tsx'
import { chooseLanguage, t, useLanguageChoice } from '../i18n/i18n.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { ClinicalFields } from '../settings/clinical.tsx'
import { NotificationFields, notificationFormOf, readNotificationForm } from '../settings/notifications.tsx'
import {
  ConnectionPanel,
  ServiceAddress,
  serviceFormOf,
  ServiceSecret,
  useServiceForm,
} from '../settings/service.tsx'
import { ManagedGroup, mayChange, RadioChoice, StartAtLogin } from '../settings/settings-form.tsx'
import { writeRoute } from '../shell/navigation.tsx'
import { useAnswer, useStation } from '../store/use-station.ts'
import { DoneStep, FolderStep } from './folder-step.tsx'
import css from './setup-screen.module.css'
import { centerChoices, firstOpenStep, markOf, NEVER, SETUP_STEPS, type SetupStep } from './setup-steps.ts'
import { showStep, StepFrame, useSetupProgress } from './step-frame.tsx'

export function CenterStep({ settings }: { readonly settings: ShownSettings }) {
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
        <ManagedGroup keys={['centerId']}>
          <Radio.Group aria-label={t('setup:center.label')} value={chosen} onChange={setChosen}>
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

export function ComputerStep({ settings }: { readonly settings: ShownSettings }) {
  const [isStarting, setStarting] = useState(settings.desktop.startAtLogin === 'on')
  const [form, setForm] = useState(() => notificationFormOf(settings.notifications))
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
        <NotificationFields
          form={form}
          onWrite={(change) => setForm((before) => ({ ...before, ...change }))}
        />
      </div>
    </StepFrame>
  )
}

export function LanguageStep() {
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

export function ServiceStep({ settings }: { readonly settings: ShownSettings }) {
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

export function StepList({ settings }: { readonly settings: ShownSettings }) {
  const { completed, at } = useSetupProgress()
  const mayShow = (step: SetupStep): boolean => completed.includes(step) || step === firstOpenStep(completed)
  return (
    <nav aria-label={t('setup:steps')}>
      <ol role="list" className={css.list}>
        {SETUP_STEPS.map((step) => {
          const mark = markOf(step, at, completed, settings)
          return (
            <li key={step}>
              <UnstyledButton
                className={css.stepButton}
                data-mark={mark}
                disabled={!mayShow(step)}
                aria-label={`${t(`setup:${step}.name`)}, ${t(`setup:marks.${mark}`)}`}
                aria-current={step === at ? 'step' : undefined}
                onClick={() => showStep(step)}
              >
                <span className={css.sign} aria-hidden>
                  {mark === 'done' && <IconCheck size={15} stroke={2.4} />}
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

export function UnitsStep({ settings }: { readonly settings: ShownSettings }) {
  const [clinical, setClinical] = useState(settings.clinical)
  return (
    <StepFrame step="units" explain={t('settings:clinical.explain')} read={() => ({ clinical })}>
      <div className={css.card}>
        <ClinicalFields
          clinical={clinical}
          onWrite={(change) => setClinical((before) => ({ ...before, ...change }))}
        />
      </div>
    </StepFrame>
  )
}

/** Everything that a new station needs. Each answer is saved when its step is left. */
export function SetupScreen() {
  const settings = useStation((state) => state.settings)
  const { at } = useSetupProgress()
  if (!settings) return <Loader className={css.loader} aria-label={t('setup:title')} />
  return (
    <div className={css.screen}>
      <div className={css.steps}>
        <h1 className={css.title}>{t('setup:title')}</h1>
        <StepList settings={settings} />
        <div className={css.later}>
          <Anchor href={writeRoute({ screen: 'queue' })}>{t('setup:later')}</Anchor>
          <p className="dim">{t('setup:laterHint')}</p>
        </div>
      </div>
      <div className={css.content}>{stepOf(at, settings)}</div>
    </div>
  )
}

function stepOf(step: SetupStep, settings: ShownSettings): ReactNode {
  switch (step) {
    case 'language':
      return <LanguageStep key={step} />
    case 'folder':
      return <FolderStep key={step} settings={settings} />
    case 'service':
      return <ServiceStep key={step} settings={settings} />
    case 'center':
      return <CenterStep key={step} settings={settings} />
    case 'units':
      return <UnitsStep key={step} settings={settings} />
    case 'computer':
      return <ComputerStep key={step} settings={settings} />
    case 'done':
      return <DoneStep key={step} settings={settings} />
  }
}

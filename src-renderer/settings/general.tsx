/** Settings of screens, network, sending, storage and notifications. */
import { TextInput } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import {
  type NotificationSettings,
  notificationSettingsSchema,
  type SettingsChanges,
} from '../../src-shared/settings.ts'
import { ActionButton, FailureNotice, LinkButton, Toggle } from '../components/controls.tsx'
import { formatBytes } from '../format/numbers.ts'
import { LANGUAGES } from '../../src-shared/texts/texts.ts'
import { chooseLanguage, t, useLanguageChoice } from '../i18n/i18n.ts'
import { useAnswer, useStation } from '../store/use-station.ts'
import {
  ChoiceSelect,
  CodeInput,
  gigabytesText,
  ManagedGroup,
  NumberSetting,
  RATE_UNITS,
  rateText,
  readGigabytes,
  readRate,
  readSetting,
  type SectionProps,
  SettingsForm,
  SPACE_LIMITS,
  StartAtLogin,
} from './settings-form.tsx'
import css from './settings-screen.module.css'

const IDLE = { min: 10, max: 86_400, isWhole: true } as const

/** The field's initial value if names were never hidden so far. */
const DEFAULT_SECONDS = 300

export function GeneralSection({ settings: { screens, desktop } }: SectionProps) {
  const language = useLanguageChoice()
  const [isHiding, setHiding] = useState(screens.hideNamesAfterSeconds !== null)
  const [seconds, setSeconds] = useState(String(screens.hideNamesAfterSeconds ?? DEFAULT_SECONDS))
  const [isStarting, setStarting] = useState(desktop.startAtLogin === 'on')

  const read = (): SettingsChanges | null => {
    const hideNamesAfterSeconds = isHiding ? readSetting(seconds, IDLE) : null
    if (isHiding && hideNamesAfterSeconds === null) return null
    return {
      screens: { ...screens, hideNamesAfterSeconds },
      desktop: { ...desktop, startAtLogin: isStarting ? 'on' : 'off' },
    }
  }
  const setupAgain = (
    <section className={css.card} aria-labelledby="setup-again">
      <div className={css.foot}>
        <div className="grow">
          <h3 id="setup-again">{t('setup:title')}</h3>
          <p className="dim">{t('settings:general.againExplain')}</p>
        </div>
        <LinkButton to={{ screen: 'setup' }}>{t('settings:general.againAction')}</LinkButton>
      </div>
    </section>
  )
  return (
    <SettingsForm section="general" read={read} below={setupAgain}>
      <div className={css.card}>
        <h3>{t('settings:general.screens')}</h3>
        <ChoiceSelect
          label={t('shell:language.label')}
          description={t('settings:general.languageHint')}
          choices={['auto', ...LANGUAGES]}
          value={language}
          labelOf={(value) => t(`shell:language.${value}`)}
          onChoose={(wanted) => void chooseLanguage(wanted, window)}
        />
        <ManagedGroup part="screens">
          <Toggle label={t('settings:general.hide')} isOn={isHiding} onWrite={setHiding} />
          <NumberSetting
            label={t('settings:general.hideAfter')}
            unit={t('settings:folders.seconds')}
            limits={IDLE}
            text={seconds}
            isUsed={isHiding}
            onWrite={setSeconds}
          />
          <p className="small dim">{t('settings:general.hideMeans')}</p>
        </ManagedGroup>
      </div>
      <div className={css.card}>
        <h3>{t('settings:general.computer')}</h3>
        <StartAtLogin isOn={isStarting} onWrite={setStarting} />
      </div>
    </SettingsForm>
  )
}

export function NetworkSection() {
  const address = useStation((state) => state.settings?.service?.baseUrl ?? null)
  const about = useAnswer('station.about', {})
  const proxy = about.value?.proxy
  const way = proxy ? t('settings:network.proxy', { address: proxy }) : t('settings:network.direct')
  return (
    <div className={css.form}>
      <p className={css.explain}>{t('settings:network.explain')}</p>
      {about.failure && <FailureNotice failure={about.failure} />}
      <div className={css.card}>
        <dl className={css.facts}>
          <dt>{t('settings:service.baseUrl')}</dt>
          <dd className="breakable">{address ?? '\u2013'}</dd>
          <dt>{t('settings:network.way')}</dt>
          <dd className="breakable">
            {address === null ? t('settings:network.noService') : about.value ? way : '\u2013'}
          </dd>
          <dt>{t('settings:network.setBy')}</dt>
          <dd>{about.value ? t(`settings:network.setBys.${about.value.host}`) : '\u2013'}</dd>
          <dt>{t('settings:network.certificates')}</dt>
          <dd>{t('settings:network.certificatesText')}</dd>
        </dl>
        <p className="small dim">{t('settings:network.signIn')}</p>
        <div className={css.foot}>
          <ActionButton icon={IconRefresh} loading={about.isReading} onClick={about.readAgain}>
            {t('settings:network.again')}
          </ActionButton>
          <LinkButton to={{ screen: 'settings', section: 'service' }}>
            {t('settings:network.test')}
          </LinkButton>
        </div>
      </div>
    </div>
  )
}

const CONCURRENCY = { min: 1, max: 8, isWhole: true } as const

/** Checking more often than every ten seconds is useless; a day is the longest acceptable delay of a report. */
const CHECK = { min: 10, max: 86_400 } as const

export function SendingSection({ settings: { delivery, reports } }: SectionProps) {
  const [concurrency, setConcurrency] = useState(String(delivery.concurrency))
  const [resend, setResend] = useState(delivery.resendWhenProvenAbsent)
  const [check, setCheck] = useState(String(reports.checkSeconds))
  const [rate, setRate] = useState(() => rateText(delivery.bytesPerSecond))
  const [folder, setFolder] = useState(reports.saveTo ?? '')
  const bytesPerSecond = readRate(rate, delivery.bytesPerSecond)

  const read = (): SettingsChanges | null => {
    const count = readSetting(concurrency, CONCURRENCY)
    const checkSeconds =
      readSetting(check, CHECK) ?? (Number(check) === reports.checkSeconds ? reports.checkSeconds : null)
    if (count === null || checkSeconds === null || bytesPerSecond === 'wrong') return null
    return {
      delivery: { ...delivery, concurrency: count, resendWhenProvenAbsent: resend, bytesPerSecond },
      reports: { ...reports, checkSeconds, saveTo: folder.trim() || null },
    }
  }
  return (
    <SettingsForm section="sending" read={read}>
      <ManagedGroup part="delivery">
        <div className={css.card}>
          <h3>{t('settings:sending.transfer')}</h3>
          <NumberSetting
            label={t('settings:sending.concurrency')}
            description={t('settings:sending.concurrencyHint')}
            limits={CONCURRENCY}
            text={concurrency}
            onWrite={setConcurrency}
          />
          <div className={css.withUnit}>
            <TextInput
              label={t('settings:sending.rate')}
              description={t('settings:sending.rateHint')}
              inputMode="decimal"
              autoComplete="off"
              value={rate.text}
              error={bytesPerSecond === 'wrong' && t('settings:sending.rateWrong')}
              onChange={(event) => setRate({ ...rate, text: event.currentTarget.value })}
            />
            <ChoiceSelect
              label={t('settings:sending.rateUnit')}
              description={'\u00a0'}
              choices={RATE_UNITS}
              value={rate.unit}
              labelOf={(unit) => t(`settings:sending.rateUnits.${unit}`)}
              onChoose={(unit) => setRate({ ...rate, unit })}
            />
          </div>
          <Toggle
            label={t('settings:sending.resend')}
            description={t('settings:sending.resendHint')}
            isOn={resend}
            onWrite={setResend}
          />
        </div>
      </ManagedGroup>
      <ManagedGroup part="reports">
        <div className={css.card}>
          <h3>{t('settings:sending.reports')}</h3>
          <NumberSetting
            label={t('settings:sending.checkSeconds')}
            unit={t('settings:folders.seconds')}
            limits={CHECK}
            text={check}
            onWrite={setCheck}
          />
          <CodeInput
            label={t('settings:sending.saveTo')}
            description={t('settings:sending.saveToHint')}
            value={folder}
            onWrite={setFolder}
          />
        </div>
      </ManagedGroup>
    </SettingsForm>
  )
}

const DAYS = { min: 1, max: 36_500, isWhole: true } as const

/** Half a year: the field's initial value if images were never deleted so far. */
const DEFAULT_DAYS = 180

export function StorageSection({ settings: { storage } }: SectionProps) {
  const [isRemoving, setRemoving] = useState(storage.keepImagesDays !== null)
  const [days, setDays] = useState(String(storage.keepImagesDays ?? DEFAULT_DAYS))
  const [space, setSpace] = useState(gigabytesText(storage.lowWaterBytes))

  const read = (): SettingsChanges | null => {
    const keepImagesDays = isRemoving ? readSetting(days, DAYS) : null
    const lowWaterBytes = readGigabytes(space, storage.lowWaterBytes)
    if ((isRemoving && keepImagesDays === null) || lowWaterBytes === null) return null
    return { storage: { ...storage, keepImagesDays, lowWaterBytes } }
  }
  return (
    <SettingsForm section="storage" read={read}>
      <ManagedGroup part="storage">
        <div className={css.card}>
          <h3>{t('settings:storage.retention')}</h3>
          <Toggle label={t('settings:storage.remove')} isOn={isRemoving} onWrite={setRemoving} />
          <NumberSetting
            label={t('settings:storage.days')}
            unit={t('settings:storage.dayUnit')}
            limits={DAYS}
            text={days}
            isUsed={isRemoving}
            onWrite={setDays}
          />
          <p className="small dim">
            {isRemoving
              ? t('settings:storage.removeMeans', { count: Number(days) })
              : t('settings:storage.keepMeans')}
          </p>
        </div>
        <div className={css.card}>
          <h3>{t('settings:storage.free')}</h3>
          <NumberSetting
            label={t('settings:storage.lowWater')}
            description={t('settings:storage.lowWaterHint')}
            unit={t('settings:storage.gigabytes')}
            limits={SPACE_LIMITS}
            text={space}
            onWrite={setSpace}
          />
          <dl className={css.facts}>
            <dt>{t('settings:storage.ballast')}</dt>
            <dd>{t('settings:storage.ballastText', { size: formatBytes(storage.ballastBytes) })}</dd>
          </dl>
        </div>
      </ManagedGroup>
    </SettingsForm>
  )
}

type NotificationForm = Omit<NotificationSettings, 'quiet'> & {
  readonly isQuiet: boolean
  /** Times of day, `HH:MM`, as typed. */
  readonly from: string
  readonly to: string
}

const DEFAULT_HOURS = { from: '19:00', to: '07:00' }

export function notificationFormOf({ quiet, ...rest }: NotificationSettings): NotificationForm {
  return { ...rest, isQuiet: quiet !== null, ...(quiet ?? DEFAULT_HOURS) }
}

/** The settings in a form; null if the quiet hours are invalid or empty. */
export function readNotificationForm(form: NotificationForm): NotificationSettings | null {
  const { isQuiet, from, to, ...rest } = form
  if (isQuiet && from === to) return null
  const reading = notificationSettingsSchema.safeParse({ ...rest, quiet: isQuiet ? { from, to } : null })
  return reading.data ?? null
}

type NotificationFieldsProps = {
  readonly form: NotificationForm
  readonly onWrite: (change: Partial<NotificationForm>) => void
}

export function NotificationFields({ form, onWrite }: NotificationFieldsProps) {
  const isWrong = readNotificationForm(form) === null
  return (
    <ManagedGroup part="notifications">
      <h3>{t('settings:notifications.notifyWhen')}</h3>
      {(['needsPerson', 'folderUnreachable', 'sendingStopped'] as const).map((name) => (
        <Toggle
          key={name}
          label={t(`settings:notifications.${name}`)}
          description={t(`settings:notifications.${name}Hint`)}
          isOn={form[name] === 'on'}
          onWrite={(isOn) => onWrite({ [name]: isOn ? 'on' : 'off' })}
        />
      ))}
      <ChoiceSelect
        label={t('settings:notifications.reports')}
        choices={['all', 'urgent', 'off']}
        value={form.reports}
        labelOf={(value) => t(`settings:notifications.reportsChoices.${value}`)}
        onChoose={(value) => onWrite({ reports: value })}
      />
      <h3 className={css.group}>{t('settings:notifications.quietTitle')}</h3>
      <Toggle
        label={t('settings:notifications.quiet')}
        isOn={form.isQuiet}
        onWrite={(isOn) => onWrite({ isQuiet: isOn })}
      />
      <div className={css.pair}>
        {(['from', 'to'] as const).map((name) => (
          <TextInput
            key={name}
            type="time"
            label={t(`settings:notifications.${name}`)}
            value={form[name]}
            disabled={!form.isQuiet}
            error={isWrong && t('settings:notifications.quietWrong')}
            onChange={(event) => onWrite({ [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <Toggle
        label={t('settings:notifications.urgentInQuiet')}
        isOn={form.urgentInQuiet === 'on'}
        disabled={!form.isQuiet || form.reports === 'off'}
        onWrite={(isOn) => onWrite({ urgentInQuiet: isOn ? 'on' : 'off' })}
      />
      {form.isQuiet && !isWrong && (
        <p className="small dim">
          {t(`settings:notifications.${form.from < form.to ? 'quietMeans' : 'quietOverNight'}`, {
            from: form.from,
            to: form.to,
          })}
        </p>
      )}
    </ManagedGroup>
  )
}

export function NotificationsSection({ settings: { notifications } }: SectionProps) {
  const host = useStation((state) => state.status?.host ?? 'electron')
  const [form, write] = useSetState(notificationFormOf(notifications))
  const read = (): SettingsChanges | null => {
    const wanted = readNotificationForm(form)
    return wanted && { notifications: wanted }
  }
  return (
    <SettingsForm section="notifications" read={read}>
      {host === 'headless' && <p className={css.explain}>{t('settings:notifications.elsewhere')}</p>}
      <div className={css.card}>
        <NotificationFields form={form} onWrite={write} />
      </div>
    </SettingsForm>
  )
}

/** The settings of a clinic: when names are hidden, and what is notified. */
import { TextInput } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { useState } from 'react'
import { type NotificationSettings, notificationSettingsSchema } from '../../src-shared/settings.ts'
import { Toggle } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'
import {
  ChoiceSelect,
  ManagedGroup,
  NumberSetting,
  type SectionProps,
  SettingsForm,
  useSaving,
} from './settings-form.tsx'
import css from './settings-screen.module.css'

const IDLE = { min: 10, max: 86_400, isWhole: true } as const

/** The field's initial value if names were never hidden so far. */
const DEFAULT_SECONDS = 300

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

export function ClinicSection({ settings: { screens, notifications } }: SectionProps) {
  const host = useStation((state) => state.status?.host ?? 'electron')
  const [isHiding, setHiding] = useState(screens.hideNamesAfterSeconds !== null)
  const [seconds, setSeconds] = useState<number | undefined>(screens.hideNamesAfterSeconds ?? DEFAULT_SECONDS)
  const [form, write] = useSetState(notificationFormOf(notifications))
  const hideNamesAfterSeconds = isHiding ? seconds : null
  const typedNotifications = readNotificationForm(form)
  const isWrong = typedNotifications === null
  const saving = useSaving({
    screens: hideNamesAfterSeconds === undefined ? undefined : { ...screens, hideNamesAfterSeconds },
    notifications: typedNotifications ?? undefined,
  })
  return (
    <SettingsForm section="clinic" saving={saving}>
      <div className={css.card}>
        <h3>{t('settings:clinic.screens')}</h3>
        <ManagedGroup part="screens">
          <Toggle label={t('settings:clinic.hide')} isOn={isHiding} onWrite={setHiding} />
          <NumberSetting
            label={t('settings:clinic.hideAfter')}
            unit={t('settings:folders.seconds')}
            limits={IDLE}
            value={seconds}
            isUsed={isHiding}
            onWrite={setSeconds}
          />
          <p className="small dim">{t('settings:clinic.hideMeans')}</p>
        </ManagedGroup>
      </div>
      <div className={css.card}>
        <p className="dim">{t(`settings:notifications.${host === 'headless' ? 'elsewhere' : 'explain'}`)}</p>
        <ManagedGroup part="notifications">
          <h3>{t('settings:notifications.notifyWhen')}</h3>
          {(['needsPerson', 'folderUnreachable', 'sendingStopped'] as const).map((name) => (
            <Toggle
              key={name}
              label={t(`settings:notifications.${name}`)}
              description={t(`settings:notifications.${name}Hint`)}
              isOn={form[name] === 'on'}
              onWrite={(isOn) => write({ [name]: isOn ? 'on' : 'off' })}
            />
          ))}
          <ChoiceSelect
            label={t('settings:notifications.reports')}
            choices={['all', 'urgent', 'off']}
            value={form.reports}
            labelOf={(value) => t(`settings:notifications.reportsChoices.${value}`)}
            onChoose={(value) => write({ reports: value })}
          />
          <h3 className={css.group}>{t('settings:notifications.quietTitle')}</h3>
          <Toggle
            label={t('settings:notifications.quiet')}
            isOn={form.isQuiet}
            onWrite={(isOn) => write({ isQuiet: isOn })}
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
                onChange={(event) => write({ [name]: event.currentTarget.value })}
              />
            ))}
          </div>
          <Toggle
            label={t('settings:notifications.urgentInQuiet')}
            isOn={form.urgentInQuiet === 'on'}
            disabled={!form.isQuiet || form.reports === 'off'}
            onWrite={(isOn) => write({ urgentInQuiet: isOn ? 'on' : 'off' })}
          />
          {form.isQuiet && !isWrong && (
            <p className="small dim">
              {t('settings:notifications.quietMeans', { from: form.from, to: form.to })}
            </p>
          )}
        </ManagedGroup>
      </div>
    </SettingsForm>
  )
}

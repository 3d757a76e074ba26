/** Settings of the system's notifications. */
import { Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type NotificationSettings, notificationSettingsSchema } from '../../src-shared/desktop-settings.ts'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'
import { ChoiceSelect, ManagedGroup, type SectionProps, SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'

type NotificationForm = {
  readonly needsPerson: boolean
  readonly folderUnreachable: boolean
  readonly sendingStopped: boolean
  readonly reports: NotificationSettings['reports']
  readonly isQuiet: boolean
  /** Are urgent reports announced during quiet hours too? */
  readonly urgentInQuiet: boolean
  /** Times of day, `HH:MM`, as typed. */
  readonly from: string
  readonly to: string
}

/** The initial quiet hours, from evening to morning. */
const DEFAULT_HOURS = { from: '19:00', to: '07:00' }

export function notificationFormOf(settings: NotificationSettings): NotificationForm {
  return {
    needsPerson: settings.needsPerson === 'on',
    folderUnreachable: settings.folderUnreachable === 'on',
    sendingStopped: settings.sendingStopped === 'on',
    reports: settings.reports,
    isQuiet: settings.quiet !== null,
    urgentInQuiet: settings.urgentInQuiet === 'on',
    ...(settings.quiet ?? DEFAULT_HOURS),
  }
}

/** The settings in a form; null if the quiet hours are invalid or empty. */
export function readNotificationForm(form: NotificationForm): NotificationSettings | null {
  const { from, to } = form
  if (form.isQuiet && from === to) return null
  const reading = notificationSettingsSchema.safeParse({
    needsPerson: form.needsPerson ? 'on' : 'off',
    folderUnreachable: form.folderUnreachable ? 'on' : 'off',
    sendingStopped: form.sendingStopped ? 'on' : 'off',
    reports: form.reports,
    quiet: form.isQuiet ? { from, to } : null,
    urgentInQuiet: form.urgentInQuiet ? 'on' : 'off',
  })
  return reading.success ? reading.data : null
}

const REPORTS = ['all', 'urgent', 'off'] as const

type NotificationFieldsProps = {
  readonly form: NotificationForm
  readonly onWrite: (change: Partial<NotificationForm>) => void
}

export function NotificationFields({ form, onWrite }: NotificationFieldsProps) {
  const isWrong = readNotificationForm(form) === null
  return (
    <ManagedGroup keys={['notifications']}>
      <h3>{t('settings:notifications.tell')}</h3>
      {(['needsPerson', 'folderUnreachable', 'sendingStopped'] as const).map((name) => (
        <Switch
          key={name}
          label={t(`settings:notifications.${name}`)}
          description={t(`settings:notifications.${name}Hint`)}
          checked={form[name]}
          onChange={(event) => onWrite({ [name]: event.currentTarget.checked })}
        />
      ))}
      <ChoiceSelect
        label={t('settings:notifications.reports')}
        choices={REPORTS}
        value={form.reports}
        labelOf={(value) => t(`settings:notifications.reportsChoices.${value}`)}
        onChoose={(value) => onWrite({ reports: value })}
      />
      <h3 className={css.group}>{t('settings:notifications.quietTitle')}</h3>
      <Switch
        label={t('settings:notifications.quiet')}
        checked={form.isQuiet}
        onChange={(event) => onWrite({ isQuiet: event.currentTarget.checked })}
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
      <Switch
        label={t('settings:notifications.urgentInQuiet')}
        checked={form.urgentInQuiet}
        disabled={!form.isQuiet || form.reports === 'off'}
        onChange={(event) => onWrite({ urgentInQuiet: event.currentTarget.checked })}
      />
      {form.isQuiet && !isWrong && (
        <p className={css.hint}>
          {t(
            form.from < form.to
              ? 'settings:notifications.quietMeans'
              : 'settings:notifications.quietOverNight',
            { from: form.from, to: form.to },
          )}
        </p>
      )}
    </ManagedGroup>
  )
}

export function NotificationsSection({ settings: { notifications } }: SectionProps) {
  const host = useStation((state) => state.status?.host ?? 'electron')
  const [form, setForm] = useState(() => notificationFormOf(notifications))
  const read = (): SettingsChanges | null => {
    const wanted = readNotificationForm(form)
    return wanted && { notifications: wanted }
  }
  return (
    <SettingsForm section="notifications" keys={['notifications']} read={read}>
      {host === 'headless' && <p className={css.explain}>{t('settings:notifications.elsewhere')}</p>}
      <div className={css.card}>
        <NotificationFields
          form={form}
          onWrite={(change) => setForm((before) => ({ ...before, ...change }))}
        />
      </div>
    </SettingsForm>
  )
}

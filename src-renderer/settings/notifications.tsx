/** Settings of the system's notifications. */
import { Switch, TextInput } from '@mantine/core'
import { type NotificationSettings, notificationSettingsSchema } from '../../src-shared/desktop-settings.ts'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'
import { ChoiceSelect, ManagedGroup, type SectionProps, SettingsForm, useForm } from './settings-form.tsx'
import css from './settings-screen.module.css'

type NotificationForm = Omit<NotificationSettings, 'quiet'> & {
  readonly isQuiet: boolean
  /** Times of day, `HH:MM`, as typed. */
  readonly from: string
  readonly to: string
}

/** The initial quiet hours, from evening to morning. */
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
      <h3>{t('settings:notifications.tell')}</h3>
      {(['needsPerson', 'folderUnreachable', 'sendingStopped'] as const).map((name) => (
        <Switch
          key={name}
          label={t(`settings:notifications.${name}`)}
          description={t(`settings:notifications.${name}Hint`)}
          checked={form[name] === 'on'}
          onChange={(event) => onWrite({ [name]: event.currentTarget.checked ? 'on' : 'off' })}
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
        checked={form.urgentInQuiet === 'on'}
        disabled={!form.isQuiet || form.reports === 'off'}
        onChange={(event) => onWrite({ urgentInQuiet: event.currentTarget.checked ? 'on' : 'off' })}
      />
      {form.isQuiet && !isWrong && (
        <p className={css.hint}>
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
  const [form, write] = useForm(() => notificationFormOf(notifications))
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

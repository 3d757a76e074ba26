import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { t } from '../words/t.ts'
import { ManagedGroup } from './managed-part.tsx'
import { readNotificationForm, type NotificationForm } from './notification-form.ts'
import css from './settings-screen.module.css'

const REPORTS = ['all', 'urgent', 'off'] as const

export type NotificationFieldsProps = {
  readonly form: NotificationForm
  readonly onWrite: (change: Partial<NotificationForm>) => void
}

/** What is told outside of the screens, and at which hours nothing is. */
export function NotificationFields({ form, onWrite }: NotificationFieldsProps) {
  const isWrong = readNotificationForm(form) === null
  return (
    <ManagedGroup keys={['notifications']}>
      <h3>{t('settings:notifications.tell')}</h3>
      <Switch
        label={t('settings:notifications.needsPerson')}
        description={t('settings:notifications.needsPersonHint')}
        checked={form.needsPerson}
        onChange={(event) => onWrite({ needsPerson: event.currentTarget.checked })}
      />
      <Switch
        label={t('settings:notifications.folderUnreachable')}
        description={t('settings:notifications.folderUnreachableHint')}
        checked={form.folderUnreachable}
        onChange={(event) => onWrite({ folderUnreachable: event.currentTarget.checked })}
      />
      <Switch
        label={t('settings:notifications.sendingStopped')}
        description={t('settings:notifications.sendingStoppedHint')}
        checked={form.sendingStopped}
        onChange={(event) => onWrite({ sendingStopped: event.currentTarget.checked })}
      />
      <NativeSelect
        label={t('settings:notifications.reports')}
        value={form.reports}
        data={REPORTS.map((value) => ({ value, label: t(`settings:notifications.reportsChoices.${value}`) }))}
        onChange={(event) =>
          onWrite({ reports: REPORTS.find((value) => value === event.currentTarget.value) ?? 'all' })
        }
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
            {
              from: form.from,
              to: form.to,
            },
          )}
        </p>
      )}
    </ManagedGroup>
  )
}

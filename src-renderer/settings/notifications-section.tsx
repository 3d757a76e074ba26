import { useState } from 'react'
import type { NotificationSettings } from '../../src-shared/desktop-settings.ts'
import { showToast } from '../shell/tell.tsx'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { NotificationFields } from './notification-fields.tsx'
import { notificationFormOf, readNotificationForm } from './notification-form.ts'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'

const PARTS = ['notifications'] as const

/** What the computer tells when nobody looks at the screens. */
export function NotificationsSection({ notifications }: { readonly notifications: NotificationSettings }) {
  const host = useStation((state) => state.status?.host ?? 'electron')
  const { save, isSaving } = useSaveSettings()
  const [form, setForm] = useState(() => notificationFormOf(notifications))
  const submit = (): void => {
    const wanted = readNotificationForm(form)
    if (wanted === null) showToast({ tone: 'red', message: t('settings:correctFirst') })
    else void save({ notifications: wanted })
  }
  return (
    <SettingsForm
      explain={t('settings:notifications.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={submit}
    >
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

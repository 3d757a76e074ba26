import { useState } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { NotificationFields } from '../settings/notification-fields.tsx'
import { notificationFormOf, readNotificationForm } from '../settings/notification-form.ts'
import { StartAtLogin } from '../settings/start-at-login.tsx'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

/** Start at login, and what the computer tells when nobody looks at the screens. */
export function ComputerStep({ settings }: { readonly settings: ShownSettings }) {
  const { save, isSaving, failure } = useStepSave()
  const [isStarting, setStarting] = useState(settings.desktop.startAtLogin === 'on')
  const [form, setForm] = useState(() => notificationFormOf(settings.notifications))

  const leave = async (): Promise<void> => {
    const notifications = readNotificationForm(form)
    // Its fields say what is wrong.
    if (notifications === null) return
    const desktop = { ...settings.desktop, startAtLogin: isStarting ? 'on' : 'off' } as const
    if (await save({ notifications, desktop })) completeStep('computer')
  }
  return (
    <StepFrame
      step="computer"
      explain={t('setup:computer.explain')}
      isSaving={isSaving}
      failure={failure}
      onContinue={() => void leave()}
    >
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

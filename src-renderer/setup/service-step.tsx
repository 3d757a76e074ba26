import type { ShownSettings } from '../../src-shared/settings.ts'
import { ConnectionPanel } from '../settings/connection-panel.tsx'
import { mayChange } from '../settings/managed.ts'
import { ServiceAddress, ServiceSecret } from '../settings/service-fields.tsx'
import { serviceFormOf } from '../settings/service-form.ts'
import { useServiceForm } from '../settings/use-service-form.ts'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

/** The service and its credentials, tried in three steps. They may wait: what is collected is kept. */
export function ServiceStep({ settings }: { readonly settings: ShownSettings }) {
  const { service, managed } = settings
  const editing = useServiceForm(service)
  const { save, isSaving, failure } = useStepSave()

  const leave = async (): Promise<void> => {
    const isSame =
      editing.hasSavedSecret && JSON.stringify(serviceFormOf(service)) === JSON.stringify(editing.form)
    if (isSame || !mayChange(managed, 'service')) return completeStep('service')
    const wanted = editing.read()
    if (wanted && (await save({ service: wanted }))) completeStep('service')
  }
  return (
    <StepFrame
      step="service"
      explain={t('setup:service.explain')}
      isSaving={isSaving}
      failure={failure}
      onContinue={() => void leave()}
      skip={service ? null : { means: t('setup:service.skipMeans'), run: () => completeStep('service') }}
    >
      <div className={css.card}>
        <ServiceAddress editing={editing} />
        <ServiceSecret editing={editing} />
      </div>
      <ConnectionPanel editing={editing} />
    </StepFrame>
  )
}

import { NativeSelect, TextInput } from '@mantine/core'
import { REFERENCE_FIELDS, type ShownSettings } from '../../src-shared/settings.ts'
import { fieldLabel } from '../words/field-label.ts'
import { t } from '../words/t.ts'
import { ConnectionPanel } from './connection-panel.tsx'
import { ManagedGroup } from './managed-part.tsx'
import { ServiceAddress, ServiceSecret } from './service-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { useServiceForm } from './use-service-form.ts'

const PARTS = ['service'] as const

export type ServiceSectionProps = { readonly service: ShownSettings['service'] }

/** Address and credentials, and a test of both before anything is saved. The secret only ever goes in. */
export function ServiceSection({ service }: ServiceSectionProps) {
  const { save, isSaving } = useSaveSettings()
  const editing = useServiceForm(service)
  const { form, problems, write } = editing

  const submit = async (): Promise<void> => {
    const wanted = editing.read()
    if (wanted && (await save({ service: wanted }))) write({ secret: '' })
  }
  return (
    <SettingsForm
      explain={t('settings:service.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={() => void submit()}
      below={<ConnectionPanel editing={editing} />}
    >
      <div className={css.card}>
        <ServiceAddress editing={editing} />
        <ServiceSecret editing={editing} />
        <ManagedGroup keys={PARTS} isNoted={false}>
          <NativeSelect
            label={t('settings:service.referenceField')}
            description={t('settings:service.referenceHint')}
            value={form.referenceField}
            onChange={(event) => write({ referenceField: event.currentTarget.value })}
            data={[
              ...REFERENCE_FIELDS.map((name) => ({ value: name, label: fieldLabel(name) })),
              { value: '', label: t('settings:service.referenceNone') },
            ]}
          />
          <TextInput
            label={t('settings:service.callbackUrl')}
            description={t('settings:service.callbackHint')}
            type="url"
            autoComplete="off"
            spellCheck={false}
            value={form.callbackUrl}
            error={problems.callbackUrl}
            onChange={(event) => write({ callbackUrl: event.currentTarget.value })}
          />
        </ManagedGroup>
      </div>
    </SettingsForm>
  )
}

import { useState } from 'react'
import type { ClinicalSettings } from '../../src-shared/settings.ts'
import { t } from '../words/t.ts'
import { ClinicalFields } from './clinical-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'

const PARTS = ['clinical'] as const

/** The units that the service takes measurements in. */
export function ClinicalSection({ clinical }: { readonly clinical: ClinicalSettings }) {
  const { save, isSaving } = useSaveSettings()
  const [wanted, setWanted] = useState(clinical)
  return (
    <SettingsForm
      explain={t('settings:clinical.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={() => void save({ clinical: wanted })}
    >
      <div className={css.card}>
        <ClinicalFields
          clinical={wanted}
          onWrite={(change) => setWanted((before) => ({ ...before, ...change }))}
        />
        <p className={css.hint}>{t('settings:clinical.values')}</p>
      </div>
    </SettingsForm>
  )
}

import { useState } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { ClinicalFields } from '../settings/clinical-fields.tsx'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

/** The units that the service takes acuity and prism base in. */
export function UnitsStep({ settings }: { readonly settings: ShownSettings }) {
  const { save, isSaving, failure } = useStepSave()
  const [clinical, setClinical] = useState(settings.clinical)
  return (
    <StepFrame
      step="units"
      explain={t('settings:clinical.explain')}
      isSaving={isSaving}
      failure={failure}
      onContinue={() => void save({ clinical }).then((isSaved) => isSaved && completeStep('units'))}
    >
      <div className={css.card}>
        <ClinicalFields
          clinical={clinical}
          onWrite={(change) => setClinical((before) => ({ ...before, ...change }))}
        />
      </div>
    </StepFrame>
  )
}

import { Button, Loader, Radio } from '@mantine/core'
import { useState } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { ManagedGroup } from '../settings/managed-part.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { t } from '../words/t.ts'
import { centerChoices, NEVER } from './center-choices.ts'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

/** The center of new cases, of those that the service lists; or that this station never switches. */
export function CenterStep({ settings }: { readonly settings: ShownSettings }) {
  const { save, isSaving, failure } = useStepSave()
  const listed = useAnswer('centers.list', settings.service === null ? null : {})
  const [chosen, setChosen] = useState(settings.centerId ?? NEVER)

  const leave = async (): Promise<void> => {
    const centerId = chosen === NEVER ? null : chosen
    if (centerId === settings.centerId || (await save({ centerId }))) completeStep('center')
  }
  return (
    <StepFrame
      step="center"
      explain={t('setup:center.explain')}
      isSaving={isSaving}
      failure={failure}
      onContinue={() => void leave()}
    >
      <div className={css.card}>
        {settings.service === null && <p>{t('setup:center.noService')}</p>}
        {listed.isReading && !listed.value && (
          <p className={css.count}>
            <Loader size={18} aria-hidden />
            {t('setup:center.reading')}
          </p>
        )}
        {listed.failure && (
          <FailureNotice failure={listed.failure} tone="amber">
            <p>{t('setup:center.offline')}</p>
            <Button variant="default" loading={listed.isReading} onClick={listed.readAgain}>
              {t('setup:center.again')}
            </Button>
          </FailureNotice>
        )}
        <ManagedGroup keys={['centerId']}>
          <Radio.Group aria-label={t('setup:center.label')} value={chosen} onChange={setChosen}>
            <div className={css.choices}>
              {centerChoices(listed.value?.items ?? null, settings.centerId).map(
                ({ value, label, description }) => (
                  <Radio key={value} value={value} label={label} description={description} />
                ),
              )}
            </div>
          </Radio.Group>
        </ManagedGroup>
      </div>
    </StepFrame>
  )
}

import { LanguageSelect } from '../settings/language-select.tsx'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { passStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'

/** The language of this screen; it is kept as soon as it is chosen. */
export function LanguageStep() {
  return (
    <StepFrame step="language" explain={t('setup:language.explain')} onContinue={() => passStep('language')}>
      <div className={css.card}>
        <LanguageSelect />
      </div>
    </StepFrame>
  )
}

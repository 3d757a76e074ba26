import { Radio } from '@mantine/core'
import { t } from '../words/t.ts'
import { chooseLanguage, LANGUAGES, useLanguageChoice } from '../words/language.ts'
import css from './setup-screen.module.css'
import { completeStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'

const CHOICES = [...LANGUAGES, 'auto'] as const

/** The language of this screen; it is kept as soon as it is chosen. */
export function LanguageStep() {
  const chosen = useLanguageChoice()
  return (
    <StepFrame
      step="language"
      explain={t('setup:language.explain')}
      onContinue={() => completeStep('language')}
    >
      <div className={css.card}>
        <Radio.Group
          label={t('shell:language.label')}
          value={chosen}
          onChange={(value) => {
            const wanted = CHOICES.find((one) => one === value)
            if (wanted) void chooseLanguage(wanted, window)
          }}
        >
          <div className={css.choices}>
            {CHOICES.map((choice) => (
              <Radio key={choice} value={choice} label={t(`shell:language.${choice}`)} />
            ))}
          </div>
        </Radio.Group>
      </div>
    </StepFrame>
  )
}

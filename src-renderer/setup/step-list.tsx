import { UnstyledButton } from '@mantine/core'
import { IconCheck, IconMinus } from '@tabler/icons-react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { showStep, useSetupProgress } from './setup-progress.ts'
import { firstOpenStep, markOf, SETUP_STEPS, type SetupStep } from './setup-steps.ts'

/** All steps and how each stands; those that were reached can be gone to. */
export function StepList({ settings }: { readonly settings: ShownSettings }) {
  const { completed, at } = useSetupProgress()
  const mayShow = (step: SetupStep): boolean => completed.includes(step) || step === firstOpenStep(completed)
  return (
    <nav aria-label={t('setup:steps')}>
      <ol role="list" className={css.list}>
        {SETUP_STEPS.map((step) => {
          const mark = markOf(step, at, completed, settings)
          return (
            <li key={step}>
              <UnstyledButton
                className={css.place}
                data-mark={mark}
                disabled={!mayShow(step)}
                aria-label={`${t(`setup:${step}.name`)}, ${t(`setup:marks.${mark}`)}`}
                aria-current={step === at ? 'step' : undefined}
                onClick={() => showStep(step)}
              >
                <span className={css.sign} aria-hidden>
                  {mark === 'done' && <IconCheck size={15} stroke={2.4} />}
                  {mark === 'skipped' && <IconMinus size={15} stroke={2.4} />}
                </span>
                <span>{t(`setup:${step}.name`)}</span>
              </UnstyledButton>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { showStep } from './setup-progress.ts'
import { SETUP_STEPS, stepBefore, type SetupStep } from './setup-steps.ts'

export type StepFrameProps = {
  readonly step: SetupStep
  readonly title?: string
  readonly explain: string
  readonly isSaving?: boolean
  readonly failure?: Failure | null
  readonly continueLabel?: string
  readonly onContinue: () => void
  /** Leaves the step with nothing entered, and what that means. */
  readonly skip?: { readonly means: string; readonly run: () => void } | null
  readonly children: ReactNode
}

/** One step: what is asked, its inputs, and the ways out of it. Enter goes on, like the button. */
export function StepFrame(props: StepFrameProps) {
  const { step, isSaving = false, skip = null } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const before = stepBefore(step)
  // A screen reader and the keyboard go on at the new step.
  useEffect(() => heading.current?.focus(), [])
  return (
    <form
      className={css.step}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        props.onContinue()
      }}
    >
      <div>
        <p className={css.number}>
          {t('setup:progress', { number: SETUP_STEPS.indexOf(step) + 1, all: SETUP_STEPS.length })}
        </p>
        <h2 ref={heading} tabIndex={-1} className={css.question}>
          {props.title ?? t(`setup:${step}.title`)}
        </h2>
        <p className={css.explain}>{props.explain}</p>
      </div>
      {props.children}
      {props.failure && <FailureNotice failure={props.failure} />}
      {skip && <p className={css.skipMeans}>{skip.means}</p>}
      <div className={css.foot}>
        {before && (
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={17} aria-hidden />}
            onClick={() => showStep(before)}
          >
            {t('setup:back')}
          </Button>
        )}
        <span className={css.gap} />
        {skip && (
          <Button variant="subtle" onClick={skip.run}>
            {t('setup:skip')}
          </Button>
        )}
        <Button type="submit" loading={isSaving} rightSection={<IconArrowRight size={17} aria-hidden />}>
          {props.continueLabel ?? t('setup:continue')}
        </Button>
      </div>
    </form>
  )
}

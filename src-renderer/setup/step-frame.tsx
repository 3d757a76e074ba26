/**
 * The progress of the set-up, and the frame of a step. The settings are stored in the station; the completed steps are
 * stored in the browser, so that a closed window resumes at its step.
 */
import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { create } from 'zustand'
import type { Failure } from '../../src-shared/failure.ts'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { FailureNotice } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import { permittedChanges } from '../settings/settings-form.tsx'
import { useSession } from '../store/use-station.ts'
import css from './setup-screen.module.css'
import {
  firstOpenStep,
  readCompletedSteps,
  SETUP_STEPS,
  type SetupStep,
  stepAfter,
  stepBefore,
} from './setup-steps.ts'

const KEY = 'fundus-courier.setup'

type Progress = { readonly completed: readonly SetupStep[]; readonly at: SetupStep }

const INITIAL_PROGRESS: Progress = { completed: [], at: 'language' }

const progress = create<Progress>(() => {
  const completed = readCompletedSteps(window.localStorage.getItem(KEY))
  return { completed, at: firstOpenStep(completed) }
})

export function useSetupProgress(): Progress {
  return progress()
}

/** Completes a step and shows the next one. */
export function completeStep(step: SetupStep): void {
  const completed = [...new Set([...progress.getState().completed, step])]
  window.localStorage.setItem(KEY, completed.join(' '))
  progress.setState({ completed, at: stepAfter(step) })
}

/** Shows a step that was already reached. */
export function showStep(step: SetupStep): void {
  progress.setState({ at: step })
}

/** The next set-up starts at the first step. */
export function endSetup(): void {
  window.localStorage.removeItem(KEY)
  progress.setState(INITIAL_PROGRESS)
}

type StepFrameProps = {
  readonly step: SetupStep
  readonly title?: string
  readonly explain: string
  readonly isSaving?: boolean
  readonly failure?: Failure | null
  readonly continueLabel?: string
  readonly onContinue: () => void
  /** Skips the step, and explains what that means. */
  readonly skip?: { readonly means: string; readonly run: () => void } | null
  readonly children: ReactNode
}

/** One step: its question, its inputs, and its buttons. Enter continues, like the button. */
export function StepFrame(props: StepFrameProps) {
  const { step, isSaving = false, skip = null } = props
  const heading = useRef<HTMLHeadingElement>(null)
  const before = stepBefore(step)
  // A screen reader and the keyboard continue at the new step.
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

type StepSave = {
  readonly isSaving: boolean
  /** Why the last save failed; shown in the step, whose input is preserved. */
  readonly failure: Failure | null
  readonly save: (changes: SettingsChanges) => Promise<boolean>
}

/** Saves the settings of a step; success shows the next step. Locked settings count as saved. */
export function useStepSave(): StepSave {
  const session = useSession()
  const [isSaving, setSaving] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  return {
    isSaving,
    failure,
    async save(changes) {
      const sent = permittedChanges(changes, session.store.getState().settings?.managed ?? {})
      if (Object.keys(sent).length === 0) return true
      setSaving(true)
      const answer = await session.call('settings.update', sent)
      setSaving(false)
      setFailure(answer.ok ? null : answer.failure)
      if (answer.ok) session.store.setState({ settings: answer.value })
      return answer.ok
    },
  }
}

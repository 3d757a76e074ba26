/** The frame of a set-up step, and the completed steps: the browser keeps them, so that a closed window resumes. */
import { Button } from '@mantine/core'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { ActionButton, FailureNotice, Form } from '../components/controls.tsx'
import { create } from 'zustand'
import type { SettingsChanges } from '../../src-shared/settings.ts'
import { t } from '../i18n/i18n.ts'
import { permittedChanges } from '../settings/settings-form.tsx'
import { useCall, useSession } from '../store/use-station.ts'
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

export const useSetupProgress = create<Progress>(() => {
  const completed = readCompletedSteps(window.localStorage.getItem(KEY))
  return { completed, at: firstOpenStep(completed) }
})

function completeStep(step: SetupStep): void {
  const completed = [...new Set([...useSetupProgress.getState().completed, step])]
  window.localStorage.setItem(KEY, completed.join(' '))
  useSetupProgress.setState({ completed, at: stepAfter(step) })
}

export function showStep(step: SetupStep): void {
  useSetupProgress.setState({ at: step })
}

export function endSetup(): void {
  window.localStorage.removeItem(KEY)
  useSetupProgress.setState({ completed: [], at: 'language' })
}

type StepFrameProps = {
  readonly step: SetupStep
  readonly title?: string
  readonly explain: string
  readonly continueLabel?: string
  /** The settings to save when the step is left; null if an input is invalid and says so. */
  readonly read: () => SettingsChanges | null
  /** Called when the settings are saved, instead of showing the next step. */
  readonly onDone?: () => void
  /** What skipping the step means; null if it cannot be skipped. */
  readonly skipMeans?: string | null
  readonly children: ReactNode
}

/** One step: its question, its inputs, and its buttons. Enter continues, like the button. */
export function StepFrame(props: StepFrameProps) {
  const { step, skipMeans = null, onDone = () => completeStep(step) } = props
  const { store } = useSession()
  const { isBusy, failure, call } = useCall()
  const heading = useRef<HTMLHeadingElement>(null)
  const before = stepBefore(step)
  const leave = async (): Promise<void> => {
    const changes = props.read()
    if (changes === null) return
    const sent = permittedChanges(changes, store.getState().settings?.managed ?? {})
    // Locked settings count as saved.
    if (Object.keys(sent).length > 0) {
      const settings = await call('settings.update', sent)
      if (!settings) return
      store.setState({ settings })
    }
    onDone()
  }
  // A screen reader and the keyboard continue at the new step.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Form className={css.step} onSubmit={() => void leave()}>
      <div>
        <p className="small dim">
          {t('setup:progress', { number: SETUP_STEPS.indexOf(step) + 1, all: SETUP_STEPS.length })}
        </p>
        <h2 ref={heading} tabIndex={-1} className={css.question}>
          {props.title ?? t(`setup:${step}.title`)}
        </h2>
        <p className="dim">{props.explain}</p>
      </div>
      {props.children}
      {failure && <FailureNotice failure={failure} />}
      {skipMeans !== null && <p className={css.skipMeans}>{skipMeans}</p>}
      <div className={css.foot}>
        {before && (
          <ActionButton icon={IconArrowLeft} onClick={() => showStep(before)}>
            {t('setup:back')}
          </ActionButton>
        )}
        <span className="grow" />
        {skipMeans !== null && (
          <Button variant="subtle" onClick={() => completeStep(step)}>
            {t('setup:skip')}
          </Button>
        )}
        <Button type="submit" loading={isBusy} rightSection={<IconArrowRight size={17} aria-hidden />}>
          {props.continueLabel ?? t('setup:continue')}
        </Button>
      </div>
    </Form>
  )
}

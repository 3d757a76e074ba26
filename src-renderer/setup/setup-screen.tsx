import { Anchor, Loader } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { writeRoute } from '../shell/routes.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { CenterStep } from './center-step.tsx'
import { ComputerStep } from './computer-step.tsx'
import { DoneStep } from './done-step.tsx'
import { FolderStep } from './folder-step.tsx'
import { LanguageStep } from './language-step.tsx'
import { ServiceStep } from './service-step.tsx'
import css from './setup-screen.module.css'
import { useSetupProgress } from './setup-progress.ts'
import type { SetupStep } from './setup-steps.ts'
import { StepList } from './step-list.tsx'
import { UnitsStep } from './units-step.tsx'

/** All that a new station needs, one question at a time. Each answer is kept when its step is left. */
export function SetupScreen() {
  const settings = useStation((state) => state.settings)
  const { at } = useSetupProgress()
  if (!settings) return <Loader className={css.loader} aria-label={t('setup:title')} />
  return (
    <div className={css.screen}>
      <div className={css.side}>
        <h1 className={css.title}>{t('setup:title')}</h1>
        <StepList settings={settings} />
        <div className={css.later}>
          <Anchor href={writeRoute({ screen: 'queue' })}>{t('setup:later')}</Anchor>
          <p className="dim">{t('setup:laterHint')}</p>
        </div>
      </div>
      <div className={css.content}>{stepOf(at, settings)}</div>
    </div>
  )
}

function stepOf(step: SetupStep, settings: ShownSettings): ReactNode {
  switch (step) {
    case 'language':
      return <LanguageStep key={step} />
    case 'folder':
      return <FolderStep key={step} settings={settings} />
    case 'service':
      return <ServiceStep key={step} settings={settings} />
    case 'center':
      return <CenterStep key={step} settings={settings} />
    case 'units':
      return <UnitsStep key={step} settings={settings} />
    case 'computer':
      return <ComputerStep key={step} settings={settings} />
    case 'done':
      return <DoneStep key={step} settings={settings} />
  }
}

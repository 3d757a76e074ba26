import { Button } from '@mantine/core'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { goTo } from '../shell/routes.ts'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import css from './setup-screen.module.css'
import { endSetup, showStep } from './setup-progress.ts'
import { StepFrame } from './step-frame.tsx'
import { useStepSave } from './use-step-save.ts'

/** What is set and what is not yet, and the way to the queue. */
export function DoneStep({ settings }: { readonly settings: ShownSettings }) {
  const { save, isSaving, failure } = useStepSave()
  const folders = useStation((state) => state.status?.folders)
  const isComplete = settings.service !== null && settings.folders.length > 0
  const lines = [
    {
      step: 'folder',
      isSet: settings.folders.length > 0,
      texts: settings.folders.map(({ path }) => {
        const health = folders?.find((folder) => folder.path === path)?.health
        return health === undefined ? path : `${path} \u00b7 ${t(`settings:folders.health.${health}`)}`
      }),
    },
    {
      step: 'service',
      isSet: settings.service !== null,
      texts: settings.service === null ? [] : [settings.service.baseUrl],
    },
    {
      step: 'center',
      isSet: true,
      texts: [
        settings.centerId === null
          ? t('setup:center.never')
          : t('setup:center.id', { id: settings.centerId }),
      ],
    },
  ] as const
  const finish = async (): Promise<void> => {
    if (settings.setup !== 'done' && !(await save({ setup: 'done' }))) return
    endSetup()
    goTo({ screen: 'queue' })
  }
  return (
    <StepFrame
      step="done"
      title={isComplete ? t('setup:done.title') : t('setup:done.notYetTitle')}
      explain={isComplete ? t('setup:done.explain') : t('setup:done.notYetExplain')}
      isSaving={isSaving}
      failure={failure}
      continueLabel={t('setup:done.finish')}
      onContinue={() => void finish()}
    >
      <ul role="list" className={css.card}>
        {lines.map(({ step, isSet, texts }) => {
          const Sign = isSet ? IconCircleCheck : IconCircleDashed
          return (
            <li key={step} className={css.line} data-set={isSet}>
              <Sign size={22} aria-hidden />
              <div className={css.lineText}>
                <strong>{t(`setup:${step}.name`)}</strong>
                {texts.map((text) => (
                  <span key={text}>{text}</span>
                ))}
                {!isSet && (
                  <span>{t(step === 'folder' ? 'setup:done.noFolder' : 'setup:done.noService')}</span>
                )}
              </div>
              <Button
                variant="subtle"
                aria-label={`${t('setup:done.change')}: ${t(`setup:${step}.name`)}`}
                onClick={() => showStep(step)}
              >
                {t('setup:done.change')}
              </Button>
            </li>
          )
        })}
      </ul>
    </StepFrame>
  )
}

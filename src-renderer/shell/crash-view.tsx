import { Button, Group, Loader } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { CopyAction } from '../parts/copy-action.tsx'
import { EmptyState } from '../parts/empty-place.tsx'
import { t } from '../words/t.ts'
import css from './crash-view.module.css'
import { loadScreen } from './fetch-screen.ts'

const CrashDiagnostics = lazy(async () => ({
  default: (await loadScreen(() => import('./crash-diagnostics.tsx'))).CrashDiagnostics,
}))

export type CrashViewProps = {
  readonly shape: 'screen' | 'part'
  readonly errorText: string
  readonly onAgain: () => void
}

/** In place of what could not be drawn: that nothing is lost, the ways on, and what to give to support. */
export function CrashView({ shape, errorText, onAgain }: CrashViewProps) {
  const [isAsking, setAsking] = useState(false)
  const buttons = (
    <Group gap="xs" justify="center" mt={shape === 'screen' ? 'sm' : 0}>
      <Button size={shape === 'screen' ? 'sm' : 'compact-sm'} onClick={onAgain}>
        {t('shell:crash.again')}
      </Button>
      <Button
        size={shape === 'screen' ? 'sm' : 'compact-sm'}
        variant="default"
        onClick={() => window.location.reload()}
      >
        {t('shell:crash.reload')}
      </Button>
      {shape === 'screen' && (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t('shell:crash.diagnostics')}
        </Button>
      )}
    </Group>
  )
  if (shape === 'part')
    return (
      <div role="alert" className={css.part}>
        <span>{t('shell:crash.part')}</span>
        {buttons}
      </div>
    )
  return (
    <div role="alert">
      <EmptyState
        isScreen
        icon={IconAlertTriangle}
        title={t('shell:crash.title')}
        body={t('shell:crash.body')}
      >
        {buttons}
        <p className={css.fault}>
          <span className="tabular">{shortOf(errorText)}</span>
          {/* Works also while the station is away, and with it the diagnostics. */}
          <CopyAction text={errorText} label={t('shell:crash.copy')} />
        </p>
      </EmptyState>
      {isAsking && (
        <Suspense fallback={<Loader aria-label={t('shell:product')} />}>
          <CrashDiagnostics errorText={errorText} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** The kind of error, as somebody would read it out on the telephone. */
function shortOf(errorText: string): string {
  return /^error: (\w+)$/m.exec(errorText)?.[1] ?? ''
}

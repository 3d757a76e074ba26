import { Button, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy, IconDeviceFloppy, IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import type { Failure } from '../../src-shared/failure.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { offerDownload } from '../parts/offer-download.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'
import css from './diagnostics.module.css'
import { TextPreview } from './text-preview.tsx'

const EXCLUDED = [
  'patients',
  'files',
  'people',
  'service',
  'secrets',
] as const satisfies readonly (keyof Words['help']['diagnostics']['leftOutList'])[]

export type DiagnosticsProps = {
  /** What the screens have to add: which of them could not be drawn. */
  readonly screenError?: string
}

/** Makes the diagnostics, shows exactly what will be saved, and hands it out. */
export function Diagnostics({ screenError = '' }: DiagnosticsProps) {
  const session = useSession()
  const [made, setMade] = useState<CallOutput<'station.diagnostics'> | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isMaking, setMaking] = useState(false)

  const make = async (): Promise<void> => {
    setMaking(true)
    const answer = await session.call('station.diagnostics', {})
    setMaking(false)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok)
      setMade({ ...answer.value, text: [answer.value.text, screenError].filter(Boolean).join('\n') })
    else if (screenError !== '') setMade({ fileName: 'fundus-courier-screens.txt', text: screenError })
  }
  return (
    <div className={css.diagnostics}>
      <p className="dim">{t('help:diagnostics.explain')}</p>
      <div className={css.leftOut}>
        <strong>{t('help:diagnostics.leftOut')}</strong>
        <ul>
          {EXCLUDED.map((what) => (
            <li key={what}>{t(`help:diagnostics.leftOutList.${what}`)}</li>
          ))}
        </ul>
      </div>
      <Group gap="sm">
        <Button
          variant={made === null ? 'filled' : 'default'}
          leftSection={<IconReportAnalytics size={17} aria-hidden />}
          loading={isMaking}
          onClick={() => void make()}
        >
          {made === null ? t('help:diagnostics.make') : t('help:diagnostics.again')}
        </Button>
        {made !== null && (
          <>
            <Button leftSection={<IconDeviceFloppy size={17} aria-hidden />} onClick={() => save(made)}>
              {t('help:diagnostics.save')}
            </Button>
            <CopyButton value={made.text} timeout={2_000}>
              {({ copied, copy }) => (
                <Button
                  variant="default"
                  leftSection={
                    copied ? <IconCheck size={17} aria-hidden /> : <IconCopy size={17} aria-hidden />
                  }
                  onClick={copy}
                >
                  {copied ? t('help:diagnostics.copied') : t('help:diagnostics.copy')}
                </Button>
              )}
            </CopyButton>
          </>
        )}
      </Group>
      {failure && (
        <FailureNotice failure={failure} tone="amber">
          {made !== null && <p>{t('help:diagnostics.withoutStation')}</p>}
        </FailureNotice>
      )}
      {made !== null && <TextPreview text={made.text} />}
    </div>
  )
}

function save({ fileName, text }: CallOutput<'station.diagnostics'>): void {
  offerDownload(new Blob([text], { type: 'text/plain;charset=utf-8' }), fileName)
  showToast({ tone: 'green', message: t('help:diagnostics.saved', { name: fileName }) })
}

/** The diagnostics: what is in them, and the download. */
import { Group, Stack } from '@mantine/core'
import { IconDeviceFloppy, IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import { offerDownload } from '../components/browser.tsx'
import { ActionButton, CopyAction, FailureNotice } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'
import { useCall } from '../store/use-station.ts'
import css from './for-it.module.css'

const EXCLUDED = ['patients', 'files', 'people', 'service', 'secrets'] as const

/** Creates the diagnostics, shows exactly what will be saved, and offers the download. */
export function Diagnostics() {
  const { isBusy, failure, call } = useCall()
  const [made, setMade] = useState<CallOutput<'station.diagnostics'> | null>(null)

  const make = async (): Promise<void> => {
    const value = await call('station.diagnostics', {})
    if (value) setMade(value)
  }
  return (
    <Stack gap={12} miw={0}>
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
        <ActionButton
          variant={made === null ? 'filled' : 'default'}
          icon={IconReportAnalytics}
          loading={isBusy}
          onClick={() => void make()}
        >
          {made === null ? t('help:diagnostics.make') : t('help:diagnostics.again')}
        </ActionButton>
        {made !== null && (
          <>
            <ActionButton
              variant="filled"
              icon={IconDeviceFloppy}
              onClick={() => offerDownload(new Blob([made.text], { type: 'text/plain' }), made.fileName)}
            >
              {t('shell:save')}
            </ActionButton>
            <CopyAction text={made.text} label={t('help:diagnostics.copy')} />
          </>
        )}
      </Group>
      {failure && <FailureNotice failure={failure} tone="amber" />}
      {made !== null && (
        <>
          <p>{t('help:diagnostics.preview')}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an element that scrolls takes the focus, or the keyboard cannot scroll it */}
          <pre className="verbatim" tabIndex={0} role="region" aria-label={t('help:diagnostics.preview')}>
            {made.text}
          </pre>
        </>
      )}
    </Stack>
  )
}

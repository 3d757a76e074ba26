/** The program itself: its updates, the licenses of all that is shipped with it, and its diagnostics. */
import { Button, Group, Loader, Stack } from '@mantine/core'
import { useDisclosure, useInterval } from '@mantine/hooks'
import { IconDeviceFloppy, IconReportAnalytics } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import type { UpdateState } from '../../src-shared/desktop.ts'
import { SECOND } from '../../src-shared/durations.ts'
import { offerDownload, useLoaded } from '../components/browser.tsx'
import { ActionButton, CopyAction, FailureNotice } from '../components/controls.tsx'
import { formatInstant } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { runCall } from '../shell/toast.tsx'
import { useAnswer, useCall, useSession } from '../store/use-station.ts'
import itCss from './for-it.module.css'
import css from './settings-screen.module.css'

type UpdateText = { readonly title: string; readonly detail?: string; readonly trouble?: string }

export function updateText(state: UpdateState): UpdateText {
  const problem = 'trouble' in state && state.trouble
  const trouble = problem && { trouble: t(`settings:updates.trouble.${problem}`) }
  switch (state.kind) {
    case 'off':
      return { title: t(`settings:updates.off.${state.why}`) }
    case 'current': {
      if (state.lookedAt === null) return { title: t('settings:updates.notKnown'), ...trouble }
      const detail = t('settings:updates.lookedAt', { when: formatInstant(state.lookedAt) })
      return { title: t('settings:updates.current'), detail, ...trouble }
    }
    case 'looking':
      return { title: t('settings:updates.looking') }
    case 'fetching':
      return { title: t('settings:updates.fetching', state), detail: t('settings:updates.workGoesOn') }
    case 'refused':
      return {
        title: t('settings:updates.refused', state),
        trouble: t(`settings:updates.refusedFor.${state.why}`),
      }
    case 'ready': {
      const detail = t(`settings:updates.waits.${state.waitsFor}`)
      return { title: t('settings:updates.ready', state), detail, ...trouble }
    }
    case 'installing':
      return { title: t('settings:updates.installing', state), detail: t('settings:updates.comesBack') }
  }
}

/** No event reports a change, so this polls while the section is open. */
const POLL_MS = 3 * SECOND

export function UpdateCard() {
  const session = useSession()
  const { value: state, readAgain } = useAnswer('updates.get', {})
  useInterval(readAgain, POLL_MS, { autoInvoke: true })
  if (!state) return null
  const { title, detail, trouble } = updateText(state)
  const ask = (name: 'updates.look' | 'updates.install'): void =>
    void runCall(session, name, {}).then(readAgain)
  return (
    <section className={css.card} aria-labelledby="updates">
      <h3 id="updates">{t('settings:updates.heading')}</h3>
      <div className={css.foot}>
        <div className="grow" role="status">
          <p>{title}</p>
          {detail !== undefined && <p className="small dim">{detail}</p>}
          {trouble !== undefined && <p className="amber">{trouble}</p>}
        </div>
        {(state.kind === 'current' || state.kind === 'refused') && (
          <Button variant="default" onClick={() => ask('updates.look')}>
            {t('settings:updates.lookNow')}
          </Button>
        )}
        {state.kind === 'ready' && (
          <Button onClick={() => ask('updates.install')}>{t('settings:updates.installNow')}</Button>
        )}
      </div>
      {state.kind !== 'off' && <p className="small dim">{t('settings:updates.promise')}</p>}
    </section>
  )
}

/** Rejects if the list is missing, as during development. */
async function readLicenses(): Promise<string> {
  const answer = await fetch('./licenses.txt')
  if (!answer.ok) throw new Error(`The licenses answered ${answer.status}`)
  return answer.text()
}

export function LicenseList() {
  const [isOpen, { open }] = useDisclosure(false)
  const licenses = useLoaded(isOpen ? 'licenses' : null, readLicenses)
  return (
    <section className={css.card} aria-labelledby="licenses">
      <div className={css.foot}>
        <div className="grow">
          <h3 id="licenses">{t('settings:about.licenses')}</h3>
          <p className="dim">{t('settings:about.licensesExplain')}</p>
        </div>
        {!isOpen && (
          <Button variant="default" onClick={open}>
            {t('settings:about.showLicenses')}
          </Button>
        )}
      </div>
      {isOpen && licenses.kind === 'loading' && (
        <Loader size="sm" aria-label={t('settings:about.licenses')} />
      )}
      {licenses.kind === 'failed' && <p role="status">{t('settings:about.licensesMissing')}</p>}
      {licenses.kind === 'ready' && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an element that scrolls takes the focus, or the keyboard cannot scroll it
        <pre className="verbatim" tabIndex={0} role="region" aria-labelledby="licenses">
          {licenses.value}
        </pre>
      )}
    </section>
  )
}

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
      <div className={itCss.leftOut}>
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

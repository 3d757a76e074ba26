import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import type { DesktopSettings, ScreenSettings } from '../../src-shared/desktop-settings.ts'
import { writeRoute } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { t } from '../words/t.ts'
import { LanguageSelect } from './language-select.tsx'
import { ManagedGroup } from './managed-part.tsx'
import { NumberSetting } from './number-setting.tsx'
import { readSetting } from './read-setting.ts'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { StartAtLogin } from './start-at-login.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const PARTS = ['screens', 'desktop'] as const
/** The limits of the contract. */
const IDLE = { min: 10, max: 86_400, isWhole: true } as const
/** What the field offers where names were never hidden so far. */
const DEFAULT_SECONDS = 300

export type GeneralSectionProps = { readonly screens: ScreenSettings; readonly desktop: DesktopSettings }

/** How the screens speak and when they hide names, and what starts by itself. */
export function GeneralSection({ screens, desktop }: GeneralSectionProps) {
  const { save, isSaving } = useSaveSettings()
  const [isHiding, setHiding] = useState(screens.hideNamesAfterSeconds !== null)
  const [seconds, setSeconds] = useState(String(screens.hideNamesAfterSeconds ?? DEFAULT_SECONDS))
  const [isStarting, setStarting] = useState(desktop.startAtLogin === 'on')

  const submit = (): void => {
    const hideNamesAfterSeconds = readSetting(seconds, IDLE)
    if (isHiding && hideNamesAfterSeconds === null)
      showToast({ tone: 'red', message: t('settings:correctFirst') })
    else
      void save({
        screens: { ...screens, hideNamesAfterSeconds: isHiding ? hideNamesAfterSeconds : null },
        desktop: { ...desktop, startAtLogin: isStarting ? 'on' : 'off' },
      })
  }
  return (
    <SettingsForm
      explain={t('settings:general.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={submit}
      below={<SetupAgain />}
    >
      <div className={css.card}>
        <h3>{t('settings:general.screens')}</h3>
        <LanguageSelect />
        <ManagedGroup keys={['screens']}>
          <Switch
            label={t('settings:general.hide')}
            checked={isHiding}
            onChange={(event) => setHiding(event.currentTarget.checked)}
          />
          <NumberSetting
            label={t('settings:general.hideAfter')}
            unit={t('settings:folders.seconds')}
            limits={IDLE}
            text={seconds}
            isUsed={isHiding}
            onWrite={setSeconds}
          />
          <p className={css.hint}>{t('settings:general.hideMeans')}</p>
        </ManagedGroup>
      </div>
      <div className={css.card}>
        <h3>{t('settings:general.computer')}</h3>
        <StartAtLogin isOn={isStarting} onWrite={setStarting} />
      </div>
    </SettingsForm>
  )
}

function SetupAgain() {
  return (
    <section className={css.card} aria-labelledby="setup-again">
      <div className={css.foot}>
        <div className={css.gap}>
          <h3 id="setup-again">{t('settings:general.again')}</h3>
          <p className="dim">{t('settings:general.againExplain')}</p>
        </div>
        <Button component="a" variant="default" href={writeRoute({ screen: 'setup' })}>
          {t('settings:general.againAction')}
        </Button>
      </div>
    </section>
  )
}

/** The settings screen. */
import { Loader } from '@mantine/core'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { Toggle } from '../components/controls.tsx'
import { useFocusAfter } from '../components/browser.tsx'
import { t } from '../i18n/i18n.ts'
import { offersOf, SETTINGS_SECTIONS, type SettingsSection, writeRoute } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'
import { ClinicSection } from './clinic.tsx'
import { FoldersSection } from './folders.tsx'
import { ForItSection } from './for-it.tsx'
import { ReviewSection } from './review.tsx'
import { ServiceSection } from './service.tsx'
import {
  ManagedGroup,
  NumberSetting,
  isWholePath,
  PathInput,
  type SectionProps,
  SettingsForm,
  type SettingsKey,
  useSaving,
} from './settings-form.tsx'
import css from './settings-screen.module.css'

type SettingsScreenProps = { readonly section: SettingsSection | null }

export function SettingsScreen({ section }: SettingsScreenProps) {
  const settings = useStation((state) => state.settings)
  const offers = useStation(offersOf)
  const shown = section ?? 'clinic'
  const heading = useRef<HTMLHeadingElement>(null)
  const cameFrom = useRef(shown)
  // After a change of sections, a screen reader continues at the new heading.
  useEffect(() => {
    if (cameFrom.current !== shown) heading.current?.focus()
    cameFrom.current = shown
  }, [shown])
  const { Shown, edits } = SECTIONS[shown]
  // A form starts again when its settings change elsewhere: a stale one would be worse. Saving ends it, too.
  const held = JSON.stringify(settings && edits.map((name) => settings[name]), withoutConfirmed)
  const button = (): HTMLElement | null | undefined =>
    heading.current?.parentElement?.querySelector<HTMLElement>('[type="submit"]')
  useFocusAfter(() => button() ?? heading.current, held)
  return (
    <div className={css.screen}>
      <div className={css.sections}>
        <h1 className={css.title}>{t('shell:screens.settings')}</h1>
        <nav aria-label={t('settings:sections')}>
          <ul role="list">
            {SETTINGS_SECTIONS.map((name) => (
              <li key={name}>
                <a
                  className={css.section}
                  href={writeRoute({ screen: 'settings', section: name })}
                  aria-current={name === shown ? 'page' : undefined}
                >
                  {t(`settings:section.${name}`)}
                  {name === 'folders' && offers > 0 && (
                    <strong> ({t('shell:offers', { count: offers })})</strong>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={css.content}>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {t(`settings:section.${shown}`)}
        </h2>
        {settings ? (
          <Shown key={held} settings={settings} />
        ) : (
          <Loader aria-label={t('shell:screens.settings')} />
        )}
      </div>
    </div>
  )
}

/** Whatever a file may state; a day is the longest acceptable delay of a report. */
const CHECK = { min: 1, max: 86_400 } as const

function ReportsSection({ settings: { reports } }: SectionProps) {
  const [checkSeconds, setCheck] = useState<number | undefined>(reports.checkSeconds)
  const [folder, setFolder] = useState(reports.saveTo ?? '')
  const saveTo = folder.trim() || null
  const isRelative = saveTo !== null && !isWholePath(saveTo)
  const [copyNames, setNames] = useState(reports.copyNames)
  const [askWhatWasDone, setAsk] = useState(reports.askWhatWasDone)
  const saving = useSaving({
    reports:
      checkSeconds === undefined || isRelative
        ? undefined
        : { ...reports, checkSeconds, saveTo, copyNames, askWhatWasDone },
  })
  return (
    <SettingsForm section="reports" saving={saving}>
      <div className={css.card}>
        <ManagedGroup part="reports">
          <NumberSetting
            label={t('settings:reports.checkSeconds')}
            unit={t('settings:folders.seconds')}
            limits={CHECK}
            value={checkSeconds}
            onWrite={setCheck}
          />
          <PathInput
            what="folder"
            label={t('settings:reports.saveTo')}
            description={t('settings:reports.saveToHint')}
            value={folder}
            error={isRelative && t('settings:folders.pathMissing')}
            onWrite={setFolder}
          />
          <Toggle
            label={t('settings:reports.copyNames')}
            description={t('settings:reports.copyNamesHint')}
            disabled={saveTo === null}
            isOn={copyNames === 'patient'}
            onWrite={(isOn) => setNames(isOn ? 'patient' : 'reference')}
          />
          <Toggle
            label={t('settings:reports.askWhatWasDone')}
            description={t('settings:reports.askWhatWasDoneHint')}
            isOn={askWhatWasDone === 'on'}
            onWrite={(isOn) => setAsk(isOn ? 'on' : 'off')}
          />
        </ManagedGroup>
      </div>
    </SettingsForm>
  )
}

type Section = { readonly Shown: ComponentType<SectionProps>; readonly edits: readonly SettingsKey[] }

const SECTIONS: Readonly<Record<SettingsSection, Section>> = {
  clinic: { Shown: ClinicSection, edits: ['screens', 'notifications'] },
  folders: { Shown: FoldersSection, edits: ['folders', 'patientList'] },
  service: { Shown: ServiceSection, edits: ['service', 'delivery'] },
  review: { Shown: ReviewSection, edits: ['requiredFields', 'requireBothEyes', 'clinical'] },
  reports: { Shown: ReportsSection, edits: ['reports'] },
  it: { Shown: ForItSection, edits: ['desktop', 'storage'] },
}

/** No form edits the confirmed profiles of a folder: confirming one keeps what is typed beside it. */
function withoutConfirmed(name: string, value: unknown): unknown {
  return name === 'confirmedProfiles' ? undefined : value
}

/** The settings screen. */
import { Loader } from '@mantine/core'
import { type ComponentType, useEffect, useRef } from 'react'
import { t } from '../i18n/i18n.ts'
import { SETTINGS_SECTIONS, type SettingsSection, writeRoute } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'
import { AboutSection } from './about.tsx'
import { ClinicalSection, RequirementsSection } from './clinical.tsx'
import { FoldersSection } from './folders.tsx'
import {
  GeneralSection,
  NetworkSection,
  NotificationsSection,
  SendingSection,
  StorageSection,
} from './general.tsx'
import { PatientListSection } from './patient-list.tsx'
import { ServiceSection } from './service.tsx'
import { EDITED, type SectionProps } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { SourcesSection } from './sources.tsx'

type SettingsScreenProps = { readonly section: SettingsSection | null }

export function SettingsScreen({ section }: SettingsScreenProps) {
  const settings = useStation((state) => state.settings)
  const shown = section ?? 'general'
  const heading = useRef<HTMLHeadingElement>(null)
  const cameFrom = useRef(shown)
  // After a change of sections, a screen reader continues at the new heading.
  useEffect(() => {
    if (cameFrom.current !== shown) heading.current?.focus()
    cameFrom.current = shown
  }, [shown])
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
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={css.content} data-wide={shown === 'sources'}>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {t(`settings:section.${shown}`)}
        </h2>
        {settings ? (
          <Section section={shown} settings={settings} />
        ) : (
          <Loader aria-label={t('shell:screens.settings')} />
        )}
      </div>
    </div>
  )
}

const SECTIONS: Readonly<Record<SettingsSection, ComponentType<SectionProps>>> = {
  general: GeneralSection,
  service: ServiceSection,
  folders: FoldersSection,
  patientList: PatientListSection,
  requirements: RequirementsSection,
  clinical: ClinicalSection,
  sending: SendingSection,
  network: NetworkSection,
  storage: StorageSection,
  notifications: NotificationsSection,
  sources: SourcesSection,
  about: AboutSection,
}

type ShownSectionProps = SectionProps & { readonly section: SettingsSection }

function Section({ section, settings }: ShownSectionProps) {
  const Shown = SECTIONS[section]
  // Reset when its settings change elsewhere: a stale form would be worse.
  const edited = EDITED[section].map((name) => settings[name])
  return <Shown key={JSON.stringify(edited, withoutConfirmed)} settings={settings} />
}

/** No form edits the confirmed profiles of a folder: confirming one keeps what is typed beside it. */
function withoutConfirmed(name: string, value: unknown): unknown {
  return name === 'confirmedProfiles' ? undefined : value
}

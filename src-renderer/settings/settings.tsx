/** The settings screen. */
import { Loader } from '@mantine/core'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { t } from '../i18n/i18n.ts'
import { SETTINGS_SECTIONS, type SettingsSection, writeRoute } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'
import { AboutSection } from './about.tsx'
import { ClinicalSection, RequirementsSection } from './clinical.tsx'
import { FoldersSection } from './folders.tsx'
import { GeneralSection, NetworkSection, SendingSection, StorageSection } from './general.tsx'
import { NotificationsSection } from './notifications.tsx'
import { PatientListSection } from './patient-list.tsx'
import { ServiceSection } from './service.tsx'
import type { SectionProps } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { SourcesSection } from './sources.tsx'

const ProfilesSection = lazy(async () => ({
  default: (await import('./profiles/profile-fields.tsx')).ProfilesSection,
}))

export type SettingsScreenProps = {
  readonly section: SettingsSection | null
  readonly folder: string | null
}

export function SettingsScreen({ section, folder }: SettingsScreenProps) {
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
        <h1 className={css.title}>{t('settings:title')}</h1>
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
      <div className={css.content} data-wide={shown === 'profiles' || shown === 'sources'}>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {t(`settings:section.${shown}`)}
        </h2>
        <Suspense fallback={<Loader aria-label={t('settings:title')} />}>
          {settings ? sectionOf(shown, settings, folder) : <Loader aria-label={t('settings:title')} />}
        </Suspense>
      </div>
    </div>
  )
}

/** The sections that are forms, and the settings that each of them edits. */
const FORMS = {
  general: [GeneralSection, ['screens', 'desktop']],
  service: [ServiceSection, ['service']],
  folders: [FoldersSection, ['folders']],
  patientList: [PatientListSection, ['patientList']],
  requirements: [RequirementsSection, ['requiredFields', 'requireBothEyes']],
  sending: [SendingSection, ['delivery', 'reports']],
  clinical: [ClinicalSection, ['clinical']],
  notifications: [NotificationsSection, ['notifications']],
  storage: [StorageSection, ['storage']],
} as const satisfies Partial<
  Record<SettingsSection, readonly [ComponentType<SectionProps>, readonly (keyof ShownSettings)[]]>
>

function sectionOf(section: SettingsSection, settings: ShownSettings, folder: string | null): ReactNode {
  switch (section) {
    case 'profiles':
      // Its drafts survive saving a part of them.
      return <ProfilesSection key={folder} settings={settings} folder={folder} />
    case 'network':
      return <NetworkSection />
    case 'sources':
      return <SourcesSection />
    case 'about':
      return <AboutSection />
    default: {
      const [Form, edited] = FORMS[section]
      // Reset when its settings change elsewhere: a stale form would be worse.
      return <Form key={JSON.stringify(edited.map((name) => settings[name]))} settings={settings} />
    }
  }
}

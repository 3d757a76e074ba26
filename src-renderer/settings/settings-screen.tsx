import { Loader } from '@mantine/core'
import { useEffect, useRef, type ReactNode } from 'react'
import type { ShownSettings } from '../../src-shared/settings.ts'
import { SETTINGS_SECTIONS, writeRoute, type SettingsSection } from '../shell/routes.ts'
import { useStation } from '../store/use-station.ts'
import { SECTION_WORDS, SETTINGS_WORDS } from '../words/settings-words.ts'
import { AboutSection } from './about-section.tsx'
import { FoldersSection } from './folders-section.tsx'
import { RequirementsSection } from './requirements-section.tsx'
import { SendingSection } from './sending-section.tsx'
import { ServiceSection } from './service-section.tsx'
import css from './settings-screen.module.css'

/** All that a clinic may set, one part at a time, each with its own Save. */
export function SettingsScreen({ section }: { readonly section: SettingsSection | null }) {
  const settings = useStation((state) => state.settings)
  const shown = section ?? 'service'
  const heading = useRef<HTMLHeadingElement>(null)
  const cameFrom = useRef(shown)
  // Coming from another part, a screen reader goes on at the new heading.
  useEffect(() => {
    if (cameFrom.current !== shown) heading.current?.focus()
    cameFrom.current = shown
  }, [shown])
  return (
    <div className={css.screen}>
      <div className={css.side}>
        <h1 className={css.title}>{SETTINGS_WORDS.title}</h1>
        <nav aria-label={SETTINGS_WORDS.sections}>
          <ul role="list">
            {SETTINGS_SECTIONS.map((name) => (
              <li key={name}>
                <a
                  className={css.place}
                  href={writeRoute({ screen: 'settings', section: name })}
                  aria-current={name === shown ? 'page' : undefined}
                >
                  {SECTION_WORDS[name]}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className={css.content}>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {SECTION_WORDS[shown]}
        </h2>
        {settings ? sectionOf(shown, settings) : <Loader aria-label={SETTINGS_WORDS.title} />}
      </div>
    </div>
  )
}

/** A part starts anew when the settings behind it change elsewhere: two truths in one form would be worse. */
function sectionOf(section: SettingsSection, settings: ShownSettings): ReactNode {
  switch (section) {
    case 'service':
      return <ServiceSection key={JSON.stringify(settings.service)} service={settings.service} />
    case 'folders':
      return <FoldersSection key={JSON.stringify(settings.folders)} folders={settings.folders} />
    case 'requirements':
      return (
        <RequirementsSection
          key={JSON.stringify([settings.requiredFields, settings.requireBothEyes])}
          requiredFields={settings.requiredFields}
          requireBothEyes={settings.requireBothEyes}
        />
      )
    case 'sending':
      return (
        <SendingSection
          key={JSON.stringify([settings.delivery, settings.reports])}
          delivery={settings.delivery}
          reports={settings.reports}
        />
      )
    case 'about':
      return <AboutSection />
  }
}

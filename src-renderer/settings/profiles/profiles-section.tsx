import { useState } from 'react'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import screen from '../settings-screen.module.css'
import { PatternRows } from './pattern-rows.tsx'
import { ProfileChooser } from './profile-chooser.tsx'
import { shownProfile, type Drafts } from './profile-drafts.ts'
import type { ProfileForm } from './profile-form.ts'
import { ProfileTerms } from './profile-words.tsx'
import css from './profiles.module.css'
import { DryRunPanel } from './trial-panel.tsx'
import { t } from '../../words/t.ts'

export type ProfilesSectionProps = {
  readonly settings: ShownSettings
  /** The folder that somebody came from. */
  readonly folder: string | null
}

/** Looks at profiles and writes own ones, with a live view of what they make of a folder. */
export function ProfilesSection({ settings, folder }: ProfilesSectionProps) {
  const own = settings.profiles
  const [path, setPath] = useState(folder ?? settings.folders[0]?.path ?? '')
  const [chosen, setChosen] = useState(
    () => settings.folders.find((one) => one.path === path)?.profile ?? 'auto',
  )
  const [drafts, setDrafts] = useState<Drafts>({})
  const [isChecked, setChecked] = useState(false)
  const shown = shownProfile(chosen, drafts, own)
  const { form, problems } = shown

  const choose = (key: string): void => {
    setChosen(key)
    setChecked(false)
  }
  const write = (change: Partial<ProfileForm>): void => {
    if (form) setDrafts((before) => ({ ...before, [chosen]: { ...form, ...change } }))
  }
  const begin = (key: string, draft: ProfileForm): void => {
    setDrafts((before) => ({ ...before, [key]: draft }))
    choose(key)
  }
  const forget = (next: string): void => {
    setDrafts(({ [chosen]: _gone, ...others }) => others)
    choose(next)
  }
  return (
    <div className={css.section}>
      <div className={css.chooser}>
        <p className={screen.explain}>{t('settings:profiles.explain')}</p>
        <ProfileChooser
          settings={settings}
          chosen={chosen}
          drafts={drafts}
          shown={shown}
          path={path}
          onChoose={choose}
          onBegin={begin}
          onForget={forget}
          onWrite={write}
          onRefused={() => setChecked(true)}
        />
      </div>
      {form && (
        <div className={`${screen.card} ${css.edited}`}>
          <PatternRows
            rows={form.patterns}
            problems={problems.patterns}
            onWrite={(patterns) => write({ patterns })}
          />
        </div>
      )}
      <DryRunPanel
        folders={settings.folders}
        path={path}
        profile={form ? shown.profile : chosen}
        isEditing={form !== null}
        onPath={setPath}
      />
      {form && (
        <div className={`${screen.card} ${css.edited}`}>
          <ProfileTerms form={form} problems={problems.fields} isChecked={isChecked} onWrite={write} />
        </div>
      )}
    </div>
  )
}

/** The profiles section: fields of a profile beside its patterns, and the section itself. */
import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Profile } from '../../../src-shared/profile.ts'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { t } from '../../i18n/i18n.ts'
import { ColumnsInput, DATE_ORDERS } from '../patient-list.tsx'
import screen from '../settings-screen.module.css'
import { PatternRows, ProfileChooser } from './profile-editor.tsx'
import { type Drafts, type ProfileForm, type ProfileProblems, shownProfile } from './profile-form.tsx'
import css from './profiles.module.css'
import { DryRunPanel } from './profiles.tsx'

const NAME_ORDERS = ['lastFirst', 'firstLast'] as const satisfies readonly Profile['nameOrder'][]

export type ProfileTermsProps = {
  readonly form: ProfileForm
  readonly problems: ProfileProblems['fields']
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<ProfileForm>) => void
}

/** Everything in a profile except its patterns: words for the eyes, orders, ignored words, headings. */
export function ProfileTerms({ form, problems, isChecked, onWrite }: ProfileTermsProps) {
  const termsInput = (name: 'rightWords' | 'leftWords' | 'leaveAlone', description: string) => (
    <TextInput
      label={t(`settings:profiles.${name}`)}
      description={description}
      autoComplete="off"
      spellCheck={false}
      value={form[name]}
      error={problems[name]}
      onChange={(event) => onWrite({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <>
      <div className={screen.pair}>
        {termsInput('rightWords', t('settings:profiles.wordsHint'))}
        {termsInput('leftWords', t('settings:profiles.wordsHint'))}
        <NativeSelect
          label={t('settings:profiles.dateOrder')}
          value={form.dateOrder}
          data={DATE_ORDERS.map((value) => ({ value, label: t(`settings:profiles.dateOrders.${value}`) }))}
          onChange={(event) =>
            onWrite({ dateOrder: DATE_ORDERS.find((value) => value === event.currentTarget.value) ?? 'ymd' })
          }
        />
        <NativeSelect
          label={t('settings:profiles.nameOrder')}
          value={form.nameOrder}
          data={NAME_ORDERS.map((value) => ({ value, label: t(`settings:profiles.nameOrders.${value}`) }))}
          onChange={(event) =>
            onWrite({
              nameOrder: NAME_ORDERS.find((value) => value === event.currentTarget.value) ?? 'lastFirst',
            })
          }
        />
      </div>
      {termsInput('leaveAlone', t('settings:profiles.leaveAloneHint'))}
      <ColumnsInput rows={form.columns} isChecked={isChecked} onWrite={(columns) => onWrite({ columns })} />
    </>
  )
}

export type ProfilesSectionProps = {
  readonly settings: ShownSettings
  /** The folder from which a person came here. */
  readonly folder: string | null
}

/** Shows and edits profiles, with a live preview of what they make of a folder. */
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

/** The profiles section: fields of a profile beside its patterns, and the section itself. */
import { useState } from 'react'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { t } from '../../i18n/i18n.ts'
import { ColumnsInput, DATE_ORDERS } from '../patient-list.tsx'
import screen from '../settings-screen.module.css'
import { ChoiceSelect, CodeInput } from '../settings-form.tsx'
import { PatternRows, ProfileChooser } from './profile-editor.tsx'
import { type Drafts, type ProfileForm, type ProfileProblems, shownProfile } from './profile-form.tsx'
import css from './profiles.module.css'
import { DryRunPanel } from './profiles.tsx'

export type ProfileTermsProps = {
  readonly form: ProfileForm
  readonly problems: ProfileProblems['fields']
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<ProfileForm>) => void
}

export function ProfileTerms({ form, problems, isChecked, onWrite }: ProfileTermsProps) {
  const termsInput = (name: 'rightWords' | 'leftWords' | 'leaveAlone', description: string) => (
    <CodeInput
      label={t(`settings:profiles.${name}`)}
      description={description}
      value={form[name]}
      error={problems[name]}
      onWrite={(text) => onWrite({ [name]: text })}
    />
  )
  return (
    <>
      <div className={screen.pair}>
        {termsInput('rightWords', t('settings:profiles.wordsHint'))}
        {termsInput('leftWords', t('settings:profiles.wordsHint'))}
        <ChoiceSelect
          label={t('settings:profiles.dateOrder')}
          choices={DATE_ORDERS}
          value={form.dateOrder}
          labelOf={(value) => t(`settings:profiles.dateOrders.${value}`)}
          onChoose={(dateOrder) => onWrite({ dateOrder })}
        />
        <ChoiceSelect
          label={t('settings:profiles.nameOrder')}
          choices={['lastFirst', 'firstLast']}
          value={form.nameOrder}
          labelOf={(value) => t(`settings:profiles.nameOrders.${value}`)}
          onChoose={(nameOrder) => onWrite({ nameOrder })}
        />
      </div>
      {termsInput('leaveAlone', t('settings:profiles.leaveAloneHint'))}
      <ColumnsInput rows={form.columns} isChecked={isChecked} onWrite={(columns) => onWrite({ columns })} />
    </>
  )
}

export type ProfilesSectionProps = {
  readonly settings: ShownSettings
  readonly folder: string | null
}

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

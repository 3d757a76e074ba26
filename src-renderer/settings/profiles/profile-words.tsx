import { NativeSelect, TextInput } from '@mantine/core'
import type { Profile } from '../../../src-shared/profile.ts'
import { ColumnsInput } from '../columns-input.tsx'
import { DATE_ORDERS } from '../date-orders.ts'
import screen from '../settings-screen.module.css'
import type { ProfileForm, ProfileProblems } from './profile-form.ts'
import { t } from '../../words/t.ts'

const NAME_ORDERS = ['lastFirst', 'firstLast'] as const satisfies readonly Profile['nameOrder'][]

export type ProfileTermsProps = {
  readonly form: ProfileForm
  readonly problems: ProfileProblems['fields']
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<ProfileForm>) => void
}

/** What a profile says beside its patterns: words for the eyes, orders, words that are left alone, headings. */
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

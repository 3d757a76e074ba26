/** Profiles to choose from, a profile as a form, and the drafts of profiles. */
import { NativeSelect, Stack } from '@mantine/core'
import i18next from 'i18next'
import { patternProblem } from '../../../src-shared/profile-pattern.ts'
import { type Profile, profileById, profileSchema, SHIPPED_PROFILES } from '../../../src-shared/profile.ts'
import type { Texts } from '../../../src-shared/texts/english.ts'
import { messageOf, t } from '../../i18n/i18n.ts'
import { type ColumnRow, columnRowsOf, readColumnRows } from '../patient-list.tsx'
import css from './profiles.module.css'

/** A read-only profile; null is `auto`. */
export function ShippedProfile({ profile }: { readonly profile: Profile | null }) {
  if (!profile) return <p className="dim">{t('settings:profiles.autoExplain')}</p>
  const { leaveAlone, dateOrder, nameOrder } = profile
  const facts = [
    { name: 'leaveAlone', value: leaveAlone.join(', ') },
    { name: 'dateOrder', value: dateOrder === 'ymd' ? '' : t(`intake:profile.order.${dateOrder}`) },
    {
      name: 'nameOrder',
      value: nameOrder === 'lastFirst' ? '' : t(`settings:profiles.nameOrders.${nameOrder}`),
    },
  ] as const
  return (
    <Stack gap={6}>
      {profile.patterns.length === 0 ? (
        <p className="dim">{t('settings:profiles.noPatterns')}</p>
      ) : (
        <Stack component="ul" role="list" gap={3} aria-label={t('settings:profiles.patterns')}>
          {profile.patterns.map((pattern) => (
            <li key={pattern} className={css.code}>
              {pattern}
            </li>
          ))}
        </Stack>
      )}
      {facts
        .filter(({ value }) => value !== '')
        .map(({ name, value }) => (
          <p key={name}>
            <span className="dim">{t(`settings:profiles.${name}`)}:</span> {value}
          </p>
        ))}
    </Stack>
  )
}

/** A profile in its form: comma-separated words, patterns and headings as rows. Pure. */
export type PatternRow = { readonly key: string; readonly text: string }

export type ProfileForm = Pick<Profile, 'id' | 'title' | 'dateOrder' | 'nameOrder'> &
  Readonly<Record<'rightWords' | 'leftWords' | 'leaveAlone', string>> & {
    readonly patterns: readonly PatternRow[]
    readonly columns: readonly ColumnRow[]
  }

export type ProfileProblems = {
  readonly fields: Partial<
    Record<'id' | 'title' | 'rightWords' | 'leftWords' | 'leaveAlone' | 'columns', string>
  >
  readonly patterns: Readonly<Record<string, string>>
}

export function profileFormOf({ patterns, eyeWords, leaveAlone, columns, ...rest }: Profile): ProfileForm {
  return {
    ...rest,
    patterns: patterns.map((text, index) => ({ key: `set-${index}`, text })),
    rightWords: eyeWords.right.join(', '),
    leftWords: eyeWords.left.join(', '),
    leaveAlone: leaveAlone.join(', '),
    columns: columnRowsOf(columns),
  }
}

/** A new form, copied from a profile or empty, with an unused id. */
export function ownFormOf(source: Profile | null, own: readonly Profile[]): ProfileForm {
  const base = source ? `${source.id.slice(0, 55)}-own` : 'my-camera'
  const taken = [...own, ...SHIPPED_PROFILES].map(({ id }) => id)
  let id = base
  for (let number = 2; taken.includes(id); number += 1) id = `${base}-${number}`
  if (source)
    return {
      ...profileFormOf(source),
      id,
      title: t('settings:profiles.copyOf', { title: titleOf(source) }).slice(0, 80),
    }
  const form = profileFormOf(profileSchema.parse({ id, title: t('settings:profiles.newTitle') }))
  return { ...form, patterns: [{ key: 'first', text: '' }] }
}

export function titleOf({ id, title }: Profile): string {
  const isShipped = SHIPPED_PROFILES.some((shipped) => shipped.id === id && shipped.title === title)
  return isShipped && isTranslated(id) ? t(`settings:profiles.shippedTitles.${id}`) : title
}

function isTranslated(id: string): id is keyof Texts['settings']['profiles']['shippedTitles'] {
  return i18next.exists(`settings:profiles.shippedTitles.${id}`)
}

function splitTerms(text: string): string[] {
  return text
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '')
}

type ReadProfile = { readonly profile: Profile | null; readonly problems: ProfileProblems }

/** The profile in a form, or null and what is wrong with it. Empty rows are ignored. */
export function readProfileForm(form: ProfileForm, otherIds: readonly string[]): ReadProfile {
  const written = form.patterns.filter(({ text }) => text.trim() !== '')
  const columns = readColumnRows(form.columns)
  const read = profileSchema.safeParse({
    ...form,
    id: form.id.trim(),
    title: form.title.trim(),
    patterns: written.map(({ text }) => text.trim()),
    eyeWords: { right: splitTerms(form.rightWords), left: splitTerms(form.leftWords) },
    leaveAlone: splitTerms(form.leaveAlone),
    columns: columns ?? {},
  })
  const problemPaths = (read.error?.issues ?? []).map(({ path }) => path.map(String))
  const isAt = (...path: string[]): boolean =>
    problemPaths.some((problemPath) => path.every((name, index) => problemPath[index] === name))
  const hasSharedTerm = problemPaths.some((path) => path.length === 1 && path[0] === 'eyeWords')
  const fields: ProfileProblems['fields'] = {
    ...(isAt('title') && { title: t('settings:profiles.titleWrong') }),
    ...(isAt('id') && { id: t('settings:profiles.idWrong') }),
    ...(otherIds.includes(form.id.trim()) && { id: t('settings:profiles.idTaken') }),
    ...(hasSharedTerm && { leftWords: t('settings:profiles.sameWord') }),
    ...(isAt('eyeWords', 'right') && { rightWords: t('settings:profiles.wordsWrong') }),
    ...(isAt('eyeWords', 'left') && { leftWords: t('settings:profiles.wordsWrong') }),
    ...(isAt('leaveAlone') && { leaveAlone: t('settings:profiles.wordsWrong') }),
    ...(columns === null && { columns: t('settings:columns.nameMissing') }),
  }
  const patterns = Object.fromEntries(
    written.flatMap(({ key, text }) => {
      const problem = patternProblem(text.trim())
      return problem === null ? [] : [[key, messageOf(problem)]]
    }),
  )
  const isRight = read.success && Object.keys(fields).length === 0
  return { profile: isRight ? read.data : null, problems: { fields, patterns } }
}

/** Unsaved forms by the id of the saved profile, or by our own key for a new one. */
export type Drafts = Readonly<Record<string, ProfileForm>>

type ShownProfile = ReadProfile & {
  /** The edited form; null for `auto` and shipped profiles, which are read-only. */
  readonly form: ProfileForm | null
  /** The saved profile; null for `auto` and for new ones. */
  readonly saved: Profile | null
  readonly isDraft: boolean
  readonly isNew: boolean
}

export function shownProfile(chosen: string, drafts: Drafts, own: readonly Profile[]): ShownProfile {
  const draft = drafts[chosen]
  const ownSaved = own.find(({ id }) => id === chosen) ?? null
  const form = draft ?? (ownSaved && profileFormOf(ownSaved))
  const saved = profileById(chosen, own)
  const others = own.filter(({ id }) => id !== chosen).map(({ id }) => id)
  const read = form
    ? readProfileForm(form, others)
    : { profile: saved, problems: { fields: {}, patterns: {} } }
  const isDraft = draft !== undefined
  return { ...read, form, saved, isDraft, isNew: isDraft && ownSaved === null }
}

/** The clinic's profiles with one replaced in place, or appended. */
export function withProfile(own: readonly Profile[], replaced: string, profile: Profile): Profile[] {
  return own.some(({ id }) => id === replaced)
    ? own.map((one) => (one.id === replaced ? profile : one))
    : [...own, profile]
}

type Choice = { readonly value: string; readonly label: string }

export type ProfileChoice = Choice | { readonly group: string; readonly items: readonly Choice[] }

/** `chosen` is always listed, so that a deleted profile is not shown as another one. */
export function profileChoices(
  own: readonly Profile[],
  chosen: string,
  drafts: Drafts = {},
): readonly ProfileChoice[] {
  const choiceOf = ({ id, title }: Profile): Choice => ({
    value: id,
    label: drafts[id] ? t('settings:profiles.draft', { title }) : title,
  })
  const isSaved = (key: string): boolean => own.some(({ id }) => id === key)
  const fresh = Object.entries(drafts)
    .filter(([key]) => !isSaved(key))
    .map(([key, { title }]): Choice => ({ value: key, label: t('settings:profiles.draft', { title }) }))
  const shipped = SHIPPED_PROFILES.filter(({ id }) => !isSaved(id))
  const isThere =
    chosen === 'auto' || [...own, ...shipped].some(({ id }) => id === chosen) || drafts[chosen] !== undefined
  return [
    { value: 'auto', label: t('settings:profiles.auto') },
    ...(isThere ? [] : [{ value: chosen, label: t('settings:profiles.gone', { id: chosen }) }]),
    ...(own.length + fresh.length > 0
      ? [{ group: t('settings:profiles.own'), items: [...own.map(choiceOf), ...fresh] }]
      : []),
    {
      group: t('settings:profiles.shipped'),
      items: shipped.map((profile) => choiceOf({ ...profile, title: titleOf(profile) })),
    },
  ]
}

type ProfileSelectProps = {
  readonly label: string
  readonly own: readonly Profile[]
  readonly drafts?: Drafts
  readonly value: string
  readonly onChoose: (id: string) => void
}

export function ProfileSelect({ label, own, drafts = {}, value, onChoose }: ProfileSelectProps) {
  return (
    <NativeSelect label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {profileChoices(own, value, drafts).map((choice) =>
        'group' in choice ? (
          <optgroup key={choice.group} label={choice.group}>
            {choice.items.map((item) => (
              <option key={item.value} value={item.value}>
                {item.label}
              </option>
            ))}
          </optgroup>
        ) : (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ),
      )}
    </NativeSelect>
  )
}

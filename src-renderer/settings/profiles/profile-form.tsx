/** A profile as a form, and the drafts of profiles. */
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
  const facts = [
    ...(profile.leaveAlone.length > 0
      ? [[t('settings:profiles.leaveAlone'), profile.leaveAlone.join(', ')] as const]
      : []),
    ...(profile.dateOrder === 'ymd'
      ? []
      : [
          [t('settings:profiles.dateOrder'), t(`settings:profiles.dateOrders.${profile.dateOrder}`)] as const,
        ]),
    ...(profile.nameOrder === 'lastFirst'
      ? []
      : [
          [t('settings:profiles.nameOrder'), t(`settings:profiles.nameOrders.${profile.nameOrder}`)] as const,
        ]),
  ]
  return (
    <div className={css.shipped}>
      {profile.patterns.length === 0 ? (
        <p className="dim">{t('settings:profiles.noPatterns')}</p>
      ) : (
        <ul role="list" className={css.codes} aria-label={t('settings:profiles.shippedPatterns')}>
          {profile.patterns.map((pattern) => (
            <li key={pattern} className={css.code}>
              {pattern}
            </li>
          ))}
        </ul>
      )}
      {facts.map(([name, value]) => (
        <p key={name}>
          <span className="dim">{name}:</span> {value}
        </p>
      ))}
    </div>
  )
}

/** A profile in its form: comma-separated words, patterns and headings as rows. Pure. */
export type PatternRow = { readonly key: string; readonly text: string }

export type ProfileForm = {
  readonly id: string
  readonly title: string
  readonly patterns: readonly PatternRow[]
  readonly rightWords: string
  readonly leftWords: string
  readonly leaveAlone: string
  readonly dateOrder: Profile['dateOrder']
  readonly nameOrder: Profile['nameOrder']
  readonly columns: readonly ColumnRow[]
}

/** Problems by form field; patterns by the key of their row. */
export type ProfileProblems = {
  readonly fields: Partial<
    Record<'id' | 'title' | 'rightWords' | 'leftWords' | 'leaveAlone' | 'columns', string>
  >
  readonly patterns: Readonly<Record<string, string>>
}

export function profileFormOf(profile: Profile): ProfileForm {
  return {
    id: profile.id,
    title: profile.title,
    patterns: profile.patterns.map((text, index) => ({ key: `set-${index}`, text })),
    rightWords: profile.eyeWords.right.join(', '),
    leftWords: profile.eyeWords.left.join(', '),
    leaveAlone: profile.leaveAlone.join(', '),
    dateOrder: profile.dateOrder,
    nameOrder: profile.nameOrder,
    columns: columnRowsOf(profile.columns),
  }
}

/** A new form, copied from a profile or empty, with an unused id. */
export function ownFormOf(source: Profile | null, own: readonly Profile[]): ProfileForm {
  const base = source ? `${source.id.slice(0, 55)}-own` : 'my-camera'
  const taken = [...own, ...SHIPPED_PROFILES.map(({ profile }) => profile)].map(({ id }) => id)
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

/** A profile's title; of a shipped one in the language of the screens. */
export function titleOf({ id, title }: Profile): string {
  const isShipped = SHIPPED_PROFILES.some(({ profile }) => profile.id === id && profile.title === title)
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

/** The profile in a form, or null and what is wrong with it. Empty rows are ignored. */
export function readProfileForm(
  form: ProfileForm,
  otherIds: readonly string[],
): { readonly profile: Profile | null; readonly problems: ProfileProblems } {
  const written = form.patterns.filter(({ text }) => text.trim() !== '')
  const columns = readColumnRows(form.columns)
  const read = profileSchema.safeParse({
    id: form.id.trim(),
    title: form.title.trim(),
    patterns: written.map(({ text }) => text.trim()),
    eyeWords: { right: splitTerms(form.rightWords), left: splitTerms(form.leftWords) },
    leaveAlone: splitTerms(form.leaveAlone),
    dateOrder: form.dateOrder,
    nameOrder: form.nameOrder,
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

export type ShownProfile = {
  /** The edited form; null for `auto` and shipped profiles, which are read-only. */
  readonly form: ProfileForm | null
  /** The saved profile; null for `auto` and for new ones. */
  readonly saved: Profile | null
  readonly isDraft: boolean
  readonly isNew: boolean
  readonly profile: Profile | null
  readonly problems: ProfileProblems
}

export function shownProfile(chosen: string, drafts: Drafts, own: readonly Profile[]): ShownProfile {
  const draft = drafts[chosen]
  const ownSaved = own.find(({ id }) => id === chosen) ?? null
  const form = draft ?? (ownSaved && profileFormOf(ownSaved))
  const saved = profileById(chosen, own)
  const others = own.filter(({ id }) => id !== chosen).map(({ id }) => id)
  const read = form && readProfileForm(form, others)
  return {
    form,
    saved,
    isDraft: draft !== undefined,
    isNew: draft !== undefined && ownSaved === null,
    profile: read ? read.profile : saved,
    problems: read?.problems ?? { fields: {}, patterns: {} },
  }
}

/** A key for a new draft; no profile can have it as its id. */
export function freshKey(drafts: Drafts): string {
  let number = 1
  while (drafts[`?${number}`] !== undefined) number += 1
  return `?${number}`
}

/** The clinic's profiles with one replaced in place, or appended. */
export function withProfile(own: readonly Profile[], replaced: string, profile: Profile): Profile[] {
  return own.some(({ id }) => id === replaced)
    ? own.map((one) => (one.id === replaced ? profile : one))
    : [...own, profile]
}

/** The editor of a profile: choosing one, and its patterns. */
import { Button, NativeSelect, TextInput, UnstyledButton } from '@mantine/core'
import { IconDeviceFloppy, IconPencilPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { PATTERN_PARTS } from '../../../src-shared/profile-pattern.ts'
import { type Profile, SHIPPED_PROFILES } from '../../../src-shared/profile.ts'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { IconAction, SmallButton } from '../../components/controls.tsx'
import { t } from '../../i18n/i18n.ts'
import { showToast } from '../../shell/toast.tsx'
import { CodeInput, ManagedGroup, useSaveSettings } from '../settings-form.tsx'
import screen from '../settings-screen.module.css'
import {
  type Drafts,
  freshKey,
  ownFormOf,
  type PatternRow,
  type ProfileForm,
  ShippedProfile,
  type ShownProfile,
  titleOf,
  withProfile,
} from './profile-form.tsx'
import css from './profiles.module.css'

const MAX_PATTERNS = 20

type PatternRowsProps = {
  readonly rows: readonly PatternRow[]
  readonly problems: Readonly<Record<string, string>>
  readonly onWrite: (rows: readonly PatternRow[]) => void
}

export function PatternRows({ rows, problems, onWrite }: PatternRowsProps) {
  const inputs = useRef(new Map<string, HTMLInputElement>())
  const added = useRef(0)
  const [lastKey, setLastKey] = useState<string | null>(null)
  const write = (key: string, text: string): void =>
    onWrite(rows.map((row) => (row.key === key ? { key, text } : row)))
  const add = (): void => {
    added.current += 1
    onWrite([...rows, { key: `added-${added.current}`, text: '' }])
  }
  /** Inserts into the pattern edited last, at its cursor. */
  const insert = (partName: string): void => {
    const row = rows.find(({ key }) => key === lastKey) ?? rows.at(-1)
    if (!row) return
    const input = inputs.current.get(row.key)
    const [from, to] = [input?.selectionStart ?? row.text.length, input?.selectionEnd ?? row.text.length]
    write(row.key, `${row.text.slice(0, from)}{${partName}}${row.text.slice(to)}`)
    const cursor = from + partName.length + 2
    requestAnimationFrame(() => {
      input?.focus()
      input?.setSelectionRange(cursor, cursor)
    })
  }
  return (
    <div className={css.patterns} role="group" aria-label={t('settings:profiles.patterns')}>
      <div>
        <h3>{t('settings:profiles.patterns')}</h3>
        <p className={css.hint}>{t('settings:profiles.patternsHint')}</p>
      </div>
      {rows.map((row, index) => (
        <div key={row.key} className={css.pattern}>
          <CodeInput
            ref={(input) => {
              if (input) inputs.current.set(row.key, input)
              else inputs.current.delete(row.key)
            }}
            aria-label={t('settings:profiles.pattern', { number: index + 1 })}
            placeholder="{historyNumber}_{eye}_{date}"
            maxLength={300}
            classNames={{ input: css.code ?? '' }}
            value={row.text}
            error={problems[row.key]}
            onFocus={() => setLastKey(row.key)}
            onWrite={(text) => write(row.key, text)}
          />
          <IconAction
            label={t('settings:profiles.removePattern', { number: index + 1 })}
            icon={IconTrash}
            onClick={() => onWrite(rows.filter(({ key }) => key !== row.key))}
          />
        </div>
      ))}
      {rows.length > 0 && (
        <div className={css.parts} role="group" aria-label={t('settings:profiles.parts')}>
          {PATTERN_PARTS.map((part) => (
            <UnstyledButton
              key={part}
              className={css.part}
              aria-label={t('settings:profiles.part', { name: `{${part}}` })}
              onClick={() => insert(part)}
            >
              {`{${part}}`}
            </UnstyledButton>
          ))}
        </div>
      )}
      <div>
        <SmallButton
          leftSection={<IconPlus size={15} aria-hidden />}
          disabled={rows.length >= MAX_PATTERNS}
          onClick={add}
        >
          {t('settings:profiles.addPattern')}
        </SmallButton>
      </div>
    </div>
  )
}

type Choice = { readonly value: string; readonly label: string }

export type ProfileChoice = Choice | { readonly group: string; readonly items: readonly Choice[] }

/**
 * `auto`, the clinic's own profiles, and the shipped ones that these do not replace. `chosen` is always listed, so
 * that a deleted profile is not shown as another one.
 */
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
  const shipped = SHIPPED_PROFILES.map(({ profile }) => profile).filter(({ id }) => !isSaved(id))
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
  readonly description?: string
  readonly own: readonly Profile[]
  /** Unsaved changes. */
  readonly drafts?: Drafts
  readonly value: string
  readonly onChoose: (id: string) => void
}

export function ProfileSelect({ label, description, own, drafts = {}, value, onChoose }: ProfileSelectProps) {
  return (
    <NativeSelect
      label={label}
      description={description}
      value={value}
      onChange={(event) => onChoose(event.currentTarget.value)}
    >
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

type ProfileChooserProps = {
  readonly settings: ShownSettings
  readonly chosen: string
  readonly drafts: Drafts
  readonly shown: ShownProfile
  readonly path: string
  readonly onChoose: (key: string) => void
  readonly onBegin: (key: string, draft: ProfileForm) => void
  /** Discards the draft of the chosen profile and selects another. */
  readonly onForget: (next: string) => void
  readonly onWrite: (change: Partial<ProfileForm>) => void
  readonly onRefused: () => void
}

export function ProfileChooser(props: ProfileChooserProps) {
  const { settings, chosen, drafts, shown, path, onChoose, onBegin, onForget, onWrite, onRefused } = props
  const { save, isSaving } = useSaveSettings()
  const { form, saved, isDraft, isNew, profile, problems } = shown
  const own = settings.profiles
  const usedBy = settings.folders.filter((folder) => folder.profile === chosen).map((folder) => folder.path)
  const isShipped = SHIPPED_PROFILES.some((one) => one.profile.id === form?.id.trim())
  const folder = settings.folders.find((one) => one.path === path)
  const isUsable = folder && folder.profile !== chosen && !isDraft

  const saveProfile = async (): Promise<void> => {
    if (profile === null) {
      onRefused()
      showToast({ tone: 'red', message: t('settings:correctFirst') })
    } else if (await save({ profiles: withProfile(own, chosen, profile) })) onForget(profile.id)
  }
  const remove = async (): Promise<void> => {
    if (await save({ profiles: own.filter(({ id }) => id !== chosen) })) onForget(isShipped ? chosen : 'auto')
  }
  const use = async (): Promise<void> => {
    const folders = settings.folders.map((one) => (one === folder ? { ...one, profile: chosen } : one))
    if (await save({ folders })) showToast({ tone: 'green', message: t('settings:profiles.used') })
  }
  return (
    <div className={screen.card}>
      <ProfileSelect
        label={t('settings:profiles.choose')}
        own={own}
        drafts={drafts}
        value={chosen}
        onChoose={onChoose}
      />
      {form ? (
        <div className={screen.pair}>
          <TextInput
            label={t('settings:profiles.title')}
            autoComplete="off"
            maxLength={80}
            value={form.title}
            error={problems.fields.title}
            onChange={(event) => onWrite({ title: event.currentTarget.value })}
          />
          <CodeInput
            label={t('settings:profiles.id')}
            maxLength={61}
            readOnly={!isNew}
            value={form.id}
            error={problems.fields.id}
            onWrite={(id) => onWrite({ id })}
          />
        </div>
      ) : (
        <ShippedProfile profile={saved} />
      )}
      {(isShipped || isNew) && (
        <p className="dim">{isShipped ? t('settings:profiles.replaces') : t('settings:profiles.idHint')}</p>
      )}
      <ManagedGroup keys={['profiles']}>
        <div className={`${screen.foot} ${screen.wrap}`}>
          {form ? (
            <Button
              leftSection={<IconDeviceFloppy size={17} aria-hidden />}
              disabled={!isDraft}
              loading={isSaving}
              onClick={() => void saveProfile()}
            >
              {t('settings:profiles.save')}
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconPencilPlus size={17} aria-hidden />}
              onClick={() => onBegin(freshKey(drafts), ownFormOf(saved, own))}
            >
              {saved ? t('settings:profiles.makeOwn') : t('settings:profiles.makeNew')}
            </Button>
          )}
          {isUsable && (
            <Button variant="default" loading={isSaving} onClick={() => void use()}>
              {t('settings:profiles.takeHere')}
            </Button>
          )}
          {isDraft && (
            <Button variant="default" onClick={() => onForget(isNew ? 'auto' : chosen)}>
              {t('settings:profiles.discard')}
            </Button>
          )}
          {form && !isNew && (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={17} aria-hidden />}
              disabled={usedBy.length > 0 && !isShipped}
              onClick={() => void remove()}
            >
              {t('settings:profiles.remove')}
            </Button>
          )}
        </div>
      </ManagedGroup>
      {form && !isNew && !isShipped && usedBy.length > 0 && (
        <p className="dim">{t('settings:profiles.usedBy', { paths: usedBy.join(', ') })}</p>
      )}
    </div>
  )
}

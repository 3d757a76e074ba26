/** The profiles section: choosing a profile, its fields and patterns, and trying it on a folder. */
import { Button, Group, Loader, NativeSelect, Stack, TextInput, UnstyledButton } from '@mantine/core'
import { IconDeviceFloppy, IconPencilPlus, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { PATTERN_PARTS } from '../../../src-shared/profile-pattern.ts'
import { SHIPPED_PROFILES } from '../../../src-shared/profile.ts'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { IconAction, SmallButton } from '../../components/controls.tsx'
import { messageOf, t } from '../../i18n/i18n.ts'
import { showToast } from '../../shell/toast.tsx'
import { ColumnsInput, DATE_ORDERS } from '../patient-list.tsx'
import { ChoiceSelect, CodeInput, ManagedGroup, useSaveSettings } from '../settings-form.tsx'
import screen from '../settings-screen.module.css'
import {
  type Drafts,
  ownFormOf,
  type PatternRow,
  type ProfileForm,
  ProfileSelect,
  ShippedProfile,
  shownProfile,
  withProfile,
} from './profile-form.tsx'
import css from './profiles.module.css'
import { DryRunResult, useDryRun } from './profiles.tsx'

const MAX_PATTERNS = 20

type FormProps = { readonly form: ProfileForm; readonly editing: ProfileEditing }

function PatternRows({ form: { patterns: rows }, editing }: FormProps) {
  const onWrite = (patterns: readonly PatternRow[]): void => editing.write({ patterns })
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
    <Stack gap={8} role="group" aria-label={t('settings:profiles.patterns')}>
      <div>
        <h3>{t('settings:profiles.patterns')}</h3>
        <p className="small dim">{t('settings:profiles.patternsHint')}</p>
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
            error={editing.problems.patterns[row.key]}
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
        <Group gap={5} align="stretch" role="group" aria-label={t('settings:profiles.parts')}>
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
        </Group>
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
    </Stack>
  )
}

function ProfileTerms({ form, editing: { problems, isChecked, write } }: FormProps) {
  const termsInput = (name: 'rightWords' | 'leftWords' | 'leaveAlone', description: string) => (
    <CodeInput
      label={t(`settings:profiles.${name}`)}
      description={description}
      value={form[name]}
      error={problems.fields[name]}
      onWrite={(text) => write({ [name]: text })}
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
          labelOf={(value) => t(`intake:profile.order.${value}`)}
          onChoose={(dateOrder) => write({ dateOrder })}
        />
        <ChoiceSelect
          label={t('settings:profiles.nameOrder')}
          choices={['lastFirst', 'firstLast']}
          value={form.nameOrder}
          labelOf={(value) => t(`settings:profiles.nameOrders.${value}`)}
          onChoose={(nameOrder) => write({ nameOrder })}
        />
      </div>
      {termsInput('leaveAlone', t('settings:profiles.leaveAloneHint'))}
      <ColumnsInput rows={form.columns} isChecked={isChecked} onWrite={(columns) => write({ columns })} />
    </>
  )
}

function useProfileEditing({ profiles: own, folders }: ShownSettings, folder: string | null) {
  const [path, setPath] = useState(folder ?? folders[0]?.path ?? '')
  const [chosen, setChosen] = useState(() => folders.find((one) => one.path === path)?.profile ?? 'auto')
  const [drafts, setDrafts] = useState<Drafts>({})
  const [isChecked, setChecked] = useState(false)
  const added = useRef(0)
  const shown = shownProfile(chosen, drafts, own)
  const { form } = shown
  const choose = (key: string): void => {
    setChosen(key)
    setChecked(false)
  }
  return {
    ...shown,
    path,
    setPath,
    chosen,
    drafts,
    isChecked,
    choose,
    markProblems: () => setChecked(true),
    write: (change: Partial<ProfileForm>): void => {
      if (form) setDrafts((before) => ({ ...before, [chosen]: { ...form, ...change } }))
    },
    begin: (draft: ProfileForm): void => {
      added.current += 1
      // No profile can have this key as its id.
      const key = `?${added.current}`
      setDrafts((before) => ({ ...before, [key]: draft }))
      choose(key)
    },
    forget: (next: string): void => {
      setDrafts(({ [chosen]: _gone, ...others }) => others)
      choose(next)
    },
  }
}

type ProfileEditing = ReturnType<typeof useProfileEditing>
type EditingProps = { readonly settings: ShownSettings; readonly editing: ProfileEditing }

function ProfileChooser({ settings, editing }: EditingProps) {
  const { save, isSaving } = useSaveSettings()
  const { chosen, drafts, form, saved, isDraft, isNew, profile, problems, forget, write } = editing
  const own = settings.profiles
  const usedBy = settings.folders.filter((folder) => folder.profile === chosen).map((folder) => folder.path)
  const isShipped = SHIPPED_PROFILES.some((one) => one.id === form?.id.trim())
  const folder = settings.folders.find((one) => one.path === editing.path)
  const isUsable = folder && folder.profile !== chosen && !isDraft

  const saveProfile = async (): Promise<void> => {
    if (profile === null) {
      editing.markProblems()
      showToast({ tone: 'red', message: t('settings:correctFirst') })
    } else if (await save({ profiles: withProfile(own, chosen, profile) })) forget(profile.id)
  }
  const remove = async (): Promise<void> => {
    if (await save({ profiles: own.filter(({ id }) => id !== chosen) })) forget(isShipped ? chosen : 'auto')
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
        onChoose={editing.choose}
      />
      {form ? (
        <div className={screen.pair}>
          <TextInput
            label={t('settings:profiles.title')}
            autoComplete="off"
            maxLength={80}
            value={form.title}
            error={problems.fields.title}
            onChange={(event) => write({ title: event.currentTarget.value })}
          />
          <CodeInput
            label={t('settings:profiles.id')}
            maxLength={61}
            readOnly={!isNew}
            value={form.id}
            error={problems.fields.id}
            onWrite={(id) => write({ id })}
          />
        </div>
      ) : (
        <ShippedProfile profile={saved} />
      )}
      {(isShipped || isNew) && (
        <p className="dim">{isShipped ? t('settings:profiles.replaces') : t('settings:profiles.idHint')}</p>
      )}
      <ManagedGroup part="profiles">
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
              onClick={() => editing.begin(ownFormOf(saved, own))}
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
            <Button variant="default" onClick={() => forget(isNew ? 'auto' : chosen)}>
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

const OTHER = '?other'

function DryRunPanel({ settings: { folders }, editing }: EditingProps) {
  const { path, setPath, form } = editing
  /** An id, or an unsaved profile; null while it is invalid. */
  const profile = form ? editing.profile : editing.chosen
  const watchedFolder = folders.find((folder) => folder.path === path)
  const [isOther, setOther] = useState(path !== '' && watchedFolder === undefined)
  const visitGapMinutes = watchedFolder?.visitGapMinutes ?? null
  const hasFolder = path.trim() !== ''
  const canTry = hasFolder && profile !== null
  const dryRun = useDryRun(canTry ? { path: path.trim(), profile, visitGapMinutes } : null)

  const choose = (value: string): void => {
    setOther(value === OTHER)
    if (value !== OTHER) setPath(value)
  }
  return (
    <section className={`${screen.card} ${css.dryRun}`} data-editing={form !== null} aria-labelledby="trial">
      <h3 id="trial" className={css.dryRunTitle}>
        {t('settings:trial.title')}
        {dryRun.isReading && <Loader size={15} aria-label={t('shell:reading')} />}
      </h3>
      <NativeSelect
        label={t('settings:trial.folder')}
        value={isOther ? OTHER : path}
        data={[
          { value: '', label: t('settings:trial.noFolder') },
          ...folders.map((folder) => ({ value: folder.path, label: folder.path })),
          { value: OTHER, label: t('settings:trial.other') },
        ]}
        onChange={(event) => choose(event.currentTarget.value)}
      />
      {isOther && <CodeInput label={t('settings:trial.path')} value={path} onWrite={setPath} />}
      {!hasFolder && <p className="dim">{t('settings:trial.none')}</p>}
      {hasFolder && profile === null && !dryRun.value && (
        <p className="amber">{t('settings:trial.waiting')}</p>
      )}
      {hasFolder && dryRun.failure && <p className="red">{messageOf(dryRun.failure)}</p>}
      {hasFolder && !dryRun.failure && dryRun.value && (
        <DryRunResult
          dryRun={dryRun.value}
          isOld={dryRun.isReading || !canTry}
          isWaiting={profile === null}
        />
      )}
    </section>
  )
}

type ProfilesSectionProps = { readonly settings: ShownSettings; readonly folder: string | null }

export function ProfilesSection({ settings, folder }: ProfilesSectionProps) {
  const editing = useProfileEditing(settings, folder)
  const { form } = editing
  return (
    <div className={css.section}>
      <div className={css.chooser}>
        <p className={screen.explain}>{t('settings:profiles.explain')}</p>
        <ProfileChooser settings={settings} editing={editing} />
      </div>
      {form && (
        <div className={`${screen.card} ${css.edited}`}>
          <PatternRows form={form} editing={editing} />
        </div>
      )}
      <DryRunPanel settings={settings} editing={editing} />
      {form && (
        <div className={`${screen.card} ${css.edited}`}>
          <ProfileTerms form={form} editing={editing} />
        </div>
      )}
    </div>
  )
}

/** A part of the settings with its Save button, and what an administrator has locked. */
import { Button } from '@mantine/core'
import { IconBuilding, IconLock } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import type { SettingsChanges, ShownSettings } from '../../src-shared/settings.ts'
import { t } from '../i18n/i18n.ts'
import type { SettingsSection } from '../shell/navigation.tsx'
import { runCall, showToast } from '../shell/toast.tsx'
import { useSession, useStation } from '../store/use-station.ts'
import managedPartCss from './managed-part.module.css'
import css from './settings-screen.module.css'

type SettingsKey = keyof SettingsChanges

export type Managed = ShownSettings['managed']

/** The secret has its own lock: an enforced service without a secret in the file is completed here. */
const SECRET = 'service.clientSecret'

export function isEnforced(managed: Managed, key: SettingsKey): boolean {
  return managed[key] === 'enforced'
}

export function isSecretEnforced(managed: Managed): boolean {
  return managed[SECRET] === 'enforced'
}

/** May this part be changed? The station refuses a whole change if it touches an enforced part. */
export function mayChange(managed: Managed, key: SettingsKey): boolean {
  return !isEnforced(managed, key) || (key === 'service' && !isSecretEnforced(managed))
}

export function permittedChanges(changes: SettingsChanges, managed: Managed): SettingsChanges {
  return Object.fromEntries(Object.entries(changes).filter(([key]) => mayChange(managed, key as SettingsKey)))
}

/** How a group of parts is managed: locked only if all of them are. */
export function managedAs(managed: Managed, keys: readonly SettingsKey[]): 'enforced' | 'preset' | null {
  if (keys.every((key) => isEnforced(managed, key))) return 'enforced'
  return keys.some((part) => managed[part] !== undefined) ? 'preset' : null
}

const NONE_MANAGED: Managed = {}

export function useManaged(): Managed {
  return useStation((state) => state.settings?.managed ?? NONE_MANAGED)
}

type SettingsFormProps = {
  readonly section: SettingsSection
  /** The settings that Save sends. */
  readonly keys: readonly SettingsKey[]
  /** What Save sends; null if an input is invalid. */
  readonly read: () => SettingsChanges | null
  readonly onSaved?: () => void
  readonly actions?: ReactNode
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** One part of the settings: its description, its inputs, and Save unless everything is locked. */
export function SettingsForm(props: SettingsFormProps) {
  const managed = useManaged()
  const { save, isSaving } = useSaveSettings()
  const maySave = props.keys.some((key) => mayChange(managed, key))
  const submit = async (): Promise<void> => {
    const changes = props.read()
    if (changes === null) showToast({ tone: 'red', message: t('settings:correctFirst') })
    else if (await save(changes)) props.onSaved?.()
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (maySave) void submit()
      }}
    >
      <p className={css.explain}>{t(`settings:${props.section}.explain`)}</p>
      {props.children}
      {(maySave || props.actions) && (
        <div className={css.foot}>
          {maySave && (
            <Button type="submit" loading={isSaving}>
              {t('settings:save')}
            </Button>
          )}
          {props.actions}
        </div>
      )}
      {props.below}
    </form>
  )
}

type ManagedGroupProps = {
  readonly keys: readonly SettingsKey[]
  /** False if the same note is shown just above. */
  readonly isNoted?: boolean
  readonly children: ReactNode
}

/** Inputs that an administrator may have preset: they say so, and are locked if enforced. */
export function ManagedGroup({ keys, isNoted = true, children }: ManagedGroupProps) {
  const id = useId()
  const as = managedAs(useManaged(), keys)
  return (
    <fieldset
      className={managedPartCss.part}
      disabled={as === 'enforced'}
      aria-describedby={as !== null && isNoted ? id : undefined}
      data-managed={as ?? undefined}
    >
      {as !== null && isNoted && <ManagedNote id={id} as={as} />}
      {children}
    </fieldset>
  )
}

function ManagedNote({ id, as }: { readonly id: string; readonly as: 'enforced' | 'preset' }) {
  const Sign = as === 'enforced' ? IconLock : IconBuilding
  return (
    <p id={id} className={managedPartCss.note} data-managed={as}>
      <Sign size={17} aria-hidden />
      {t(`settings:managed.${as}`)}
    </p>
  )
}

type SaveSettings = {
  readonly isSaving: boolean
  readonly save: (changes: SettingsChanges) => Promise<boolean>
}

/** Saves parts of the settings and confirms it; resolves with whether the station accepted them. */
export function useSaveSettings(): SaveSettings {
  const session = useSession()
  const [isSaving, setSaving] = useState(false)
  return {
    isSaving,
    async save(changes) {
      const sent = permittedChanges(changes, session.store.getState().settings?.managed ?? {})
      if (Object.keys(sent).length === 0) {
        showToast({ tone: 'red', message: t('settings:managed.enforced') })
        return false
      }
      setSaving(true)
      const settings = await runCall(session, 'settings.update', sent)
      setSaving(false)
      if (!settings) return false
      session.store.setState({ settings })
      showToast({ tone: 'green', message: t('settings:saved') })
      return true
    },
  }
}

import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../words/t.ts'
import { mayChange, type SettingsKey } from './managed.ts'
import css from './settings-screen.module.css'
import { useManaged } from './use-managed.ts'

export type SettingsFormProps = {
  /** What this part of the settings is about, in a sentence. */
  readonly explain: string
  /** The settings that Save sends. */
  readonly keys: readonly SettingsKey[]
  readonly isSaving: boolean
  readonly onSave: () => void
  /** Further buttons beside Save. */
  readonly actions?: ReactNode
  /** What stands below Save. */
  readonly below?: ReactNode
  readonly children: ReactNode
}

/** One part of the settings: what it is about, its inputs, and Save where anything in it may be changed here. */
export function SettingsForm(props: SettingsFormProps) {
  const managed = useManaged()
  const maySave = props.keys.some((key) => mayChange(managed, key))
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (maySave) props.onSave()
      }}
    >
      <p className={css.explain}>{props.explain}</p>
      {props.children}
      {(maySave || props.actions) && (
        <div className={css.foot}>
          {maySave && (
            <Button type="submit" loading={props.isSaving}>
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

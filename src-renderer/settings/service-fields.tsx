import { PasswordInput, TextInput } from '@mantine/core'
import { t } from '../words/t.ts'
import { isEnforced, isSecretEnforced } from './managed.ts'
import { ManagedGroup } from './managed-part.tsx'
import css from './settings-screen.module.css'
import { useManaged } from './use-managed.ts'
import type { ServiceEditing } from './use-service-form.ts'

export type ServiceFieldsProps = { readonly editing: ServiceEditing }

/** Address and client id. */
export function ServiceAddress({ editing: { form, problems, write } }: ServiceFieldsProps) {
  return (
    <ManagedGroup keys={['service']}>
      <TextInput
        label={t('settings:service.baseUrl')}
        description={t('settings:service.baseUrlHint')}
        type="url"
        autoComplete="off"
        spellCheck={false}
        value={form.baseUrl}
        error={problems.baseUrl}
        onChange={(event) => write({ baseUrl: event.currentTarget.value })}
      />
      <TextInput
        label={t('settings:service.clientId')}
        autoComplete="off"
        spellCheck={false}
        value={form.clientId}
        error={problems.clientId}
        onChange={(event) => write({ clientId: event.currentTarget.value })}
      />
    </ManagedGroup>
  )
}

/** The secret only ever goes in. It has a lock of its own, because the administrator's file may leave it to a person. */
export function ServiceSecret({ editing }: ServiceFieldsProps) {
  const { form, problems, hasSavedSecret, write } = editing
  const managed = useManaged()
  return (
    <>
      {isEnforced(managed, 'service') && !isSecretEnforced(managed) && (
        <p className={css.hint}>{t('settings:managed.secretOpen')}</p>
      )}
      <PasswordInput
        label={t('settings:service.secret')}
        description={secretHint(editing)}
        placeholder={hasSavedSecret ? '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022' : ''}
        autoComplete="new-password"
        disabled={isSecretEnforced(managed)}
        value={form.secret}
        error={problems.secret}
        onChange={(event) => write({ secret: event.currentTarget.value })}
      />
    </>
  )
}

function secretHint({ hasSavedSecret, hasOtherSecret }: ServiceEditing): string {
  if (hasOtherSecret) return t('settings:service.secretElsewhere')
  return hasSavedSecret ? t('settings:service.secretKept') : t('settings:service.secretNew')
}

import { PasswordInput, TextInput } from '@mantine/core'
import { t } from '../words/t.ts'
import { isLocked, isSecretLocked } from './managed.ts'
import { ManagedPart } from './managed-part.tsx'
import css from './settings-screen.module.css'
import { useManaged } from './use-managed.ts'
import type { ServiceEditing } from './use-service-form.ts'

export type ServiceFieldsProps = { readonly editing: ServiceEditing }

/** Address and client id. */
export function ServiceAddress({ editing: { form, problems, write } }: ServiceFieldsProps) {
  return (
    <ManagedPart parts={['service']}>
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
    </ManagedPart>
  )
}

/** The secret only ever goes in. It has a lock of its own, because the administrator's file may leave it to a person. */
export function ServiceSecret({ editing }: ServiceFieldsProps) {
  const { form, problems, isKept, write } = editing
  const managed = useManaged()
  return (
    <>
      {isLocked(managed, 'service') && !isSecretLocked(managed) && (
        <p className={css.hint}>{t('settings:managed.secretOpen')}</p>
      )}
      <PasswordInput
        label={t('settings:service.secret')}
        description={secretHint(editing)}
        placeholder={isKept ? '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022' : ''}
        autoComplete="new-password"
        disabled={isSecretLocked(managed)}
        value={form.secret}
        error={problems.secret}
        onChange={(event) => write({ secret: event.currentTarget.value })}
      />
    </>
  )
}

function secretHint({ isKept, isKeptElsewhere }: ServiceEditing): string {
  if (isKeptElsewhere) return t('settings:service.secretElsewhere')
  return isKept ? t('settings:service.secretKept') : t('settings:service.secretNew')
}

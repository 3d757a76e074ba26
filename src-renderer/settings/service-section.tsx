import { Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import type { CallOutput } from '../../src-shared/contract.ts'
import { REFERENCE_FIELDS, type ShownSettings } from '../../src-shared/settings.ts'
import { announce } from '../shell/announcements.ts'
import { runCall } from '../shell/run-call.ts'
import { useSession } from '../store/use-station.ts'
import { fieldLabel } from '../words/field-label.ts'
import { ConnectionTest } from './connection-test.tsx'
import { readServiceForm, serviceFormOf, type ServiceForm, type ServiceProblems } from './service-form.ts'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { t } from '../words/t.ts'

export type ServiceSectionProps = { readonly service: ShownSettings['service'] }

/** Address and credentials, and a test of both before anything is saved. The secret only ever goes in. */
export function ServiceSection({ service }: ServiceSectionProps) {
  const session = useSession()
  const { save, isSaving } = useSaveSettings()
  const [form, setForm] = useState<ServiceForm>(() => serviceFormOf(service))
  const [problems, setProblems] = useState<ServiceProblems>({})
  const [isTesting, setTesting] = useState(false)
  const [tested, setTested] = useState<CallOutput<'service.test'> | null>(null)
  const isKept = service?.hasClientSecret ?? false

  const write = (change: Partial<ServiceForm>): void => {
    setForm((before) => ({ ...before, ...change }))
    setProblems({})
    setTested(null)
  }
  const read = () => {
    const reading = readServiceForm(form, isKept)
    setProblems(reading.problems)
    return reading.service
  }
  const test = async (): Promise<void> => {
    const wanted = read()
    if (!wanted) return
    setTesting(true)
    const result = await runCall(session, 'service.test', { service: wanted })
    setTesting(false)
    setTested(result)
    if (!result) return
    const steps = [result.reachable, result.signedIn, result.centersListed]
    announce(t('settings:test.finished', { passed: steps.filter(({ kind }) => kind === 'passed').length }))
  }
  const submit = async (): Promise<void> => {
    const wanted = read()
    if (wanted && (await save({ service: wanted }))) setForm((before) => ({ ...before, secret: '' }))
  }

  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p className={css.explain}>{t('settings:service.explain')}</p>
      <div className={css.card}>
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
        <div className={css.pair}>
          <TextInput
            label={t('settings:service.clientId')}
            description={'\u00a0'}
            autoComplete="off"
            spellCheck={false}
            value={form.clientId}
            error={problems.clientId}
            onChange={(event) => write({ clientId: event.currentTarget.value })}
          />
          <PasswordInput
            label={t('settings:service.secret')}
            description={isKept ? t('settings:service.secretKept') : t('settings:service.secretNew')}
            placeholder={isKept ? '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022' : ''}
            autoComplete="new-password"
            value={form.secret}
            error={problems.secret}
            onChange={(event) => write({ secret: event.currentTarget.value })}
          />
        </div>
        <NativeSelect
          label={t('settings:service.referenceField')}
          description={t('settings:service.referenceHint')}
          value={form.referenceField}
          onChange={(event) => write({ referenceField: event.currentTarget.value })}
          data={[
            ...REFERENCE_FIELDS.map((name) => ({ value: name, label: fieldLabel(name) })),
            { value: '', label: t('settings:service.referenceNone') },
          ]}
        />
        <TextInput
          label={t('settings:service.callbackUrl')}
          description={t('settings:service.callbackHint')}
          type="url"
          autoComplete="off"
          spellCheck={false}
          value={form.callbackUrl}
          error={problems.callbackUrl}
          onChange={(event) => write({ callbackUrl: event.currentTarget.value })}
        />
        <div className={css.foot}>
          <Button type="submit" loading={isSaving}>
            {t('settings:save')}
          </Button>
        </div>
      </div>
      <section className={css.card} aria-labelledby="connection-test">
        <div className={css.foot}>
          <div className={css.gap}>
            <h3 id="connection-test">{t('settings:test.title')}</h3>
            <p className="dim">{t('settings:test.explain')}</p>
          </div>
          <Button
            variant="default"
            leftSection={<IconPlugConnected size={17} aria-hidden />}
            loading={isTesting}
            onClick={() => void test()}
          >
            {t('settings:test.action')}
          </Button>
        </div>
        {tested && <ConnectionTest result={tested} />}
      </section>
    </form>
  )
}

/** The service's address and credentials, and the test of its connection. */
import { NativeSelect, PasswordInput, Stack } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { IconCircleCheck, IconCircleDashed, IconCircleX, IconPlugConnected } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { z } from 'zod'
import type { CallOutput } from '../../src-shared/contract.ts'
import {
  baseUrlSchema,
  REFERENCE_FIELDS,
  type ServiceSettings,
  type ShownSettings,
} from '../../src-shared/settings.ts'
import { ActionButton, Toggle } from '../components/controls.tsx'
import { failureTitle, fieldLabel, messageOf, t } from '../i18n/i18n.ts'
import { announce, showFailure } from '../shell/toast.tsx'
import { useCall } from '../store/use-station.ts'
import {
  CodeInput,
  isEnforced,
  isSecretEnforced,
  ManagedGroup,
  NumberSetting,
  type SectionProps,
  SettingsForm,
  useManaged,
  useSaving,
} from './settings-form.tsx'
import css from './settings-screen.module.css'

type TestResult = CallOutput<'service.test'>

function ConnectionTest({ result }: { readonly result: TestResult }) {
  return (
    <Stack component="ul" role="list" gap={2}>
      {(['reachable', 'signedIn', 'centersListed'] as const).map((name) => {
        const step = result[name]
        const Sign =
          step.kind === 'failed' ? IconCircleX : step.kind === 'notTried' ? IconCircleDashed : IconCircleCheck
        return (
          <li key={name} className={css.test} data-kind={step.kind} data-step={name}>
            <Sign size={20} aria-hidden />
            <span className={css.testText}>
              <span>
                <strong>{t(`settings:test.${name}`)}</strong>: {t(`settings:test.${step.kind}`)}
              </span>
              {step.kind === 'failed' && (
                <span>
                  {failureTitle(step.failure.kind)}. {messageOf(step.failure)}
                  {step.failure.serviceSaid !== undefined && ` ${t('part:serviceSaid')} `}
                  {step.failure.serviceSaid !== undefined && <q>{step.failure.serviceSaid}</q>}
                </span>
              )}
              {name === 'centersListed' && step.kind === 'passed' && (
                <span className="dim">
                  {result.centers.length === 0
                    ? t('shell:center.empty')
                    : result.centers.map(({ name: center, centerId }) => center ?? centerId).join(', ')}
                </span>
              )}
            </span>
          </li>
        )
      })}
    </Stack>
  )
}

/** The values as typed; the field of the reference is empty for none. */
type ServiceForm = Readonly<Record<ServiceInput, string>>
type ServiceInput = 'baseUrl' | 'clientId' | 'secret' | 'callbackUrl' | 'referenceField' | 'telephone'
type ServiceProblems = Partial<ServiceForm>

export function serviceFormOf(service: ShownSettings['service']): ServiceForm {
  return {
    baseUrl: service?.baseUrl ?? '',
    clientId: service?.clientId ?? '',
    secret: '',
    callbackUrl: service?.callbackUrl ?? '',
    telephone: service?.telephone ?? '',
    referenceField: service ? (service.referenceField ?? '') : 'other_relevant_info',
  }
}

/** The settings in the form, or what is wrong with it. An empty secret is omitted. */
export function readServiceForm(
  form: ServiceForm,
  /** The address that the saved secret belongs to; null if none is saved. */
  secretAddress: string | null,
): { readonly service: ServiceSettings | null; readonly problems: ServiceProblems } {
  const baseUrl = form.baseUrl.trim()
  const clientId = form.clientId.trim()
  const callbackUrl = form.callbackUrl.trim()
  const problems: ServiceProblems = {
    ...(!baseUrlSchema.safeParse(baseUrl).success && { baseUrl: t('settings:service.baseUrlWrong') }),
    ...(clientId === '' && { clientId: t('settings:service.clientIdMissing') }),
    ...(form.secret === '' &&
      secretAddress !== baseUrl && {
        secret: t(`settings:service.${secretAddress === null ? 'secretMissing' : 'secretElsewhere'}`),
      }),
    ...(callbackUrl !== '' &&
      !z.url().safeParse(callbackUrl).success && { callbackUrl: t('settings:service.callbackWrong') }),
  }
  if (Object.keys(problems).length > 0) return { service: null, problems }
  return {
    service: {
      baseUrl,
      clientId,
      callbackUrl: callbackUrl === '' ? null : callbackUrl,
      referenceField: REFERENCE_FIELDS.find((name) => name === form.referenceField) ?? null,
      ...(form.telephone.trim() !== '' && { telephone: form.telephone.trim() }),
      // Never trimmed: a secret may begin or end with any character.
      ...(form.secret !== '' && { clientSecret: form.secret }),
    },
    problems,
  }
}

export function useServiceForm(service: ShownSettings['service']) {
  const [form, change] = useSetState(serviceFormOf(service))
  const [isTried, setTried] = useState(false)
  const { isBusy: isTesting, call } = useCall(showFailure)
  /** The latest test of the form; null after any change, also one made during the test. */
  const [tested, setTested] = useState<TestResult | null>(null)
  const writes = useRef(0)
  const secretAddress = service?.hasClientSecret === true ? service.baseUrl : null
  /** The station sends the saved secret to no other address. */
  const hasSavedSecret = form.baseUrl.trim() === secretAddress
  const reading = readServiceForm(form, secretAddress)
  const isChanged = JSON.stringify(form) !== JSON.stringify(serviceFormOf(service))

  const test = async (): Promise<void> => {
    setTried(true)
    if (!reading.service) return
    const written = writes.current
    const result = await call('service.test', { service: reading.service })
    if (written !== writes.current) return
    setTested(result)
    if (!result) return
    const steps = [result.reachable, result.signedIn, result.centersListed]
    const successful = steps.filter(({ kind }) => kind === 'passed').length
    announce(t('settings:test.finished', { successful }))
  }
  return {
    form,
    /** Nothing is set, and nothing was entered. */
    isBlank: service === null && !isChanged,
    /** What to save. A form that was not touched may be empty. */
    typed: isChanged ? { service: reading.service ?? undefined } : {},
    /** Problems are marked once a person has tried to test or to save the form. */
    problemsIf: (isChecked: boolean): ServiceProblems => (isTried || isChecked ? reading.problems : {}),
    hasSavedSecret,
    hasOtherSecret: secretAddress !== null && !hasSavedSecret,
    isTesting,
    tested,
    test,
    write: (changes: Partial<ServiceForm>): void => {
      writes.current += 1
      change(changes)
      setTried(false)
      setTested(null)
    },
  }
}

type ServiceEditing = ReturnType<typeof useServiceForm>
export function ConnectionPanel({ editing }: { readonly editing: ServiceEditing }) {
  return (
    <section className={css.card} aria-labelledby="connection-test">
      <div className={css.foot}>
        <div className="grow">
          <h3 id="connection-test">{t('settings:test.title')}</h3>
          <p className="dim">{t('settings:test.explain')}</p>
        </div>
        <ActionButton
          icon={IconPlugConnected}
          loading={editing.isTesting}
          onClick={() => void editing.test()}
        >
          {t('settings:test.action')}
        </ActionButton>
      </div>
      {editing.tested && <ConnectionTest result={editing.tested} />}
    </section>
  )
}

type ServiceFieldsProps = {
  readonly editing: ServiceEditing
  readonly isChecked: boolean
}

/** The address and the credentials. The secret has its own lock: the administrator's file may leave it to a person. */
export function ServiceFields({ editing, isChecked }: ServiceFieldsProps) {
  const { form, hasSavedSecret, hasOtherSecret, write } = editing
  const problems = editing.problemsIf(isChecked)
  const managed = useManaged()
  const hint = hasOtherSecret ? 'secretElsewhere' : hasSavedSecret ? 'secretKept' : 'secretNew'
  return (
    <>
      <ManagedGroup part="service">
        <CodeInput
          label={t('settings:service.baseUrl')}
          description={t('settings:service.baseUrlHint')}
          type="url"
          value={form.baseUrl}
          error={problems.baseUrl}
          onWrite={(baseUrl) => write({ baseUrl })}
        />
        <CodeInput
          label={t('settings:service.clientId')}
          value={form.clientId}
          error={problems.clientId}
          onWrite={(clientId) => write({ clientId })}
        />
      </ManagedGroup>
      {isEnforced(managed, 'service') && !isSecretEnforced(managed) && (
        <p className="small dim">{t('settings:managed.secretOpen')}</p>
      )}
      <PasswordInput
        label={t('settings:service.secret')}
        description={t(`settings:service.${hint}`)}
        placeholder={hasSavedSecret ? '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022' : ''}
        autoComplete="new-password"
        visibilityToggleFocusable
        visibilityToggleButtonProps={{ 'aria-label': `${t('shell:show')}: ${t('settings:service.secret')}` }}
        disabled={isSecretEnforced(managed)}
        value={form.secret}
        error={problems.secret}
        onChange={(event) => write({ secret: event.currentTarget.value })}
      />
    </>
  )
}

const KILOBYTE = 1_000

/** With less, not even the headers of a request arrive in time. */
const RATE = { min: 4.1, max: 10_000_000 } as const

const CONCURRENCY = { min: 1, max: 8, isWhole: true } as const

export function ServiceSection({ settings: { service, delivery } }: SectionProps) {
  const editing = useServiceForm(service)
  const [concurrency, setConcurrency] = useState<number | undefined>(delivery.concurrency)
  const [resend, setResend] = useState(delivery.resendWhenProvenAbsent)
  const [bytesPerSecond, setRate] = useState<number | null | undefined>(delivery.bytesPerSecond)
  const isDeliveryWrong = concurrency === undefined || bytesPerSecond === undefined
  const saving = useSaving({
    ...editing.typed,
    delivery: isDeliveryWrong
      ? undefined
      : { ...delivery, concurrency, resendWhenProvenAbsent: resend, bytesPerSecond },
  })
  const { form, write } = editing
  return (
    <SettingsForm
      section="service"
      saving={saving}
      onSaved={() => write({ secret: '' })}
      below={<ConnectionPanel editing={editing} />}
    >
      <div className={css.card}>
        <ServiceFields editing={editing} isChecked={saving.isChecked} />
        <ManagedGroup part="service" isNoted={false}>
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
          <CodeInput
            label={t('settings:service.telephone')}
            value={form.telephone}
            onWrite={(telephone) => write({ telephone })}
          />
          <CodeInput
            label={t('settings:service.callbackUrl')}
            description={t('settings:service.callbackHint')}
            type="url"
            value={form.callbackUrl}
            error={editing.problemsIf(saving.isChecked).callbackUrl}
            onWrite={(callbackUrl) => write({ callbackUrl })}
          />
        </ManagedGroup>
      </div>
      <div className={css.card}>
        <h3>{t('settings:sending.transfer')}</h3>
        <ManagedGroup part="delivery">
          <NumberSetting
            label={t('settings:sending.concurrency')}
            description={t('settings:sending.concurrencyHint')}
            limits={CONCURRENCY}
            value={concurrency}
            onWrite={setConcurrency}
          />
          <NumberSetting
            label={t('settings:sending.rate')}
            description={t('settings:sending.rateHint')}
            unit={t('settings:sending.rateUnit')}
            limits={RATE}
            per={KILOBYTE}
            value={bytesPerSecond}
            none={null}
            onWrite={setRate}
          />
          <Toggle
            label={t('settings:sending.resend')}
            description={t('settings:sending.resendHint')}
            isOn={resend}
            onWrite={setResend}
          />
        </ManagedGroup>
      </div>
    </SettingsForm>
  )
}

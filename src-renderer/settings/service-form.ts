/** The service's form as text, and what it says once it is read. Pure. */
import { z } from 'zod'
import { REFERENCE_FIELDS, type ServiceSettings, type ShownSettings } from '../../src-shared/settings.ts'
import { baseUrlSchema } from '../../src-shared/service-address.ts'

import { t } from '../words/t.ts'
export type ServiceForm = {
  readonly baseUrl: string
  readonly clientId: string
  readonly secret: string
  readonly callbackUrl: string
  /** A field's name, or empty for none. */
  readonly referenceField: string
}

export type ServiceProblems = Partial<Record<keyof ServiceForm, string>>

export function serviceFormOf(service: ShownSettings['service']): ServiceForm {
  return {
    baseUrl: service?.baseUrl ?? '',
    clientId: service?.clientId ?? '',
    secret: '',
    callbackUrl: service?.callbackUrl ?? '',
    referenceField: service ? (service.referenceField ?? '') : 'other_relevant_info',
  }
}

/** The settings that the form stands for, or what is wrong with it. A secret that is left empty is left out. */
export function readServiceForm(
  form: ServiceForm,
  /** The address that the kept secret is for; null where none is kept. */
  secretAddress: string | null,
): { readonly service: ServiceSettings | null; readonly problems: ServiceProblems } {
  const baseUrl = form.baseUrl.trim()
  const clientId = form.clientId.trim()
  const callbackUrl = form.callbackUrl.trim()
  const problems: ServiceProblems = {
    ...(!baseUrlSchema.safeParse(baseUrl).success && { baseUrl: t('settings:service.baseUrlWrong') }),
    ...(clientId === '' && { clientId: t('settings:service.clientIdMissing') }),
    ...(form.secret === '' && secretAddress !== baseUrl && { secret: secretProblem(secretAddress) }),
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
      // Exactly as it was typed: a secret may begin or end with anything.
      ...(form.secret !== '' && { clientSecret: form.secret }),
    },
    problems,
  }
}

/** Is the kept secret, if there is one, for the address that stands in the form? The station shows it to no other. */
export function matchesSavedSecret(form: ServiceForm, secretAddress: string | null): boolean {
  return form.baseUrl.trim() === secretAddress
}

function secretProblem(secretAddress: string | null): string {
  return secretAddress === null ? t('settings:service.secretMissing') : t('settings:service.secretElsewhere')
}

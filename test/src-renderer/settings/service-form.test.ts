import { expect, it } from 'vitest'
import { readServiceForm, serviceFormOf } from '../../../src-renderer/settings/service-form.ts'

const kept = {
  baseUrl: 'https://cases.example/api',
  clientId: 'north',
  callbackUrl: null,
  referenceField: 'other_relevant_info',
  hasClientSecret: true,
} as const

it('leaves the secret out where none was typed, and so keeps it', () => {
  const { service } = readServiceForm(serviceFormOf(kept), true)
  expect(service).toEqual({
    baseUrl: 'https://cases.example/api',
    clientId: 'north',
    callbackUrl: null,
    referenceField: 'other_relevant_info',
  })
})

it('sends a new secret exactly as it was typed', () => {
  const { service } = readServiceForm({ ...serviceFormOf(kept), secret: ' s3cret ' }, true)
  expect(service?.clientSecret).toBe(' s3cret ')
})

it('can write the reference into no field', () => {
  expect(
    readServiceForm({ ...serviceFormOf(kept), referenceField: '' }, true).service?.referenceField,
  ).toBeNull()
})

it('names every value that cannot be right', () => {
  const { service, problems } = readServiceForm(
    { ...serviceFormOf(null), baseUrl: 'http://cases.example', callbackUrl: 'x' },
    false,
  )
  expect(service).toBeNull()
  expect(Object.keys(problems).sort()).toEqual(['baseUrl', 'callbackUrl', 'clientId', 'secret'])
})

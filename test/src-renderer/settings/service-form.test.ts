import { expect, it } from 'vitest'
import {
  matchesSavedSecret,
  readServiceForm,
  serviceFormOf,
} from '../../../src-renderer/settings/service.tsx'

const kept = {
  baseUrl: 'https://cases.example/api',
  clientId: 'north',
  callbackUrl: null,
  referenceField: 'other_relevant_info',
  hasClientSecret: true,
} as const

it('leaves the secret out where none was typed, and so keeps it', () => {
  const { service } = readServiceForm(serviceFormOf(kept), kept.baseUrl)
  expect(service).toEqual({
    baseUrl: 'https://cases.example/api',
    clientId: 'north',
    callbackUrl: null,
    referenceField: 'other_relevant_info',
  })
})

it('sends a new secret exactly as it was typed', () => {
  const { service } = readServiceForm({ ...serviceFormOf(kept), secret: ' s3cret ' }, kept.baseUrl)
  expect(service?.clientSecret).toBe(' s3cret ')
})

it('can write the reference into no field', () => {
  expect(
    readServiceForm({ ...serviceFormOf(kept), referenceField: '' }, kept.baseUrl).service?.referenceField,
  ).toBeNull()
})

it('names every value that cannot be right', () => {
  const { service, problems } = readServiceForm(
    { ...serviceFormOf(null), baseUrl: 'http://cases.example', callbackUrl: 'x' },
    null,
  )
  expect(service).toBeNull()
  expect(Object.keys(problems).sort()).toEqual(['baseUrl', 'callbackUrl', 'clientId', 'secret'])
})

it('asks for the secret of another address, and for none where the address is as it was', () => {
  const moved = { ...serviceFormOf(kept), baseUrl: 'https://moved.example' }
  expect(matchesSavedSecret(moved, kept.baseUrl)).toBe(false)
  expect(Object.keys(readServiceForm(moved, kept.baseUrl).problems)).toEqual(['secret'])
  expect(readServiceForm({ ...moved, secret: 'its own' }, kept.baseUrl).service).toMatchObject({
    baseUrl: 'https://moved.example',
    clientSecret: 'its own',
  })
  expect(matchesSavedSecret({ ...moved, baseUrl: ` ${kept.baseUrl} ` }, kept.baseUrl)).toBe(true)
})

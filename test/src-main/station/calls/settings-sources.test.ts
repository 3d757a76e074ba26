import { expect, it } from 'vitest'
import { settingsSources } from '../../../../src-main/station/calls/settings.ts'
import { withSecretFromEnvironment } from '../../../../src-main/station/ports.ts'
import type { SettingsSources } from '../../../../src-shared/settings.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { partsWith } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example', clientId: 'clinic', clientSecret: 'hush hush' }

async function sourcesOf(test: Awaited<ReturnType<typeof partsWith>>): Promise<SettingsSources> {
  const answer = await test.call('settings.sources', {})
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

const named = ({ items }: SettingsSources, name: string) => items.find((one) => one.name === name)

it('tells every value that a station has, and of the secret only that there is one', async () => {
  const columns = { Nachname: 'last_name' }
  const test = await partsWith({
    service: { ...SERVICE, callbackUrl: null, referenceField: null },
    centerId: '101',
    patientList: { path: '/list.csv', dateOrder: 'ymd', columns },
  })
  await test.call('settings.update', { requiredFields: ['age', 'history_number'] })
  const sources = await sourcesOf(test)
  expect(named(sources, 'centerId')).toEqual({
    name: 'centerId',
    value: '101',
    source: 'configurationFile',
    isLocked: false,
  })
  expect(named(sources, 'requiredFields')).toMatchObject({ value: 'age, history_number', source: 'person' })
  expect(named(sources, 'delivery.concurrency')).toMatchObject({ value: 2, source: 'builtIn' })
  expect(named(sources, 'service.clientSecret')).toMatchObject({ value: true, source: 'configurationFile' })
  expect(named(sources, 'dataFolder')).toMatchObject({ value: test.folder, source: 'builtIn' })
  expect(new Set(sources.items.map(({ name }) => name)).size).toBe(sources.items.length)
  expect(JSON.stringify(sources)).not.toContain('hush')

  const told = await test.call('station.diagnostics', {})
  if (!told.ok) throw new Error('no diagnostics')
  expect(told.value.text).toMatch(/Where settings come from/)
  expect(told.value.text).toContain('requiredFields: person')
  expect(told.value.text).toContain('patientList.columns: configurationFile')
  expect(told.value.text).not.toMatch(/hush|Nachname/)
})

it('tells what the command line and the environment say, and that it cannot be changed here', async () => {
  const test = await partsWith()
  const secrets = withSecretFromEnvironment(createMemorySecrets(), { FUNDUS_COURIER_CLIENT_SECRET: 'hush' })
  const sources = await settingsSources({
    ...test.parts,
    ports: { ...test.parts.ports, secrets },
    commandLine: { dataFolder: '/srv/station', language: 'es' },
  })
  expect(named(sources, 'dataFolder')).toMatchObject({ value: '/srv/station', source: 'commandLine' })
  expect(named(sources, 'language')).toMatchObject({ value: 'es', source: 'commandLine', isLocked: true })
  expect(named(sources, 'service.clientSecret')).toMatchObject({ source: 'environment', isLocked: true })
  expect(sources.secretsKept).toBe('environment')
})

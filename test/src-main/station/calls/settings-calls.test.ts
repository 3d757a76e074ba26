import { describe, expect, it } from 'vitest'
import { settingsSources } from '../../../../src-main/station/calls/settings.ts'
import { withSecretFromEnvironment } from '../../../../src-main/station/ports.ts'
import { failureOf } from '../../../../src-shared/failure.ts'
import type { Fields } from '../../../../src-shared/fields.ts'
import type { SettingsSources } from '../../../../src-shared/setting-sources.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { MORNING, stateOf } from '../../../tools/outbox-with.ts'
import { addCase, COMPLETE, follow, partsWith, type TestParts, trailOf, caseIn } from './parts-with.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

it('a pause lasts until someone ends it, or for so many seconds, and is in the trail', async () => {
  const test = await partsWith()
  await test.call('station.pause', {})
  await test.call('station.pause', { seconds: 90 })
  await test.call('station.resume', {})
  expect(test.done).toEqual(['pause untilResumed', `pause ${MORNING + 90_000}`, 'pause null', 'retryNow'])
  const trail = test.outbox.listAudit({ limit: 9 }).map(({ what }) => what)
  expect(trail).toEqual(['resumed', 'paused', 'paused'])
})

describe('the settings', () => {
  it('are changed by section, applied, and never show the secret', async () => {
    const test = await partsWith()
    const answer = await test.call('settings.update', {
      service: { ...SERVICE, clientSecret: 'very secret' },
      requiredFields: ['age'],
    })
    expect(answer).toMatchObject({
      ok: true,
      value: { service: { ...SERVICE, hasClientSecret: true }, requiredFields: ['age'] },
    })
    expect(test.done).toEqual(['apply service requiredFields'])
    expect(
      JSON.stringify([answer, await test.call('settings.get', {}), test.outbox.listAudit({ limit: 9 })]),
    ).not.toContain('very secret')
    expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([
      { what: 'settingsChanged', details: { sections: ['service', 'requiredFields'] } },
    ])
  })

  it('that are refused are neither applied nor in the trail', async () => {
    const test = await partsWith()
    const update = test.call('settings.update', { service: SERVICE, requiredFields: ['age'] })
    // There is no secret, neither here nor stored.
    expect(await update).toMatchObject({ failure: { kind: 'badRequest' } })
    expect([test.done, test.outbox.listAudit({ limit: 9 })]).toEqual([[], []])
    const { service, requiredFields } = test.parts.settings.current()
    expect([service, requiredFields]).toEqual([undefined, ['history_number']])
  })

  it.each<[string, string[] | null, string, boolean]>([
    ['one of the list', ['101', '102'], '102', true],
    ['one that the list does not know', ['101', '102'], '103', false],
    ['any, if the list cannot be read, and the trail says so', null, '103', true],
    ['any, if the list names none', [], '103', true],
  ])('of the center take %s', async (_name, listed, centerId, isTaken) => {
    const test = await partsWith({ centerId: '101' })
    test.service.listCenters = () =>
      Promise.resolve(
        listed === null
          ? { ok: false, failure: failureOf('notAnswering') }
          : { ok: true, value: listed.map((id) => ({ centerId: id, name: null, isCurrent: null })) },
      )
    const answer = await test.call('centers.change', { centerId, by: 'AB', why: 'moved' })
    const current = { value: { centerId: isTaken ? centerId : '101' } }
    expect(await test.call('settings.get', {})).toMatchObject(current)
    if (!isTaken) {
      const message = expect.stringContaining('Not a center of this service') as string
      expect(answer).toMatchObject({ failure: { kind: 'badRequest', message } })
      expect(test.outbox.listAudit({ limit: 1 })).toEqual([])
    } else
      expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([
        { by: 'AB', details: { centerId, why: 'moved', isListed: (listed ?? []).length > 0 } },
      ])
  })
})

it('ends the station on request', async () => {
  const test = await partsWith()
  expect(await test.call('station.stop', {})).toMatchObject({ ok: true })
  expect(test.done).toEqual(['stop'])
})

it.each(['folders.decideExisting', 'folders.countExisting'] as const)(
  '%s needs a watched folder',
  async (call) => {
    const test = await partsWith()
    expect(await test.call(call, { path: '/none', existing: 'include' })).toMatchObject({
      failure: { kind: 'notFound' },
    })
  },
)

it('counts the old files of a folder, and takes those since a day', async () => {
  const test = await partsWith()
  await test.call('settings.update', { folders: [{ path: '/exports', existing: 'ask' }] })
  const at = new Date(2026, 10, 1).getTime()
  for (const [relativePath, mtimeMs] of [
    ['old.jpg', at - 1],
    ['new.jpg', at],
  ] as const)
    test.outbox.markSeen({ folderPath: '/exports', relativePath, sizeBytes: 1, mtimeMs }, 'ignored', 1)
  const since = '2026-11-01'
  expect(await test.call('folders.countExisting', { path: '/exports', since })).toEqual({
    ok: true,
    value: { count: 2, sinceCount: 1, oldestAt: at - 1, newestAt: at },
  })
  const decision = { path: '/exports', existing: 'since', since }
  expect(await test.call('folders.decideExisting', decision)).toMatchObject({ ok: true })
  expect(await test.call('folders.countExisting', { path: '/exports' })).toMatchObject({
    value: { count: 1 },
  })
})

it('has a file read again that was set aside, and no other', async () => {
  const test = await partsWith()
  await test.call('settings.update', { folders: [{ path: '/exports' }] })
  const file = { folderPath: '/exports', relativePath: 'a.jpg', sizeBytes: 1, mtimeMs: 1 }
  test.outbox.recordDeaths([file], { at: 1, version: '0' }, true)
  const again = (input: object) =>
    test.call('folders.tryAgain', { path: '/exports', fileName: 'a.jpg', ...input })
  expect(await again({ fileName: 'b.jpg' })).toMatchObject({ failure: { kind: 'notFound' } })
  expect(await again({ path: '/none' })).toMatchObject({ failure: { kind: 'notFound' } })
  expect(await again({ by: 'AB' })).toMatchObject({ ok: true })
  expect(test.outbox.listAudit({ limit: 1 })).toMatchObject([{ what: 'fileTriedAgain', by: 'AB' }])
})

const FIELDS: Fields = { ...COMPLETE, od_va: 0.8, os_prism_base: 90 }
const LOGMAR = { clinical: { vaUnit: 'logMAR', prismBase: 'examiner' } } as const

function fieldsWithWarning(test: TestParts, id: string): (string | undefined)[] {
  const warnings = test.outbox.submissionOf(id)?.oddities ?? []
  return warnings.filter(({ message }) => message.includes('unit')).map(({ field }) => field)
}

describe('a unit that is changed while cases wait', () => {
  it('sends a case with such a value back to a person, unchanged, and says why', async () => {
    const { test, id } = await caseIn('waiting', { fields: FIELDS })
    const other = addCase(test, 'waiting')
    await test.call('settings.update', LOGMAR)
    expect([stateOf(test, id), stateOf(test, other)]).toEqual(['review', 'waiting'])
    expect(fieldsWithWarning(test, id)).toEqual(['od_va'])
    expect(test.outbox.submissionOf(id)?.fields.od_va).toBe(0.8)
    expect(trailOf(test, id)[0]).toMatchObject({
      what: 'gatheredForReview',
      details: { why: 'unitChanged', fields: ['od_va'] },
    })
  })

  it('is no change if another setting was changed, or this one to what it was', async () => {
    const { test, id } = await caseIn('waiting', { fields: FIELDS })
    await test.call('settings.update', { requiredFields: ['history_number'] })
    await test.call('settings.update', { clinical: { vaUnit: 'decimal', prismBase: 'examiner' } })
    expect(stateOf(test, id)).toBe('waiting')
  })

  it('of the prism base speaks of that', async () => {
    const { test, id } = await caseIn('waiting', { fields: FIELDS })
    await test.call('settings.update', { clinical: { vaUnit: 'decimal', prismBase: 'patient' } })
    expect(fieldsWithWarning(test, id)).toEqual(['os_prism_base'])
  })

  it('keeps a case that was held or is being sent from being sent again unseen', async () => {
    const test = await partsWith()
    const held = addCase(test, 'waiting', { fields: FIELDS })
    follow(test, held, 'held')
    const sending = addCase(test, 'sending', { fields: FIELDS })
    await test.call('settings.update', LOGMAR)
    expect([stateOf(test, held), stateOf(test, sending)]).toEqual(['held', 'sending'])
    expect([held, sending].map((id) => test.outbox.matchesClearance(id))).toEqual([false, false])
    expect(fieldsWithWarning(test, held)).toEqual(['od_va'])
    await test.call('submissions.release', { ids: [held] })
    expect(stateOf(test, held)).not.toBe('waiting')
  })

  it('is forgotten once someone has approved the case', async () => {
    const { test, id } = await caseIn('waiting', { fields: FIELDS })
    await test.call('settings.update', LOGMAR)
    follow(test, id, 'approved')
    test.refresh(id)
    expect([stateOf(test, id), fieldsWithWarning(test, id)]).toEqual(['waiting', []])
  })
})

async function sourcesOf(test: TestParts): Promise<SettingsSources> {
  const answer = await test.call('settings.sources', {})
  if (!answer.ok) throw new Error(answer.failure.message)
  return answer.value
}

const named = ({ items }: SettingsSources, name: string) => items.find((one) => one.name === name)

it('the sources name every value of a station, and of the secret only that there is one', async () => {
  const columns = { Nachname: 'last_name' }
  const test = await partsWith({
    service: { ...SERVICE, clientSecret: 'hush hush', callbackUrl: null, referenceField: null },
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

  const diagnostics = await test.call('station.diagnostics', {})
  if (!diagnostics.ok) throw new Error('no diagnostics')
  expect(diagnostics.value.text).toMatch(/Where settings come from/)
  expect(diagnostics.value.text).toContain('requiredFields: person')
  expect(diagnostics.value.text).toContain('patientList.columns: configurationFile')
  expect(diagnostics.value.text).not.toMatch(/hush|Nachname/)
})

it('the sources name what the command line and the environment set, and that it is locked', async () => {
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

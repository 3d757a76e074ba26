import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parsePolicy } from '../../../../src-main/station/settings/managed-files.ts'
import type { SettingsStore } from '../../../../src-main/station/settings/settings.ts'
import { type Settings, settingsSchema } from '../../../../src-shared/settings.ts'
import type { SettingSource } from '../../../../src-shared/setting-sources.ts'
import { createMemorySecrets } from '../../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { type Start, station } from './open-settings-again.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

const sourceOf = (store: SettingsStore, name: string): SettingSource | undefined =>
  store.sources().find((one) => one.name === name)?.source

const delivery = (change: Partial<Settings['delivery']>): Settings['delivery'] =>
  settingsSchema.parse({ delivery: change }).delivery

describe('the layers, from below', () => {
  const at = (concurrency: number, more = {}) => ({ delivery: { concurrency, ...more } })
  const lower = at(3, { lookSeconds: [7] })
  const enforced = ['delivery'] as const
  const locked = { policy: { ...at(6), enforced }, file: at(7), enforced }
  const LAYERS: readonly [string, Start, boolean, number, SettingSource][] = [
    ['nothing', {}, false, 2, 'builtIn'],
    ['the defaults of the policy', { policy: lower }, false, 3, 'policyDefault'],
    ['the file over those', { policy: lower, file: at(4) }, false, 4, 'configurationFile'],
    ['a person', { policy: lower }, true, 5, 'person'],
    ['what the policy enforces', { policy: { ...at(6), enforced } }, true, 6, 'policyEnforced'],
    ['what the file of the command line enforces over all', locked, true, 7, 'configurationFile'],
  ]
  it.each(LAYERS)('%s', async (_what, start, hasPerson, concurrency, source) => {
    const { start: open } = station()
    const { file, policy } = start
    if (hasPerson) {
      const before = await open({ ...(policy === lower && { policy }), ...(file && { file }) })
      expect(await before.update({ delivery: delivery({ concurrency: 5 }) })).toMatchObject({ ok: true })
    }
    const store = await open(start)
    expect(store.current().delivery.concurrency).toBe(concurrency)
    expect(sourceOf(store, 'delivery.concurrency')).toBe(source)
  })

  it('count value by value: what a layer leaves out is that of the one below', async () => {
    const { start } = station()
    const store = await start({
      policy: { delivery: { concurrency: 6 }, storage: { keepImagesDays: 30 }, enforced: ['delivery'] },
      file: { delivery: { retryBaseSeconds: 9 } },
    })
    expect(store.current().delivery).toEqual(delivery({ retryBaseSeconds: 9, concurrency: 6 }))
    expect(sourceOf(store, 'delivery.retryBaseSeconds')).toBe('configurationFile')
    expect(sourceOf(store, 'storage.keepImagesDays')).toBe('policyDefault')
    expect(sourceOf(store, 'delivery.concurrency')).toBe('policyEnforced')
    expect(sourceOf(store, 'delivery.lookSeconds')).toBe('builtIn')
    expect(sourceOf(store, 'storage.lowWaterBytes')).toBe('builtIn')
  })

  it("give way to what a person set for good, whatever the policy's default becomes", async () => {
    const { start } = station()
    const first = await start({ policy: { requireBothEyes: true } })
    expect((await first.shown()).managed).toEqual({ requireBothEyes: 'preset' })
    await first.update({ requireBothEyes: false })
    const second = await start({ policy: { requireBothEyes: true, centerId: '7' } })
    expect(second.current()).toMatchObject({ requireBothEyes: false, centerId: '7' })
    expect((await second.shown()).managed).toEqual({ centerId: 'preset' })
  })
})

describe('what the policy enforces', () => {
  it('of a service may be its address alone; a person completes it, and cannot name another', async () => {
    const { start } = station()
    const policy = { service: { baseUrl: SERVICE.baseUrl }, enforced: ['service'] }
    const store = await start({ policy })
    expect(store.current().service).toBeUndefined()
    expect(store.sources().find(({ name }) => name === 'service')).toMatchObject({
      value: null,
      source: 'builtIn',
      isLocked: false,
    })
    const whole = settingsSchema.parse({ service: SERVICE }).service!
    expect(await store.update({ service: { ...whole, baseUrl: 'https://elsewhere.example' } })).toMatchObject(
      { ok: false },
    )
    const entered = { ...whole, clientId: 'clinik', clientSecret: 'issued' }
    expect(await store.update({ service: entered })).toMatchObject({ ok: true })
    // A mistake can be mended, also after a restart; the address stays.
    const later = await start({ policy })
    expect(later.current().service).toMatchObject({ ...SERVICE, clientId: 'clinik' })
    expect((await later.shown()).managed).toEqual({ service: 'preset' })
    expect(later.sources().filter(({ isLocked }) => isLocked)).toMatchObject([{ name: 'service.baseUrl' }])
    const elsewhere = { ...whole, baseUrl: 'https://elsewhere.example', clientSecret: 'issued' }
    expect(await later.update({ service: elsewhere })).toMatchObject({ failure: { kind: 'notAllowed' } })
    expect(await later.update({ service: whole })).toMatchObject({ ok: true })
    expect((await start({ policy })).current().service).toMatchObject(SERVICE)
  })

  it('of a patient list is that list alone: the headings of another mean nothing in it', async () => {
    const { start } = station()
    const patientList = { path: '/mine.csv', dateOrder: 'dmy', columns: { history_number: 'NHC' } } as const
    await (await start({})).update({ patientList })
    const locked = await start({
      policy: { patientList: { path: '/clinic.csv' }, enforced: ['patientList'] },
    })
    expect(locked.current().patientList).toEqual({ path: '/clinic.csv', dateOrder: 'ymd', columns: {} })
    expect((await start({})).current().patientList).toEqual(patientList)
  })
})

describe('a policy', () => {
  it('reports the names that mean nothing, and takes no secret', () => {
    const policy = parsePolicy({
      default: {},
      delivery: { concurency: 3 },
      setup: 'done',
      service: { ...SERVICE, clientSecret: 'hush' },
      enforced: ['service', 'setup', 'centreId'],
    })
    expect(policy.unknownNames).toEqual([
      'default',
      'delivery.concurency',
      'setup',
      'service.clientSecret',
      'enforced: setup',
      'enforced: centreId',
    ])
    expect(JSON.stringify(policy)).not.toContain('hush')
    expect(policy.defaults).not.toHaveProperty('setup')
  })

  it.each([
    [{ delivery: { concurrency: 99 } }, 'delivery.concurrency'],
    [{ service: { baseUrl: 'http://a.example' } }, 'service.baseUrl'],
    [{ enforced: {} }, 'enforced'],
    [{ enrolment: 7 }, 'enrolment'],
    [[], ''],
  ])('%j is refused with the path of the fault', (content, path) => {
    expect(() => parsePolicy(content)).toThrow(
      expect.objectContaining({
        issues: [expect.objectContaining({ path: path === '' ? [] : path.split('.') })],
      }),
    )
  })
})

it('takes the address for updates from an administrator only, not from the file that operators may write', async () => {
  const dataFolder = temporaryFolder()
  const updates = { feed: 'https://evil.example', install: 'quietMoment' }
  const over = createHash('sha256').update('null').digest('hex')
  writeFileSync(
    join(dataFolder, 'settings.json'),
    JSON.stringify({ changes: { updates, centerId: '7' }, over: { updates: over, centerId: over } }),
  )
  const { start } = station(createMemorySecrets(), dataFolder)
  const open = (policy: object) => start({ policy })
  expect((await open({})).current()).toMatchObject({ centerId: '7', updates: { feed: null } })
  const feed = 'https://updates.clinic.example'
  expect((await open({ updates: { feed } })).current().updates.feed).toBe(feed)
})

it('never shows a secret among the sources', async () => {
  const { start } = station()
  const file = { service: { ...SERVICE, clientSecret: 'very secret' } }
  const store = await start({ file })
  expect(JSON.stringify(store.sources())).not.toContain('very secret')
  expect(await store.secretSource()).toEqual({ source: 'configurationFile', isLocked: false })
})

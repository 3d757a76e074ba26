import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SettingsStore } from '../../../../src-main/station/settings/settings.ts'
import type { SettingsChanges } from '../../../../src-shared/settings.ts'
import { createMemorySecrets, secretIn } from '../../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { config, openSettings as open, type Start, station } from './open-settings-again.ts'

describe('the settings in force', () => {
  it('are the defaults if nothing is stated', async () => {
    const { store } = await open(null)
    expect(store.current()).toEqual(config({}))
    expect(await store.shown()).toEqual({ ...config({}), service: null, managed: {} })
  })

  it('are what a person has changed, section by section, also after a restart', async () => {
    const first = await open({ centerId: '101', requireBothEyes: true })
    await first.store.update({ centerId: '102' })
    const expected = config({ centerId: '102', requireBothEyes: true })
    expect(first.store.current()).toEqual(expected)
    const second = await first.again({ centerId: '101', requireBothEyes: true })
    expect(second.store.current()).toEqual(expected)
  })

  it('stay what a person has changed if the file states another default, which counts elsewhere', async () => {
    const first = await open({ centerId: '101', requiredFields: ['history_number'] })
    await first.store.update({ centerId: '102' })
    const second = await first.again({ centerId: '103', requiredFields: ['age'] })
    expect(second.store.current()).toEqual(config({ centerId: '102', requiredFields: ['age'] }))
  })

  it('hold all changes that were made at the same time, also after a restart', async () => {
    const first = await open(null)
    await Promise.all([
      first.store.update({ centerId: '102' }),
      first.store.update({ requireBothEyes: true }),
      first.store.update({ requiredFields: ['age'] }),
    ])
    const expected = config({ centerId: '102', requireBothEyes: true, requiredFields: ['age'] })
    expect(first.store.current()).toEqual(expected)
    expect((await first.again(null)).store.current()).toEqual(expected)
  })

  it('that cannot be read any more are reported in a sentence, and not by a parser', async () => {
    const folder = temporaryFolder()
    for (const content of ['', 'no JSON', '{"changes":{"centerId":7}}']) {
      writeFileSync(join(folder, 'settings.json'), content)
      await expect(open(null, folder)).rejects.toMatchObject({ name: 'StorageError' })
    }
  })
})

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }
const FILE = { service: { ...SERVICE, clientSecret: 'of the file' }, centerId: '101' }

const managedOf = async (store: SettingsStore) => (await store.shown()).managed
const REFUSED = {
  ok: false,
  failure: { kind: 'notAllowed', message: expect.stringMatching(/administrator/) },
}

describe('what the file states', () => {
  it('is shown as such until a person changes it', async () => {
    const { start } = station()
    const store = await start({ file: FILE })
    expect(await managedOf(store)).toEqual({ service: 'preset', centerId: 'preset' })
    await store.update({ centerId: '102', requireBothEyes: true })
    expect(await managedOf(store)).toEqual({ service: 'preset' })
    expect(await managedOf(await start({ file: { ...FILE, centerId: '103' } }))).toEqual({
      service: 'preset',
    })
  })
})

describe('what is enforced', () => {
  const CENTER = { centerId: '101' }
  it.each<[string, Start, Start]>([
    ['the file', { file: CENTER, enforced: ['centerId'] }, { file: CENTER }],
    ['the policy', { policy: { ...CENTER, enforced: ['centerId'] } }, {}],
  ])('by %s cannot be changed, nor what was to be changed with it, until it is lifted', async (...row) => {
    const [, enforcing, lifted] = row
    const { start } = station()
    await (await start(lifted)).update({ centerId: '102' })
    const locked = await start(enforcing)
    expect(await managedOf(locked)).toEqual({ centerId: 'enforced' })
    expect(locked.sources().find(({ name }) => name === 'centerId')).toMatchObject({ isLocked: true })
    expect(await locked.update({ centerId: '103', requireBothEyes: true })).toMatchObject(REFUSED)
    expect(locked.current()).toMatchObject({ centerId: '101', requireBothEyes: false })
    expect(await locked.update({ requireBothEyes: true })).toMatchObject({ ok: true })
    expect((await start(lifted)).current().centerId).toBe('102')
  })

  it.each<[string, Start]>([
    ['the file', { file: { service: SERVICE }, enforced: ['service'] }],
    ['the policy', { policy: { service: SERVICE, enforced: ['service'] } }],
  ])('by %s of a service lets a person enter its secret, and nothing else', async (_name, enforcing) => {
    const { start, secrets } = station(createMemorySecrets('kept'))
    const store = await start(enforcing)
    const { service } = store.current()
    expect(await managedOf(store)).toEqual({ service: 'enforced' })
    const other = { ...service!, clientId: 'other', clientSecret: 'mine' }
    expect(await store.update({ service: other })).toMatchObject(REFUSED)
    expect(await store.update({ service: { ...service!, clientSecret: 'mine' } })).toMatchObject({ ok: true })
    expect(await secretIn(secrets)).toBe('mine')
    expect(await store.secretSource()).toEqual({ source: 'person', isLocked: false })
    expect(store.current().service).toEqual(service)
  })

  it('takes the secret of the file once more if a person had entered another', async () => {
    const { start, secrets } = station()
    const first = await start({ file: FILE })
    await first.update({ service: { ...first.current().service!, clientSecret: 'of a person' } })
    const locked = await start({ file: FILE, enforced: ['service'] })
    expect(await secretIn(secrets)).toBe('of the file')
    expect(await managedOf(locked)).toMatchObject({
      service: 'enforced',
      'service.clientSecret': 'enforced',
    })
    const changes: SettingsChanges = { service: { ...locked.current().service!, clientSecret: 'mine' } }
    expect(await locked.update(changes)).toMatchObject(REFUSED)
    expect(await secretIn(secrets)).toBe('of the file')
  })
})

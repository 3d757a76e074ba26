import { describe, expect, it } from 'vitest'
import type { SettingsSection } from '../../../src-main/station/settings/config-file.ts'
import { openSettingsStore, type SettingsStore } from '../../../src-main/station/settings/settings.ts'
import { type SettingsChanges, settingsSchema } from '../../../src-shared/settings.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { createMemorySecrets, secretIn } from '../../tools/memory-secrets.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }
const FILE = { service: { ...SERVICE, clientSecret: 'of the file' }, centerId: '101' }

type Opening = { readonly file: object; readonly enforced?: readonly SettingsSection[] }

/** Opens stores one after the other in one folder, as restarts do. */
function station(): {
  readonly secrets: ReturnType<typeof createMemorySecrets>
  readonly start: (opening: Opening) => Promise<SettingsStore>
} {
  const secrets = createMemorySecrets()
  const dataFolder = temporaryFolder()
  return {
    secrets,
    start: ({ file, enforced = [] }) =>
      openSettingsStore({
        dataFolder,
        config: { settings: settingsSchema.parse(file), stated: { ...file }, enforced },
        secrets,
        logger: createRecordingLogger(),
      }),
  }
}

const managedOf = async (store: SettingsStore) => (await store.shown()).managed
const REFUSED = {
  ok: false,
  failure: { kind: 'notAllowed', message: expect.stringMatching(/administrator/) },
}

describe('what the file states', () => {
  it('is told as such until a person changes it', async () => {
    const { start } = station()
    const store = await start({ file: FILE })
    expect(await managedOf(store)).toEqual({ service: 'preset', centerId: 'preset' })
    await store.update({ centerId: '102', requireBothEyes: true })
    expect(await managedOf(store)).toEqual({ service: 'preset' })
    expect(await managedOf(await start({ file: { ...FILE, centerId: '103' } }))).toEqual({
      service: 'preset',
      centerId: 'preset',
    })
  })
})

describe('what the file enforces', () => {
  it('outweighs what a person changed before, and gives it back where the lock is taken off', async () => {
    const { start } = station()
    await (await start({ file: FILE })).update({ centerId: '102' })
    const locked = await start({ file: FILE, enforced: ['centerId'] })
    expect(locked.current().centerId).toBe('101')
    expect(await managedOf(locked)).toEqual({ service: 'preset', centerId: 'enforced' })
    expect((await start({ file: FILE })).current().centerId).toBe('102')
  })

  it('is refused to be changed, together with all that was to be changed with it', async () => {
    const { start } = station()
    const store = await start({ file: FILE, enforced: ['centerId'] })
    expect(await store.update({ centerId: '102', requireBothEyes: true })).toMatchObject(REFUSED)
    expect(store.current()).toMatchObject({ centerId: '101', requireBothEyes: false })
    expect(await store.update({ requireBothEyes: true })).toMatchObject({ ok: true })
  })

  it('takes the secret of the file once more where a person had entered another', async () => {
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

  it('lets a person enter the secret that the file leaves out, and nothing else', async () => {
    const { start, secrets } = station()
    const store = await start({ file: { service: SERVICE }, enforced: ['service'] })
    const { service } = store.current()
    expect(await managedOf(store)).toEqual({ service: 'enforced' })
    expect(
      await store.update({ service: { ...service!, clientId: 'other', clientSecret: 'mine' } }),
    ).toMatchObject(REFUSED)
    expect(await store.update({ service: { ...service!, clientSecret: 'mine' } })).toMatchObject({ ok: true })
    expect(await secretIn(secrets)).toBe('mine')
    expect(store.current().service).toEqual(service)
  })
})

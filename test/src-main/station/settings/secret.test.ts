import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSecretFromEnvironment } from '../../../../src-main/station/ports.ts'
import { parseConfig } from '../../../../src-main/station/settings/managed-files.ts'
import { openSettingsStore } from '../../../../src-main/station/settings/settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { createMemorySecrets, secretIn } from '../../../tools/memory-secrets.ts'
import { config, openSettings as open, type Opened } from './open-settings-again.ts'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'clinic' }

/** A secret store that takes nothing until there is space. */
function fullStore() {
  const kept = createMemorySecrets()
  const disk = { isFull: true }
  const write = (value: string) => (disk.isFull ? Promise.reject(new Error('full')) : kept.write(value))
  return { disk, secrets: { ...kept, write } }
}

const onDisk = (opened: Opened): string => readFileSync(join(opened.folder, 'settings.json'), 'utf8')

describe('the secret', () => {
  it('is taken out of the file into the store, and stands nowhere else', async () => {
    const opened = await open({ service: { ...SERVICE, clientSecret: 'very secret' } })
    expect(await secretIn(opened.secrets)).toBe('very secret')
    expect(onDisk(opened)).not.toContain('very secret')
    expect(await opened.store.shown()).toMatchObject({ service: { ...SERVICE, hasClientSecret: true } })
    expect(JSON.stringify(await opened.store.shown())).not.toContain('very secret')
  })

  it('is taken once: what a person enters later is not overwritten at the next start', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'from the file' } }
    const first = await open(file)
    await first.store.update({ service: { ...config(file).service!, clientSecret: 'from a person' } })
    const second = await first.again(file)
    expect(await secretIn(second.secrets)).toBe('from a person')
    expect(second.secrets.written).toEqual(['from the file', 'from a person'])
    expect(onDisk(second)).not.toMatch(/from a person|from the file/)
  })

  it('is taken again if the file states another', async () => {
    const first = await open({ service: { ...SERVICE, clientSecret: 'old' } })
    const second = await first.again({ service: { ...SERVICE, clientSecret: 'new' } })
    expect(await secretIn(second.secrets)).toBe('new')
    expect(second.store.current().service).toMatchObject(SERVICE)
  })

  it('stays if a change of the service leaves it out', async () => {
    const opened = await open({ service: { ...SERVICE, clientSecret: 'kept' } })
    const changed = { ...config({ service: SERVICE }).service!, clientId: 'other' }
    expect(await opened.store.update({ service: changed })).toMatchObject({ ok: true })
    expect(opened.store.current().service?.clientId).toBe('other')
    expect(await secretIn(opened.secrets)).toBe('kept')
  })

  it('is required again if the address is another, so that no other service is shown the kept one', async () => {
    const opened = await open({ service: { ...SERVICE, clientSecret: 'kept' } })
    const moved = { ...config({ service: SERVICE }).service!, baseUrl: 'https://moved.example' }
    expect(await opened.store.update({ service: moved })).toMatchObject({
      ok: false,
      failure: { kind: 'badRequest', message: expect.stringMatching(/saved one is for another address/) },
    })
    expect(opened.store.current().service).toMatchObject(SERVICE)
    expect(await opened.store.update({ service: { ...moved, clientSecret: 'new' } })).toMatchObject({
      ok: true,
    })
    expect(opened.store.current().service?.baseUrl).toBe('https://moved.example')
    expect(await secretIn(opened.secrets)).toBe('new')
  })

  it('that cannot be stored, or read, is reported in a sentence and changes nothing', async () => {
    const refuse = () => Promise.reject(Object.assign(new Error('very secret'), { code: 'EIO' }))
    const broken = { ...createMemorySecrets(), read: refuse, write: refuse }
    const opened = await open({ service: { ...SERVICE, clientSecret: 'very secret' } }, undefined, broken)
    const { service } = opened.store.current()
    expect(await opened.store.shown()).toMatchObject({ service: { hasClientSecret: true } })
    const entered = { ...service!, clientId: 'other', clientSecret: 'very secret' }
    expect(await opened.store.update({ service: entered, centerId: '7' })).toMatchObject({
      ok: false,
      failure: { kind: 'storage', message: expect.stringMatching(/could not be saved.*nothing was changed/) },
    })
    expect(opened.store.current()).toMatchObject({ service: SERVICE, centerId: null })
  })

  it('before is there again if the settings that a new one belongs to cannot be written', async () => {
    const opened = await open({ service: { ...SERVICE, clientSecret: 'kept' } })
    const moved = { ...config({ service: SERVICE }).service!, baseUrl: 'https://moved.example' }
    rmSync(join(opened.folder, 'settings.json'))
    // Nothing can replace a folder that holds something.
    mkdirSync(join(opened.folder, 'settings.json', 'in-the-way'), { recursive: true })
    await expect(opened.store.update({ service: { ...moved, clientSecret: 'new' } })).rejects.toThrow()
    expect(opened.store.current().service).toMatchObject(SERVICE)
    expect(opened.secrets.written).toEqual(['kept', 'new', 'kept'])
  })

  it('of the file is used before it can be kept, is kept as soon as that is possible, and no other takes its place', async () => {
    const first = await open({ service: { ...SERVICE, clientSecret: 'of the old one' } })
    let isFull = true
    const secrets = {
      ...first.secrets,
      write: async (value: string) => {
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        await first.secrets.write(value)
      },
    }
    const moved = {
      service: { baseUrl: 'https://moved.example', clientId: 'clinic', clientSecret: 'of the moved one' },
    }
    const logger = createRecordingLogger()
    const opening = {
      dataFolder: first.folder,
      config: parseConfig(moved),
      secrets,
      logger,
    }
    const store = await openSettingsStore(opening)
    expect(await store.readSecret(moved.service.baseUrl)).toBe('of the moved one')
    expect(await secretIn(secrets)).toBe('of the old one')
    expect(await store.secretSource()).toEqual({ source: 'configurationFile', isLocked: false })
    const { clientSecret: _secret, ...service } = store.current().service!
    const renamed = { service: { ...service, clientId: 'other' } }
    expect(await store.update(renamed)).toMatchObject({ failure: { kind: 'storage' } })
    isFull = false
    expect(await store.readSecret(moved.service.baseUrl)).toBe('of the moved one')
    expect(await secretIn(secrets)).toBe('of the moved one')
    expect(await store.update(renamed)).toMatchObject({ ok: true })
    expect(JSON.stringify(logger.lines)).not.toContain('of the')

    const again = await openSettingsStore(opening)
    expect(await again.readSecret(moved.service.baseUrl)).toBe('of the moved one')
    expect(first.secrets.written).toEqual(['of the old one', 'of the moved one'])
  })

  it('of the file gives way to what a person enters before it could be kept', async () => {
    const { disk, secrets } = fullStore()
    const { store } = await open({ service: { ...SERVICE, clientSecret: 'of the file' } }, undefined, secrets)
    disk.isFull = false
    const service = { ...store.current().service!, clientSecret: 'of a person' }
    expect(await store.update({ service })).toMatchObject({ ok: true })
    expect(await store.readSecret(SERVICE.baseUrl)).toBe('of a person')
  })

  it('of a person is not replaced by the one of the file at the next start, which is older', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'of the file' } }
    const { disk, secrets } = fullStore()
    const first = await open(file, undefined, secrets)
    disk.isFull = false
    const service = { ...first.store.current().service!, clientSecret: 'rotated' }
    await first.store.update({ service })
    const second = await first.again(file)
    expect(await second.store.readSecret(SERVICE.baseUrl)).toBe('rotated')
  })

  it('of one service is not shown to another that comes into force again', async () => {
    const first = await open(null)
    const mine = { ...config({ service: SERVICE }).service!, clientSecret: 'mine' }
    await first.store.update({ service: mine })
    const other = { baseUrl: 'https://other.example', clientId: 'clinic', clientSecret: 'of the other' }
    const second = await first.again({ service: other }, ['service'])
    expect(await second.store.readSecret(other.baseUrl)).toBe('of the other')
    // A client that was opened before asks with the address that it was opened for.
    expect(await second.store.readSecret(SERVICE.baseUrl)).toBeNull()
    const third = await first.again(null)
    expect(third.store.current().service?.baseUrl).toBe(SERVICE.baseUrl)
    expect(await third.store.readSecret(SERVICE.baseUrl)).toBeNull()
    expect((await third.store.shown()).service).toMatchObject({ hasClientSecret: false })
  })

  it('is taken from a changed file by each account of this computer', async () => {
    const file = (clientSecret: string) => ({ service: { ...SERVICE, clientSecret } })
    const one = await open(file('first'))
    const other = await open(file('first'), one.folder)
    await one.again(file('rotated'))
    const then = await other.again(file('rotated'))
    expect(await then.store.readSecret(SERVICE.baseUrl)).toBe('rotated')
  })

  it('of a person is not replaced by the one of the file because another account has taken that', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'of the file' } }
    const one = await open(file)
    await one.store.update({ service: { ...config(file).service!, clientSecret: 'of a person' } })
    const other = await open(file, one.folder)
    expect(await other.store.readSecret(SERVICE.baseUrl)).toBe('of the file')
    const again = await one.again(file)
    expect(await again.store.readSecret(SERVICE.baseUrl)).toBe('of a person')
  })

  it('that the environment gives outweighs the one of the file', async () => {
    const refused = { ...createMemorySecrets(), write: () => Promise.reject(new Error('read-only')) }
    const secrets = withSecretFromEnvironment(refused, {
      FUNDUS_COURIER_CLIENT_SECRET: 'from the environment',
    })
    const file = { service: { ...SERVICE, clientSecret: 'of the file' } }
    const { store } = await open(file, undefined, { ...secrets, written: [] })
    expect(await store.readSecret(SERVICE.baseUrl)).toBe('from the environment')
  })

  it('that the environment gives is written nowhere, also where settings cannot be written', async () => {
    const kept = createMemorySecrets()
    const withEnvironment = withSecretFromEnvironment(kept, {
      FUNDUS_COURIER_CLIENT_SECRET: 'from the environment',
    })
    const opened = await open(null, undefined, { ...withEnvironment, written: [] })
    mkdirSync(join(opened.folder, 'settings.json', 'in-the-way'), { recursive: true })
    const service = { ...config({ service: SERVICE }).service!, clientSecret: 'entered' }
    await expect(opened.store.update({ service })).rejects.toThrow()
    expect(kept.written).toEqual(['entered'])
  })

  it('in an entry without an address is for no service', async () => {
    const { store } = await open({ service: SERVICE }, undefined, createMemorySecrets('{"secret":"x"}'))
    expect(await store.readSecret(SERVICE.baseUrl)).toBeNull()
  })

  it('that names no address is for the service that is set', async () => {
    const first = await open(null, undefined, createMemorySecrets('kept before'))
    const service = config({ service: SERVICE }).service!
    await first.store.update({ service: { ...service, clientSecret: 'x' } })
    await first.secrets.write('kept before')
    expect(await first.store.readSecret(SERVICE.baseUrl)).toBe('kept before')
  })

  it('of the file is not shown to another service that a person has set, if the store has lost its own', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'of the file' } }
    const first = await open(file)
    const moved = { ...config(file).service!, baseUrl: 'https://moved.example', clientSecret: 'of the moved' }
    await first.store.update({ service: moved })
    const second = await open(file, first.folder)
    expect(second.store.current().service?.baseUrl).toBe('https://moved.example')
    expect(await second.store.readSecret('https://moved.example')).toBeNull()
    expect(second.secrets.written).toEqual([])
  })

  it('of the file is not taken for another client of the same service', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'of the file' } }
    const first = await open(file)
    const client = { ...config(file).service!, clientId: 'other', clientSecret: 'of the other' }
    await first.store.update({ service: client })
    const second = await open(file, first.folder)
    expect(await second.store.readSecret(SERVICE.baseUrl)).toBeNull()
    expect(second.secrets.written).toEqual([])
  })

  it('is asked for if there is none, and nothing is changed', async () => {
    const opened = await open(null)
    const answer = await opened.store.update({ service: config({ service: SERVICE }).service! })
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'badRequest' } })
    expect(opened.store.current().service).toBeUndefined()
    expect((await opened.again(null)).store.current().service).toBeUndefined()
  })

  it('is taken from the file again if the store has lost it', async () => {
    const file = { service: { ...SERVICE, clientSecret: 'kept' } }
    const first = await open(file)
    // The same folder under another account: its keychain holds nothing.
    const second = await open(file, first.folder)
    expect(await secretIn(second.secrets)).toBe('kept')
    expect(await second.store.shown()).toMatchObject({ service: { hasClientSecret: true } })
  })
})

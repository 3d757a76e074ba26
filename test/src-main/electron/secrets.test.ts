/** The secret of this account in the system's safe, and a station whose secret cannot be read. */
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parseConfig } from '../../../src-main/station/settings/managed-files.ts'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import {
  SecretsLockedError,
  systemClock,
  withSecretFromEnvironment,
} from '../../../src-main/station/ports.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { ManualClock, rest } from '../../tools/manual-clock.ts'
import { addWaiting, openTestOutbox } from '../../tools/outbox-with.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { fakeSafe } from './fake-safe.ts'

const SECRET = 'a secret as it was issued'
const TEMPORARY = 'safeStorage.decryptStringAsync is temporarily unavailable. Please try again.'
const never = (): Promise<never> => new Promise(() => undefined)

/** A store on its file. Without a path the file is new. */
function open(
  safe: Safe = fakeSafe(),
  options: { readonly platform?: NodeJS.Platform; readonly path?: string } = {},
) {
  const { platform = 'linux', path = join(temporaryFolder(), 'secrets.json') } = options
  const logger = createRecordingLogger()
  const clock = new ManualClock()
  const store = createSecrets({ safe, path, platform, clock, logger })
  return {
    path,
    logger,
    clock,
    store,
    read: () => store.read(),
    write: (secret = SECRET) => store.write(secret),
    file: () => readFile(path, 'utf8'),
  }
}

/** The file of a store that holds the secret, opened again with another safe. */
async function reopened(safe: Safe, platform: NodeJS.Platform = 'darwin') {
  const first = open()
  await first.write()
  return open(safe, { platform, path: first.path })
}

describe('the secret store', () => {
  it('gives back what was written and leaves nothing readable on the disk', async () => {
    const { read, write, store, file, logger } = open()
    expect(await read()).toBeNull()
    await write('another')
    await write()
    expect(await read()).toBe(SECRET)
    expect(await file()).not.toContain(SECRET)
    expect(await store.storedIn()).toBe('safe')
    expect(logger.lines).toEqual([])
  })

  it.each([
    ['a key that is public', 'linux', { getSelectedStorageBackend: () => 'basic_text' }],
    ['no keyring yet', 'linux', { getSelectedStorageBackend: () => 'unknown' }],
    ['no safe at all', 'win32', { isAsyncEncryptionAvailable: () => Promise.resolve(false) }],
  ] satisfies [string, NodeJS.Platform, Partial<Safe>][])(
    'says so and uses a private file if the system has %s',
    async (_what, platform, changes) => {
      const { read, write, store, path, logger } = open(fakeSafe(changes), { platform })
      await write()
      expect(await read()).toBe(SECRET)
      expect(await store.storedIn()).toBe('privateFile')
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
      if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    },
  )

  it('uses the safe if its back end is chosen only at the first question', async () => {
    let chosen = 'unknown'
    const isEncryptionAvailable = (): boolean => {
      chosen = 'gnome_libsecret'
      return true
    }
    const { write, store, file } = open(
      fakeSafe({ getSelectedStorageBackend: () => chosen, isEncryptionAvailable }),
    )
    await write()
    expect(await file()).not.toContain(SECRET)
    expect(await store.storedIn()).toBe('safe')
  })

  it('does not ask for the back end if there is none to choose', async () => {
    const getSelectedStorageBackend = (): never => {
      throw new Error('only on Linux')
    }
    const { read, write } = open(fakeSafe({ getSelectedStorageBackend }), { platform: 'darwin' })
    await write()
    expect(await read()).toBe(SECRET)
  })

  it('is empty if the system cannot open it any more, logs nothing of it, and takes a new one', async () => {
    const { read, write, logger } = await reopened(fakeSafe({ key: 17 }), 'linux')
    expect(await read()).toBeNull()
    expect(logger.lines).toMatchObject([{ level: 'warn', facts: { kind: 'Error' } }])
    expect(JSON.stringify(logger.lines)).not.toContain('decrypting')
    await write('entered again')
    expect(await read()).toBe('entered again')
  })

  it.each(['not json', '[]', '"text"', '{"kind":"sealed"}', ''])(
    'is empty if the file is damaged: %j',
    async (content) => {
      const { read, path } = open()
      await writeFile(path, content)
      expect(await read()).toBeNull()
    },
  )

  it('seals again when the system has changed its key', async () => {
    const { read, write, file, path } = open(fakeSafe({ shouldReEncrypt: true }))
    await write()
    const sealed = await file()
    await writeFile(path, sealed.replace('{', '{ '))
    expect(await read()).toBe(SECRET)
    expect(await file()).toBe(sealed)
  })

  it('seals what was in the open once there is a safe', async () => {
    const before = open(fakeSafe({ getSelectedStorageBackend: () => 'basic_text' }))
    await before.write()
    expect(await before.file()).toContain(SECRET)
    const { read, file } = open(fakeSafe(), { path: before.path })
    expect(await read()).toBe(SECRET)
    expect(await file()).not.toContain(SECRET)
    expect(await read()).toBe(SECRET)
  })

  it('waits for a file that cannot be read now, says so once, and does not write over it', async () => {
    const { read, write, path, logger } = open()
    await mkdir(path)
    for (const work of [read, read]) await expect(work()).rejects.toThrow(SecretsLockedError)
    await expect(write()).rejects.toThrow()
    expect(logger.lines).toMatchObject([{ level: 'warn', facts: { code: 'EISDIR' } }])
    await rm(path, { recursive: true })
    await write()
    expect(await read()).toBe(SECRET)
  })
})

describe('a safe that does not open now', () => {
  it('is distinguished from a secret that is lost, and asked again', async () => {
    let isLocked = true
    const sound = fakeSafe()
    const decryptStringAsync: Safe['decryptStringAsync'] = (sealed) =>
      isLocked ? Promise.reject(new Error(TEMPORARY)) : sound.decryptStringAsync(sealed)
    const { read, store, file, logger } = await reopened(fakeSafe({ decryptStringAsync }))
    const before = await file()
    await expect(read()).rejects.toThrow(SecretsLockedError)
    expect(await file()).toBe(before)
    expect(await store.storedIn()).toBe('safe')
    expect(logger.lines).toEqual([])
    isLocked = false
    expect(await read()).toBe(SECRET)
  })

  it.each<[string, Partial<Safe>]>([
    ['whether it is there', { isAsyncEncryptionAvailable: never }],
    ['to seal', { encryptStringAsync: never }],
    ['to seal, and says so', { encryptStringAsync: () => Promise.reject(new Error(TEMPORARY)) }],
  ])('takes no new one while it does not answer %s, and leaves none in the open', async (_what, changes) => {
    const { write, file, clock } = open(fakeSafe(changes))
    const writing = expect(write()).rejects.toThrow(SecretsLockedError)
    await rest()
    await clock.turn(10_000)
    await writing
    await expect(file()).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('lets no reader wait', async () => {
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>()
    const sound = fakeSafe()
    const decryptStringAsync: Safe['decryptStringAsync'] = (sealed) =>
      unlocked.then(() => sound.decryptStringAsync(sealed))
    const { read, clock } = await reopened(fakeSafe({ decryptStringAsync }))
    const reading = expect(read()).rejects.toThrow(SecretsLockedError)
    await rest()
    await clock.turn(10_000)
    await reading
    // The clock stops here: the next reader is answered at once, until the safe is open.
    await expect(read()).rejects.toThrow(SecretsLockedError)
    unlock()
    await rest()
    expect(await read()).toBe(SECRET)
  })

  it('is asked once more after some minutes, if a question is never answered', async () => {
    const sound = fakeSafe()
    let asked = 0
    const decryptStringAsync: Safe['decryptStringAsync'] = (sealed) => {
      asked += 1
      return asked < 3 ? never() : sound.decryptStringAsync(sealed)
    }
    const { read, clock } = await reopened(fakeSafe({ decryptStringAsync }))
    const locked = async (): Promise<void> => {
      const reading = expect(read()).rejects.toThrow(SecretsLockedError)
      await rest()
      await clock.turn(10_000)
      await reading
    }
    await locked()
    await clock.turn(2 * 60_000)
    await locked()
    expect(asked).toBe(1)
    await clock.turn(60_000)
    await locked()
    expect(asked).toBe(2)
    await clock.turn(3 * 60_000)
    expect([await read(), await read()]).toEqual([SECRET, SECRET])
  })

  it('does not lose what it could read, if it cannot be sealed again', async () => {
    const encryptStringAsync = (): Promise<never> => Promise.reject(new Error('no'))
    const { read, logger } = await reopened(fakeSafe({ shouldReEncrypt: true, encryptStringAsync }))
    expect([await read(), await read()]).toEqual([SECRET, SECRET])
    expect(logger.lines).toMatchObject([{ level: 'warn' }, { level: 'warn' }])
  })

  it('does not seal again over what a person has entered since it was read', async () => {
    const { promise: opened, resolve: openIt } = Promise.withResolvers<void>()
    const stale = fakeSafe({ shouldReEncrypt: true })
    const decryptStringAsync: Safe['decryptStringAsync'] = (sealed) =>
      opened.then(() => stale.decryptStringAsync(sealed))
    const { read, write, path } = await reopened(fakeSafe({ decryptStringAsync }))
    const reading = read()
    await rest()
    await write('entered meanwhile')
    openIt()
    expect(await reading).toBe(SECRET)
    expect(await open(fakeSafe(), { path }).read()).toBe('entered meanwhile')
  })
})

it.each([
  [{ FUNDUS_COURIER_CLIENT_SECRET: SECRET }, SECRET],
  [{ FUNDUS_COURIER_CLIENT_SECRET: '' }, 'stored'],
  [{}, 'stored'],
])(
  'a secret in the environment counts before the stored one, and is not written: %j',
  async (environment, expected) => {
    const { store, read, write } = open()
    await write('stored')
    expect(await withSecretFromEnvironment(store, environment).read()).toBe(expected)
    expect(await read()).toBe('stored')
  },
)

const LOST = {
  mode: { kind: 'paused', why: 'signedOut' },
  service: {
    failure: {
      kind: 'signedOut',
      message: expect.stringContaining('The client secret is missing') as unknown,
    },
  },
}
const LOCKED = { mode: { kind: 'running' }, service: { failure: { kind: 'secretsLocked' } } }

it.each<[string, Partial<Safe> & { readonly key?: number }, object]>([
  ['lost', { key: 17 }, LOST],
  ['locked for a while', { decryptStringAsync: () => Promise.reject(new Error(TEMPORARY)) }, LOCKED],
])(
  'a secret that is %s stops the sending, says why and touches no case',
  async (_what, changes, expected) => {
    const folder = temporaryFolder()
    const dataFolder = join(folder, 'data')
    const path = join(folder, 'secrets.json')
    const stated = { service: { baseUrl: 'http://127.0.0.1:9/', clientId: 'clinic' } }
    const config = parseConfig(stated)
    const first = open(fakeSafe(), { platform: 'darwin', path })
    await first.write()
    const sealed = await first.file()
    const test = openTestOutbox(dataFolder)
    addWaiting(test)
    test.close()

    const logger = createRecordingLogger()
    const secrets = createSecrets({
      safe: fakeSafe(changes),
      path,
      platform: 'darwin',
      clock: systemClock,
      logger,
    })
    const station = await openStation({ dataFolder, config, ports: stationPorts({ secrets }) })
    onTestFinished(() => station.stop())
    const answer = (name: string, input: unknown = {}) => answerCall(station.handlers, logger, name, input)
    await expect.poll(() => answer('station.status')).toMatchObject({ value: expected })
    expect(await answer('submissions.list')).toMatchObject({
      value: { total: 1, items: [{ state: 'waiting', attempts: 0 }] },
    })
    // The file is left as it is: the keyring may come back.
    expect(await first.file()).toBe(sealed)
  },
)

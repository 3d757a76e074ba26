import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import { SecretsLockedError, withSecretFromEnvironment } from '../../../src-main/station/ports.ts'
import { ManualClock, rest } from '../../tools/manual-clock.ts'
import { fakeSafe } from './fake-safe.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = 'a secret as it was issued'

async function open(safe: Safe, platform: NodeJS.Platform = 'linux') {
  const path = join(await temporaryFolder(), 'secrets.json')
  const logger = recordingLogger()
  const clock = new ManualClock()
  return { path, logger, clock, secrets: createSecrets({ safe, path, platform, clock, logger }) }
}

describe('the secret store', () => {
  it('has no secret at first', async () => {
    const { secrets } = await open(fakeSafe())
    expect(await secrets.read('clientSecret')).toBeNull()
  })

  it('gives back what was written and leaves nothing readable on the disk', async () => {
    const { secrets, path, logger } = await open(fakeSafe())
    await secrets.write('clientSecret', 'another')
    await secrets.write('clientSecret', SECRET)
    expect(await secrets.read('clientSecret')).toBe(SECRET)
    expect(await readFile(path, 'utf8')).not.toContain(SECRET)
    expect(await secrets.storedIn()).toBe('safe')
    expect(logger.lines).toEqual([])
  })

  it.each([
    ['a key that everybody knows', 'linux', { getSelectedStorageBackend: () => 'basic_text' }],
    ['no keyring yet', 'linux', { getSelectedStorageBackend: () => 'unknown' }],
    ['no safe at all', 'win32', { isAsyncEncryptionAvailable: () => Promise.resolve(false) }],
  ] satisfies [string, NodeJS.Platform, Partial<Safe>][])(
    'says so and uses a private file where the system has %s',
    async (_what, platform, changes) => {
      const { secrets, path, logger } = await open(fakeSafe(changes), platform)
      await secrets.write('clientSecret', SECRET)
      expect(await secrets.read('clientSecret')).toBe(SECRET)
      expect(await secrets.storedIn()).toBe('privateFile')
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
      if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    },
  )

  it('uses the safe where its back end is chosen only once it is asked for', async () => {
    let chosen = 'unknown'
    const { secrets, path } = await open(
      fakeSafe({
        getSelectedStorageBackend: () => chosen,
        isEncryptionAvailable: () => {
          chosen = 'gnome_libsecret'
          return true
        },
      }),
    )
    await secrets.write('clientSecret', SECRET)
    expect(await readFile(path, 'utf8')).not.toContain(SECRET)
    expect(await secrets.storedIn()).toBe('safe')
  })

  it('does not ask for the back end where there is none to choose', async () => {
    const { secrets } = await open(
      fakeSafe({
        getSelectedStorageBackend: () => {
          throw new Error('only on Linux')
        },
      }),
      'darwin',
    )
    await secrets.write('clientSecret', SECRET)
    expect(await secrets.read('clientSecret')).toBe(SECRET)
  })

  it('is empty where the system cannot open it any more, says so without a word of it, and takes a new one', async () => {
    const { secrets, path } = await open(fakeSafe())
    await secrets.write('clientSecret', SECRET)
    const logger = recordingLogger()
    const elsewhere = createSecrets({
      safe: fakeSafe({ key: 17 }),
      path,
      platform: 'linux',
      clock: new ManualClock(),
      logger,
    })
    expect(await elsewhere.read('clientSecret')).toBeNull()
    expect(logger.lines).toMatchObject([{ level: 'warn', facts: { kind: 'Error' } }])
    expect(JSON.stringify(logger.lines)).not.toContain('decrypting')
    await elsewhere.write('clientSecret', 'entered again')
    expect(await elsewhere.read('clientSecret')).toBe('entered again')
  })

  it.each(['not json', '[]', '{"clientSecret":"text"}', '{"clientSecret":{"kind":"sealed"}}', ''])(
    'is empty where the file is damaged: %j',
    async (content) => {
      const { secrets, path } = await open(fakeSafe())
      await writeFile(path, content)
      expect(await secrets.read('clientSecret')).toBeNull()
    },
  )

  it('seals anew where the system has changed its key', async () => {
    const { secrets, path } = await open(fakeSafe({ shouldReEncrypt: true }))
    await secrets.write('clientSecret', SECRET)
    await writeFile(`${path}.seen`, await readFile(path))
    await writeFile(path, (await readFile(path, 'utf8')).replace('{', '{ '))
    expect(await secrets.read('clientSecret')).toBe(SECRET)
    expect(await readFile(path, 'utf8')).toBe(await readFile(`${path}.seen`, 'utf8'))
  })
})

describe('a safe that is there and does not open now', () => {
  const TEMPORARY = 'safeStorage.decryptStringAsync is temporarily unavailable. Please try again.'

  it('is told apart from a secret that is lost, and asked again', async () => {
    const { secrets, path, logger } = await open(fakeSafe())
    await secrets.write('clientSecret', SECRET)
    const before = await readFile(path, 'utf8')
    let isLocked = true
    const sound = fakeSafe()
    const safe = fakeSafe({
      decryptStringAsync: (sealed) =>
        isLocked ? Promise.reject(new Error(TEMPORARY)) : sound.decryptStringAsync(sealed),
    })
    const later = createSecrets({ safe, path, platform: 'darwin', clock: new ManualClock(), logger })
    await expect(later.read('clientSecret')).rejects.toThrow(SecretsLockedError)
    expect(await readFile(path, 'utf8')).toBe(before)
    expect(await later.storedIn()).toBe('safe')
    expect(logger.lines).toEqual([])
    isLocked = false
    expect(await later.read('clientSecret')).toBe(SECRET)
  })

  it.each<[string, Partial<Safe>]>([
    ['whether it is there', { isAsyncEncryptionAvailable: () => new Promise(() => undefined) }],
    ['to seal', { encryptStringAsync: () => new Promise(() => undefined) }],
    ['to seal, and says so', { encryptStringAsync: () => Promise.reject(new Error(TEMPORARY)) }],
  ])('takes no new one while it does not answer %s, and leaves none in the open', async (_what, changes) => {
    const { secrets, path, clock } = await open(fakeSafe(changes))
    const writing = expect(secrets.write('clientSecret', SECRET)).rejects.toThrow(SecretsLockedError)
    await rest()
    await clock.turn(10_000)
    await writing
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('keeps nobody waiting who reads', async () => {
    const { secrets, path } = await open(fakeSafe())
    await secrets.write('clientSecret', SECRET)
    const { clock, logger } = await open(fakeSafe())
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>()
    const sound = fakeSafe()
    const safe = fakeSafe({
      decryptStringAsync: (sealed) => unlocked.then(() => sound.decryptStringAsync(sealed)),
    })
    const hanging = createSecrets({ safe, path, platform: 'darwin', clock, logger })
    const reading = expect(hanging.read('clientSecret')).rejects.toThrow(SecretsLockedError)
    await rest()
    await clock.turn(10_000)
    await reading
    // The clock stands still: whoever asks again is answered at once, until the safe is open.
    await expect(hanging.read('clientSecret')).rejects.toThrow(SecretsLockedError)
    unlock()
    await rest()
    expect(await hanging.read('clientSecret')).toBe(SECRET)
  })

  it('is asked once more after some minutes, where a question is never answered', async () => {
    const { secrets, path, clock, logger } = await open(fakeSafe())
    await secrets.write('clientSecret', SECRET)
    const sound = fakeSafe()
    let asked = 0
    const safe = fakeSafe({
      decryptStringAsync: (sealed) => {
        asked += 1
        return asked < 3 ? new Promise(() => undefined) : sound.decryptStringAsync(sealed)
      },
    })
    const store = createSecrets({ safe, path, platform: 'darwin', clock, logger })
    const locked = async (): Promise<void> => {
      const reading = expect(store.read('clientSecret')).rejects.toThrow(SecretsLockedError)
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
    expect(await store.read('clientSecret')).toBe(SECRET)
    expect(await store.read('clientSecret')).toBe(SECRET)
  })

  it('does not lose what it could read, where it cannot be sealed anew', async () => {
    const { secrets, path, logger } = await open(fakeSafe())
    await secrets.write('clientSecret', SECRET)
    const safe = fakeSafe({
      shouldReEncrypt: true,
      encryptStringAsync: () => Promise.reject(new Error('no')),
    })
    const store = createSecrets({ safe, path, platform: 'darwin', clock: new ManualClock(), logger })
    expect(await store.read('clientSecret')).toBe(SECRET)
    expect(await store.read('clientSecret')).toBe(SECRET)
    expect(logger.lines).toMatchObject([{ level: 'warn' }, { level: 'warn' }])
  })
})

it('puts what lay in the open into a safe that has come since', async () => {
  const { secrets, path, logger } = await open(
    fakeSafe({ getSelectedStorageBackend: () => 'basic_text' }),
    'linux',
  )
  await secrets.write('clientSecret', SECRET)
  expect(await readFile(path, 'utf8')).toContain(SECRET)
  const safe = fakeSafe()
  const since = createSecrets({ safe, path, platform: 'linux', clock: new ManualClock(), logger })
  expect(await since.read('clientSecret')).toBe(SECRET)
  expect(await readFile(path, 'utf8')).not.toContain(SECRET)
  expect(await since.read('clientSecret')).toBe(SECRET)
})

describe('a secret in the environment', () => {
  it('counts before the stored one, and is not written', async () => {
    const { secrets } = await open(fakeSafe())
    await secrets.write('clientSecret', 'stored')
    const store = withSecretFromEnvironment(secrets, { FUNDUS_COURIER_CLIENT_SECRET: SECRET })
    expect(await store.read('clientSecret')).toBe(SECRET)
    expect(await secrets.read('clientSecret')).toBe('stored')
  })

  it.each([{}, { FUNDUS_COURIER_CLIENT_SECRET: '' }])(
    'is none where it is not set: %j',
    async (environment) => {
      const { secrets } = await open(fakeSafe())
      await secrets.write('clientSecret', 'stored')
      expect(await withSecretFromEnvironment(secrets, environment).read('clientSecret')).toBe('stored')
    },
  )
})

it('waits for a file that cannot be read now, says so once, and does not write over it', async () => {
  const { secrets, path, logger } = await open(fakeSafe())
  await mkdir(path)
  await expect(secrets.read('clientSecret')).rejects.toThrow(SecretsLockedError)
  await expect(secrets.read('clientSecret')).rejects.toThrow(SecretsLockedError)
  await expect(secrets.write('clientSecret', SECRET)).rejects.toThrow(SecretsLockedError)
  expect(logger.lines).toMatchObject([{ level: 'warn', facts: { code: 'EISDIR' } }])
  await rm(path, { recursive: true })
  await secrets.write('clientSecret', SECRET)
  expect(await secrets.read('clientSecret')).toBe(SECRET)
})

it('does not seal anew over what somebody has entered since it was read', async () => {
  const { secrets, path, logger } = await open(fakeSafe())
  await secrets.write('clientSecret', SECRET)
  const { promise: opened, resolve: openIt } = Promise.withResolvers<void>()
  const stale = fakeSafe({ shouldReEncrypt: true })
  const safe = fakeSafe({
    decryptStringAsync: (sealed) => opened.then(() => stale.decryptStringAsync(sealed)),
  })
  const store = createSecrets({ safe, path, platform: 'darwin', clock: new ManualClock(), logger })
  const reading = store.read('clientSecret')
  await rest()
  await store.write('clientSecret', 'entered meanwhile')
  openIt()
  expect(await reading).toBe(SECRET)
  expect(await secrets.read('clientSecret')).toBe('entered meanwhile')
})

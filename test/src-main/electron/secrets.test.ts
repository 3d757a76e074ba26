import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { withSecretFromEnvironment } from '../../../src-main/station/secrets-from-environment.ts'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = 'a secret as it was issued'

/** Seals by turning the bytes over under a key; another key cannot open it. */
function fakeSafe(
  changes: Partial<Safe> & { readonly key?: number; readonly shouldReEncrypt?: boolean } = {},
): Safe {
  const { key = 90, shouldReEncrypt = false, ...rest } = changes
  const turn = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => byte ^ key))
  return {
    isAsyncEncryptionAvailable: () => Promise.resolve(true),
    encryptStringAsync: (text) => Promise.resolve(turn(Buffer.from(`sealed ${text}`))),
    decryptStringAsync: (sealed) => {
      const text = turn(sealed).toString()
      if (!text.startsWith('sealed ')) return Promise.reject(new Error(`Error while decrypting ${text}`))
      return Promise.resolve({ result: text.slice('sealed '.length), shouldReEncrypt })
    },
    getSelectedStorageBackend: () => 'gnome_libsecret',
    ...rest,
  }
}

async function open(safe: Safe, platform: NodeJS.Platform = 'linux') {
  const path = join(await temporaryFolder(), 'secrets.json')
  const logger = recordingLogger()
  return { path, logger, secrets: createSecrets({ safe, path, platform, logger }) }
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
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
      if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600)
    },
  )

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
    const elsewhere = createSecrets({ safe: fakeSafe({ key: 17 }), path, platform: 'linux', logger })
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

/** What becomes of a station whose configuration file cannot be read at a start. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'
import { readManagedSetup } from '../../../src-main/electron/managed-setup.ts'
import { SecretsLockedError, type SecretStore } from '../../../src-main/station/ports.ts'
import { openSettingsStore } from '../../../src-main/station/settings/settings.ts'
import { createMemorySecrets, secretIn } from '../../tools/memory-secrets.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const FILE = {
  service: { baseUrl: 'https://service.example/api', clientId: 'clinic', clientSecret: 'hush hush' },
  centerId: '101',
  requireBothEyes: false,
  updates: { feed: 'https://updates.clinic.example' },
  enforced: ['centerId'],
}

async function station() {
  const folder = await temporaryFolder()
  const dataFolder = join(folder, 'data')
  const path = join(folder, 'config.json')
  const memory = join(dataFolder, 'configuration-in-force.json')
  const secrets = createMemorySecrets()
  const logger = recordingLogger()
  const start = async (words: readonly string[] = [`--config=${path}`]) => {
    const read = await readManagedSetup({
      commandLine: readCommandLine(words),
      dataFolder,
      // Without a folder for programs' data no policy is looked for.
      platform: 'win32',
      programData: undefined,
      logger,
    })
    const { config } = read
    const open = (safe: SecretStore = secrets) =>
      openSettingsStore({ dataFolder, config, secrets: safe, logger })
    return { ...read, open }
  }
  const lay = (content: unknown) =>
    writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return { folder, path, memory, secrets, logger, start, lay }
}

it.each([
  ['gone', null, 'unreadable'],
  ['half written', '{"service":{"clientSecret":"hush', 'broken'],
] as const)(
  'a file that is %s: what it said before holds, with its locks and what was set over it, but for the feed',
  async (_what, content, state) => {
    const { path, memory, secrets, logger, start, lay } = await station()
    await lay(FILE)
    const first = await start()
    expect(first).toMatchObject({
      startAs: 'working',
      managed: { files: [{ state: 'read', inForce: 'this' }] },
    })
    const set = await first.open()
    const { service } = set.current()
    const own = {
      service: { ...service!, clientId: 'room-3', clientSecret: 'entered' },
      requireBothEyes: true,
    }
    expect(await set.update(own)).toMatchObject({ ok: true })
    expect(await readFile(memory, 'utf8')).not.toContain('hush')

    await (content === null ? rm(path) : lay(content))
    const second = await start()
    expect(second).toMatchObject({
      startAs: 'working',
      managed: { files: [{ state, inForce: 'lastKnown' }] },
    })
    const store = await second.open()
    expect(store.current()).toMatchObject({
      service: { baseUrl: FILE.service.baseUrl, clientId: 'room-3' },
      centerId: '101',
      requireBothEyes: true,
      updates: { feed: null, install: 'off' },
    })
    expect(await store.update({ centerId: '202' })).toMatchObject({ failure: { kind: 'notAllowed' } })

    await lay(FILE)
    expect((await (await start()).open()).current()).toMatchObject({ service: { clientId: 'room-3' } })
    expect(await secretIn(secrets)).toBe('entered')
    expect(JSON.stringify(logger.lines)).not.toContain('hush')
  },
)

it('keeps the secret locked that the file enforces, also while the file cannot be read', async () => {
  const { path, secrets, start, lay } = await station()
  await lay({ ...FILE, enforced: ['service'] })
  await (await start()).open()
  await rm(path)
  const store = await (await start()).open()
  expect((await store.shown()).managed).toMatchObject({
    service: 'enforced',
    'service.clientSecret': 'enforced',
  })
  const service = { ...store.current().service!, clientSecret: 'mine' }
  expect(await store.update({ service })).toMatchObject({ failure: { kind: 'notAllowed' } })
  expect(await secretIn(secrets)).toBe('hush hush')
})

it('shows the kept secret to no service that the file named while the safe was locked', async () => {
  const { path, secrets, start, lay } = await station()
  await lay(FILE)
  await (await start()).open()
  const moved = { ...FILE.service, baseUrl: 'https://moved.example', clientSecret: 'of the moved one' }
  await lay({ ...FILE, service: moved })
  const meanwhile = await (
    await start()
  ).open({
    ...secrets,
    write: () => Promise.reject(new SecretsLockedError()),
  })
  expect(meanwhile.current().service).toEqual(expect.objectContaining(moved))
  await rm(path)
  const store = await (await start()).open()
  expect(await secretIn(secrets)).toBe('hush hush')
  expect(store.current()).toMatchObject({ service: { baseUrl: moved.baseUrl }, centerId: '101' })
  expect(await store.readSecret(moved.baseUrl)).toBeNull()
  expect((await store.shown()).service).toMatchObject({ hasClientSecret: false })

  await lay({ ...FILE, service: moved })
  await (await start()).open()
  await rm(path)
  expect(await (await (await start()).open()).readSecret(moved.baseUrl)).toBe('of the moved one')
})

it('starts safely where nothing is known of the file: never read, another one, or a memory that is damaged', async () => {
  const { folder, path, memory, logger, start, lay } = await station()
  const unknown = { config: null, startAs: 'safe', managed: { files: [{ inForce: 'nothing' }] } }
  expect(await start()).toMatchObject(unknown)
  await lay(FILE)
  expect((await start()).startAs).toBe('working')
  expect(await start([`--config=${join(folder, 'other.json')}`])).toMatchObject(unknown)
  await rm(path)
  await writeFile(memory, '{"path":')
  expect(await start()).toMatchObject(unknown)
  expect(logger.lines.at(-1)?.message).toContain('nothing is taken in or sent')
  expect(await start([])).toMatchObject({ config: null, startAs: 'working', managed: { files: [] } })
})

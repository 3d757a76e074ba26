/** The files of an administrator: policy and configuration, with real files and real settings. */
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readCommandLine } from '../../../src-main/electron/command-line.ts'
import { enrolmentPath, isAdministratorFile, readManagedSetup } from '../../../src-main/electron/machine.ts'
import { answerCall } from '../../../src-main/station/calls/calls.ts'
import { SecretsLockedError, type SecretStore } from '../../../src-main/station/ports.ts'
import { openSettingsStore } from '../../../src-main/station/settings/settings.ts'
import { openStation } from '../../../src-main/station/station.ts'
import { createMemorySecrets, secretIn } from '../../tools/memory-secrets.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { stationPorts } from '../../tools/station-ports.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'

/** The tests run as the administrator of their own files. */
const ME = process.getuid?.() ?? 0

async function write(path: string, content: unknown, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  await chmod(path, mode)
}

describe('a policy file', () => {
  const POLICY = { centerId: '101', enforced: ['centerId'] }
  const FOREIGN = { centerId: '666', enforced: ['centerId'] }

  function setup() {
    const folder = temporaryFolder()
    const dataFolder = join(folder, 'data')
    const path = join(folder, 'policy.json')
    const logger = createRecordingLogger()
    const commandLine = readCommandLine([])
    const read = async (administrator = ME) => {
      const options = { commandLine, dataFolder, platform: 'linux', administrator, logger } as const
      const { managed } = await readManagedSetup({ ...options, policyPath: path })
      return { policy: managed.policy, file: managed.files[0] }
    }
    return { path, dataFolder, logger, read }
  }

  it('counts without any flag', async () => {
    const { read, path } = setup()
    await write(path, `\uFEFF${JSON.stringify(POLICY)}`)
    expect(await read()).toEqual({
      policy: {
        defaults: {},
        enforced: { centerId: '101' },
        unknownNames: [],
        service: null,
        enrolment: null,
      },
      file: { kind: 'policy', path, state: 'read', inForce: 'this', detail: null, unknownNames: [] },
    })
  })

  it.each<[string, unknown, number, number, string]>([
    ['broken', '{"enforced":', 0o644, ME, 'broken'],
    ['wrong in a value', '{"centerId":7}', 0o644, ME, 'broken'],
    ['writable by others', FOREIGN, 0o666, ME, 'unsafe'],
    ['writable by a group', FOREIGN, 0o664, ME, 'unsafe'],
    ["another's", FOREIGN, 0o644, ME + 1, 'unsafe'],
    ['gone', null, 0o644, ME, 'none'],
  ])(
    'that is %s leaves locked what was locked, and says so',
    async (_what, content, mode, administrator, state) => {
      const { read, path, logger } = setup()
      await write(path, POLICY)
      await read()
      if (content === null) await rm(path)
      else await write(path, content, mode)
      expect(await read(administrator)).toMatchObject({
        policy: { enforced: { centerId: '101' } },
        file: { state, inForce: 'lastKnown' },
      })
      expect(logger.lines).toMatchObject([{ level: 'warn' }])
    },
  )

  it('that is not there, or never could be read, locks nothing, and the station goes on', async () => {
    const { read, path, logger } = setup()
    expect(await read()).toMatchObject({ policy: null, file: { state: 'none', inForce: 'nothing' } })
    expect(logger.lines).toEqual([])
    await write(path, '{"delivery":{"concurrency":"many"}}')
    const detail: unknown = expect.stringContaining('delivery.concurrency: ')
    expect(await read()).toMatchObject({
      policy: null,
      file: { state: 'broken', inForce: 'nothing', detail },
    })
  })

  it('is lifted by an empty one, for good', async () => {
    const { read, path } = setup()
    await write(path, POLICY)
    await read()
    await write(path, {})
    expect(await read()).toMatchObject({ policy: { enforced: {} }, file: { state: 'read' } })
    await rm(path)
    expect(await read()).toMatchObject({ policy: { enforced: {} } })
  })

  it('looks for no updates at an address that only its memory names', async () => {
    const { read, path, dataFolder } = setup()
    await write(path, { updates: { feed: 'https://updates.clinic.example' }, enforced: ['updates'] })
    expect((await read()).policy?.enforced).toEqual({ updates: { feed: 'https://updates.clinic.example' } })
    await rm(path)
    expect((await read()).policy?.enforced).toEqual({ updates: { install: 'off' } })
    const updates = { feed: 'https://evil.example', install: 'quietMoment' }
    const planted = { path, stated: { updates }, hasSecret: false }
    await write(join(dataFolder, 'policy-in-force.json'), planted)
    expect((await read()).policy?.defaults).toEqual({ updates: { install: 'off' } })
  })

  it('leaves no secret behind', async () => {
    const { read, path, dataFolder } = setup()
    const service = { baseUrl: 'https://a.example', clientId: 'c', clientSecret: 'hush' }
    await write(path, { service, enforced: ['service'] })
    expect((await read()).file?.unknownNames).toEqual(['service.clientSecret'])
    expect(await readFile(join(dataFolder, 'policy-in-force.json'), 'utf8')).not.toContain('hush')
  })

  it.each([
    ['linux', 0, 0o100644, true],
    ['linux', 0, 0o100600, true],
    ['linux', 0, 0o100664, false],
    ['linux', 0, 0o100646, false],
    ['darwin', 501, 0o100644, false],
    ['win32', 0, 0o100666, true],
  ] as const)(
    'is believed on %s if it belongs to %d and has mode %o: %j',
    (platform, uid, mode, isBelieved) => {
      expect(isAdministratorFile({ uid, mode }, platform)).toBe(isBelieved)
    },
  )

  it.each([
    [null, null, '/etc/fc/enrolment.json', false],
    ['rooms/3.json', null, '/etc/fc/rooms/3.json', true],
    ['/srv/3.json', null, '/srv/3.json', true],
    ['/srv/3.json', '/mnt/e.json', '/mnt/e.json', true],
  ])('has the enrolment beside it, unless it is named: %j %j', (named, requested, path, isExpected) => {
    expect(enrolmentPath('/etc/fc/policy.json', { enrolment: named }, requested)).toEqual({
      path,
      isExpected,
    })
  })
})

describe('a configuration file', () => {
  const FILE = {
    service: { baseUrl: 'https://service.example/api', clientId: 'clinic', clientSecret: 'hush hush' },
    centerId: '101',
    requireBothEyes: false,
    updates: { feed: 'https://updates.clinic.example' },
    enforced: ['centerId'],
  }

  function setup() {
    const folder = temporaryFolder()
    const dataFolder = join(folder, 'data')
    const path = join(folder, 'config.json')
    const secrets = createMemorySecrets()
    const logger = createRecordingLogger()
    const start = async (parameters: readonly string[] = [`--config=${path}`]) => {
      const read = await readManagedSetup({
        commandLine: readCommandLine(parameters),
        dataFolder,
        platform: 'linux',
        policyPath: null,
        logger,
      })
      const open = (safe: SecretStore = secrets) =>
        openSettingsStore({ dataFolder, config: read.config, secrets: safe, logger })
      return { ...read, open }
    }
    const openAgain = async () => (await start()).open()
    return { folder, dataFolder, path, secrets, logger, start, openAgain }
  }

  it.each([
    ['gone', null, 'unreadable'],
    ['half written', '{"service":{"clientSecret":"hush', 'broken'],
  ] as const)(
    'that is %s still holds, with its locks and what was set over it, but for the feed',
    async (_what, content, state) => {
      const { path, dataFolder, secrets, logger, start, openAgain } = setup()
      await write(path, FILE)
      const first = await start()
      expect(first).toMatchObject({ startAs: 'working', managed: { files: [{ inForce: 'this' }] } })
      const store = await first.open()
      const service = { ...store.current().service!, clientId: 'room-3', clientSecret: 'entered' }
      expect(await store.update({ service, requireBothEyes: true })).toMatchObject({ ok: true })
      expect(await readFile(join(dataFolder, 'configuration-in-force.json'), 'utf8')).not.toContain('hush')

      await (content === null ? rm(path) : write(path, content))
      const second = await start()
      expect(second).toMatchObject({
        startAs: 'working',
        managed: { files: [{ state, inForce: 'lastKnown' }] },
      })
      const again = await second.open()
      expect(again.current()).toMatchObject({
        service: { baseUrl: FILE.service.baseUrl, clientId: 'room-3' },
        centerId: '101',
        requireBothEyes: true,
        updates: { feed: null, install: 'off' },
      })
      expect(await again.update({ centerId: '202' })).toMatchObject({ failure: { kind: 'notAllowed' } })

      await write(path, FILE)
      expect((await openAgain()).current()).toMatchObject({ service: { clientId: 'room-3' } })
      expect(await secretIn(secrets)).toBe('entered')
      expect(JSON.stringify(logger.lines)).not.toContain('hush')
    },
  )

  it('locks the secret that it enforces, also while it cannot be read', async () => {
    const { path, secrets, openAgain } = setup()
    await write(path, { ...FILE, enforced: ['service'] })
    await openAgain()
    await rm(path)
    const store = await openAgain()
    expect((await store.shown()).managed).toMatchObject({
      service: 'enforced',
      'service.clientSecret': 'enforced',
    })
    const service = { ...store.current().service!, clientSecret: 'mine' }
    expect(await store.update({ service })).toMatchObject({ failure: { kind: 'notAllowed' } })
    expect(await secretIn(secrets)).toBe('hush hush')
  })

  it('shows the stored secret to no service that it named while the safe was locked', async () => {
    const { path, secrets, start, openAgain } = setup()
    await write(path, FILE)
    await openAgain()
    const moved = { ...FILE.service, baseUrl: 'https://moved.example', clientSecret: 'of the moved one' }
    await write(path, { ...FILE, service: moved })
    const locked = { ...secrets, write: () => Promise.reject(new SecretsLockedError()) }
    const meanwhile = await (await start()).open(locked)
    expect(meanwhile.current().service).toMatchObject({ baseUrl: moved.baseUrl })
    expect(await meanwhile.readSecret(moved.baseUrl)).toBe('of the moved one')
    await rm(path)
    const store = await openAgain()
    expect(await secretIn(secrets)).toBe('hush hush')
    expect(store.current()).toMatchObject({ service: { baseUrl: moved.baseUrl }, centerId: '101' })
    expect(await store.readSecret(moved.baseUrl)).toBeNull()
    expect((await store.shown()).service).toMatchObject({ hasClientSecret: false })

    await write(path, { ...FILE, service: moved })
    await openAgain()
    await rm(path)
    expect(await (await openAgain()).readSecret(moved.baseUrl)).toBe('of the moved one')
  })

  it('of which nothing is known leads to a safe start: never read, another one, or a damaged memory', async () => {
    const { folder, dataFolder, path, logger, start } = setup()
    const unknown = { config: null, startAs: 'safe', managed: { files: [{ inForce: 'nothing' }] } }
    expect(await start()).toMatchObject(unknown)
    await write(path, FILE)
    expect((await start()).startAs).toBe('working')
    expect(await start([`--config=${join(folder, 'other.json')}`])).toMatchObject(unknown)
    await rm(path)
    await write(join(dataFolder, 'configuration-in-force.json'), '{"path":')
    expect(await start()).toMatchObject(unknown)
    expect(logger.lines.at(-1)?.message).toContain('nothing is taken in or sent')
    expect(await start([])).toMatchObject({ config: null, startAs: 'working', managed: { files: [] } })
  })
})

it('a station follows its policy and its enrolment from the first start on, also if the policy is lost', async () => {
  const folder = temporaryFolder()
  const dataFolder = join(folder, 'data')
  const path = join(folder, 'policy.json')
  const enrolment = join(folder, 'rooms', '3.json')
  const baseUrl = 'http://127.0.0.1:9'
  await write(path, {
    requireBothEyes: true,
    delivery: { concurrency: 1 },
    service: { baseUrl },
    enforced: ['delivery', 'service'],
    enrolment: 'rooms/3.json',
  })
  const service = { baseUrl, clientId: 'room-3', clientSecret: 'hush hush' }
  await write(enrolment, { service, centerId: '101' })
  const secrets = createMemorySecrets()

  const start = async (parameters: readonly string[] = []) => {
    const { config, managed } = await readManagedSetup({
      commandLine: readCommandLine(parameters),
      dataFolder,
      platform: 'linux',
      policyPath: path,
      administrator: ME,
      logger: createRecordingLogger(),
    })
    const ports = stationPorts({ secrets })
    const station = await openStation({ dataFolder, config, managed, ports })
    onTestFinished(() => station.stop())
    const answer = (name: string, input: unknown = {}) =>
      answerCall(station.handlers, ports.logger, name, input)
    return { answer, log: ports.logger, stop: () => station.stop() }
  }

  const first = await start()
  expect(await first.answer('settings.get')).toMatchObject({
    value: {
      service: { clientId: 'room-3', hasClientSecret: true },
      centerId: '101',
      requireBothEyes: true,
      delivery: { concurrency: 1 },
      managed: { service: 'preset', delivery: 'enforced', requireBothEyes: 'preset' },
    },
  })
  expect(await first.answer('settings.update', { requireBothEyes: false })).toMatchObject({ ok: true })
  expect(JSON.stringify([first.log.lines, await first.answer('settings.sources')])).not.toContain('hush')
  await first.stop()

  await rm(path)
  const second = await start(['--lang=es'])
  expect(await second.answer('settings.sources')).toMatchObject({
    value: {
      items: expect.arrayContaining([
        { name: 'delivery.concurrency', value: 1, source: 'policyEnforced', isLocked: true },
        { name: 'requireBothEyes', value: false, source: 'person', isLocked: false },
        { name: 'centerId', value: '101', source: 'enrolment', isLocked: false },
        { name: 'language', value: 'es', source: 'commandLine', isLocked: true },
      ]) as unknown,
      // The enrolment was named, was taken, and is gone.
      files: [
        { kind: 'policy', path, state: 'none', inForce: 'lastKnown', detail: null, unknownNames: [] },
        { kind: 'enrolment', path: enrolment, state: 'none' },
      ],
    },
  })
})

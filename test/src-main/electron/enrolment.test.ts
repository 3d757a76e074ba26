/** The enrolment with real files, the real settings and the desktop's own secrets. */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import { applyEnrolment } from '../../../src-main/station/settings/enrolment.ts'
import { parsePolicy } from '../../../src-main/station/settings/policy.ts'
import { openSettingsStore } from '../../../src-main/station/settings/settings.ts'
import { ManualClock, rest } from '../../tools/manual-clock.ts'
import { secretIn } from '../../tools/memory-secrets.ts'
import { fakeSafe } from './fake-safe.ts'
import { recordingLogger } from './recording-logger.ts'
import { temporaryFolder } from './temporary-folder.ts'

const SECRET = 'as the service issued it'
const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'room 3', clientSecret: SECRET }
const ENROLMENT = { service: SERVICE, centerId: '101' }

const NO_RIGHTS = Object.assign(new Error('no'), { code: 'EPERM' })

async function station() {
  const folder = await temporaryFolder()
  const dataFolder = join(folder, 'data')
  const path = join(folder, 'enrolment.json')
  const logger = recordingLogger()
  const clock = new ManualClock()
  const secretsOf = (account: string, safe: Safe = fakeSafe()) =>
    createSecrets({ safe, path: join(folder, account, 'secrets.json'), platform: 'darwin', clock, logger })
  /** A start of the station. */
  const start = async (
    given: { policy?: object; account?: string; safe?: Safe; rights?: 'none' | 'toWrite' } = {},
  ) => {
    const secrets = secretsOf(given.account ?? 'one', given.safe)
    const policy = parsePolicy(given.policy ?? {})
    const store = await openSettingsStore({ dataFolder, config: null, policy, secrets, logger })
    const refuse = () => Promise.reject(NO_RIGHTS)
    const disk = { unlink: refuse, writeFile: given.rights === 'toWrite' ? writeFile : refuse }
    const taken = await applyEnrolment({
      path,
      isExpected: false,
      store,
      logger,
      ...(given.rights && { disk }),
    })
    return { store, secrets, ...taken }
  }
  const lay = (content: unknown) =>
    writeFile(path, typeof content === 'string' ? content : `\uFEFF${JSON.stringify(content)}`)
  const everything = async (): Promise<string> => {
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  }
  return { path, logger, clock, start, lay, everything }
}

describe('an enrolment file', () => {
  it('joins the station to its service, and its secret lies nowhere in the open any more', async () => {
    const { lay, start, path, everything, logger } = await station()
    await lay({ ...ENROLMENT, room: 3 })
    const { store, secrets, file, changed } = await start()
    expect(await secretIn(secrets)).toBe(SECRET)
    expect(store.current()).toMatchObject({
      service: { baseUrl: SERVICE.baseUrl, clientId: 'room 3' },
      centerId: '101',
    })
    expect(file).toMatchObject({ state: 'taken', inForce: 'this', unknownNames: ['room'] })
    expect(changed).toEqual(['service', 'centerId'])
    expect(existsSync(path)).toBe(false)
    expect(`${await everything()}${JSON.stringify(logger.lines)}`).not.toContain(SECRET)
    expect(store.sources().filter(({ source }) => source === 'enrolment')).toMatchObject([
      { name: 'service.baseUrl' },
      { name: 'service.clientId' },
      { name: 'service.callbackUrl' },
      { name: 'service.referenceField' },
      { name: 'centerId' },
    ])
    expect(await store.secretSource()).toEqual({ source: 'enrolment', isLocked: false })
    expect((await start()).store.current().centerId).toBe('101')
  })

  it('is taken once: what a person sets later stays, also where the file stays', async () => {
    const { lay, start } = await station()
    await lay(ENROLMENT)
    const first = await start({ rights: 'none' })
    expect(first.file).toMatchObject({ state: 'left' })
    const { service } = first.store.current()
    await first.store.update({ centerId: '202', service: { ...service!, clientSecret: 'entered later' } })
    const second = await start({ rights: 'none' })
    expect(second.changed).toEqual([])
    expect(second.store.current().centerId).toBe('202')
    expect(await secretIn(second.secrets)).toBe('entered later')
    expect(second.store.sources().find(({ name }) => name === 'centerId')?.source).toBe('person')
  })

  it('is taken anew where it is another', async () => {
    const { lay, start } = await station()
    await lay(ENROLMENT)
    await start()
    await lay({ service: { ...SERVICE, clientSecret: 'the next one' } })
    const { secrets, store } = await start()
    expect(await secretIn(secrets)).toBe('the next one')
    expect(store.current().centerId).toBe('101')
  })

  it('is emptied where it may be written and not removed', async () => {
    const { lay, start, path } = await station()
    await lay(ENROLMENT)
    expect((await start({ rights: 'toWrite' })).file).toMatchObject({ state: 'taken' })
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ enrolled: true })
    expect(await start()).toMatchObject({ file: { state: 'taken' }, changed: [] })
  })

  it('that can be neither removed nor emptied is told, in words without the secret', async () => {
    const { lay, start, logger } = await station()
    await lay(ENROLMENT)
    await start({ rights: 'none' })
    expect(logger.lines).toMatchObject([{ level: 'info' }, { level: 'warn', message: /still lies in it/ }])
    expect(JSON.stringify(logger.lines)).not.toContain(SECRET)
  })

  it('gives another account of this computer the secret that its own safe never held', async () => {
    const { lay, start } = await station()
    await lay(ENROLMENT)
    await start({ rights: 'none' })
    const { secrets, changed } = await start({ account: 'two', rights: 'none' })
    expect(changed).toEqual([])
    expect(await secretIn(secrets)).toBe(SECRET)
  })

  it('for another service than the one that is enforced is refused: it never sees this secret', async () => {
    const { lay, start, path } = await station()
    await lay(ENROLMENT)
    const policy = { enforced: { service: { baseUrl: 'https://enforced.example', clientId: 'room 3' } } }
    const { secrets, file } = await start({ policy })
    expect(file).toMatchObject({ state: 'refused', inForce: 'nothing' })
    expect(await secretIn(secrets)).toBeNull()
    expect(existsSync(path)).toBe(true)
  })

  it('completes a service of which the policy enforces the address', async () => {
    const { lay, start } = await station()
    await lay(ENROLMENT)
    const policy = { enforced: { service: { baseUrl: SERVICE.baseUrl, referenceField: null } } }
    const { store } = await start({ policy })
    expect(store.current().service).toMatchObject({ clientId: 'room 3', referenceField: null })
    expect((await store.shown()).managed).toMatchObject({ service: 'preset' })
  })

  it('waits where the safe is locked, and is taken at the next start', async () => {
    const { lay, start, clock, path } = await station()
    await lay(ENROLMENT)
    const starting = start({ safe: fakeSafe({ encryptStringAsync: () => new Promise(() => undefined) }) })
    await rest()
    await clock.turn(10_000)
    const { file, store } = await starting
    expect(file).toMatchObject({ state: 'locked' })
    expect(store.current().service).toBeUndefined()
    expect(existsSync(path)).toBe(true)
    expect((await start()).file).toMatchObject({ state: 'taken' })
  })

  it('waits where the secret cannot be kept: the station starts all the same, and says so', async () => {
    const { lay, start, path, logger } = await station()
    await lay(ENROLMENT)
    const safe = fakeSafe({ encryptStringAsync: (text) => Promise.reject(new Error(`no ${text}`)) })
    const { file, store, changed } = await start({ safe })
    expect(file).toMatchObject({ state: 'failed', inForce: 'nothing' })
    expect(changed).toEqual([])
    expect(store.current().service).toBeUndefined()
    expect(existsSync(path)).toBe(true)
    expect(logger.lines).toMatchObject([{ facts: { kind: 'Error' } }, { message: /at the next start/ }])
    expect(JSON.stringify(logger.lines)).not.toContain(SECRET)
    expect((await start()).file).toMatchObject({ state: 'taken' })
  })

  it.each([
    ['is no JSON', '{"service":{"clientSecret":"hush"', 'it is not JSON.'],
    ['lacks the secret', { service: { baseUrl: SERVICE.baseUrl, clientId: 'hush' } }, 'service.clientSecret'],
    [
      'has no https',
      { service: { ...SERVICE, clientId: 'hush', baseUrl: 'http://a.example' } },
      'service.baseUrl',
    ],
  ])('that %s is told with the place of the fault, and stays', async (_what, content, place) => {
    const { lay, start, path, logger } = await station()
    await lay(content)
    const { file, changed } = await start()
    expect(file).toMatchObject({ state: 'broken', detail: expect.stringContaining(place) })
    expect(changed).toEqual([])
    expect(existsSync(path)).toBe(true)
    expect(JSON.stringify([file, logger.lines])).not.toMatch(/hush|issued/)
  })

  it('need not be there', async () => {
    const { start, logger } = await station()
    expect((await start()).file).toBeNull()
    expect(logger.lines).toEqual([])
  })
})

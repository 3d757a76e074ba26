/** The enrolment with real files, the real settings and the desktop's own secrets. */
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSecrets, type Safe } from '../../../src-main/electron/secrets.ts'
import { applyEnrolment } from '../../../src-main/station/settings/settings.ts'
import { parsePolicy } from '../../../src-main/station/settings/managed-files.ts'
import { openSettingsStore } from '../../../src-main/station/settings/settings.ts'
import { ManualClock, rest } from '../../tools/manual-clock.ts'
import { secretIn } from '../../tools/memory-secrets.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import { fakeSafe } from './fake-safe.ts'

const SECRET = 'as the service issued it'

const SERVICE = { baseUrl: 'https://service.example/api', clientId: 'room 3', clientSecret: SECRET }
const ENROLMENT = { service: SERVICE, centerId: '101' }

/** A station with this enrolment file. */
async function enrolled(content: unknown = ENROLMENT) {
  const folder = temporaryFolder()
  const path = join(folder, 'enrolment.json')
  const logger = createRecordingLogger()
  const clock = new ManualClock()
  const replace = (next: unknown) =>
    writeFile(path, typeof next === 'string' ? next : `\uFEFF${JSON.stringify(next)}`)
  if (content !== undefined) await replace(content)
  /** A start; `rights` are those on the file. */
  const start = async (
    options: { policy?: object; account?: string; safe?: Safe; rights?: 'none' | 'toWrite' } = {},
  ) => {
    const { account = 'one', safe = fakeSafe(), rights } = options
    const file = join(folder, account, 'secrets.json')
    const secrets = createSecrets({ safe, path: file, platform: 'darwin', clock, logger })
    const store = await openSettingsStore({
      dataFolder: join(folder, 'data'),
      config: null,
      policy: parsePolicy(options.policy ?? {}),
      secrets,
      logger,
    })
    const refuse = () => Promise.reject(Object.assign(new Error('no'), { code: 'EPERM' }))
    const disk = { unlink: refuse, writeFile: rights === 'toWrite' ? writeFile : refuse }
    const applied = await applyEnrolment({
      path,
      isExpected: false,
      store,
      logger,
      ...(rights && { disk }),
    })
    return { store, secrets, ...applied }
  }
  const everything = async (): Promise<string> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('\n')
  }
  return { path, logger, clock, start, replace, everything }
}

it('joins the station to its service, and its secret lies nowhere in the open any more', async () => {
  const { start, path, everything, logger } = await enrolled({ ...ENROLMENT, floor: 3 })
  const { store, secrets, file, changed } = await start()
  expect(await secretIn(secrets)).toBe(SECRET)
  expect(store.current()).toMatchObject({
    service: { baseUrl: SERVICE.baseUrl, clientId: 'room 3' },
    centerId: '101',
  })
  expect(file).toMatchObject({ state: 'taken', inForce: 'this', unknownNames: ['floor'] })
  expect(changed).toEqual(['service', 'centerId'])
  expect(existsSync(path)).toBe(false)
  expect(`${await everything()}${JSON.stringify(logger.lines)}`).not.toContain(SECRET)
  const sources = store.sources().filter(({ source }) => source === 'enrolment')
  expect(sources.map(({ name }) => name)).toEqual([
    'service.baseUrl',
    'service.clientId',
    'service.callbackUrl',
    'service.referenceField',
    'centerId',
  ])
  expect(await store.secretSource()).toEqual({ source: 'enrolment', isLocked: false })
  const lines = logger.lines.length
  const again = await start()
  expect([again.store.current().centerId, again.file, logger.lines.length]).toEqual(['101', null, lines])
})

it('is taken once: what a person sets later stays, also if the file stays', async () => {
  const { start } = await enrolled()
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

it('is taken again if it is another', async () => {
  const { replace, start } = await enrolled()
  await start()
  await replace({ service: { ...SERVICE, clientSecret: 'the next one' } })
  const { secrets, store } = await start()
  expect(await secretIn(secrets)).toBe('the next one')
  expect(store.current().centerId).toBe('101')
})

it('is emptied if it may be written and not removed', async () => {
  const { start, path } = await enrolled()
  expect((await start({ rights: 'toWrite' })).file).toMatchObject({ state: 'taken' })
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ enrolled: true })
  expect(await start()).toMatchObject({ file: { state: 'taken' }, changed: [] })
})

it('that can be neither removed nor emptied is logged without the secret, and serves another account', async () => {
  const { start, logger } = await enrolled()
  await start({ rights: 'none' })
  expect(logger.lines).toMatchObject([{ level: 'info' }, { level: 'warn', message: /still lies in it/ }])
  const { secrets, changed } = await start({ account: 'two', rights: 'none' })
  expect(changed).toEqual([])
  expect(await secretIn(secrets)).toBe(SECRET)
  expect(JSON.stringify(logger.lines)).not.toContain(SECRET)
})

it('for another service than the one that is enforced is refused: it never sees this secret', async () => {
  const { start, path } = await enrolled()
  const service = { baseUrl: 'https://enforced.example', clientId: 'room 3' }
  const policy = { service, enforced: ['service'] }
  const { secrets, file } = await start({ policy })
  expect(file).toMatchObject({ state: 'refused', inForce: 'nothing' })
  expect(await secretIn(secrets)).toBeNull()
  expect(existsSync(path)).toBe(true)
})

it.each([
  ['the safe is locked', 'locked', () => new Promise<never>(() => undefined)],
  ['the secret cannot be stored', 'failed', (text: string) => Promise.reject(new Error(`no ${text}`))],
])('waits for the next start if %s', async (_what, state, encryptStringAsync) => {
  const { start, path, clock, logger } = await enrolled()
  const starting = start({ safe: fakeSafe({ encryptStringAsync }) })
  await rest()
  await clock.turn(10_000)
  const { file, store, changed } = await starting
  expect(file).toMatchObject({ state })
  expect([changed, store.current().service, existsSync(path)]).toEqual([[], undefined, true])
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
])('that %s is reported with the path of the fault, and stays', async (_what, content, fault) => {
  const { start, path, logger } = await enrolled(content)
  const { file, changed } = await start()
  expect(file).toMatchObject({ state: 'broken', detail: expect.stringContaining(fault) })
  expect(changed).toEqual([])
  expect(existsSync(path)).toBe(true)
  expect(JSON.stringify([file, logger.lines])).not.toMatch(/hush|issued/)
})

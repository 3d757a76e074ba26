/** What an administrator hands to the desktop app, and the secret in this account's safe. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Desktop, DesktopOptions } from '../fake-electron/desktop.ts'
import { desktopHost, openDesktopBrowser, startDesktop } from '../fake-electron/start-desktop.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

const SECRET = 'as the service issued it'
/** Nobody answers there: what counts here comes before the first byte. */
const SERVICE = { baseUrl: 'http://127.0.0.1:9', clientId: 'room-3', clientSecret: SECRET }
const STRONG = {
  backend: 'gnome_libsecret',
  isAvailable: true,
  key: 'this account',
  shouldReEncrypt: false,
} as const

describe.skipIf(opened.kind === 'absent')(`a managed desktop app on ${desktopHost()}`, () => {
  let browser: Browser
  let folder: string
  let running: Desktop[] = []
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundus-courier-managed-'))
  })
  afterEach(async () => {
    for (const desktop of running) await desktop.stop()
    running = []
    await rm(folder, { recursive: true, force: true })
  })

  const run = async (options: DesktopOptions = {}): Promise<Desktop> => {
    const places = { userData: join(folder, 'account'), dataFolder: join(folder, 'data') }
    const desktop = await startDesktop({ browser, ...places, ...options })
    running.push(desktop)
    return desktop
  }
  const layEnrolment = (): string => {
    const path = join(folder, 'enrolment.json')
    writeFileSync(path, JSON.stringify({ service: SERVICE, centerId: '101' }))
    return path
  }
  const secretsFile = (): string => join(folder, 'account', 'secrets.json')

  it('is enrolled by a file, which is gone then, and its secret lies in the safe', async () => {
    const path = layEnrolment()
    const first = await run({ parameters: [`--enrol=${path}`] })
    expect(existsSync(path)).toBe(false)
    expect(await first.value('settings.get')).toMatchObject({
      service: { clientId: 'room-3', hasClientSecret: true },
      centerId: '101',
    })
    expect(readFileSync(secretsFile(), 'utf8')).not.toContain(SECRET)
    const sources = await first.value('settings.sources')
    expect(sources).toMatchObject({ secretsKept: 'safe' })
    expect(sources.files).toContainEqual(expect.objectContaining({ kind: 'enrolment', state: 'taken' }))
    expect(sources.items).toContainEqual({
      name: 'dataFolder',
      value: join(folder, 'data'),
      source: 'commandLine',
      isLocked: true,
    })
    const page = await first.page()
    await page.evaluate(() => (window.location.hash = '#/settings/sources'))
    await page.getByRole('row', { name: 'service.clientId' }).getByText('Enrolment file').waitFor()
    expect(await page.content()).not.toContain(SECRET)
    await first.stop()
    const again = await run({ parameters: [`--enrol=${path}`] })
    expect(await again.value('settings.get')).toMatchObject({ service: { hasClientSecret: true } })
    expect(again.stderr()).not.toContain(SECRET)
  }, 120_000)

  it('of an account that cannot open its secret any more is signed out, and says what to do', async () => {
    const first = await run({ parameters: [`--enrol=${layEnrolment()}`] })
    await first.stop()
    const sealed = readFileSync(secretsFile(), 'utf8')
    const other = await run({ surroundings: { safe: { ...STRONG, key: 'another keyring' } } })
    expect(await other.value('settings.get')).toMatchObject({ service: { hasClientSecret: false } })
    const test = await other.value('service.test')
    expect(JSON.stringify(test)).toContain('Enter the client secret again')
    expect(readFileSync(secretsFile(), 'utf8')).toBe(sealed)
  }, 120_000)

  it('on a system without a safe keeps the secret in a private file, and says so', async () => {
    const weak = { ...STRONG, backend: 'basic_text' } as const
    const desktop = await run({ parameters: [`--enrol=${layEnrolment()}`], surroundings: { safe: weak } })
    expect(statSync(secretsFile()).mode & 0o777).toBe(0o600)
    const page = await desktop.page()
    await page.evaluate(() => (window.location.hash = '#/settings/about'))
    await page.getByText('In a private file (mode 0600).').waitFor()
    await page.getByText(/only the rights of the file protect the secret/).waitFor()
  }, 120_000)

  it('starts safely and in sight where nothing is known of what a broken configuration file says', async () => {
    const path = join(folder, 'broken.json')
    writeFileSync(path, '{"centerId": 7}')
    const desktop = await run({ parameters: [`--config=${path}`] })
    const { detail } = await desktop.waitFor('dialog')
    expect(detail).toContain(path)
    expect(detail).toContain('centerId')
    expect(await desktop.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
    await desktop.stop()
    const hidden = await run({ parameters: [`--config=${path}`, '--hidden'] })
    expect((await hidden.value('settings.sources')).files).toContainEqual(
      expect.objectContaining({ kind: 'configuration', state: 'broken', inForce: 'nothing' }),
    )
    expect((await hidden.waitFor('dialog')).detail).toContain('safe mode')
    expect(await hidden.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
  }, 120_000)

  it('goes on with what a configuration file said before it was broken, and says so to whoever is there', async () => {
    const path = join(folder, 'config.json')
    writeFileSync(path, '{"centerId": "7"}')
    await (await run({ parameters: [`--config=${path}`] })).stop()
    writeFileSync(path, '{"centerId": 7}')
    const hidden = await run({ parameters: [`--config=${path}`, '--hidden'] })
    expect((await hidden.value('settings.sources')).files).toContainEqual(
      expect.objectContaining({ kind: 'configuration', state: 'broken', inForce: 'lastKnown' }),
    )
    expect(await hidden.value('settings.get')).toMatchObject({ centerId: '7' })
    expect(await hidden.value('station.status')).toMatchObject({ mode: { why: 'serviceNotSet' } })
    expect(hidden.recorded('dialog')).toEqual([])
  }, 120_000)

  it('keeps what belongs to the account where the command line says, before it takes the lock', async () => {
    const elsewhere = join(folder, 'elsewhere')
    const desktop = await run({ parameters: [`--user-data-dir=${elsewhere}`, `--enrol=${layEnrolment()}`] })
    expect(existsSync(join(elsewhere, 'secrets.json'))).toBe(true)
    expect(existsSync(secretsFile())).toBe(false)
    expect(desktop.recorded('app')).toContainEqual({ what: 'setPath', parameters: ['userData', elsewhere] })
  }, 120_000)

  it.each(['--help', '--version'])('answers %s and starts nothing', async (word) => {
    const desktop = await run({ parameters: [word], waitFor: 'nothing' })
    expect(await desktop.exitCode).toBe(0)
    expect(desktop.recorded('lock')).toEqual([])
    expect(desktop.recorded('window')).toEqual([])
  })

  it('takes the way that the proxy configuration of the system answers', async () => {
    const config = { service: { ...SERVICE, baseUrl: 'https://service.example' } }
    const proxies = { 'https://service.example': 'SOCKS a.example; PROXY proxy.clinic.example:3128; DIRECT' }
    const desktop = await run({ config, surroundings: { proxies } })
    expect(await desktop.value('station.about')).toMatchObject({
      proxy: 'http://proxy.clinic.example:3128',
    })
  }, 120_000)
})

/** What an administrator provides to the desktop app, and the secret in this account's safe. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../tools/temporary-folder.ts'
import type { DesktopOptions } from '../fake-electron/desktop.ts'
import { describeDesktop, startDesktop } from '../fake-electron/start-desktop.ts'

const SECRET = 'as the service issued it'
/** Nothing answers there: the tests end before the first byte. */
const SERVICE = { baseUrl: 'http://127.0.0.1:9', clientId: 'room-3', clientSecret: SECRET }
const SAFE = { backend: 'gnome_libsecret', isAvailable: true, key: 'this account' } as const

await describeDesktop('a managed desktop app', (browser) => {
  function setUp() {
    const folder = temporaryFolder()
    const enrolment = join(folder, 'enrolment.json')
    const enrol = (): string => {
      writeFileSync(enrolment, JSON.stringify({ service: SERVICE, centerId: '101' }))
      return `--enrol=${enrolment}`
    }
    const run = async (parameters: readonly string[] = [], options: DesktopOptions = {}) => {
      const folders = { userData: join(folder, 'account'), dataFolder: join(folder, 'data') }
      const desktop = await startDesktop({ browser: browser(), parameters, ...folders, ...options })
      onTestFinished(async () => void (await desktop.stop()))
      return desktop
    }
    const secretsFile = join(folder, 'account', 'secrets.json')
    return { folder, enrolment, enrol, run, secretsFile }
  }

  it('is enrolled by a file, which is gone then, and its secret lies in the safe', async () => {
    const { folder, enrolment, enrol, run, secretsFile } = setUp()
    const first = await run([enrol()])
    expect(existsSync(enrolment)).toBe(false)
    expect(await first.value('settings.get')).toMatchObject({
      service: { clientId: 'room-3', hasClientSecret: true },
      centerId: '101',
    })
    expect(readFileSync(secretsFile, 'utf8')).not.toContain(SECRET)
    const sources = await first.value('settings.sources')
    expect(sources).toMatchObject({ secretsKept: 'safe' })
    expect(sources.files).toContainEqual(expect.objectContaining({ kind: 'enrolment', state: 'taken' }))
    const dataFolder = { name: 'dataFolder', value: join(folder, 'data') }
    expect(sources.items).toContainEqual({ ...dataFolder, source: 'commandLine', isLocked: true })
    const page = await first.page()
    await page.evaluate(() => (window.location.hash = '#/settings/it'))
    await page.getByRole('row', { name: 'service.clientId' }).getByText('Enrolment file').waitFor()
    expect(await page.content()).not.toContain(SECRET)
    await first.stop()
    const again = await run([`--enrol=${enrolment}`])
    expect(await again.value('settings.get')).toMatchObject({ service: { hasClientSecret: true } })
    expect(again.stderr()).not.toContain(SECRET)
  })

  it('on a system without a safe stores the secret in a private file, and says so', async () => {
    const { enrol, run, secretsFile } = setUp()
    const desktop = await run([enrol()], { surroundings: { safe: { ...SAFE, backend: 'basic_text' } } })
    expect(statSync(secretsFile).mode & 0o777).toBe(0o600)
    const page = await desktop.page()
    await page.evaluate(() => (window.location.hash = '#/settings/it'))
    await page.getByText('In a private file (mode 0600).').waitFor()
    await page.getByText(/This system has no safe/).waitFor()
  })

  it('starts safely and in sight if nothing is known of a broken configuration file', async () => {
    const { folder, run } = setUp()
    const path = join(folder, 'broken.json')
    writeFileSync(path, '{"centerId": 7}')
    const hidden = await run([`--config=${path}`, '--hidden'])
    expect((await hidden.value('settings.sources')).files).toContainEqual(
      expect.objectContaining({ kind: 'configuration', state: 'broken', inForce: 'nothing' }),
    )
    const { detail } = await hidden.waitFor('dialog')
    for (const part of [path, 'centerId', 'safe mode']) expect(detail).toContain(part)
    expect(await hidden.value('station.status')).toMatchObject({ mode: { why: 'safeMode' } })
    await hidden.waitFor('window', ({ what }) => what === 'shown')
  })

  it('stores what belongs to the account in the folder that the command line names, before it takes the lock', async () => {
    const { folder, enrol, run, secretsFile } = setUp()
    const elsewhere = join(folder, 'elsewhere')
    const desktop = await run([`--user-data-dir=${elsewhere}`, enrol()])
    expect(existsSync(join(elsewhere, 'secrets.json'))).toBe(true)
    expect(existsSync(secretsFile)).toBe(false)
    expect(desktop.recorded('app')).toContainEqual({ what: 'setPath', parameters: ['userData', elsewhere] })
  })

  it('takes the way that the proxy configuration of the system answers', async () => {
    const config = { service: { ...SERVICE, baseUrl: 'https://service.example' } }
    const proxies = { 'https://service.example': 'SOCKS a.example; PROXY proxy.clinic.example:3128; DIRECT' }
    const desktop = await setUp().run([], { config, surroundings: { proxies } })
    const proxy = 'http://proxy.clinic.example:3128'
    expect(await desktop.value('station.about')).toMatchObject({ proxy })
  })
})

/**
 * The built app as an AppImage, with a feed of updates on this machine: the real electron-updater in the real main
 * process. Elsewhere than on Linux an installer would have to run; update-flow.test.ts goes as far as its start.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { holdBack } from '../../practice-service/fault-catalogue.ts'
import { openLocalFeed, type LocalFeed } from '../../src-main/electron/updates/local-feed.ts'
import { SCHEMA_VERSION } from '../../../src-main/station/outbox/migrate.ts'
import { exportVisit } from '../../camera/export-visit.ts'
import { until } from '../../station-process/start-station.ts'
import { builtFiles } from '../electron-stand-in/app-files.ts'
import type { Desktop } from '../electron-stand-in/desktop.ts'
import { openDesktopBrowser, startDesktop } from '../electron-stand-in/start-desktop.ts'
import { setSceneFor, type Scene } from '../station-scene.ts'

const opened = await openDesktopBrowser()
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

const CHANNEL_FILE = `latest-linux${process.arch === 'x64' ? '' : `-${process.arch}`}.yml`
const VERSION = '99.0.0'
/** What is downloaded: a program that notes that it was started. */
const NEWER = `#!/bin/sh\necho "${VERSION}" > "$(dirname "$0")/started"\n`

describe.skipIf(process.platform !== 'linux')('an update of the desktop app', () => {
  let browser: Browser
  let feed: LocalFeed
  let scene: Scene<Desktop>
  let appImage: string
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  async function setScene(): Promise<void> {
    feed = await openLocalFeed(CHANNEL_FILE)
    scene = await setSceneFor<Desktop>(async ({ dataFolder, config }) => {
      const root = join(dataFolder, '..')
      const resourcesFolder = join(root, 'resources')
      await mkdir(resourcesFolder, { recursive: true })
      await writeFile(
        join(resourcesFolder, 'app-update.yml'),
        'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: fundus-courier-updater\n',
      )
      return startDesktop({
        browser,
        dataFolder,
        userData: join(root, 'account'),
        config: { ...config, updates: { feed: feed.url } },
        files: { ...builtFiles(), resourcesFolder },
        environment: { APPIMAGE: appImage, XDG_CACHE_HOME: join(root, 'cache') },
      })
    })
    appImage = join(scene.dataFolder, '..', 'apps', 'Fundus Courier.AppImage')
    await mkdir(join(appImage, '..'))
    await writeFile(appImage, 'the old one', { mode: 0o755 })
    feed.publish({
      version: VERSION,
      fileName: `Fundus-Courier-${VERSION}.AppImage`,
      announced: NEWER,
      outboxSchema: SCHEMA_VERSION,
    })
  }
  const stateIs = (desktop: Desktop, wanted: object): Promise<void> =>
    vi.waitFor(async () => expect(await desktop.value('updates.get', {})).toMatchObject(wanted), {
      timeout: 20_000,
      interval: 100,
    })

  it('waits for the end of sending, then copies the outbox, ends the app, and starts the new one', async () => {
    await setScene()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    scene.service.faults.add('POST /cases', holdBack(released), { times: 1 })
    const desktop = await scene.start()
    await exportVisit({
      folder: scene.camera,
      seed: 6,
      visitDate: '2026-11-20',
      width: 320,
      height: 240,
      sidecar: 'first',
    })
    await until('the case is being sent', async () => {
      const { items } = await desktop.value('submissions.list')
      return items[0]?.state === 'sending'
    })
    await desktop.value('updates.look', {})
    await stateIs(desktop, { kind: 'ready', version: VERSION, waitsFor: 'sending' })
    await desktop.value('updates.install', {})
    expect(await desktop.value('updates.get', {})).toMatchObject({ kind: 'ready', waitsFor: 'sending' })
    expect(await readFile(appImage, 'utf8')).toBe('the old one')
    release()

    // It is asked every half minute whether this is the moment.
    expect(await desktop.exitCode).toBe(0)
    expect(scene.service.cases()).toHaveLength(1)
    expect(await readFile(appImage, 'utf8')).toBe(NEWER)
    await vi.waitFor(
      async () => expect(await readFile(join(appImage, '../started'), 'utf8')).toBe(`${VERSION}\n`),
      { timeout: 20_000 },
    )
    expect(await readdir(join(scene.dataFolder, 'backups'))).toHaveLength(1)
    // For a start by an installer, which knows nothing of this station's words.
    const note = await readFile(join(scene.dataFolder, '../fundus-courier/update.json'), 'utf8')
    expect(JSON.parse(note)).toMatchObject({
      version: VERSION,
      words: expect.arrayContaining(['--data', scene.dataFolder]),
    })

    // As if the installation had come to nothing: the old program is back.
    const again = await scene.start()
    expect(await again.value('submissions.list')).toMatchObject({ items: [{ state: 'sent' }] })
    await again.value('updates.look', {})
    await stateIs(again, { kind: 'ready', waitsFor: 'word', trouble: 'notInstalled' })
  })

  it('stands in the settings, and waits there for nobody to be at the computer, or for a word', async () => {
    await setScene()
    const desktop = await scene.start()
    await desktop.value('updates.look', {})
    await stateIs(desktop, { kind: 'ready', waitsFor: 'person' })
    const page = await desktop.page()
    await page.evaluate(() => (location.hash = '#/settings/about'))
    const card = page.getByRole('region', { name: 'Updates' })
    await card.getByText(`Version ${VERSION} is ready.`).waitFor()
    await card.getByText('It is installed at the next quiet moment').waitFor()
    await card.getByRole('button', { name: 'Install now' }).click()
    expect(await desktop.exitCode).toBe(0)
    expect(await readFile(appImage, 'utf8')).toBe(NEWER)
  })

  it('that is ready is installed when a person quits, and leaves the app ended', async () => {
    await setScene()
    const desktop = await scene.start()
    await desktop.value('updates.look', {})
    await stateIs(desktop, { kind: 'ready', waitsFor: 'person' })
    await until('a copy is at hand', async () =>
      (await readdir(join(scene.dataFolder, 'backups')).catch(() => [])).some((name) =>
        name.endsWith('.sqlite'),
      ),
    )
    await desktop.act({ kind: 'quit' })
    expect(await desktop.exitCode).toBe(0)
    expect(await readFile(appImage, 'utf8')).toBe(NEWER)
  })

  it('that does not say which outbox it reads is refused', async () => {
    await setScene()
    feed.publish({ version: VERSION, fileName: 'a.AppImage', announced: NEWER })
    const desktop = await scene.start()
    await desktop.value('updates.look', {})
    await stateIs(desktop, { kind: 'refused', version: VERSION, why: 'unstated' })
    await desktop.stop()
    expect(await readFile(appImage, 'utf8')).toBe('the old one')
  })
})

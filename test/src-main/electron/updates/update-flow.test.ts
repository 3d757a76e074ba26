/**
 * The real electron-updater against a feed on this machine, in plain Node: it takes an adapter in the place of Electron's
 * `app`, and Node's HTTP in the place of Chromium's. All but the sockets is what runs on a workstation.
 */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppUpdater, NsisUpdater } from 'electron-updater'
import { describe, expect, it, vi } from 'vitest'
import { createUpdater } from '../../../../src-main/electron/updates/feed.ts'
import { createUpdates } from '../../../../src-main/electron/updates/updates.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { succeed } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { recordingLogger } from '../recording-logger.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type LocalFeed, openLocalFeed } from './local-feed.ts'
import { NodeHttp } from './node-http.ts'

/** What the updater is told in the place of Electron's `app`, as it is on a workstation. */
async function adapter(folder: string) {
  const appUpdateConfigPath = join(folder, 'app-update.yml')
  await writeFile(
    appUpdateConfigPath,
    'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: fundus-courier-updater\n',
  )
  return {
    version: '0.1.0',
    name: 'fundus-courier',
    isPackaged: true,
    appUpdateConfigPath,
    userDataPath: join(folder, 'user-data'),
    baseCachePath: join(folder, 'cache'),
    whenReady: () => Promise.resolve(),
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => {
      throw new Error('the updater must not install by itself at a quit')
    },
  }
}

function station(updater: AppUpdater, feed: LocalFeed) {
  Object.assign(updater, { httpExecutor: new NodeHttp() })
  const clock = new ManualClock()
  const world = { sending: 0, ended: [] as string[] }
  const program = createUpdater(updater, clock)
  const updates = createUpdates({
    clock,
    logger: recordingLogger(),
    ourOutboxSchema: 4,
    program: () => Promise.resolve(program),
    rights: 'enough',
    isPersonThere: () => false,
    saveNote: () => Promise.resolve(),
    failedVersion: null,
  })
  updates.attach({
    sending: () => Promise.resolve(world.sending),
    backUp: () => Promise.resolve(succeed('copy')),
    isSafe: () => false,
    end: async () => {
      world.ended.push('ends')
      await updates.installAtEnd()
    },
    restart: () => world.ended.push('comes back'),
  })
  updates.follow('quietMoment', { kind: 'feed', url: feed.url })
  const becomes = (kind: string): Promise<void> =>
    vi.waitFor(() => expect(updates.state().kind).toBe(kind), { timeout: 10_000, interval: 20 })
  return { clock, world, updates, becomes }
}

describe('an installer for Windows', () => {
  async function installed() {
    const folder = await temporaryFolder()
    const feed = await openLocalFeed('latest.yml')
    const world = { refuses: null as Error | null }
    const started: { readonly program: string; readonly words: readonly string[] }[] = []
    class RecordingUpdater extends NsisUpdater {
      /** Nothing of Windows runs here; what would be started is noted. */
      override spawnLog(program: string, words: string[] = []): Promise<boolean> {
        started.push({ program, words })
        return world.refuses === null ? Promise.resolve(true) : Promise.reject(world.refuses)
      }
    }
    const updater = new RecordingUpdater(null, await adapter(folder))
    // It asks for the file of this very system otherwise.
    Object.assign(updater, { _testOnlyOptions: { platform: 'win32' } })
    const release = { version: '0.2.0', fileName: 'Fundus-Courier-Setup-0.2.0.exe', announced: 'MZ new' }
    const pending = () =>
      readdir(join(folder, 'cache/fundus-courier-updater/pending')).catch((): readonly string[] => [])
    return { ...station(updater, feed), feed, folder, started, release, pending, system: world }
  }

  it('is started in silence once nothing is being sent, and brings the app back', async () => {
    const { feed, release, updates, becomes, world, clock, started } = await installed()
    feed.publish({ ...release, outboxSchema: 5 })
    world.sending = 2
    await updates.check()
    await becomes('ready')
    expect(started).toEqual([])
    world.sending = 0
    await clock.turn(30 * SECOND)
    expect(started).toMatchObject([
      {
        program: expect.stringMatching(/pending.Fundus-Courier-Setup-0\.2\.0\.exe$/),
        words: ['--updated', '/S', '--force-run'],
      },
    ])
    expect(await readFile(started[0]?.program ?? '', 'utf8')).toBe('MZ new')
  })

  it('that the system refuses to start, as is told only afterwards, lets the station come back', async () => {
    const { feed, release, updates, becomes, world, clock, system, started } = await installed()
    feed.publish({ ...release, outboxSchema: 4 })
    world.sending = 1
    await updates.check()
    await becomes('ready')
    world.sending = 0
    system.refuses = Object.assign(new Error('spawn'), { code: 'EPERM' })
    await clock.turn(30 * SECOND)
    expect(started).toHaveLength(1)
    await clock.turn(SECOND)
    expect(world.ended).toEqual(['ends', 'comes back'])
  })

  it('that is gone by then is not started, and the station comes back', async () => {
    const { feed, release, folder, updates, becomes, world, clock, started } = await installed()
    feed.publish({ ...release, outboxSchema: 4 })
    world.sending = 1
    await updates.check()
    await becomes('ready')
    await rm(join(folder, 'cache'), { recursive: true })
    world.sending = 0
    await clock.turn(MINUTE)
    expect(started).toEqual([])
    expect(world.ended).toEqual(['ends', 'comes back'])
  })

  it('that is not what the feed announced is thrown away', async () => {
    const { feed, release, updates, becomes, pending, world, clock, started } = await installed()
    feed.publish({ ...release, served: 'MZ bad', outboxSchema: 4 })
    await updates.check()
    await becomes('current')
    expect(updates.state()).toMatchObject({ trouble: 'damaged' })
    updates.install()
    await clock.turn(HOUR)
    expect(started).toEqual([])
    expect(world.ended).toEqual([])
    expect((await pending()).filter((name) => name.endsWith('.exe'))).toEqual([])
  })

  it('that knows an older outbox, or none, is not even fetched', async () => {
    const { feed, release, updates, becomes } = await installed()
    feed.publish({ ...release, outboxSchema: 3 })
    await updates.check()
    await becomes('refused')
    expect(updates.state()).toEqual({ kind: 'refused', version: '0.2.0', why: 'olderOutbox' })
    feed.publish(release)
    await updates.check()
    expect(updates.state()).toMatchObject({ kind: 'refused', why: 'unstated' })
    expect(feed.asked.filter((path) => path.endsWith('.exe'))).toEqual([])
  })

  it('of the same version or an older one is none', async () => {
    const { feed, release, updates } = await installed()
    for (const version of ['0.1.0', '0.0.9']) {
      feed.publish({ ...release, version, outboxSchema: 9 })
      await updates.check()
      expect(updates.state()).toMatchObject({ kind: 'current', trouble: null })
    }
  })

  it('is left alone where the feed cannot be read', async () => {
    const { updates } = await installed()
    await updates.check()
    expect(updates.state()).toMatchObject({ kind: 'current', lookedAt: null, trouble: 'unreachable' })
  })
})

/**
 * The real electron-updater against a feed on this machine, in plain Node: it takes an adapter in the place of Electron's
 * `app`, and Node's HTTP in the place of Chromium's. All but the sockets is what runs on a workstation.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request, type RequestOptions } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { NsisUpdater } from 'electron-updater'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createUpdater } from '../../../../src-main/electron/updates/feed.ts'
import { createUpdates } from '../../../../src-main/electron/updates/updates.ts'
import { HOUR, MINUTE, SECOND } from '../../../../src-shared/durations.ts'
import { succeed } from '../../../../src-shared/failure.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'
import { statusWith } from '../status-with.ts'

type DownloadOptions = {
  readonly cancellationToken: {
    createPromise<Value>(
      run: (
        resolve: (value: Value) => void,
        reject: (error: Error) => void,
        onCancel: (callback: () => void) => void,
      ) => void,
    ): Promise<Value>
  }
  readonly headers?: RequestOptions['headers']
}

/** A package of electron-updater's own. */
const runtime: {
  readonly HttpExecutor: new () => { doDownload(options: object, download: object, redirects: number): void }
  readonly configureRequestUrl: (url: URL, options: object) => void
  readonly configureRequestOptions: (options: object) => object
} = createRequire(createRequire(import.meta.url).resolve('electron-updater'))('builder-util-runtime')

/** As electron-updater's own `ElectronHttpExecutor`, request by request; checksums and redirects are in their base. */
class NodeHttp extends runtime.HttpExecutor {
  createRequest(
    options: RequestOptions,
    callback: Parameters<typeof request>[2],
  ): ReturnType<typeof request> {
    return request(options, callback)
  }

  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const requestOptions = { headers: options.headers, redirect: 'manual' }
      runtime.configureRequestUrl(url, requestOptions)
      runtime.configureRequestOptions(requestOptions)
      const callback = (error?: Error | null): void => (error ? reject(error) : resolve(destination))
      this.doDownload(requestOptions, { destination, options, onCancel, callback, responseHandler: null }, 0)
    })
  }
}

/** Records what it would start: nothing of Windows runs here. */
class RecordingUpdater extends NsisUpdater {
  readonly started: { readonly program: string; readonly parameters: readonly string[] }[] = []
  startError: Error | null = null
  override spawnLog(program: string, parameters: string[] = []): Promise<boolean> {
    this.started.push({ program, parameters })
    return this.startError === null ? Promise.resolve(true) : Promise.reject(this.startError)
  }
}

type Release = {
  readonly version?: string
  readonly announced?: string
  /** What is served may differ from what is announced. */
  readonly served?: string
  readonly outboxSchema?: number
}

/** A feed as a clinic's web server would serve the files that `npm run package` leaves. */
async function openFeed() {
  const files = new Map<string, string>()
  const asked: string[] = []
  const server = createServer((incoming, response) => {
    const path = new URL(incoming.url ?? '/', 'http://feed').pathname
    asked.push(path)
    const file = files.get(path)
    response.writeHead(file === undefined ? 404 : 200, { 'content-length': file?.length ?? 0 })
    response.end(file)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  const publish = ({
    version = '0.2.0',
    announced = 'MZ new',
    served = announced,
    outboxSchema,
  }: Release) => {
    const sha512 = createHash('sha512').update(announced).digest('base64')
    const fileName = 'Fundus-Courier-Setup-0.2.0.exe'
    files.set(`/${fileName}`, served)
    const vendor = outboxSchema === undefined ? '' : `vendor:\n  outboxSchema: ${outboxSchema}\n`
    const file = `  - url: ${fileName}\n    sha512: ${sha512}\n    size: ${announced.length}\n`
    files.set(
      '/latest.yml',
      `version: ${version}\nfiles:\n${file}path: ${fileName}\nsha512: ${sha512}\n${vendor}releaseDate: '2026-11-21T12:00:00.000Z'\n`,
    )
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked, publish }
}

/** A workstation that follows the feed. */
async function installed() {
  const folder = temporaryFolder()
  const feed = await openFeed()
  const appUpdateConfigPath = join(folder, 'app-update.yml')
  await writeFile(
    appUpdateConfigPath,
    'provider: generic\nurl: https://updates.invalid/\nupdaterCacheDirName: fundus-courier-updater\n',
  )
  const updater = new RecordingUpdater(null, {
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
      throw new Error('the updater must not install at a quit')
    },
  })
  // Otherwise it asks for the file of this very system.
  Object.assign(updater, { _testOnlyOptions: { platform: 'win32' }, httpExecutor: new NodeHttp() })
  const clock = new ManualClock()
  const world = { sending: 0, ended: [] as string[] }
  const program = createUpdater(updater, clock)
  const updates = createUpdates({
    clock,
    logger: createRecordingLogger(),
    ourOutboxSchema: 4,
    program: () => Promise.resolve(program),
    rights: 'enough',
    isPersonThere: () => false,
    saveNote: () => Promise.resolve(),
    failedVersion: null,
  })
  updates.attach({
    station: {
      handlers: {
        'station.status': () => Promise.resolve(succeed(statusWith({ counts: { sending: world.sending } }))),
      },
      backUp: () => Promise.resolve(succeed('copy')),
    },
    isSafe: () => false,
    end: async () => {
      world.ended.push('ends')
      await updates.installAtEnd()
    },
    restart: () => world.ended.push('restarts'),
  })
  updates.follow('quietMoment', { kind: 'feed', url: feed.url })
  const becomes = (kind: string): Promise<void> =>
    vi.waitFor(() => expect(updates.state().kind).toBe(kind), { timeout: 10_000, interval: 20 })
  /** Downloads the release while a case is being sent. */
  const download = async (release: Release): Promise<void> => {
    feed.publish(release)
    world.sending = 1
    await updates.check()
    await becomes('ready')
    expect(updater.started).toEqual([])
    world.sending = 0
  }
  return { ...feed, clock, world, updates, updater, folder, becomes, download }
}

describe('an installer for Windows', () => {
  it('is started in silence once nothing is being sent, and starts the app again', async () => {
    const { download, clock, updater } = await installed()
    await download({ outboxSchema: 5 })
    await clock.turn(30 * SECOND)
    const program: unknown = expect.stringMatching(/pending.Fundus-Courier-Setup-0\.2\.0\.exe$/)
    expect(updater.started).toMatchObject([{ program, parameters: ['--updated', '/S', '--force-run'] }])
    expect(await readFile(updater.started[0]?.program ?? '', 'utf8')).toBe('MZ new')
  })

  it('that the system refuses to start, as it says only afterwards, lets the station come back', async () => {
    const { download, clock, world, updater } = await installed()
    await download({ outboxSchema: 4 })
    updater.startError = Object.assign(new Error('spawn'), { code: 'EPERM' })
    await clock.turn(31 * SECOND)
    expect(updater.started).toHaveLength(1)
    expect(world.ended).toEqual(['ends', 'restarts'])
  })

  it('that is gone by then is not started, and the station comes back', async () => {
    const { download, clock, world, updater, folder } = await installed()
    await download({ outboxSchema: 4 })
    await rm(join(folder, 'cache'), { recursive: true })
    await clock.turn(MINUTE)
    expect(updater.started).toEqual([])
    expect(world.ended).toEqual(['ends', 'restarts'])
  })

  it('that is not what the feed announced is thrown away', async () => {
    const { publish, updates, becomes, folder, world, clock, updater } = await installed()
    publish({ served: 'MZ bad', outboxSchema: 4 })
    await updates.check()
    await becomes('current')
    expect(updates.state()).toMatchObject({ trouble: 'damaged' })
    updates.install()
    await clock.turn(HOUR)
    expect([updater.started, world.ended]).toEqual([[], []])
    const pending = await readdir(join(folder, 'cache/fundus-courier-updater/pending')).catch(() => [])
    expect(pending.filter((name) => name.endsWith('.exe'))).toEqual([])
  })

  it('that knows an older outbox, or none, is not even fetched', async () => {
    const { publish, asked, updates, becomes } = await installed()
    publish({ outboxSchema: 3 })
    await updates.check()
    await becomes('refused')
    expect(updates.state()).toEqual({ kind: 'refused', version: '0.2.0', why: 'olderOutbox' })
    publish({})
    await updates.check()
    expect(updates.state()).toMatchObject({ kind: 'refused', why: 'olderOutbox' })
    expect(asked.filter((path) => path.endsWith('.exe'))).toEqual([])
  })

  it('of the same version or an older one is none, and a feed that cannot be read neither', async () => {
    const { publish, updates } = await installed()
    await updates.check()
    expect(updates.state()).toMatchObject({ kind: 'current', lookedAt: null, trouble: 'unreachable' })
    for (const version of ['0.1.0', '0.0.9']) {
      publish({ version, outboxSchema: 9 })
      await updates.check()
      expect(updates.state()).toMatchObject({ kind: 'current', trouble: null })
    }
  })
})

/** What can carry the station of a scene: one spec runs on each, and its name says which it was. */
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, describe, it } from 'vitest'
import { findForTests, surroundings } from '../../tools/electron-runtime.ts'
import { startStation, type StationConfig, type StationProcess } from '../station-process/start-station.ts'
import { isLongRun } from '../tools/long-run.ts'
import { openTestBrowser, type TestBrowser } from './browser.ts'
import { openDesktopBrowser, startDesktop, startOn } from './fake-electron/start-desktop.ts'

/** A station in a process of its own, whatever carries it. */
export type HostedStation = Pick<
  StationProcess,
  'ask' | 'value' | 'log' | 'kill' | 'stop' | 'ended' | 'pid'
> & {
  /** The screens, as a person has them before them. */
  openPage(): Promise<Page>
  /** What may stand in no address. */
  readonly secrets: readonly string[]
}

export type HostedStart = {
  readonly dataFolder: string
  readonly config: StationConfig
  readonly parameters: readonly string[]
}

export type Host = {
  readonly kind: 'headless' | 'desktop'
  /** For the name of a test. */
  readonly name: string
  /** Can its process be stopped and go on, while its screens stay? Not on Windows, and not where Electron draws them. */
  readonly canHang: boolean
  openBrowser(): Promise<TestBrowser>
  start(options: HostedStart, browser: Browser): Promise<HostedStation>
}

type Electron = { readonly program: string }

const VIEWPORT = { width: 1_280, height: 800 }

const headless: Host = {
  kind: 'headless',
  name: 'the headless host',
  canHang: process.platform !== 'win32',
  openBrowser: () => openTestBrowser(),
  async start(options, browser) {
    const station = await startStation(options)
    return {
      ...station,
      secrets: [station.token],
      async openPage() {
        const page = await browser.newPage({ viewport: VIEWPORT, colorScheme: 'light' })
        await page.goto(station.screens)
        return page
      },
    }
  },
}

function desktopOn(electron: Electron | null): Host {
  return {
    kind: 'desktop',
    name: `the desktop app on ${electron === null ? 'the fake Electron' : 'Electron'}`,
    canHang: electron === null && process.platform !== 'win32',
    openBrowser: openDesktopBrowser,
    async start({ dataFolder, config, parameters }, browser) {
      // A second start finds what the first has left there, its secrets and its lock.
      const folders = { dataFolder, userData: join(dirname(dataFolder), 'user-data') }
      const running =
        electron === null
          ? await startDesktop({ ...folders, config, parameters, browser })
          : await startOn(electron.program, { ...folders, config, parameters })
      return {
        pid: running.pid,
        ask: (name, input) => running.call(name, input),
        value: (name, input) => running.value(name, input),
        log: () => `${running.stderr()}\n${running.log()}`,
        kill: () => running.kill(),
        stop: () => running.stop(),
        ended: running.exitCode,
        secrets: [],
        async openPage() {
          const page = await running.page()
          await page.setViewportSize(VIEWPORT)
          return page
        },
      }
    },
  }
}

const found = findForTests(surroundings)

/** What differs between the hosts has specs of its own: only the long run repeats a whole spec on each. */
const hosts: readonly Host[] = isLongRun
  ? [
      headless,
      desktopOn(null),
      // The run says at its end whether Electron itself is there.
      ...(found.kind === 'found' ? [desktopOn({ program: found.path })] : []),
    ]
  : [headless]

/**
 * A `describe` on each host of this run, with its browser; if there is none, a test in its place says why. The packaged
 * browser runs on every Linux, so only elsewhere may one be missing.
 */
export async function describeHosts(
  name: string,
  specs: (host: Host, browser: Browser) => void,
): Promise<void> {
  const stages = await Promise.all(hosts.map(async (host) => ({ host, opened: await host.openBrowser() })))
  describe.each(stages)(`${name}, $host.name`, ({ host, opened }) => {
    if (opened.kind === 'open') {
      afterAll(() => opened.browser.close())
      return specs(host, opened.browser)
    }
    it('has a browser', (test) => {
      if (process.platform === 'linux') throw new Error(opened.why)
      test.skip(opened.why)
    })
  })
}

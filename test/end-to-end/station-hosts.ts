/** What can carry the station of a scene: one spec runs on each, and its name says which it was. */
import type { Browser, Page } from 'playwright-core'
import { startStation, type StationConfig, type StationProcess } from '../station-process/start-station.ts'
import { openTestBrowser, type TestBrowser } from './browser.ts'
import { desktopHost, openDesktopBrowser, startDesktop } from './electron-stand-in/start-desktop.ts'

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
  openBrowser(): Promise<TestBrowser>
  start(given: HostedStart, browser: Browser): Promise<HostedStation>
}

const VIEWPORT = { width: 1_280, height: 800 }

export const headless: Host = {
  kind: 'headless',
  name: 'the headless host',
  openBrowser: () => openTestBrowser(),
  async start(given, browser) {
    const station = await startStation(given)
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

export const desktop: Host = {
  kind: 'desktop',
  name: `the desktop app on ${desktopHost()}`,
  openBrowser: openDesktopBrowser,
  async start({ dataFolder, config, parameters }, browser) {
    const running = await startDesktop({ dataFolder, config, words: parameters, browser })
    return {
      pid: running.pid,
      ask: (name, input) => running.call(name, input),
      value: (name, input) => running.value(name, input),
      log: () => running.said(),
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

export const hosts: readonly Host[] = [headless, desktop]

/** A camera, a service and the desktop app in a folder of one account, for tests of how the app begins and ends. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { PracticeOptions } from '../../practice-service/desk.ts'
import { type StationConfig, until } from '../../station-process/start-station.ts'
import type { Desktop, DesktopOptions } from '../fake-electron/desktop.ts'
import { startDesktop } from '../fake-electron/start-desktop.ts'
import { exportSmallVisit, setFixtureFor, type StationFixture } from '../station-fixture.ts'

export type DesktopFixture = Pick<StationFixture<Desktop>, 'camera' | 'dataFolder' | 'service'> & {
  /** Starts the app, or starts it again. */
  run(
    options?: Pick<DesktopOptions, 'parameters' | 'waitFor' | 'environment'> & {
      readonly dialogAnswers?: readonly number[]
      readonly changes?: Partial<StationConfig>
    },
  ): Promise<Desktop>
  /** The camera exports one visit; its case is sent without a person. */
  exportOne(seed?: number): Promise<void>
}

/** It is closed when the test ends. */
export async function setDesktop(browser: Browser, options: PracticeOptions = {}): Promise<DesktopFixture> {
  let more: DesktopOptions = {}
  const fixture = await setFixtureFor<Desktop>(({ dataFolder, config }) => {
    const userData = join(dataFolder, '..', 'account')
    return startDesktop({ browser, dataFolder, userData, config, ...more })
  }, options)
  onTestFinished(() => fixture.close())
  return {
    camera: fixture.camera,
    dataFolder: fixture.dataFolder,
    service: fixture.service,
    run: ({ dialogAnswers = [], changes = {}, ...wanted } = {}) => {
      more = { ...wanted, surroundings: { dialogAnswers } }
      return fixture.start(changes)
    },
    exportOne: async (seed = 6) => void (await exportSmallVisit(fixture.camera, seed)),
  }
}

/** The state of the only case. */
export async function stateOf(desktop: Desktop): Promise<string | undefined> {
  return (await desktop.value('submissions.list')).items[0]?.state
}

export function becomes(desktop: Desktop, state: string): Promise<boolean> {
  return until(`the case is ${state}`, async () => (await stateOf(desktop)) === state)
}

/** What a person was asked or shown, by its message. */
export function messagesOf(desktop: Desktop): readonly string[] {
  return desktop.recorded('dialog').map(({ message }) => message)
}

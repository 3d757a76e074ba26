/** A camera, a service and the desktop app in a folder of one account, for tests of how the app begins and ends. */
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { exportVisit } from '../../camera/export-visit.ts'
import type { PracticeOptions } from '../../practice-service/desk.ts'
import type { Desktop, Surroundings } from '../fake-electron/desktop.ts'
import { startDesktop } from '../fake-electron/start-desktop.ts'
import { setSceneFor, type Scene } from '../station-scene.ts'

export type LifeScene = Scene<Desktop> & {
  /** Starts the app, or starts it again, with these answers to its next dialogs. */
  run(given?: {
    readonly parameters?: readonly string[]
    readonly dialogAnswers?: Surroundings['dialogAnswers']
    readonly waitFor?: 'page' | 'nothing'
  }): Promise<Desktop>
  /** The camera exports one visit; its case is sent by itself. */
  exportOne(seed?: number): Promise<void>
}

export async function setLifeScene(browser: Browser, options: PracticeOptions = {}): Promise<LifeScene> {
  let given: Parameters<LifeScene['run']>[0] = {}
  const scene = await setSceneFor<Desktop>(async ({ dataFolder, config }) => {
    const { parameters = [], dialogAnswers = [], waitFor = 'page' } = given ?? {}
    const userData = join(dataFolder, '..', 'account')
    return await startDesktop({
      browser,
      dataFolder,
      userData,
      config,
      parameters,
      waitFor,
      surroundings: { dialogAnswers },
    })
  }, options)
  return {
    ...scene,
    run: (wanted) => {
      given = wanted
      return scene.start()
    },
    exportOne: async (seed = 6) => {
      await exportVisit({
        folder: scene.camera,
        seed,
        visitDate: '2026-11-20',
        width: 320,
        height: 240,
        sidecar: 'first',
      })
    },
  }
}

/** What a person was asked or told, by its message. */
export function messagesOf(desktop: Desktop): readonly string[] {
  return desktop.recorded('dialog').map(({ message }) => message)
}

/** What happened to the window, without its being made and loaded. */
export function movesOf(desktop: Desktop): readonly string[] {
  return desktop
    .recorded('window')
    .map(({ what }) => what)
    .filter((what) => ['shown', 'hidden', 'closed'].includes(what))
}

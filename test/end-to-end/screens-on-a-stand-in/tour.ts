/** The scenes of a room in one language, judged one after another. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, inject, type TestContext } from 'vitest'
import type { Language } from '../../../src-shared/texts/texts.ts'
import { openTestBrowser, type TestBrowser } from '../browser.ts'
import { axeFindings } from './axe-findings.ts'
import type { Scene } from './scene.ts'
import { SCENE_ROOMS, type SceneRoom } from './scenes.ts'
import { lightOrDark, openTheatre, type Theatre } from './show-scenes.ts'
import { drawFiles } from './stand-in-files.ts'

export type Judge = (page: Page, scene: Scene) => Promise<readonly string[]>

/** By scene, what was found there; scenes without a finding are not named. */
export type Found = Readonly<Record<string, readonly string[]>>

/** Sets up the tour of a test file; the answer makes it, or skips the test and says why there is no browser. */
export function setTour(
  language: Language,
): (context: TestContext, room: SceneRoom, judge: Judge) => Promise<Found> {
  let folder: string
  let test: TestBrowser
  let theatre: Theatre | null = null

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fundus-courier-tour-'))
    test = await openTestBrowser()
    if (test.kind === 'absent') return
    const files = await drawFiles(folder)
    theatre = await openTheatre({
      browser: test.browser,
      screensFolder: inject('screensFolder'),
      files,
      language,
    })
  })
  afterAll(async () => {
    await theatre?.close()
    if (test.kind === 'open') await test.browser.close()
    await rm(folder, { recursive: true, force: true })
  })

  return async (context, room, judge) => {
    if (test.kind === 'absent') return context.skip(test.why)
    const found: Record<string, readonly string[]> = {}
    for (const scene of SCENE_ROOMS[room]) {
      const findings = await visit(scene, judge)
      if (findings.length > 0) found[scene.name] = findings
    }
    return found
  }

  async function visit(scene: Scene, judge: Judge): Promise<readonly string[]> {
    if (theatre === null) throw new Error('The tour has not begun')
    try {
      return await judge(await theatre.show(scene), scene)
    } catch (error) {
      // One scene that cannot be shown keeps no other from being judged.
      return [`could not be shown: ${error instanceof Error ? error.message : String(error)}`]
    }
  }
}

/** Everything that axe knows in the light theme, and what colour decides in the dark one. */
export const inBothThemes: Judge = async (page, { isOnPaper }) => {
  if (isOnPaper) return []
  const light = await axeFindings(page, 'all')
  await lightOrDark(page, 'dark')
  const dark = await axeFindings(page, 'byColour')
  await lightOrDark(page, 'light')
  return [...light, ...dark.map((line) => `dark: ${line}`)]
}

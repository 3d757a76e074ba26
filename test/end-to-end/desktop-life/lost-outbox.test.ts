import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../station-process/start-station.ts'
import { desktopHost, openDesktopBrowser } from '../fake-electron/start-desktop.ts'
import { inManifests } from '../manifests.ts'
import { messagesOf, setLifeScene, type LifeScene } from './life-scene.ts'

const opened = await openDesktopBrowser()
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

const RECOVER = 0

describe.skipIf(opened.kind === 'absent')(`a lost outbox, the desktop app on ${desktopHost()}`, () => {
  let browser: Browser
  let scene: LifeScene
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  it('asks before the outbox is built anew: whoever closes the question has changed nothing', async () => {
    scene = await setLifeScene(browser)
    const first = await scene.run()
    await scene.exportOne()
    const [sent] = await until('the case is sent', async () => {
      const { items } = await first.value('submissions.list', { state: ['sent'] })
      return items.length === 1 && items
    })
    await inManifests(scene.dataFolder, 'H-00006', '"state":"sent"')
    await first.stop()
    const database = join(scene.dataFolder, 'outbox.sqlite')
    await rm(database)

    const refused = await scene.run({ waitFor: 'nothing' })
    const asked = await refused.waitFor('dialog')
    expect(asked.message).toMatch(/is missing.*Nothing was sent/s)
    expect([asked.buttons, asked.options['defaultId'], asked.options['cancelId']]).toEqual([
      ['Recover', 'Quit'],
      1,
      1,
    ])
    expect(await refused.exitCode).toBe(0)
    expect(existsSync(database)).toBe(false)

    const again = await scene.run({ dialogAnswers: [RECOVER] })
    await until('what was done is told', () => messagesOf(again).length === 2)
    const { items } = await again.value('submissions.list')
    expect(items.map(({ id, state }) => [id, state])).toEqual([[sent?.id, 'sent']])
    expect(scene.service.cases()).toHaveLength(1)
  })
})

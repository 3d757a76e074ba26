/** How the app ends: asked by a person while cases wait, or told by the system. Kills: kill-and-restart.test.ts. */
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { holdBack } from '../../practice-service/faults.ts'
import { until } from '../../station-process/start-station.ts'
import type { Act, Desktop } from '../fake-electron/desktop.ts'
import { logOf } from '../fake-electron/log-of.ts'
import { desktopHost, openDesktopBrowser } from '../fake-electron/start-desktop.ts'
import { messagesOf, setLifeScene, type LifeScene } from './life-scene.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

const NOT_SENT = 'One case is not sent yet'
const QUIT_NOW = 1
const SEND_FIRST = 2

describe.skipIf(opened.kind === 'absent')(`the life of the desktop app on ${desktopHost()}`, () => {
  let browser: Browser
  let scene: LifeScene
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  /** Running, with one case that waits because a person has paused sending. */
  async function withOneWaiting(): Promise<Desktop> {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    await desktop.value('station.pause', { seconds: null })
    await scene.exportOne()
    await until('the case waits', async () => (await stateOf(desktop)) === 'waiting')
    return desktop
  }
  async function stateOf(desktop: Desktop): Promise<string | undefined> {
    return (await desktop.value('submissions.list')).items[0]?.state
  }
  const answer = (desktop: Desktop, ...dialogAnswers: number[]): Promise<void> =>
    desktop.act({ kind: 'surroundings', changes: { dialogAnswers } })

  it('asks before quitting while a case waits; the safe answer keeps it running, and the next start has the case', async () => {
    const desktop = await withOneWaiting()
    await desktop.act({ kind: 'quit' })
    const { buttons, options } = await desktop.waitFor('dialog')
    expect([messagesOf(desktop), buttons, options['defaultId'], options['cancelId']]).toEqual([
      [NOT_SENT],
      ['Keep running', 'Quit now'],
      0,
      0,
    ])
    expect(await stateOf(desktop)).toBe('waiting')
    await answer(desktop, QUIT_NOW)
    await desktop.act({ kind: 'menuClick', labels: ['Quit'] })
    expect(await desktop.exitCode).toBe(0)

    const again = await scene.run()
    await again.value('station.resume', {})
    await until('the case is sent', async () => (await stateOf(again)) === 'sent')
    expect(scene.service.cases()).toHaveLength(1)
  })

  it('lets the cases go first where a person wants that, and then ends by itself', async () => {
    scene = await setLifeScene(browser)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    scene.service.faults.add('POST /cases', holdBack(released), { times: 1 })
    const desktop = await scene.run()
    await scene.exportOne()
    await until('the case is being sent', async () => (await stateOf(desktop)) === 'sending')
    // It hears of the attempt a moment after the outbox.
    await desktop.waitFor('powerSave')
    await answer(desktop, SEND_FIRST)
    await desktop.act({ kind: 'quit' })
    await desktop.waitFor('dialog')
    release()
    expect(await desktop.exitCode).toBe(0)
    expect(messagesOf(desktop)).toEqual([NOT_SENT])
    // Whatever had become of it was written before the end.
    const again = await scene.run()
    expect(await stateOf(again)).toBe('sent')
    expect(scene.service.cases()).toHaveLength(1)
    expect(desktop.recorded('powerSave').map(({ what, type }) => `${what} ${type}`)).toEqual([
      'started prevent-app-suspension',
      'stopped prevent-app-suspension',
    ])
  })

  it('goes on through a locked screen and a sleep, and sends what was under way once', async () => {
    scene = await setLifeScene(browser)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    scene.service.faults.add('POST /cases', holdBack(released), { times: 1 })
    const desktop = await scene.run()
    await scene.exportOne()
    await until('the case is being sent', async () => (await stateOf(desktop)) === 'sending')
    for (const kind of ['lock', 'suspend', 'resume', 'unlock'] as const) await desktop.act({ kind })
    release()
    await until('the case is sent', async () => (await stateOf(desktop)) === 'sent')
    expect(scene.service.cases()).toHaveLength(1)
    expect(await desktop.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
    expect(logOf(desktop)).toMatch(/the computer goes to sleep[^]*the computer woke up/)
  })

  it.each<Act>([{ kind: 'sessionEnd' }, { kind: 'shutdown' }])(
    'asks nobody where the system ends it: $kind',
    async (act) => {
      const desktop = await withOneWaiting()
      await desktop.act(act)
      expect(await desktop.exitCode).toBe(0)
      expect(messagesOf(desktop)).toEqual([])
    },
  )

  it('asks nobody where the contract ends it', async () => {
    const desktop = await withOneWaiting()
    await desktop.value('station.stop', {})
    expect(await desktop.exitCode).toBe(0)
    expect(messagesOf(desktop)).toEqual([])
  })
})

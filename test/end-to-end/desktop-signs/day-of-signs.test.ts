/** What stands outside of the window through a day: the tray, the taskbar's button and the notices, and where they lead. */
import { basename } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { answerStatus, holdBack } from '../../practice-service/faults.ts'
import { until } from '../../station-process/start-station.ts'
import { setLifeScene, type LifeScene } from '../desktop-life/life-scene.ts'
import type { Desktop, Records } from '../fake-electron/desktop.ts'
import { openDesktopBrowser } from '../fake-electron/start-desktop.ts'

const opened = await openDesktopBrowser()
// The packaged browser runs on every Linux; only elsewhere may one be missing, and then the summary says so.
if (opened.kind === 'absent' && process.platform === 'linux') throw new Error(opened.why)

type Tray = Records['tray']

/** `idle`, `attention-1`: the picture without what differs between systems. */
const markOf = ({ image }: Tray): string => basename(image).replace(/(?:Template)?\.\w+$/, '')
const labelsOf = ({ menu }: Tray): readonly string[] =>
  menu.filter(({ type }) => type !== 'separator').map(({ label }) => label)
const trayOf = (desktop: Desktop): Tray => {
  const tray = desktop.recorded('tray').at(-1)
  if (!tray) throw new Error('there is no tray')
  return tray
}

describe.skipIf(opened.kind === 'absent')('outside of the window', () => {
  let browser: Browser
  let scene: LifeScene
  beforeAll(() => {
    if (opened.kind === 'open') browser = opened.browser
  })
  afterEach(() => scene.close())
  afterAll(() => browser.close())

  /** Waits until the tray looks like this now, whatever it was before. */
  const shows = (desktop: Desktop, mark: string, ...parameters: readonly string[]): Promise<Tray> =>
    until(`the tray shows ${mark} ${parameters.join()}`, () => {
      const tray = desktop.recorded('tray').at(-1)
      const isIt = tray && markOf(tray) === mark && parameters.every((one) => tray.toolTip.includes(one))
      return isIt ? tray : null
    })
  const shown = (desktop: Desktop, title: string): Promise<Records['notification']> =>
    desktop.waitFor('notification', (notice) => notice.what === 'shown' && notice.title === title)
  const hash = async (desktop: Desktop): Promise<string> => new URL((await desktop.page()).url()).hash

  it('the tray and the taskbar follow the work of a day', async () => {
    scene = await setLifeScene(browser)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    scene.service.faults.add('POST /cases', holdBack(released, 'read'), { times: 1 })
    const desktop = await scene.run()
    await shows(desktop, 'idle', 'nothing is waiting')

    await scene.exportOne(1)
    await shows(desktop, 'working', '1 on the way')
    await desktop.waitFor('progress', ({ value }) => value > 0)
    release()
    await shows(desktop, 'idle', 'nothing is waiting')
    await until('the bar is gone', () => desktop.recorded('progress').at(-1)?.value === -1)

    await desktop.act({ kind: 'menuClick', labels: ['Pause sending', 'For 15 minutes'] })
    const paused = await shows(desktop, 'paused', 'sending is paused until ')
    expect(labelsOf(paused)).toEqual([
      'Open Fundus Courier',
      expect.stringMatching(/^Sending is paused until .*\d\d:\d\d$/),
      'Resume sending',
      'Settings…',
      'Help and diagnostics…',
      'Quit',
    ])
    const { mode } = await desktop.value('station.status')
    if (mode.kind !== 'paused' || mode.until === null) throw new Error(`it is ${mode.kind}`)
    expect(Math.abs(mode.until - Date.now() - 15 * MINUTE)).toBeLessThan(10 * SECOND)
    await scene.exportOne(2)
    await shows(desktop, 'paused', '1 waiting')
    expect(scene.service.cases()).toHaveLength(1)
    await desktop.act({ kind: 'menuClick', labels: ['Resume sending'] })
    await shows(desktop, 'idle', 'nothing is waiting')
    expect(scene.service.cases()).toHaveLength(2)

    await scene.service.goAway()
    await scene.exportOne(3)
    await shows(desktop, 'offline', 'no connection to the service, 1 waiting')
    await scene.service.comeBack()
    await shows(desktop, 'idle', 'nothing is waiting')

    scene.service.faults.add('POST /cases', answerStatus(422, 'json'))
    await scene.exportOne(4)
    await shows(desktop, 'attention-1', '1 case needs attention')
    await desktop.waitFor('badge', ({ count }) => count === 1)
    await desktop.stop()
    expect(trayOf(desktop).isThere).toBe(false)
  })

  it('a case that is refused is told of once, and a click leads to it', async () => {
    scene = await setLifeScene(browser, { reportDelayMs: 10 * MINUTE })
    scene.service.faults.add('POST /cases', answerStatus(422, 'json'), { times: 'always' })
    const desktop = await scene.run()
    await desktop.act({ kind: 'closeWindow' })
    await scene.exportOne(5)
    const notice = await shown(desktop, 'A case needs attention')
    const [submission] = (await desktop.value('submissions.list')).items
    if (!submission) throw new Error('there is no case')
    const told = JSON.stringify(desktop.recorded('notification'))
    const { history_number: historyNumber, last_name: lastName } = submission.fields
    for (const hidden of [historyNumber, lastName, submission.id, submission.reference])
      expect(told).not.toContain(String(hidden))

    await desktop.act({ kind: 'notificationClick', id: notice.id })
    await until('its case is open', async () => (await hash(desktop)) === `#/queue/${submission.id}`)
    const page = await desktop.page()
    await page.getByText(submission.reference).first().waitFor()
    expect(desktop.recorded('window').at(-1)?.what).toMatch(/^(?:shown|focused)$/)
    expect(desktop.recorded('notification').filter(({ what }) => what === 'shown')).toHaveLength(1)
  })

  it('a report that arrives is told of, and a click leads to it', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    await scene.exportOne(6)
    const notice = await shown(desktop, 'A report has arrived')
    const [submission] = (await desktop.value('submissions.list')).items
    await desktop.act({ kind: 'notificationClick', id: notice.id })
    const expected = `#/reports/${submission?.caseId}/${submission?.id}`
    await until('its report is open', async () => (await hash(desktop)) === expected)
  })

  it('speaks the language that is chosen on the screens, at once and after a restart', async () => {
    scene = await setLifeScene(browser)
    const desktop = await scene.run()
    await shows(desktop, 'idle', 'nothing is waiting')
    const page = await desktop.page()
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    const spanish = await shows(desktop, 'idle', 'no hay nada en espera')
    expect(labelsOf(spanish)[0]).toBe('Abrir Fundus Courier')
    await desktop.stop()

    const again = await scene.run()
    await again.waitFor('tray', ({ toolTip }) => toolTip === 'Fundus Courier: no hay nada en espera')
    // Before there was a page that could have told it.
    const [first] = again.recorded('tray').filter(({ toolTip }) => toolTip !== '')
    expect(first?.toolTip).toBe('Fundus Courier: arrancando')
  })

  it('where the system has no notices the tray tells the same', async () => {
    scene = await setLifeScene(browser)
    scene.service.faults.add('POST /cases', answerStatus(422, 'json'))
    const desktop = await scene.run()
    await desktop.act({ kind: 'surroundings', changes: { hasNotifications: false } })
    await scene.exportOne(8)
    await shows(desktop, 'attention-1', '1 case needs attention')
    await desktop.act({ kind: 'menuClick', labels: ['Settings…'] })
    await until('the settings are open', async () => (await hash(desktop)) === '#/settings/general')
    expect(desktop.recorded('notification')).toEqual([])
  })
})

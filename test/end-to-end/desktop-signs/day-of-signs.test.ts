/** What is outside of the window through a day: the tray, the taskbar button and the notifications, and their ways in. */
import { basename } from 'node:path'
import { expect, it } from 'vitest'
import { MINUTE, SECOND } from '../../../src-shared/durations.ts'
import { answerStatus, holdBack } from '../../practice-service/faults.ts'
import { until } from '../../station-process/start-station.ts'
import { setDesktop } from '../desktop-runs/desktop-fixture.ts'
import type { Desktop, Records } from '../fake-electron/desktop.ts'
import { describeDesktop } from '../fake-electron/start-desktop.ts'

type Tray = Records['tray']

/** `idle`, `attention-1`: the picture without what differs between systems. */
const markOf = ({ image }: Tray): string => basename(image).replace(/(?:Template)?\.\w+$/, '')
const labelsOf = ({ menu }: Tray): readonly string[] =>
  menu.filter(({ type }) => type !== 'separator').map(({ label }) => label)

/** Waits until the tray shows this now, whatever it was before. */
const shows = (desktop: Desktop, mark: string, text: string): Promise<Tray> =>
  until(`the tray shows ${mark} ${text}`, () => {
    const tray = desktop.recorded('tray').at(-1)
    return tray && markOf(tray) === mark && tray.toolTip.includes(text) ? tray : null
  })
const notified = (desktop: Desktop, title: string): Promise<Records['notification']> =>
  desktop.waitFor('notification', (one) => one.title === title)
const opens = (desktop: Desktop, route: string): Promise<boolean> =>
  until(`${route} is open`, async () => new URL((await desktop.page()).url()).hash === route)

await describeDesktop('outside of the window', (browser) => {
  it('the tray and the taskbar follow the work of a day', async () => {
    const fixture = await setDesktop(browser())
    const { service } = fixture
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    service.faults.add('POST /cases', holdBack(released, 'read'), { times: 1 })
    const desktop = await fixture.run()
    await shows(desktop, 'idle', 'nothing waiting')

    await fixture.exportOne(1)
    await shows(desktop, 'working', '1 on the way')
    release()
    await shows(desktop, 'idle', 'nothing waiting')

    await desktop.act({ kind: 'menuClick', labels: ['Pause sending', 'For 15 minutes'] })
    const paused = await shows(desktop, 'paused', 'sending paused until ')
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
    await fixture.exportOne(2)
    await shows(desktop, 'paused', '1 waiting')
    expect(service.cases()).toHaveLength(1)
    await desktop.act({ kind: 'menuClick', labels: ['Resume sending'] })
    await shows(desktop, 'idle', 'nothing waiting')
    expect(service.cases()).toHaveLength(2)

    await service.goAway()
    await fixture.exportOne(3)
    await shows(desktop, 'offline', 'no connection to the service, 1 waiting')
    await service.comeBack()
    await shows(desktop, 'idle', 'nothing waiting')

    service.faults.add('POST /cases', answerStatus(422, 'json'))
    await fixture.exportOne(4)
    await shows(desktop, 'attention-1', '1 case needs attention')
    await desktop.waitFor('badge', ({ count }) => count === 1)
    await desktop.stop()
    expect(desktop.recorded('tray').at(-1)?.isThere).toBe(false)
  })

  it('a refused case has one notification without the patient, and a click leads to it', async () => {
    const fixture = await setDesktop(browser(), { reportDelayMs: 10 * MINUTE })
    fixture.service.faults.add('POST /cases', answerStatus(422, 'json'), { times: 'always' })
    const desktop = await fixture.run()
    await desktop.act({ kind: 'closeWindow' })
    await fixture.exportOne(5)
    const { id } = await notified(desktop, 'A case needs attention')
    const [submission] = (await desktop.value('submissions.list')).items
    if (!submission) throw new Error('there is no case')
    const shown = JSON.stringify(desktop.recorded('notification'))
    const { history_number: historyNumber, last_name: lastName } = submission.fields
    for (const hidden of [historyNumber, lastName, submission.id, submission.reference])
      expect(shown).not.toContain(String(hidden))

    await desktop.act({ kind: 'notificationClick', id })
    await opens(desktop, `#/queue/${submission.id}`)
    await (await desktop.page()).getByText(submission.reference).first().waitFor()
    expect(desktop.recorded('window').at(-1)?.what).toMatch(/^(?:shown|focused)$/)
    expect(desktop.recorded('notification')).toHaveLength(1)
  })

  it('a report that arrives has a notification, and a click leads to it', async () => {
    const fixture = await setDesktop(browser())
    const desktop = await fixture.run()
    await fixture.exportOne(6)
    const { id } = await notified(desktop, 'Report arrived')
    const [submission] = (await desktop.value('submissions.list')).items
    await desktop.act({ kind: 'notificationClick', id })
    await opens(desktop, `#/reports/${submission?.caseId}/${submission?.id}`)
  })

  it('the language is the one that is chosen on the screens, at once and after a restart', async () => {
    const fixture = await setDesktop(browser())
    const desktop = await fixture.run()
    await shows(desktop, 'idle', 'nothing waiting')
    const page = await desktop.page()
    await page.getByRole('button', { name: /^Language/ }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    const spanish = await shows(desktop, 'idle', 'nada en espera')
    expect(labelsOf(spanish)[0]).toBe('Abrir Fundus Courier')
    await desktop.stop()

    const again = await fixture.run()
    await again.waitFor('tray', ({ toolTip }) => toolTip === 'Fundus Courier: nada en espera')
    // Before there was a page that could have reported it.
    const [first] = again.recorded('tray').filter(({ toolTip }) => toolTip !== '')
    expect(first?.toolTip).toBe('Fundus Courier: arrancando')
  })

  it('if the system has no notifications, the tray shows the same', async () => {
    const fixture = await setDesktop(browser())
    fixture.service.faults.add('POST /cases', answerStatus(422, 'json'))
    const desktop = await fixture.run()
    await desktop.act({ kind: 'surroundings', changes: { hasNotifications: false } })
    await fixture.exportOne(8)
    await shows(desktop, 'attention-1', '1 case needs attention')
    await desktop.act({ kind: 'menuClick', labels: ['Settings…'] })
    await opens(desktop, '#/settings/clinic')
    expect(desktop.recorded('notification')).toEqual([])
  })
})

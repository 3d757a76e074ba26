/** What ends unexpectedly: the page, and the app again and again. */
import { expect, it } from 'vitest'
import { describeDesktop } from '../fake-electron/start-desktop.ts'
import { setDesktop } from './desktop-fixture.ts'

await describeDesktop('crashes of the desktop app', (browser) => {
  it('loads screens that die three times, and then those that a person wants to see again', async () => {
    const fixture = await setDesktop(browser())
    const desktop = await fixture.run()
    const reloads = (): number => desktop.recorded('window').filter(({ what }) => what === 'reloaded').length
    for (let count = 1; count <= 3; count += 1) {
      await desktop.act({ kind: 'rendererGone' })
      await expect.poll(reloads).toBe(count)
      await (await desktop.page()).getByRole('heading', { level: 1 }).first().waitFor()
    }
    await desktop.act({ kind: 'rendererGone' })
    const asked = await desktop.waitFor('dialog', ({ message }) =>
      message.includes('screens crashed several'),
    )
    expect([asked.buttons, asked.detail]).toEqual([
      ['Try again'],
      expect.stringContaining(desktop.dataFolder),
    ])
    // None of it touches the station.
    await fixture.exportOne()
    await expect.poll(() => fixture.service.cases().length).toBe(1)
    await (await desktop.page()).getByTestId('banner').waitFor()
    expect(reloads()).toBe(4)
  })

  it('starts with its screens only after three kills, and goes on when a person starts it normally', async () => {
    const fixture = await setDesktop(browser())
    for (let count = 0; count < 3; count += 1) {
      const killed = await fixture.run({ waitFor: 'nothing' })
      await killed.waitFor('window')
      await killed.kill()
    }
    const safe = await fixture.run()
    await fixture.exportOne()
    const banner = (await safe.page()).getByTestId('banner')
    await banner.getByText('Safe mode: nothing is imported or sent').waitFor()
    expect(await safe.value('station.status')).toMatchObject({
      mode: { kind: 'paused', why: 'safeMode' },
      folders: [],
    })
    expect(fixture.service.cases()).toEqual([])
    await banner.getByRole('button', { name: 'Start normally' }).click()
    await expect.poll(() => fixture.service.cases().length).toBe(1)
    expect(await safe.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
  })
})

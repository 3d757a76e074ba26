/** One instance an account, its window, and the way back to it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Desktop } from '../fake-electron/desktop.ts'
import { describeDesktop } from '../fake-electron/start-desktop.ts'
import { messagesOf, setDesktop } from './desktop-fixture.ts'

/** Null before the first one. */
async function heartbeatOf({ dataFolder }: Desktop): Promise<unknown> {
  const text = await readFile(join(dataFolder, 'heartbeat.json'), 'utf8').catch(() => 'null')
  return JSON.parse(text) as unknown
}

const movesOf = (desktop: Desktop): readonly string[] =>
  desktop.recorded('window').flatMap(({ what }) => (['shown', 'hidden', 'closed'].includes(what) ? what : []))

/** A second process that went on would have read the rest of the app. */
const hasBooted = (desktop: Desktop): boolean =>
  desktop.recorded('module').some(({ path }) => path.includes('boot'))

await describeDesktop('the instances of the desktop app', (browser) => {
  it('started hidden stays out of sight until a second start, which ends at once and says why', async () => {
    const fixture = await setDesktop(browser())
    const first = await fixture.run({ parameters: ['--hidden'] })
    expect(movesOf(first)).toEqual([])
    const atLogin = await fixture.run({ parameters: ['--hidden'], waitFor: 'nothing' })
    expect(await atLogin.exitCode).toBe(0)
    const second = await fixture.run({ waitFor: 'nothing' })
    expect(await second.exitCode).toBe(0)
    expect(second.stderr()).toContain('is running already; its window is shown')
    await first.waitFor('window', ({ what }) => what === 'shown')
    // The start at login came first, and did not ask for the window.
    expect(movesOf(first)).toEqual(['shown'])
    expect(hasBooted(second)).toBe(false)
  })

  it('explains once that closing the window ends nothing, and shows it again at a second start', async () => {
    const fixture = await setDesktop(browser())
    const desktop = await fixture.run()
    await desktop.waitFor('window', ({ what }) => what === 'shown')
    // The window does not wait for the first heartbeat.
    const running = { pid: desktop.pid, host: 'electron', mode: 'running' }
    await expect.poll(() => heartbeatOf(desktop)).toMatchObject(running)
    await desktop.act({ kind: 'closeWindow' })
    await desktop.waitFor('dialog')
    await desktop.act({ kind: 'secondInstance' })
    await desktop.act({ kind: 'closeWindow' })
    expect(movesOf(desktop)).toEqual(['shown', 'hidden', 'shown', 'hidden'])
    expect(messagesOf(desktop)).toEqual(['Fundus Courier keeps running in the background'])
    expect(await desktop.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
    expect(await desktop.stop()).toBe(0)
    // An end that takes too long is not reported as clean.
    if (!desktop.log().includes('did not stop in time'))
      expect(await heartbeatOf(desktop)).toMatchObject({ pid: desktop.pid, mode: 'stopped' })

    const again = await fixture.run()
    await again.act({ kind: 'closeWindow' })
    await fixture.exportOne()
    // By then it is long known that it was explained before.
    await expect.poll(() => fixture.service.cases().length).toBe(1)
    expect(messagesOf(again)).toEqual([])
  })
})

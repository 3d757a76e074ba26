/** How the app ends: asked by a person while cases wait, or ended by the system. Kills: kill-and-restart.test.ts. */
import { expect, it } from 'vitest'
import { holdBack } from '../../practice-service/faults.ts'
import type { Act, Desktop } from '../fake-electron/desktop.ts'
import { describeDesktop } from '../fake-electron/start-desktop.ts'
import { becomes, messagesOf, setDesktop, stateOf } from './desktop-fixture.ts'

const NOT_SENT = '1 case is not sent yet'
const QUIT_NOW = 1
const SEND_FIRST = 2

await describeDesktop('the end of the desktop app', (browser) => {
  /** Running, with one case that waits because a person has paused sending. */
  async function withOneWaiting() {
    const fixture = await setDesktop(browser())
    const desktop = await fixture.run()
    await desktop.value('station.pause', { seconds: null })
    await fixture.exportOne()
    await becomes(desktop, 'waiting')
    return { fixture, desktop }
  }
  /** Running, with one case being sent until it is released. */
  async function withOneSending() {
    const fixture = await setDesktop(browser())
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    fixture.service.faults.add('POST /cases', holdBack(released), { times: 1 })
    const desktop = await fixture.run()
    await fixture.exportOne()
    await becomes(desktop, 'sending')
    return { fixture, desktop, release }
  }
  const answer = (desktop: Desktop, ...dialogAnswers: number[]): Promise<void> =>
    desktop.act({ kind: 'surroundings', changes: { dialogAnswers } })

  it('asks before quitting while a case waits; the safe answer keeps it running, and the next start has the case', async () => {
    const { fixture, desktop } = await withOneWaiting()
    await desktop.act({ kind: 'quit' })
    const { message, buttons, options } = await desktop.waitFor('dialog')
    expect([message, buttons]).toEqual([NOT_SENT, ['Keep running', 'Quit now']])
    expect(options).toMatchObject({ defaultId: 0, cancelId: 0 })
    expect(await stateOf(desktop)).toBe('waiting')
    await answer(desktop, QUIT_NOW)
    await desktop.act({ kind: 'menuClick', labels: ['Quit'] })
    expect(await desktop.exitCode).toBe(0)

    const again = await fixture.run()
    await again.value('station.resume', {})
    await becomes(again, 'sent')
    expect(fixture.service.cases()).toHaveLength(1)
  })

  it('lets the cases go first if a person wants that, and then ends', async () => {
    const { fixture, desktop, release } = await withOneSending()
    // The host learns of the attempt a moment after the outbox.
    await desktop.waitFor('powerSave')
    await answer(desktop, SEND_FIRST)
    await desktop.act({ kind: 'quit' })
    await desktop.waitFor('dialog')
    release()
    expect(await desktop.exitCode).toBe(0)
    expect(messagesOf(desktop)).toEqual([NOT_SENT])
    // The outcome was written before the end.
    const again = await fixture.run()
    expect(await stateOf(again)).toBe('sent')
    expect(fixture.service.cases()).toHaveLength(1)
    expect(desktop.recorded('powerSave').map(({ what, type }) => `${what} ${type}`)).toEqual([
      'started prevent-app-suspension',
      'stopped prevent-app-suspension',
    ])
  })

  it('goes on through a locked screen and a sleep, and sends what was on its way once', async () => {
    const { fixture, desktop, release } = await withOneSending()
    for (const kind of ['lock', 'suspend', 'resume', 'unlock'] as const) await desktop.act({ kind })
    release()
    await becomes(desktop, 'sent')
    expect(fixture.service.cases()).toHaveLength(1)
    expect(await desktop.value('station.status')).toMatchObject({ mode: { kind: 'running' } })
    expect(desktop.log()).toMatch(/the computer goes to sleep[^]*the computer woke up/)
  })

  it.each<Act | { readonly kind: 'contract' }>([
    { kind: 'sessionEnd' },
    { kind: 'shutdown' },
    { kind: 'contract' },
  ])('asks no one if the system or the contract ends it: $kind', async (end) => {
    const { desktop } = await withOneWaiting()
    await (end.kind === 'contract' ? desktop.value('station.stop', {}) : desktop.act(end))
    expect(await desktop.exitCode).toBe(0)
    expect(messagesOf(desktop)).toEqual([])
  })
})

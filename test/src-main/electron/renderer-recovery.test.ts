import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import {
  chooseRepair,
  type PageFailure,
  recoverRenderer,
  RECOVERY_ADDRESS,
  recoveryPage,
  withRecoveryPage,
} from '../../../src-main/electron/renderer-recovery.ts'
import { ManualClock } from '../station/service/manual-clock.ts'
import { recordingLogger } from './recording-logger.ts'

const crashed: PageFailure = { isEnding: false, reason: 'crashed', shown: 'screens', mayReload: () => true }

describe('a page that is gone', () => {
  it.each<[string, Partial<PageFailure>, string]>([
    ['is loaded again', {}, 'reload'],
    ['out of memory, too', { reason: 'oom' }, 'reload'],
    [
      'gives its place to a plain page once it was loaded too often',
      { mayReload: () => false },
      'showRecoveryPage',
    ],
    ['that was the plain page itself is told of outside of the window', { shown: 'recoveryPage' }, 'tell'],
    ['for good reason is left alone', { reason: 'clean-exit' }, 'nothing'],
    ['while the app ends is left alone', { isEnding: true, mayReload: () => false }, 'nothing'],
  ])('%s', (_name, change, expected) => {
    expect(chooseRepair({ ...crashed, ...change })).toBe(expected)
  })
})

class FakeContents extends EventEmitter {
  url = 'app://station/index.html'
  done: string[] = []
  getURL = (): string => this.url
  reload = (): void => void this.done.push('reload')
  forcefullyCrashRenderer = (): void => {
    this.done.push('kill')
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
  }
}

function scene() {
  const webContents = new FakeContents()
  const clock = new ManualClock()
  const logger = recordingLogger()
  const state = { isEnding: false, isSessionEnding: false }
  const window = Object.assign(new EventEmitter(), {
    webContents,
    loadURL: (address: string) => {
      webContents.done.push(`load ${address}`)
      webContents.url = address
      return Promise.resolve()
    },
  })
  recoverRenderer({
    window,
    clock,
    logger,
    isEnding: () => state.isEnding,
    isSessionEnding: () => state.isSessionEnding,
    showFailure: () => webContents.done.push('tell'),
  })
  const crash = (): void =>
    void webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  return { window, webContents, clock, logger, state, crash }
}

describe('the window', () => {
  it('shows the screens again three times, then a plain page, and then nothing but a word', () => {
    const { webContents, crash } = scene()
    for (let count = 0; count < 5; count += 1) crash()
    expect(webContents.done).toEqual(['reload', 'reload', 'reload', `load ${RECOVERY_ADDRESS}`, 'tell'])
  })

  it('does the same for a page that cannot be loaded, and not for one that another page replaced', () => {
    const { webContents } = scene()
    const fail = (code: number, isMainFrame: boolean): void =>
      void webContents.emit('did-fail-load', {}, code, '', 'app://station/index.html', isMainFrame)
    fail(-3, true)
    fail(-6, false)
    expect(webContents.done).toEqual([])
    fail(-6, true)
    expect(webContents.done).toEqual(['reload'])
  })

  it('waits where the session may end, and shows the screens again once it goes on', () => {
    const { webContents, clock, state, crash } = scene()
    state.isSessionEnding = true
    crash()
    clock.advance(15_000)
    expect(webContents.done).toEqual([])
    state.isSessionEnding = false
    clock.advance(5_000)
    expect(webContents.done).toEqual(['reload'])
    state.isSessionEnding = true
    crash()
    Object.assign(state, { isSessionEnding: false, isEnding: true })
    clock.advance(60_000)
    expect(webContents.done).toEqual(['reload'])
  })

  it('waits half a minute for a page that does not respond, and then loads it again', () => {
    const { window, webContents, clock, logger } = scene()
    window.emit('unresponsive')
    clock.advance(29_000)
    window.emit('responsive')
    clock.advance(60_000)
    expect(webContents.done).toEqual([])
    window.emit('unresponsive')
    clock.advance(30_000)
    expect(webContents.done).toEqual(['kill', 'reload'])
    expect(logger.lines.at(-1)).toMatchObject({ facts: { reason: 'killed', mending: 'reload' } })
  })
})

describe('the plain page', () => {
  const handler = withRecoveryPage(
    () => Promise.resolve(new Response('the screens')),
    () => recoveryPage(hostTexts('es'), 'C:\\Datos <b>&"'),
  )

  it('says in either language what goes on, where the logs lie, and leads back by a link', () => {
    for (const language of ['en', 'es'] as const) {
      const page = recoveryPage(hostTexts(language), '/var/lib/fundus-courier/logs')
      const { t } = hostTexts(language)
      for (const part of [
        t('life.failedTitle'),
        t('life.failedSafe'),
        t('life.tryAgain'),
        '/var/lib/fundus-courier/logs',
      ])
        expect(page).toContain(part)
      expect(page).toContain(`<html lang="${language}">`)
      const [, href = ''] = /<a href="([^"]+)"/.exec(page) ?? []
      expect(new URL(href, RECOVERY_ADDRESS).href).toBe('app://station/index.html')
      expect(page).not.toMatch(/<script|\son\w+=/i)
    }
  })

  it('is served with a policy that loads nothing, and takes no name of a folder for markup', async () => {
    const response = await handler(new Request(RECOVERY_ADDRESS))
    expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src/)
    expect(await response.text()).toContain('C:\\Datos &#60;b&#62;&#38;&#34;')
  })

  it('is served at its own address only', async () => {
    for (const address of ['app://station/index.html', `${RECOVERY_ADDRESS}/x`, `${RECOVERY_ADDRESS}.js`])
      expect(await (await handler(new Request(address))).text()).toBe('the screens')
    expect(await (await handler(new Request(RECOVERY_ADDRESS, { method: 'POST' }))).text()).toBe(
      'the screens',
    )
  })
})

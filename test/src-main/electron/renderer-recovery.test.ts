/** A page that crashes, does not load or does not respond. */
import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import {
  chooseRepair,
  type PageFailure,
  recoverRenderer,
  RECOVERY_ADDRESS,
  recoveryPage,
  withRecoveryPage,
} from '../../../src-main/electron/renderer-recovery.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { createRecordingLogger } from '../../tools/recording-logger.ts'
import { ManualClock } from '../station/service/manual-clock.ts'

it.each<[string, Partial<PageFailure>, string]>([
  ['is loaded again', {}, 'reload'],
  ['out of memory, too', { reason: 'oom' }, 'reload'],
  [
    'is replaced by a plain page once it was loaded too often',
    { mayReload: () => false },
    'showRecoveryPage',
  ],
  ['that was the plain page itself is reported outside of the window', { shown: 'recoveryPage' }, 'report'],
  ['for good reason is ignored', { reason: 'clean-exit' }, 'nothing'],
  ['while the app ends is ignored', { isEnding: true, mayReload: () => false }, 'nothing'],
])('a page that is gone %s', (_name, change, expected) => {
  const crashed: PageFailure = { isEnding: false, reason: 'crashed', shown: 'screens', mayReload: () => true }
  expect(chooseRepair({ ...crashed, ...change })).toBe(expected)
})

function windowWithPage() {
  const done: string[] = []
  const clock = new ManualClock()
  const logger = createRecordingLogger()
  const state = { isEnding: false, isSessionEnding: false }
  let url = 'app://station/index.html'
  const webContents = Object.assign(new EventEmitter(), {
    getURL: (): string => url,
    reload: (): void => void done.push('reload'),
    forcefullyCrashRenderer: (): void => {
      done.push('kill')
      webContents.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 })
    },
  })
  const window = Object.assign(new EventEmitter(), {
    webContents,
    loadURL: (address: string) => {
      done.push(`load ${address}`)
      url = address
      return Promise.resolve()
    },
  })
  recoverRenderer({
    window,
    clock,
    logger,
    isEnding: () => state.isEnding,
    isSessionEnding: () => state.isSessionEnding,
    showFailure: () => done.push('report'),
  })
  const crash = (): void =>
    void webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 })
  return { window, webContents, clock, logger, state, done, crash }
}

describe('the window', () => {
  it('shows the screens again three times, then a plain page, and then only a dialog', () => {
    const { done, crash } = windowWithPage()
    for (let count = 0; count < 5; count += 1) crash()
    expect(done).toEqual(['reload', 'reload', 'reload', `load ${RECOVERY_ADDRESS}`, 'report'])
  })

  it.each([
    [-6, true, ['reload']],
    [-3, true, []],
    [-6, false, []],
  ])(
    'reloads a page that failed with %i in the main frame (%s), unless another replaced it',
    (code, isMain, expected) => {
      const { webContents, done } = windowWithPage()
      webContents.emit('did-fail-load', {}, code, '', 'app://station/index.html', isMain)
      expect(done).toEqual(expected)
    },
  )

  it('waits while the session may end, and shows the screens again if it goes on', () => {
    const { done, clock, state, crash } = windowWithPage()
    state.isSessionEnding = true
    crash()
    clock.advance(15_000)
    expect(done).toEqual([])
    state.isSessionEnding = false
    clock.advance(5_000)
    expect(done).toEqual(['reload'])
    state.isSessionEnding = true
    crash()
    Object.assign(state, { isSessionEnding: false, isEnding: true })
    clock.advance(60_000)
    expect(done).toEqual(['reload'])
  })

  it('waits half a minute for a page that does not respond, and then loads it again', () => {
    const { window, done, clock, logger } = windowWithPage()
    window.emit('unresponsive')
    clock.advance(29_000)
    window.emit('responsive')
    clock.advance(60_000)
    expect(done).toEqual([])
    window.emit('unresponsive')
    clock.advance(30_000)
    expect(done).toEqual(['kill', 'reload'])
    expect(logger.lines.at(-1)).toMatchObject({ facts: { reason: 'killed', mending: 'reload' } })
  })
})

describe('the plain page', () => {
  it.each(['en', 'es'] as const)(
    'says what goes on, names the logs, and leads back by a link (%s)',
    (language) => {
      const { t } = hostTexts(language)
      const page = recoveryPage(hostTexts(language), '/var/lib/logs')
      for (const part of [t('life.failedTitle'), t('life.failedSafe'), t('life.tryAgain'), '/var/lib/logs'])
        expect(page).toContain(part)
      expect(page).toContain(`<html lang="${language}">`)
      const [, href = ''] = /<a href="([^"]+)"/.exec(page) ?? []
      expect(new URL(href, RECOVERY_ADDRESS).href).toBe('app://station/index.html')
      expect(page).not.toMatch(/<script|\son\w+=/i)
    },
  )

  it('is served at its own address only, loads nothing, and takes no name of a folder for markup', async () => {
    const handler = withRecoveryPage(
      () => Promise.resolve(new Response('the screens')),
      () => recoveryPage(hostTexts('es'), 'C:\\Datos <b>&"'),
    )
    const response = await handler(new Request(RECOVERY_ADDRESS))
    expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; style-src/)
    expect(await response.text()).toContain('C:\\Datos &#60;b&#62;&#38;&#34;')
    for (const other of [
      new Request('app://station/index.html'),
      new Request(`${RECOVERY_ADDRESS}/x`),
      new Request(`${RECOVERY_ADDRESS}.js`),
      new Request(RECOVERY_ADDRESS, { method: 'POST' }),
    ])
      expect(await (await handler(other)).text()).toBe('the screens')
  })
})

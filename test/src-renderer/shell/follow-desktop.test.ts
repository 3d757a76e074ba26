import { afterEach, expect, test, vi } from 'vitest'
import { chooseLanguage } from '../../../src-renderer/i18n/i18n.ts'
import type { DesktopBridge } from '../../../src-renderer/link/ipc.ts'
import { followDesktop } from '../../../src-renderer/shell/load-screen.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import { speak } from '../speak.ts'

/** As much of a window as this needs. */
function stage() {
  const location = { hash: '' }
  vi.stubGlobal('window', { location })
  const called: unknown[] = []
  let lead: (route: unknown) => void = () => undefined
  const bridge: DesktopBridge = {
    call: (...texts) => {
      called.push(texts)
      return Promise.reject(new Error('gone'))
    },
    onEvent: () => () => undefined,
    onRoute: (listener) => {
      lead = listener
      return () => undefined
    },
    bytesUrl: () => '',
  }
  followDesktop(bridge)
  return { location, called, leadTo: (route: unknown) => lead(route) }
}

afterEach(async () => {
  vi.unstubAllGlobals()
  await speak('en')
})

test.each<[DesktopRoute, string]>([
  [{ screen: 'queue' }, '#/queue'],
  [{ screen: 'help' }, '#/help'],
  [{ screen: 'submission', id: 's/1' }, '#/queue/s%2F1'],
  [{ screen: 'reports', of: null }, '#/reports'],
  [{ screen: 'reports', of: { caseId: '17', submissionId: 's1' } }, '#/reports/17/s1'],
  [{ screen: 'settings', section: 'storage' }, '#/settings/storage'],
])('a notice of %j leads to %s', (route, hash) => {
  const { location, leadTo } = stage()
  leadTo(structuredClone(route))
  expect(location.hash).toBe(hash)
})

test.each([
  null,
  'queue',
  { screen: 'elsewhere' },
  { screen: 'submission' },
  { screen: 'settings', section: 'x' },
])('what is no route leads nowhere: %j', (value) => {
  const { location, leadTo } = stage()
  leadTo(value)
  expect(location.hash).toBe('')
})

test('the host is told which language was chosen here, and need not answer', async () => {
  const { called } = stage()
  const browser = {
    localStorage: { getItem: () => null, setItem: () => undefined, removeItem: () => undefined },
    navigator: { languages: ['en'] },
    document: { documentElement: { lang: '' } },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as much of a window as choosing a language needs
  const window = browser as unknown as Window
  await chooseLanguage('es', window)
  await chooseLanguage('auto', window)
  expect(called).toEqual([
    ['desktop.speaks', 'es'],
    ['desktop.speaks', 'auto'],
  ])
})

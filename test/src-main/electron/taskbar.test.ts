/** The taskbar button with its count and bar, and the system's notifications. */
import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { createNotifier, openTaskbar } from '../../../src-main/electron/taskbar.ts'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { NOTICE_KINDS } from '../../../src-main/station/ports.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import type { Language } from '../../../src-shared/texts/texts.ts'

function taskbarOn(platform: NodeJS.Platform) {
  const done: string[] = []
  const window = Object.assign(new EventEmitter(), {
    isGone: false,
    isDestroyed: (): boolean => window.isGone,
    setProgressBar: (value: number, options?: { readonly mode: string }) =>
      void done.push(`bar ${value} ${options?.mode}`),
    setOverlayIcon: (image: string | null, description: string) =>
      void done.push(`overlay ${image} "${description}"`),
  })
  const taskbar = openTaskbar<string>({
    platform,
    app: {
      dock: { setBadge: (text) => void done.push(`dock "${text}"`) },
      setBadgeCount: (count) => done.push(`badge ${count}`),
    },
    window,
    badge: (count) => `${count}.png`,
  })
  return { taskbar, window, taken: (): readonly string[] => done.splice(0) }
}

it.each([
  ['win32', 'overlay 3.png "3 need attention"', 'overlay null ""'],
  ['darwin', 'dock "3"', 'dock ""'],
  ['linux', 'badge 3', 'badge 0'],
] as const)('the count is drawn on %s in its way, once, and taken away', (platform, three, none) => {
  const { taskbar, taken } = taskbarOn(platform)
  taskbar.showCount(0, '')
  taskbar.showCount(3, '3 need attention')
  taskbar.showCount(3, '3 need attention')
  taskbar.showCount(0, '')
  expect(taken()).toEqual([three, none])
})

it('the bar is drawn as often as it moves, and taken away', () => {
  const { taskbar, taken } = taskbarOn('win32')
  taskbar.showProgress({ kind: 'none' })
  taskbar.showProgress({ kind: 'indeterminate' })
  taskbar.showProgress({ kind: 'normal', fraction: 0.5 })
  taskbar.showProgress({ kind: 'normal', fraction: 0.5 })
  taskbar.showProgress({ kind: 'error', fraction: 1 })
  taskbar.showProgress({ kind: 'none' })
  expect(taken()).toEqual(['bar 2 indeterminate', 'bar 0.5 normal', 'bar 1 error', 'bar -1 none'])
})

it('a window that was hidden gets both again, because its button is a new one; a closed one gets nothing', () => {
  const { taskbar, window, taken } = taskbarOn('win32')
  taskbar.showCount(2, 'two')
  taskbar.showProgress({ kind: 'paused', fraction: 0.5 })
  taken()
  window.emit('show')
  expect(taken()).toEqual(['overlay 2.png "two"', 'bar 0.5 paused'])
  window.isGone = true
  taskbar.showCount(3, 'three')
  taskbar.showProgress({ kind: 'indeterminate' })
  expect(taken()).toEqual([])
})

type Shown = EventEmitter & { readonly options: Readonly<Record<string, unknown>> }
const { shown, system } = vi.hoisted(() => ({ shown: [] as Shown[], system: { hasNotices: true } }))
vi.mock('electron', () => ({
  Notification: class extends EventEmitter {
    static isSupported = (): boolean => system.hasNotices
    readonly options: Readonly<Record<string, unknown>>
    constructor(options: Readonly<Record<string, unknown>>) {
      super()
      this.options = options
    }
    show = (): void => void shown.push(this)
  },
}))
beforeEach(() => {
  shown.length = 0
  system.hasNotices = true
})

const CASE: DesktopRoute = { screen: 'submission', id: 's1' }

function notifierIn(language: Language) {
  const opened: DesktopRoute[] = []
  const notifier = createNotifier({
    texts: () => hostTexts(language),
    showRoute: (route) => void opened.push(route),
  })
  return { notifier, opened }
}

it('a notification says what happened and how often, in the language of the host, and a click leads there', () => {
  const { notifier, opened } = notifierIn('es')
  notifier.notify({ kind: 'needsAttention', count: 3, route: { screen: 'queue' } })
  notifier.notify({ kind: 'needsAttention', count: 1, route: CASE })
  expect(shown.map(({ options }) => options['title'])).toEqual([
    '3 casos requieren atención',
    'Un caso requiere atención',
  ])
  shown[1]?.emit('click')
  expect(opened).toEqual([CASE])
})

it('a notification has nothing but the texts of this program, and stays if it is urgent', () => {
  const { notifier } = notifierIn('en')
  for (const kind of NOTICE_KINDS) notifier.notify({ kind, count: 2, route: CASE })
  const { t } = hostTexts('en')
  expect(shown.map(({ options }) => [options['title'], options['body']])).toEqual(
    NOTICE_KINDS.map((kind) => [t(`notices.${kind}.title`, { count: 2 }), t(`notices.${kind}.body`)]),
  )
  expect(JSON.stringify(shown.map(({ options }) => options))).not.toContain('s1')
  const staying = NOTICE_KINDS.filter((_kind, index) => shown[index]?.options['timeoutType'] === 'never')
  expect(staying).toEqual(['alarm', 'urgentReport', 'storage', 'signedOut'])
})

it('nothing is shown if the system has no notifications', () => {
  system.hasNotices = false
  notifierIn('en').notifier.notify({ kind: 'alarm', count: 1, route: CASE })
  expect(shown).toEqual([])
})

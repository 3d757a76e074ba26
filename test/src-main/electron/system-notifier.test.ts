import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import { createNotifier } from '../../../src-main/electron/taskbar.ts'
import { NOTICE_KINDS } from '../../../src-main/station/ports.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import type { Language } from '../../../src-shared/texts/texts.ts'

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
    showRoute: (place) => void opened.push(place),
  })
  return { notifier, opened }
}

it('says what happened and how often in the language that is spoken, and a click leads there', () => {
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

it('lets what is most urgent stay until somebody has seen it', () => {
  const { notifier } = notifierIn('en')
  for (const kind of NOTICE_KINDS) notifier.notify({ kind, count: 1, route: CASE })
  const staying = NOTICE_KINDS.filter((_kind, index) => shown[index]?.options['timeoutType'] === 'never')
  expect(staying).toEqual(['alarm', 'urgentReport', 'storage', 'signedOut'])
})

it('carries nothing but the texts of this program', () => {
  const { notifier } = notifierIn('en')
  for (const kind of NOTICE_KINDS) notifier.notify({ kind, count: 2, route: CASE })
  const { t } = hostTexts('en')
  expect(shown.map(({ options }) => [options['title'], options['body']])).toEqual(
    NOTICE_KINDS.map((kind) => [t(`notices.${kind}.title`, { count: 2 }), t(`notices.${kind}.body`)]),
  )
  expect(JSON.stringify(shown.map(({ options }) => options))).not.toContain('s1')
})

it('shows nothing where the system has no notices', () => {
  system.hasNotices = false
  notifierIn('en').notifier.notify({ kind: 'alarm', count: 1, route: CASE })
  expect(shown).toEqual([])
})

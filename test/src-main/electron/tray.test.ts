/** The tray: its menu, its pictures, and its life as Electron's object; the count, and notifications. */
import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, it, vi } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import {
  closeTray,
  createNotifier,
  openTray,
  type TrayChoices,
  trayImage,
  trayMenu,
  type TrayView,
} from '../../../src-main/electron/tray.ts'
import type { TrayState } from '../../../src-main/electron/tray-model.ts'
import { NOTICE_KINDS } from '../../../src-main/station/ports.ts'
import type { DesktopRoute } from '../../../src-shared/desktop.ts'
import type { Language } from '../../../src-shared/texts/texts.ts'
import { icoSizes } from '../../tools/ico-sizes.ts'

type Entry = {
  readonly type?: string
  readonly enabled?: boolean
  readonly label?: string
  readonly click?: () => void
  readonly submenu?: readonly Entry[]
}
type Shown = EventEmitter & { readonly options: Readonly<Record<string, unknown>> }
const { done, shown, system, trays } = vi.hoisted(() => ({
  done: [] as string[],
  shown: [] as Shown[],
  system: { hasNotices: true },
  trays: [] as { menu: readonly Entry[]; emit(event: string): void }[],
}))
vi.mock('electron', () => ({
  app: {
    getAppPath: () => '',
  },
  nativeImage: { createFromPath: (path: string) => path },
  Menu: { buildFromTemplate: (template: readonly Entry[]) => template },
  Tray: class extends EventEmitter {
    menu: readonly Entry[] = []
    isGone = false
    constructor(image: string) {
      super()
      done.push(`put ${image}`)
      trays.push(this)
    }
    setImage = (image: string): void => void done.push(`picture ${image}`)
    // On macOS only.
    setTitle = (): void => undefined
    setToolTip = (text: string): void => void done.push(`tooltip ${text}`)
    setContextMenu = (menu: readonly Entry[]): void => {
      this.menu = menu
      done.push('menu')
    }
    isDestroyed = (): boolean => this.isGone
    destroy = (): void => {
      this.isGone = true
      done.push('gone')
    }
  },
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
const taken = (): readonly string[] => done.splice(0)
beforeEach(() => {
  taken()
  shown.length = 0
  system.hasNotices = true
})

const IDLE: TrayView = {
  imagePath: 'idle.png',
  title: '',
  tooltip: 'Fundus Courier: nothing is waiting',
  menu: [{ label: 'Open', click: () => undefined }],
}

it('changes only what is new, so that an open menu is not closed', () => {
  const show = openTray(IDLE, () => undefined)
  expect(taken()).toEqual(['put idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
  show({ ...IDLE, menu: [{ label: 'Open', click: () => undefined }] })
  expect(taken()).toEqual([])
  show({ ...IDLE, imagePath: 'working.png', tooltip: 'Fundus Courier: 1 on the way' })
  expect(taken()).toEqual(['picture working.png', 'tooltip Fundus Courier: 1 on the way'])
  show({ ...IDLE, menu: [] })
  expect(taken()).toEqual(['picture idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
})

it('opens the window by a click, and on macOS the menu', () => {
  let opened = 0
  openTray(IDLE, () => (opened += 1))
  trays.at(-1)?.emit('click')
  expect(opened).toBe(process.platform === 'darwin' ? 0 : 1)
})

it('is taken away at the end, and what comes after that is shown nowhere', () => {
  const show = openTray(IDLE, () => undefined)
  taken()
  closeTray()
  closeTray()
  show({ ...IDLE, imagePath: 'working.png' })
  expect(taken()).toEqual(['gone'])
})

/** A line for each entry, with what choosing it does; one in brackets cannot be chosen. */
function drawn(pause: TrayState['pause'], lines: readonly string[], language: Language): readonly string[] {
  const chosen: string[] = []
  const choices: TrayChoices = {
    open: () => chosen.push('open'),
    pause: (seconds) => chosen.push(`pause ${seconds}`),
    resume: () => chosen.push('resume'),
    showSettings: () => chosen.push('settings'),
    showHelp: () => chosen.push('help'),
    quit: () => chosen.push('quit'),
  }
  const draw = (entries: readonly object[], before = ''): string[] =>
    entries.flatMap((entry: Entry) => {
      if (entry.type === 'separator') return ['---']
      if (entry.enabled === false) return [`[${entry.label}]`]
      if (entry.submenu) return [`${entry.label}`, ...draw(entry.submenu, '> ')]
      entry.click?.()
      return [`${before}${entry.label}: ${chosen.pop()}`]
    })
  return draw(trayMenu(pause, lines, hostTexts(language), choices))
}

it('has a menu with the window, the state of the station, the pause and the end', () => {
  expect(drawn('possible', ['1 case needs attention', '2 on the way'], 'en')).toEqual([
    'Open Fundus Courier: open',
    '---',
    '[1 case needs attention]',
    '[2 on the way]',
    '---',
    'Pause sending',
    '> For 15 minutes: pause 900',
    '> For 1 hour: pause 3600',
    '> Until resumed: pause null',
    'Settings…: settings',
    'Help and diagnostics…: help',
    '---',
    'Quit: quit',
  ])
})

it('offers to resume in a pause, in the language of the host, and neither if a person cannot end it here', () => {
  const paused = drawn('inForce', ['envío en pausa hasta: 10:00'], 'es')
  expect(paused).toContain('[Envío en pausa hasta: 10:00]')
  expect(paused).toContain('Reanudar el envío: resume')
  expect(paused.join()).not.toContain('pause')
  expect(drawn('none', ['signed out'], 'en').join()).not.toMatch(/Pause|Resume/)
})

const assets = resolve(import.meta.dirname, '../../../assets')

async function pixelsOf(path: string): Promise<number> {
  const { width, height, hasAlpha } = await sharp(path).metadata()
  expect([path, width, hasAlpha]).toEqual([path, height, true])
  return width
}

it('has a picture for each state, count and system, in their sizes', async () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 250]
  const marks = ['idle', 'working', 'paused', 'offline', 'attention'] as const
  const states = [
    ...marks.map((mark) => ({ mark, attention: 0 })),
    ...counts.map((attention) => ({ mark: 'attention' as const, attention })),
  ]
  const sizesOf = (path: string, ...scales: readonly string[]): Promise<number[]> =>
    Promise.all(scales.map((scale) => pixelsOf(path.replace('.png', `${scale}.png`))))
  for (const state of states) {
    const pathFor = (platform: NodeJS.Platform): string =>
      resolve(assets, 'tray', trayImage({ ...state, pause: 'possible' }, platform))
    expect(await icoSizes(pathFor('win32'))).toEqual([16, 20, 24, 32, 40, 48])
    expect(await sizesOf(pathFor('linux'), '', '@1.5x', '@2x', '@3x')).toEqual([24, 36, 48, 72])
    expect(pathFor('darwin')).toMatch(/Template\.png$/)
    expect(await sizesOf(pathFor('darwin'), '', '@2x')).toEqual([18, 36])
  }
})

it.each([
  ['attention', 1, 'linux', 'attention-1.png'],
  ['attention', 9, 'linux', 'attention-9.png'],
  ['attention', 10, 'linux', 'attention-many.png'],
  // The count belongs to its own mark only.
  ['paused', 3, 'win32', 'paused.ico'],
] as const)('%s with %i is drawn on %s by %s', (mark, attention, platform, image) => {
  expect(trayImage({ mark, attention, pause: 'none' }, platform)).toBe(image)
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

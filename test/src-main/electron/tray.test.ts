/** The tray: its menu, its pictures, and its life as Electron's object. */
import { EventEmitter } from 'node:events'
import { resolve } from 'node:path'
import sharp from 'sharp'
import { beforeEach, expect, it, vi } from 'vitest'
import { hostTexts } from '../../../src-main/electron/texts.ts'
import {
  badgeImage,
  closeTray,
  openTray,
  type TrayChoice,
  type TrayEntry,
  trayImage,
  trayMenu,
  type TrayView,
} from '../../../src-main/electron/tray.ts'
import { icoSizes } from '../../tools/ico-sizes.ts'

type Entry = {
  readonly label?: string
  readonly click?: () => void
  readonly submenu?: readonly Entry[]
}
const { done, trays } = vi.hoisted(() => ({
  done: [] as string[],
  trays: [] as { menu: readonly Entry[]; emit(event: string): void }[],
}))
vi.mock('electron', () => ({
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
}))
const taken = (): readonly string[] => done.splice(0)
beforeEach(() => void taken())

const IDLE: TrayView = {
  imagePath: 'idle.png',
  title: '',
  tooltip: 'Fundus Courier: nothing is waiting',
  menu: [
    { kind: 'choice', label: 'Open', choice: { kind: 'open' } },
    {
      kind: 'choices',
      label: 'Pause',
      entries: [{ kind: 'choice', label: 'For 15 minutes', choice: { kind: 'pause', seconds: 900 } }],
    },
  ],
}

it('changes only what is new, so that an open menu is not closed', () => {
  const show = openTray(IDLE, () => undefined)
  expect(taken()).toEqual(['put idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
  show({ ...IDLE, menu: structuredClone(IDLE.menu) })
  expect(taken()).toEqual([])
  show({ ...IDLE, imagePath: 'working.png', tooltip: 'Fundus Courier: 1 on the way' })
  expect(taken()).toEqual(['picture working.png', 'tooltip Fundus Courier: 1 on the way'])
  show({ ...IDLE, menu: [] })
  expect(taken()).toEqual(['picture idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
})

it('reports each choice, also within a menu, and opens the window by a click', () => {
  const chosen: TrayChoice[] = []
  openTray(IDLE, (choice) => void chosen.push(choice))
  const tray = trays.at(-1)
  const [open, pause] = tray?.menu ?? []
  open?.click?.()
  pause?.submenu?.[0]?.click?.()
  tray?.emit('click')
  expect(chosen.slice(0, 2)).toEqual([{ kind: 'open' }, { kind: 'pause', seconds: 900 }])
  // On macOS a click opens the menu.
  expect(chosen.slice(2)).toEqual(process.platform === 'darwin' ? [] : [{ kind: 'open' }])
})

it('is taken away at the end, and what comes after that is shown nowhere', () => {
  const show = openTray(IDLE, () => undefined)
  taken()
  closeTray()
  closeTray()
  show({ ...IDLE, imagePath: 'working.png' })
  expect(taken()).toEqual(['gone'])
})

/** A line each; one in brackets cannot be chosen. */
function drawn(entries: readonly TrayEntry[], before = ''): readonly string[] {
  return entries.flatMap((entry) => {
    switch (entry.kind) {
      case 'line':
        return ['---']
      case 'words':
        return [`[${entry.label}]`]
      case 'choice':
        return [`${before}${entry.label}: ${Object.values(entry.choice).join(' ')}`]
      case 'choices':
        return [entry.label, ...drawn(entry.entries, '> ')]
    }
  })
}

it('has a menu with the window, the state of the station, the pause and the end', () => {
  expect(drawn(trayMenu('possible', ['1 case needs attention', '2 on the way'], hostTexts('en')))).toEqual([
    'Open Fundus Courier: open',
    '---',
    '[1 case needs attention]',
    '[2 on the way]',
    '---',
    'Pause sending',
    '> For 15 minutes: pause 900',
    '> For 1 hour: pause 3600',
    '> Until somebody resumes: pause ',
    'Settings…: settings',
    'Help and diagnostics…: help',
    '---',
    'Quit: quit',
  ])
})

it('offers to resume in a pause, in the language of the host, and neither if a person cannot end it here', () => {
  const paused = drawn(trayMenu('inForce', ['envío en pausa hasta: 10:00'], hostTexts('es')))
  expect(paused).toContain('[Envío en pausa hasta: 10:00]')
  expect(paused).toContain('Reanudar el envío: resume')
  expect(paused.join()).not.toContain('pause')
  expect(drawn(trayMenu('none', ['signed out'], hostTexts('en'))).join()).not.toMatch(/Pause|Resume/)
})

const assets = resolve(import.meta.dirname, '../../../assets')

async function pixelsOf(path: string): Promise<number> {
  const { width, height, hasAlpha } = await sharp(path).metadata()
  expect([path, width, hasAlpha]).toEqual([path, height, true])
  return width
}

it('has a picture for each state and system, and a badge for each count, in their sizes', async () => {
  const counts = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 250]
  const states = [
    ...(['idle', 'working', 'paused', 'offline', 'attention'] as const).map((mark) => ({
      mark,
      attention: 0,
    })),
    ...counts.map((attention) => ({ mark: 'attention' as const, attention })),
  ]
  for (const state of states) {
    const pathFor = (platform: NodeJS.Platform): string =>
      resolve(assets, 'tray', trayImage({ ...state, pause: 'possible' }, platform))
    expect(await icoSizes(pathFor('win32'))).toEqual([16, 20, 24, 32, 40, 48])
    const scaled = (path: string, ...scales: readonly string[]): Promise<number[]> =>
      Promise.all(scales.map((scale) => pixelsOf(path.replace('.png', `${scale}.png`))))
    expect(await scaled(pathFor('linux'), '', '@1.5x', '@2x', '@3x')).toEqual([24, 36, 48, 72])
    const template = pathFor('darwin')
    expect(template).toMatch(/Template\.png$/)
    expect(await scaled(template, '', '@2x')).toEqual([18, 36])
  }
  expect(badgeImage(0, 1)).toBeNull()
  for (const count of counts) {
    expect(await pixelsOf(resolve(assets, 'badge', badgeImage(count, 1) ?? ''))).toBe(16)
    expect(await pixelsOf(resolve(assets, 'badge', badgeImage(count, 1.5) ?? ''))).toBe(32)
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

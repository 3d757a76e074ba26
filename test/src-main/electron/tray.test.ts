import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { closeTray, openTray, type TrayChoice, type TrayView } from '../../../src-main/electron/tray.ts'

type Entry = {
  readonly label?: string
  readonly click?: () => void
  readonly submenu?: readonly Entry[]
}
const { done, there } = vi.hoisted(() => {
  const tray: { tray: unknown } = { tray: null }
  return { done: [] as string[], there: tray }
})
vi.mock('electron', () => ({
  nativeImage: { createFromPath: (path: string) => path },
  Menu: { buildFromTemplate: (template: readonly Entry[]) => template },
  Tray: class extends EventEmitter {
    menu: readonly Entry[] = []
    isGone = false
    constructor(image: string) {
      super()
      done.push(`put ${image}`)
      there.tray = this
    }
    setImage = (image: string): void => void done.push(`picture ${image}`)
    // On macOS only.
    setTitle = (): void => undefined
    setToolTip = (words: string): void => void done.push(`tooltip ${words}`)
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
const tray = () => there.tray as EventEmitter & { readonly menu: readonly Entry[] }
const took = (): readonly string[] => done.splice(0)
beforeEach(() => void took())

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

it('changes only what is new, so that a menu that stands open is not closed', () => {
  const show = openTray(IDLE, () => undefined)
  expect(took()).toEqual(['put idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
  show({ ...IDLE, menu: structuredClone(IDLE.menu) })
  expect(took()).toEqual([])
  show({ ...IDLE, imagePath: 'working.png', tooltip: 'Fundus Courier: 1 on the way' })
  expect(took()).toEqual(['picture working.png', 'tooltip Fundus Courier: 1 on the way'])
  show({ ...IDLE, menu: [] })
  expect(took()).toEqual(['picture idle.png', `tooltip ${IDLE.tooltip}`, 'menu'])
})

it('says what was chosen, also within a menu, and opens the window by a click', () => {
  const chosen: TrayChoice[] = []
  openTray(IDLE, (choice) => void chosen.push(choice))
  const [open, pause] = tray().menu
  open?.click?.()
  pause?.submenu?.[0]?.click?.()
  tray().emit('click')
  expect(chosen.slice(0, 2)).toEqual([{ kind: 'open' }, { kind: 'pause', seconds: 900 }])
  // On macOS a click opens the menu.
  expect(chosen.slice(2)).toEqual(process.platform === 'darwin' ? [] : [{ kind: 'open' }])
})

it('is taken away at the end, and what comes after that is shown nowhere', () => {
  const show = openTray(IDLE, () => undefined)
  took()
  closeTray()
  closeTray()
  show({ ...IDLE, imagePath: 'working.png' })
  expect(took()).toEqual(['gone'])
})

/** `nativeImage`, `Menu`, `Tray` and `Notification`: what a person would see of them, and click. */
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { MenuEntry } from '../desktop.ts'
import { around, needsReady, record, strict, toPlain, unknownMember } from './link.ts'

/** Identified by its origin; `source` goes into the records. A wrong path gives an empty picture, no error. */
export const nativeImage = strict('nativeImage', {
  createFromPath: (path: string) =>
    strict('NativeImage', {
      source: path,
      isEmpty: () => !existsSync(path),
      setTemplateImage: () => undefined,
    }),
})

export type Entry = {
  readonly label?: string
  readonly type?: MenuEntry['type']
  readonly enabled?: boolean
  readonly submenu?: readonly Entry[]
  readonly click?: () => void
}

function toRecord(entries: readonly Entry[]): MenuEntry[] {
  return entries.map(({ label = '', type, submenu = [] }) => ({
    label,
    type: type ?? (submenu.length > 0 ? 'submenu' : 'normal'),
    entries: toRecord(submenu),
  }))
}

/** Clicks the entry with these labels, from the outside in; throws if a person could not. */
function click(entries: readonly Entry[], [label, ...inner]: readonly string[]): void {
  const entry = entries.find((one) => one.label === label)
  if (!entry) throw new Error(`no entry ${label}: ${entries.map((one) => one.label ?? '–').join(', ')}`)
  if (entry.enabled === false) throw new Error(`the entry ${label} is grey`)
  if (inner.length > 0) return click(entry.submenu ?? [], inner)
  entry.click?.()
}

export const Menu = strict('Menu', {
  buildFromTemplate: (items: readonly Entry[]) => strict('Menu', { items }),
  setApplicationMenu: (menu: { readonly items: readonly Entry[] } | null) =>
    record('applicationMenu', { menu: menu === null ? null : toRecord(menu.items) }),
})

const trays: FakeTray[] = []
class FakeTray extends EventEmitter {
  entries: readonly Entry[] = []
  private image: unknown
  private toolTip = ''
  private isThere = true

  constructor(image: unknown) {
    super()
    needsReady('Tray')
    this.image = image
    trays.push(this)
    this.record()
    return strict('Tray', this)
  }
  private record = (): void => {
    const { isThere, toolTip } = this
    record('tray', { isThere, image: String(toPlain(this.image)), toolTip, menu: toRecord(this.entries) })
  }
  setImage = (image: unknown): void => {
    this.image = image
    this.record()
  }
  setTitle = (): void => undefined
  setToolTip = (text: string): void => {
    this.toolTip = text
    this.record()
  }
  setContextMenu = (menu: { readonly items: readonly Entry[] }): void => {
    this.entries = menu.items
    this.record()
  }
  isDestroyed = (): boolean => !this.isThere
  destroy = (): void => {
    this.isThere = false
    this.record()
  }
}
export const Tray = FakeTray
export function clickInTray(labels: readonly string[]): void {
  click(trays.at(-1)?.entries ?? unknownMember('tray on the screen now'), labels)
}

const notifications: FakeNotification[] = []
class FakeNotification extends EventEmitter {
  readonly number = notifications.push(this)
  private readonly options: { readonly title?: string; readonly body?: string }

  constructor(options: { readonly title?: string; readonly body?: string } = {}) {
    super()
    needsReady('Notification')
    this.options = options
    return strict('Notification', this)
  }
  static isSupported = (): boolean => around().hasNotifications
  show = (): void => {
    const { title = '', body = '' } = this.options
    record('notification', { id: this.number, title, body })
    this.emit('show', {})
  }
}
export const Notification = strict('Notification', FakeNotification)
export function clickNotification(id: number | undefined): void {
  const found = id === undefined ? notifications.at(-1) : notifications[id - 1]
  ;(found ?? unknownMember('notification on the screen now')).emit('click', {})
}

/** `Tray` and `Notification`: what a person would see of them, and click. */
import { EventEmitter } from 'node:events'
import { loud, unknownMember } from './loud.ts'
import { toRecord, type Entry } from './pictures-and-menus.ts'
import { around, needsReady, record, toPlain } from './stage.ts'

/** Those on the screen now; the last is the one that is clicked. */
const trays = new Set<StandInTray>()
class StandInTray extends EventEmitter {
  entries: readonly Entry[] = []
  private image: unknown
  private toolTip = ''
  private isThere = true
  constructor(image: unknown) {
    super()
    needsReady('Tray')
    this.image = image
    trays.add(this)
    this.note()
    return loud('Tray', this)
  }
  private note = (): void => {
    if (!this.isThere) return record('tray', { isThere: false, image: '', toolTip: '', menu: [] })
    record('tray', {
      isThere: true,
      image: String(toPlain(this.image)),
      toolTip: this.toolTip,
      menu: toRecord(this.entries),
    })
  }
  setImage = (image: unknown): void => {
    this.image = image
    this.note()
  }
  setPressedImage = (): void => undefined
  setTitle = (): void => undefined
  setIgnoreDoubleClickEvents = (): void => undefined
  displayBalloon = (): void => undefined
  popUpContextMenu = (): void => undefined
  getBounds = () => ({ x: 0, y: 0, width: 16, height: 16 })
  setToolTip = (parameters: string): void => {
    this.toolTip = parameters
    this.note()
  }
  setContextMenu = (menu: { readonly items: readonly Entry[] } | null): void => {
    this.entries = menu?.items ?? []
    this.note()
  }
  isDestroyed = (): boolean => !this.isThere
  destroy = (): void => {
    this.isThere = false
    trays.delete(this)
    this.note()
  }
}
export const Tray = StandInTray
export const shownTray = (): StandInTray => [...trays].at(-1) ?? unknownMember('tray on the screen now')

const notices: StandInNotification[] = []
class StandInNotification extends EventEmitter {
  readonly number = notices.push(this)
  title = ''
  body = ''
  readonly id: string
  private readonly options: Readonly<Record<string, unknown>>
  constructor(options: { readonly title?: string; readonly body?: string; readonly id?: string } = {}) {
    super()
    needsReady('Notification')
    this.title = options.title ?? ''
    this.body = options.body ?? ''
    this.id = options.id ?? String(this.number)
    this.options = toPlain(options) as Readonly<Record<string, unknown>>
    return loud('Notification', this)
  }
  static isSupported = (): boolean => around().hasNotifications
  private note = (what: 'shown' | 'closed'): void =>
    record('notification', {
      id: this.number,
      what,
      title: this.title,
      body: this.body,
      options: this.options,
    })
  show = (): void => {
    this.note('shown')
    this.emit('show', {})
  }
  close = (): void => {
    this.note('closed')
    this.emit('close', {})
  }
}
export const Notification = loud('Notification', StandInNotification)
export function notice(id: number | undefined): StandInNotification {
  return (
    (id === undefined ? notices.at(-1) : notices[id - 1]) ?? unknownMember('notification on the screen now')
  )
}

/** `nativeImage` and `Menu`: what a person would see of them. */
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import type { MenuEntry } from '../desktop.ts'
import { loud } from './loud.ts'
import { record } from './stage.ts'

/** Known by where it comes from; `source` is what the records tell. */
function picture(source: string, isEmpty: boolean): object {
  const image: object = loud('NativeImage', {
    source,
    isTemplate: false,
    isMacTemplateImage: false,
    isEmpty: () => isEmpty,
    getSize: () => ({ width: isEmpty ? 0 : 16, height: isEmpty ? 0 : 16 }),
    getAspectRatio: () => 1,
    setTemplateImage: () => undefined,
    addRepresentation: () => undefined,
    resize: () => image,
    crop: () => image,
    toDataURL: () => source,
    toPNG: () => Buffer.from(source),
  })
  return image
}

const dataAddress = (bytes: Buffer): string => `data:image/png;base64,${bytes.toString('base64')}`

export const nativeImage = loud('nativeImage', {
  createEmpty: () => picture('', true),
  // An address that is wrong gives an empty picture and no error, as in Electron.
  createFromPath: (path: string) => picture(path, !existsSync(path)),
  createFromDataURL: (address: string) => picture(address, false),
  createFromBuffer: (bytes: Buffer) => picture(dataAddress(bytes), false),
  createFromBitmap: (bytes: Buffer) => picture(dataAddress(bytes), false),
})

export type Entry = {
  readonly label?: string
  readonly type?: MenuEntry['type']
  readonly role?: string
  readonly id?: string
  readonly enabled?: boolean
  readonly checked?: boolean
  readonly visible?: boolean
  readonly accelerator?: string
  readonly submenu?: readonly Entry[] | { readonly items: readonly Entry[] }
  readonly click?: (entry: Entry, window: unknown, event: object) => void
}

const entriesIn = (submenu: Entry['submenu']): readonly Entry[] =>
  submenu === undefined ? [] : 'items' in submenu ? submenu.items : submenu

export function toRecord(entries: readonly Entry[]): MenuEntry[] {
  return entries
    .filter((entry) => entry.visible !== false)
    .map((entry) => ({
      label: entry.label ?? '',
      type: entry.type ?? (entry.submenu ? 'submenu' : 'normal'),
      isEnabled: entry.enabled ?? true,
      isChecked: entry.checked ?? false,
      role: entry.role ?? null,
      accelerator: entry.accelerator ?? null,
      entries: toRecord(entriesIn(entry.submenu)),
    }))
}

/** Clicks what has these labels, from the outside in; throws where a person could not. */
export function click(entries: readonly Entry[], labels: readonly string[]): void {
  const [label, ...inner] = labels
  const entry = entries.find((one) => one.label === label && one.visible !== false)
  if (!entry) throw new Error(`no entry ${label}: ${entries.map((one) => one.label ?? '–').join(', ')}`)
  if (entry.enabled === false) throw new Error(`the entry ${label} is grey`)
  if (inner.length > 0) return click(entriesIn(entry.submenu), inner)
  entry.click?.(entry, undefined, {})
}

class StandInMenu extends EventEmitter {
  items: readonly Entry[] = []
  static buildFromTemplate(template: readonly Entry[]): StandInMenu {
    const menu = new StandInMenu()
    menu.items = template
    return loud('Menu', menu)
  }
  static setApplicationMenu(menu: StandInMenu | null): void {
    applicationMenu = menu
    record('applicationMenu', { menu: menu === null ? null : toRecord(menu.items) })
  }
  static getApplicationMenu = (): StandInMenu | null => applicationMenu
  append = (entry: Entry): void => void (this.items = [...this.items, entry])
  popup = (): void => undefined
  closePopup = (): void => undefined
  getMenuItemById = (id: string): Entry | null => this.items.find((entry) => entry.id === id) ?? null
}
let applicationMenu: StandInMenu | null = null
export const Menu = loud('Menu', StandInMenu)
/** An entry is what it was made of. */
export function MenuItem(entry: Entry): Entry {
  return entry
}
export const entriesOfApplication = (): readonly Entry[] => applicationMenu?.items ?? []

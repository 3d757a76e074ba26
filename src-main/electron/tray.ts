/** The mark beside the clock: what the station does, and the way back to its window. */
import { Menu, nativeImage, Tray, type MenuItemConstructorOptions } from 'electron'
import type { TrayChoice, TrayEntry } from './tray-menu.ts'

export type TrayView = {
  readonly imagePath: string
  /** Beside the picture, where the system has room for it (macOS). */
  readonly title: string
  readonly tooltip: string
  readonly menu: readonly TrayEntry[]
}

/** Held here for the life of the process: a Tray that nobody holds vanishes at the next garbage collection. */
let trayInUse: Tray | null = null

/** Puts the mark there; the answer shows what is new on it. Desktops without a tray show nothing and report no error. */
export function openTray(
  initial: TrayView,
  onChosen: (choice: TrayChoice) => void,
): (view: TrayView) => void {
  const tray = new Tray(nativeImage.createFromPath(initial.imagePath))
  trayInUse = tray
  // On macOS a click opens the menu, which has it as its first choice.
  if (process.platform !== 'darwin') tray.on('click', () => onChosen({ kind: 'open' }))
  let shown: TrayView | null = null
  const show = (view: TrayView): void => {
    if (tray.isDestroyed()) return
    if (shown !== null && shown.imagePath !== view.imagePath)
      tray.setImage(nativeImage.createFromPath(view.imagePath))
    if (shown?.title !== view.title && process.platform === 'darwin') tray.setTitle(view.title)
    if (shown?.tooltip !== view.tooltip) tray.setToolTip(view.tooltip)
    // A menu that stands open closes when another takes its place.
    if (JSON.stringify(shown?.menu) !== JSON.stringify(view.menu))
      tray.setContextMenu(Menu.buildFromTemplate(menuTemplate(view.menu, onChosen)))
    shown = view
  }
  show(initial)
  return show
}

function menuTemplate(
  entries: readonly TrayEntry[],
  onChosen: (choice: TrayChoice) => void,
): MenuItemConstructorOptions[] {
  return entries.map((entry): MenuItemConstructorOptions => {
    switch (entry.kind) {
      case 'line':
        return { type: 'separator' }
      case 'words':
        return { label: entry.label, enabled: false }
      case 'choice':
        return { label: entry.label, click: () => onChosen(entry.choice) }
      case 'choices':
        return { label: entry.label, submenu: menuTemplate(entry.entries, onChosen) }
    }
  })
}

/** Takes the mark away, before the process ends: Windows else shows it until the mouse passes over it. */
export function closeTray(): void {
  trayInUse?.destroy()
  trayInUse = null
}

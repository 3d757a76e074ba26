/** The mark beside the clock: what the station does, and the way back to its window. */
import { Menu, nativeImage, Tray } from 'electron'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { trayWords } from './tray-words.ts'

export type TrayOptions = {
  readonly iconPath: string
  readonly onOpen: () => void
  readonly onPause: () => void
  readonly onResume: () => void
  readonly onQuit: () => void
}

/** Held here for the life of the process: a Tray that nobody holds vanishes at the next garbage collection. */
let held: Tray | null = null

/** Puts the mark there; the answer shows a new status on it. Desktops without a tray show nothing and report no error. */
export function openTray(options: TrayOptions): (status: StationStatus) => void {
  const tray = new Tray(nativeImage.createFromPath(options.iconPath))
  held = tray
  tray.on('click', options.onOpen)
  const show = (status: StationStatus | null): void => {
    const isPaused = status?.mode.kind === 'paused' && status.mode.why === 'person'
    tray.setToolTip(status ? trayWords(status) : 'Fundus Courier: starting')
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: 'Open Fundus Courier', click: options.onOpen },
        isPaused
          ? { label: 'Resume sending', click: options.onResume }
          : { label: 'Pause sending', click: options.onPause },
        { type: 'separator' },
        { label: 'Quit', click: options.onQuit },
      ]),
    )
  }
  show(null)
  return show
}

/** Takes the mark away, before the process ends: Windows else shows it until the mouse passes over it. */
export function closeTray(): void {
  held?.destroy()
  held = null
}

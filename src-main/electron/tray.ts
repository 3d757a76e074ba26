/** The tray icon: shows what the station does and opens its window. */
import {
  app,
  type BrowserWindow,
  Menu,
  type MenuItemConstructorOptions,
  nativeImage,
  screen,
  Tray,
} from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { Station } from '../station/api.ts'
import { appFile } from './app-protocol.ts'
import type { HostLanguageSetting } from './language-setting.ts'
import type { HostTexts } from './texts.ts'
import { openTaskbar } from './taskbar.ts'
import {
  INITIAL_MODEL,
  reduceModel,
  taskbarProgress,
  trayLines,
  type TrayState,
  trayState,
  trayTooltip,
} from './tray-model.ts'

/** The tray menu's entries and their actions. Pure. */
export type TrayChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'pause'; readonly seconds: number | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }

export type TrayEntry =
  | { readonly kind: 'line' }
  /** A label that cannot be chosen. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'choice'; readonly label: string; readonly choice: TrayChoice }
  | { readonly kind: 'choices'; readonly label: string; readonly entries: readonly TrayEntry[] }

/** The entries from top to bottom. `lines` describes the station, see `trayLines`. */
export function trayMenu(
  pause: TrayState['pause'],
  lines: readonly string[],
  { t }: HostTexts,
): readonly TrayEntry[] {
  return [
    choiceEntry(t('tray.open'), { kind: 'open' }),
    { kind: 'line' },
    ...lines.map((label): TrayEntry => ({ kind: 'words', label: capitalise(label) })),
    { kind: 'line' },
    ...pauseEntries(pause, t),
    choiceEntry(t('tray.settings'), { kind: 'settings' }),
    choiceEntry(t('tray.help'), { kind: 'help' }),
    { kind: 'line' },
    choiceEntry(t('tray.quit'), { kind: 'quit' }),
  ]
}

function pauseEntries(pause: TrayState['pause'], t: HostTexts['t']): readonly TrayEntry[] {
  switch (pause) {
    case 'none':
      return []
    case 'inForce':
      return [choiceEntry(t('tray.resume'), { kind: 'resume' })]
    case 'possible':
      return [
        {
          kind: 'choices',
          label: t('tray.pause'),
          entries: [
            choiceEntry(t('tray.pause15'), { kind: 'pause', seconds: (15 * MINUTE) / SECOND }),
            choiceEntry(t('tray.pause60'), { kind: 'pause', seconds: HOUR / SECOND }),
            choiceEntry(t('tray.pauseUntilResumed'), { kind: 'pause', seconds: null }),
          ],
        },
      ]
  }
}

function choiceEntry(label: string, chosen: TrayChoice): TrayEntry {
  return { kind: 'choice', label, choice: chosen }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export type TrayView = {
  readonly imagePath: string
  /** Text beside the picture, if the system shows one (macOS). */
  readonly title: string
  readonly tooltip: string
  readonly menu: readonly TrayEntry[]
}

/** Referenced for the lifetime of the process: an unreferenced Tray disappears at the next garbage collection. */
let trayInUse: Tray | null = null

/**
 * Creates the tray icon and returns a function that updates it. Desktops without a tray show nothing and report no
 * error.
 */
export function openTray(
  initial: TrayView,
  onChosen: (choice: TrayChoice) => void,
): (view: TrayView) => void {
  const tray = new Tray(nativeImage.createFromPath(initial.imagePath))
  trayInUse = tray
  // On macOS a click opens the menu, whose first entry does the same.
  if (process.platform !== 'darwin') tray.on('click', () => onChosen({ kind: 'open' }))
  let shown: TrayView | null = null
  const show = (view: TrayView): void => {
    if (tray.isDestroyed()) return
    if (shown !== null && shown.imagePath !== view.imagePath)
      tray.setImage(nativeImage.createFromPath(view.imagePath))
    if (shown?.title !== view.title && process.platform === 'darwin') tray.setTitle(view.title)
    if (shown?.tooltip !== view.tooltip) tray.setToolTip(view.tooltip)
    // Replacing the menu closes it if it is open.
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

/** Removes the icon before the process exits: Windows would otherwise show it until the mouse moves over it. */
export function closeTray(): void {
  trayInUse?.destroy()
  trayInUse = null
}

/** Larger counts are drawn as "9+". */
const MAX_DRAWN_COUNT = 9

/**
 * The file name of the tray picture, below `assets/tray`; `tools/draw-icons.ts` draws them. Pure.
 *
 * Windows selects the size from an `.ico`; of PNG files it would stretch the smallest. macOS tints a picture whose
 * name ends in `Template` for light and dark menu bars, and shows the count beside it.
 */
export function trayImage({ mark, attention }: TrayState, platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return `${mark}Template.png`
    case 'win32':
      return `${imageName(mark, attention)}.ico`
    default:
      return `${imageName(mark, attention)}.png`
  }
}

function imageName(mark: TrayState['mark'], attention: number): string {
  return mark === 'attention' && attention > 0 ? `attention-${countName(attention)}` : mark
}

/** The file name of the overlay on the Windows taskbar button, below `assets/badge`; null for none. */
export function badgeImage(attention: number, scaleFactor: number): string | null {
  if (attention === 0) return null
  // Windows scales one picture to 16 pixels at scale 1.
  return `${countName(attention)}-${scaleFactor > 1 ? 32 : 16}.png`
}

function countName(count: number): string {
  return count > MAX_DRAWN_COUNT ? 'many' : String(count)
}

const INITIAL_STATE: TrayState = { mark: 'idle', attention: 0, pause: 'none' }

/** Keeps the tray and the taskbar button up to date. Resolves once the first status is shown. */
export async function startTray({
  station,
  answer,
  window,
  language,
  show,
  showRoute,
  quit,
}: {
  readonly station: Station
  readonly answer: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly window: BrowserWindow
  readonly language: HostLanguageSetting
  /** Shows the window. */
  readonly show: () => void
  /** Shows the window at a route. */
  readonly showRoute: (route: DesktopRoute) => void
  readonly quit: () => void
}): Promise<void> {
  let model = INITIAL_MODEL
  const onChosen = (choice: TrayChoice): void => {
    switch (choice.kind) {
      case 'open':
        return show()
      case 'pause':
        return void answer('station.pause', { seconds: choice.seconds })
      case 'resume':
        return void answer('station.resume', {})
      case 'settings':
        return showRoute({ screen: 'settings', section: 'general' })
      case 'help':
        return showRoute({ screen: 'help' })
      case 'quit':
        return quit()
    }
  }
  const view = (): TrayView => {
    const { status } = model
    const texts = language.texts()
    const state = status ? trayState(status) : INITIAL_STATE
    const lines = status ? trayLines(status, texts) : [texts.t('tray.starting')]
    return {
      imagePath: appFile('assets', 'tray', trayImage(state, process.platform)),
      title: state.mark === 'attention' && state.attention > 0 ? String(state.attention) : '',
      tooltip: trayTooltip(lines),
      menu: trayMenu(state.pause, lines, texts),
    }
  }
  const taskbar = openTaskbar({
    platform: process.platform,
    app,
    window,
    badge: (count) => {
      const name = badgeImage(count, screen.getPrimaryDisplay().scaleFactor)
      return name === null ? null : nativeImage.createFromPath(appFile('assets', 'badge', name))
    },
  })
  const showTray = openTray(view(), onChosen)
  const showAll = (): void => {
    showTray(view())
    taskbar.showProgress(taskbarProgress(model, process.platform))
    const attention = model.status ? trayState(model.status).attention : 0
    taskbar.showCount(
      attention,
      attention === 0 ? '' : language.texts().t('tray.badge', { count: attention }),
    )
  }
  station.on((event) => {
    const next = reduceModel(model, event)
    if (next === model) return
    model = next
    showAll()
  })
  language.onChanged(showAll)
  app.on('quit', closeTray)
  const status = await station.handlers['station.status']({})
  if (status.ok) model = { ...model, status: status.value }
  showAll()
}

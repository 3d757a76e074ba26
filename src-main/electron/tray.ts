/** What the desktop shows outside of the window: the tray icon, the count on the dock, notifications. */
import { app, Menu, type MenuItemConstructorOptions, nativeImage, Notification, Tray } from 'electron'
import type { DesktopRoute } from '../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../src-shared/durations.ts'
import type { Result } from '../../src-shared/failure.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import type { Station } from '../station/api.ts'
import type { Notice, Notifier } from '../station/ports.ts'
import { appFile } from './app-protocol.ts'
import type { HostLanguageSetting, HostTexts } from './texts.ts'
import { trayLines, type TrayState, trayState, trayTooltip } from './tray-model.ts'

export type TrayChoices = {
  open(): void
  pause(seconds: number | null): void
  resume(): void
  showSettings(): void
  showHelp(): void
  quit(): void
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' }

/** The menu from top to bottom. `lines` describes the station, see `trayLines`. Pure. */
export function trayMenu(
  pause: TrayState['pause'],
  lines: readonly string[],
  { t }: HostTexts,
  choices: TrayChoices,
): MenuItemConstructorOptions[] {
  return [
    { label: t('tray.open'), click: () => choices.open() },
    SEPARATOR,
    ...lines.map((label) => ({ label: capitalise(label), enabled: false })),
    SEPARATOR,
    ...pauseEntries(pause, t, choices),
    { label: t('tray.settings'), click: () => choices.showSettings() },
    { label: t('tray.help'), click: () => choices.showHelp() },
    SEPARATOR,
    { label: t('tray.quit'), click: () => choices.quit() },
  ]
}

function pauseEntries(
  pause: TrayState['pause'],
  t: HostTexts['t'],
  choices: TrayChoices,
): MenuItemConstructorOptions[] {
  switch (pause) {
    case 'none':
      return []
    case 'inForce':
      return [{ label: t('tray.resume'), click: () => choices.resume() }]
    case 'possible':
      return [
        {
          label: t('tray.pause'),
          submenu: [
            { label: t('tray.pause15'), click: () => choices.pause((15 * MINUTE) / SECOND) },
            { label: t('tray.pause60'), click: () => choices.pause(HOUR / SECOND) },
            { label: t('tray.pauseUntilResumed'), click: () => choices.pause(null) },
          ],
        },
      ]
  }
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export type TrayView = {
  readonly imagePath: string
  /** Text beside the picture, if the system shows one (macOS). */
  readonly title: string
  readonly tooltip: string
  readonly menu: MenuItemConstructorOptions[]
}

/** Referenced for the lifetime of the process: an unreferenced Tray disappears at the next garbage collection. */
let trayInUse: Tray | null = null

/** Creates the tray icon; the answer updates it. Desktops without a tray show nothing and report no error. */
export function openTray(initial: TrayView, openWindow: () => void): (view: TrayView) => void {
  const tray = new Tray(nativeImage.createFromPath(initial.imagePath))
  trayInUse = tray
  // On macOS a click opens the menu, whose first entry does the same.
  if (process.platform !== 'darwin') tray.on('click', openWindow)
  let shown: TrayView | null = null
  const show = (view: TrayView): void => {
    if (tray.isDestroyed()) return
    if (shown !== null && shown.imagePath !== view.imagePath)
      tray.setImage(nativeImage.createFromPath(view.imagePath))
    if (shown?.title !== view.title && process.platform === 'darwin') tray.setTitle(view.title)
    if (shown?.tooltip !== view.tooltip) tray.setToolTip(view.tooltip)
    // Replacing the menu closes it if it is open.
    if (JSON.stringify(shown?.menu) !== JSON.stringify(view.menu))
      tray.setContextMenu(Menu.buildFromTemplate(view.menu))
    shown = view
  }
  show(initial)
  return show
}

/** Removes the icon before the process exits: Windows would otherwise show it until the mouse moves over it. */
export function closeTray(): void {
  trayInUse?.destroy()
  trayInUse = null
}

/** Larger counts are drawn as "9+". */
const MAX_DRAWN_COUNT = 9

/**
 * The file below `assets/tray` (`tools/draw-icons.ts`). Windows selects the size from an `.ico` and would stretch a
 * PNG; macOS tints `Template` pictures for its menu bar and shows the count beside them. Pure.
 */
export function trayImage({ mark, attention }: TrayState, platform: NodeJS.Platform): string {
  if (platform === 'darwin') return `${mark}Template.png`
  const name = mark === 'attention' && attention > 0 ? `attention-${countName(attention)}` : mark
  return `${name}.${platform === 'win32' ? 'ico' : 'png'}`
}

function countName(count: number): string {
  return count > MAX_DRAWN_COUNT ? 'many' : String(count)
}

const INITIAL_STATE: TrayState = { mark: 'idle', attention: 0, pause: 'none' }

/** Keeps the tray and the count up to date. Resolves once the first status is shown. */
export async function startTray(options: {
  readonly station: Station
  readonly answer: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly language: HostLanguageSetting
  readonly show: () => void
  readonly showRoute: (route: DesktopRoute) => void
  readonly quit: () => void
}): Promise<void> {
  const { station, answer, language, show, showRoute, quit } = options
  /** Null until the station has reported it once. */
  let status: StationStatus | null = null
  const choices: TrayChoices = {
    open: show,
    pause: (seconds) => void answer('station.pause', { seconds }),
    resume: () => void answer('station.resume', {}),
    showSettings: () => showRoute({ screen: 'settings', section: 'clinic' }),
    showHelp: () => showRoute({ screen: 'help' }),
    quit,
  }
  const view = (): TrayView => {
    const texts = language.texts()
    const state = status ? trayState(status) : INITIAL_STATE
    const lines = status ? trayLines(status, texts) : [texts.t('tray.starting')]
    return {
      imagePath: appFile('assets', 'tray', trayImage(state, process.platform)),
      title: state.mark === 'attention' && state.attention > 0 ? String(state.attention) : '',
      tooltip: trayTooltip(lines),
      menu: trayMenu(state.pause, lines, texts, choices),
    }
  }
  const showTray = openTray(view(), show)
  const showAll = (): void => {
    showTray(view())
    // On the button of the dock; Windows has no such number.
    app.setBadgeCount(status ? trayState(status).attention : 0)
  }
  station.on((event) => {
    if (event.name !== 'stationChanged') return
    status = event.payload
    showAll()
  })
  language.onChanged(showAll)
  app.on('quit', closeTray)
  const first = await station.handlers['station.status']({})
  if (first.ok) status = first.value
  showAll()
}

/** Notifications that stay until a person has seen them, if the system supports it. */
const PERSISTENT_KINDS: readonly Notice['kind'][] = ['alarm', 'urgentReport', 'storage', 'signedOut']

/** Windows and macOS may report a click hours later; the oldest notifications are dropped. */
const MAX_HELD = 50

/** Shows notifications without names or numbers of patients. The system may hide them: the tray shows the same. */
export function createNotifier(options: {
  readonly texts: () => HostTexts
  readonly showRoute: (route: DesktopRoute) => void
}): Notifier {
  // Without a reference a notification is garbage-collected, and its click is lost.
  const shown = new Set<Notification>()
  const forgetOldest = (): void => {
    const [oldest] = shown
    if (shown.size > MAX_HELD && oldest) shown.delete(oldest)
  }
  return {
    notify({ kind, count, route }) {
      if (!Notification.isSupported()) return
      const { t } = options.texts()
      const notification = new Notification({
        title: t(`notices.${kind}.title`, { count }),
        body: t(`notices.${kind}.body`),
        ...(PERSISTENT_KINDS.includes(kind) && { timeoutType: 'never', urgency: 'critical' }),
      })
      shown.add(notification)
      forgetOldest()
      notification.on('click', () => {
        shown.delete(notification)
        options.showRoute(route)
      })
      notification.on('failed', () => shown.delete(notification))
      notification.show()
    },
  }
}

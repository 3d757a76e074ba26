/** The mark beside the clock: what the station does, and the way back to its window. */
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
import type { HostLanguageSetting, HostWords } from './language-setting.ts'
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

/** What stands in the menu of the mark beside the clock. Pure. */
export type TrayChoice =
  | { readonly kind: 'open' }
  | { readonly kind: 'pause'; readonly seconds: number | null }
  | { readonly kind: 'resume' }
  | { readonly kind: 'settings' }
  | { readonly kind: 'help' }
  | { readonly kind: 'quit' }

export type TrayEntry =
  | { readonly kind: 'line' }
  /** Told and not to be chosen. */
  | { readonly kind: 'words'; readonly label: string }
  | { readonly kind: 'choice'; readonly label: string; readonly choice: TrayChoice }
  | { readonly kind: 'choices'; readonly label: string; readonly entries: readonly TrayEntry[] }

/** The entries from top to bottom. `lines` is what the station does, see `trayLines`. */
export function trayMenu(
  pause: TrayState['pause'],
  lines: readonly string[],
  { tray: texts }: Pick<HostWords, 'tray'>,
): readonly TrayEntry[] {
  return [
    choiceEntry(texts.open, { kind: 'open' }),
    { kind: 'line' },
    ...lines.map((label): TrayEntry => ({ kind: 'words', label: capitalise(label) })),
    { kind: 'line' },
    ...pauseEntries(pause, texts),
    choiceEntry(texts.settings, { kind: 'settings' }),
    choiceEntry(texts.help, { kind: 'help' }),
    { kind: 'line' },
    choiceEntry(texts.quit, { kind: 'quit' }),
  ]
}

function pauseEntries(pause: TrayState['pause'], texts: HostWords['tray']): readonly TrayEntry[] {
  switch (pause) {
    case 'none':
      return []
    case 'inForce':
      return [choiceEntry(texts.resume, { kind: 'resume' })]
    case 'possible':
      return [
        {
          kind: 'choices',
          label: texts.pause,
          entries: [
            choiceEntry(texts.pause15, { kind: 'pause', seconds: (15 * MINUTE) / SECOND }),
            choiceEntry(texts.pause60, { kind: 'pause', seconds: HOUR / SECOND }),
            choiceEntry(texts.pauseUntilResumed, { kind: 'pause', seconds: null }),
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

// Which picture shows a state; `tools/draw-icons.ts` draws them. Pure.

/** More than this is drawn as "9+". */
const MAX_DRAWN_COUNT = 9

/**
 * The name of the picture beside the clock, below `assets/tray`.
 *
 * Windows takes the size that it needs out of an `.ico`: of PNG files it would take the smallest and stretch it. macOS
 * tints a picture for a light or dark bar where the name ends in `Template`, and shows the count beside it.
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

/** The name of the picture laid over the taskbar's button on Windows, below `assets/badge`; null for no badge. */
export function badgeImage(attention: number, scaleFactor: number): string | null {
  if (attention === 0) return null
  // Windows stretches or shrinks the one picture that it is given to 16 pixels at scale 1.
  return `${countName(attention)}-${scaleFactor > 1 ? 32 : 16}.png`
}

function countName(count: number): string {
  return count > MAX_DRAWN_COUNT ? 'many' : String(count)
}

// Keeps what stands outside of the window as the station is: the mark beside the clock, and the taskbar's button.

const INITIAL_STATE: TrayState = { mark: 'idle', attention: 0, pause: 'none' }

/** Resolves once the first status is shown. */
export async function startTray({
  station,
  answer,
  window,
  speech: language,
  show,
  showPlace: showRoute,
  quit,
}: {
  readonly station: Station
  readonly answer: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly window: BrowserWindow
  readonly speech: HostLanguageSetting
  /** Brings the window before the person. */
  readonly show: () => void
  /** The same, at a place on the screens. */
  readonly showPlace: (route: DesktopRoute) => void
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
    const lines = status ? trayLines(status, texts) : [texts.tray.starting]
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
    taskbar.showCount(attention, attention === 0 ? '' : language.texts().tray.badge(attention))
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

/** Keeps what stands outside of the window as the station is: the mark beside the clock, and the taskbar's button. */
import { app, nativeImage, screen, type BrowserWindow } from 'electron'
import type { DesktopRoute } from '../../src-shared/place.ts'
import type { Result } from '../../src-shared/result.ts'
import type { Station } from '../station/station-api.ts'
import { appFile } from './app-files.ts'
import { INITIAL_MODEL, reduceModel } from './glance.ts'
import type { HostLanguageSetting } from './host-speech.ts'
import { taskbarProgress } from './progress-of.ts'
import { openTaskbar } from './taskbar.ts'
import { badgeImage, trayImage } from './tray-image.ts'
import { trayMenu, type TrayChoice } from './tray-menu.ts'
import { trayLines, trayState, trayTooltip, type TrayState } from './tray-state.ts'
import { closeTray, openTray, type TrayView } from './tray.ts'

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

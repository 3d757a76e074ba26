/** Keeps what stands outside of the window as the station is: the mark beside the clock, and the taskbar's button. */
import { app, nativeImage, screen, type BrowserWindow } from 'electron'
import type { Place } from '../../src-shared/place.ts'
import type { Result } from '../../src-shared/result.ts'
import type { Station } from '../station/station-api.ts'
import { appFile } from './app-files.ts'
import { FIRST_GLANCE, withEvent } from './glance.ts'
import type { HostSpeech } from './host-speech.ts'
import { progressOf } from './progress-of.ts'
import { openTaskbar } from './taskbar.ts'
import { badgeImage, trayImage } from './tray-image.ts'
import { trayMenu, type TrayChoice } from './tray-menu.ts'
import { trayLines, trayState, trayTooltip, type TrayState } from './tray-state.ts'
import { closeTray, openTray, type TrayView } from './tray.ts'

const BEFORE_THE_FIRST_STATUS: TrayState = { mark: 'idle', attention: 0, pause: 'none' }

/** Resolves once the first status is shown. */
export async function putIntoTray({
  station,
  answer,
  window,
  speech,
  show,
  showPlace,
  quit,
}: {
  readonly station: Station
  readonly answer: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly window: BrowserWindow
  readonly speech: HostSpeech
  /** Brings the window before the person. */
  readonly show: () => void
  /** The same, at a place on the screens. */
  readonly showPlace: (place: Place) => void
  readonly quit: () => void
}): Promise<void> {
  let glance = FIRST_GLANCE
  const onChosen = (choice: TrayChoice): void => {
    switch (choice.kind) {
      case 'open':
        return show()
      case 'pause':
        return void answer('station.pause', { seconds: choice.seconds })
      case 'resume':
        return void answer('station.resume', {})
      case 'settings':
        return showPlace({ screen: 'settings', section: 'general' })
      case 'help':
        return showPlace({ screen: 'help' })
      case 'quit':
        return quit()
    }
  }
  const view = (): TrayView => {
    const { status } = glance
    const words = speech.words()
    const state = status ? trayState(status) : BEFORE_THE_FIRST_STATUS
    const lines = status ? trayLines(status, words) : [words.tray.starting]
    return {
      imagePath: appFile('assets', 'tray', trayImage(state, process.platform)),
      title: state.mark === 'attention' && state.attention > 0 ? String(state.attention) : '',
      tooltip: trayTooltip(lines),
      menu: trayMenu(state.pause, lines, words),
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
    taskbar.showProgress(progressOf(glance, process.platform))
    const attention = glance.status ? trayState(glance.status).attention : 0
    taskbar.showCount(attention, attention === 0 ? '' : speech.words().tray.badge(attention))
  }
  station.on((event) => {
    const next = withEvent(glance, event)
    if (next === glance) return
    glance = next
    showAll()
  })
  speech.onChanged(showAll)
  app.on('quit', closeTray)
  const status = await station.handlers['station.status']({})
  if (status.ok) glance = { ...glance, status: status.value }
  showAll()
}

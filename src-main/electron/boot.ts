/** Opens the station and puts the parts of the host around it. Nothing here decides; it introduces. */
import { join } from 'node:path'
import { app, dialog, ipcMain, Menu, net, protocol, screen, session, type BrowserWindow } from 'electron'
import type { Result } from '../../src-shared/result.ts'
import { answerCall } from '../station/answer-call.ts'
import { readConfigFile } from '../station/config-file.ts'
import { openStation } from '../station/open-station.ts'
import { recoverOutbox } from '../station/outbox/recover.ts'
import type { Logger } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import { systemClock } from '../station/system-clock.ts'
import { APP_SCHEME } from './app-scheme.ts'
import { appFile, trayIconPath } from './app-files.ts'
import { createAppProtocol } from './app-protocol.ts'
import { catchBugs } from './bug-catcher.ts'
import { readCommandLine } from './command-line.ts'
import { chooseDataFolder, isWritableFolder } from './data-folder.ts'
import { withDevScreens } from './dev-screens.ts'
import { electronPorts } from './electron-ports.ts'
import { serveCalls, tellEvents } from './ipc-host.ts'
import { beginLife, type Life } from './life.ts'
import { openLogFile } from './log-file.ts'
import { openOrRecover, recoverAndOpen } from './open-or-recover.ts'
import { watchPower } from './power.ts'
import { askForRecovery, tellOfRecovery } from './recovery-dialogs.ts'
import { readRecentLog } from './read-log.ts'
import { recoverRenderer } from './renderer-recovery.ts'
import { followStartAtLogin, setStartAtLogin, wordsAtLogin } from './start-at-login.ts'
import { systemNotifier } from './system-notifier.ts'
import { closeTray, openTray } from './tray.ts'
import { fitToDisplays, readBounds, rememberBounds } from './window-bounds.ts'
import { guardSession } from './window-guards.ts'
import { openWindow, showWindow } from './window.ts'

/** Never rejects; a bug becomes a failure and stands in the log. */
type Answer = (name: string, input: unknown) => Promise<Result<unknown>>

/** Resolves once the window is there; rejects, with a sentence for a person, where the station cannot be opened. */
export async function boot(): Promise<void> {
  const commandLine = readCommandLine(process.argv.slice(1))
  const dataFolder =
    commandLine.dataFolder ??
    chooseDataFolder({
      platform: process.platform,
      programData: process.env['ProgramData'],
      userData: app.getPath('userData'),
      canWrite: isWritableFolder,
    })
  const clock = systemClock
  const logFolder = join(dataFolder, 'logs')
  const logger = openLogFile(logFolder, clock)
  const reading = commandLine.configPath === null ? null : await readConfigFile(commandLine.configPath)

  let window: BrowserWindow | null = null
  const show = (): void => {
    if (window && !window.isDestroyed()) showWindow(window)
  }
  const opening = {
    open: () =>
      openStation({
        dataFolder,
        config: reading?.kind === 'read' ? reading.config : null,
        ports: electronPorts({
          clock,
          logger,
          recentLog: () => readRecentLog(logFolder),
          notifier: systemNotifier(show),
        }),
        onStopRequested: () => void life.end('asked over the contract'),
      }),
    recover: () => recoverOutbox(dataFolder, clock.now()),
    ask: askForRecovery,
    tell: (sentences: readonly string[]) => void tellOfRecovery(sentences),
  }
  const station = await (commandLine.isRecovering ? recoverAndOpen(opening) : openOrRecover(opening))
  if (!station) return app.exit(0)
  const life = beginLife({ app, clock, logger, stopStation: () => station.stop() })
  catchBugs({
    process,
    clock,
    logger,
    end: (reason, exitCode) => life.end(reason, exitCode),
    relaunch: () => app.relaunch(),
  })

  guardSession(session.defaultSession)
  serveScreens(station)
  const answer: Answer = (name, input) => answerCall(station.handlers, logger, name, input)
  serveCalls(ipcMain, answer)

  window = await openRememberedWindow({ life, logger, isHidden: commandLine.isHidden })
  recoverRenderer(window, clock, logger)
  tellEvents(
    (listener) => station.on(listener),
    () => (window && !window.isDestroyed() ? window.webContents : null),
  )
  watchPower(window, {
    onResume: () => station.wakeUp(),
    onShutdown: (reason) => void life.end(reason),
  })
  await putIntoTray({ station, answer, life, show })
  // The program of a developer is Electron itself, and nothing to be started at login.
  if (app.isPackaged)
    void followStartAtLogin({
      station,
      logger,
      set: (wanted) =>
        setStartAtLogin(wanted, {
          app,
          platform: process.platform,
          program: process.env['APPIMAGE'] ?? process.execPath,
          words: wordsAtLogin(commandLine),
          // On Linux this is where desktops look.
          configHome: app.getPath('appData'),
        }),
    })
  app.on('second-instance', show)
  app.on('activate', show)

  // A broken file from IT must not stop a station that works: it goes on with what it has, and says so.
  if (reading?.kind === 'unusable') {
    logger.error(reading.message)
    dialog.showErrorBox('Fundus Courier', reading.message)
  }
}

function serveScreens(station: Station): void {
  const handler = createAppProtocol({
    screensFolder: appFile('out', 'renderer'),
    bytes: (kind, id) => station.bytes(kind, id),
    keepFile: (file) => station.keepFile(file),
  })
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  protocol.handle(
    APP_SCHEME,
    devServer === undefined ? handler : withDevScreens(handler, devServer, (url) => net.fetch(url)),
  )
}

async function openRememberedWindow(given: {
  readonly life: Life
  readonly logger: Logger
  readonly isHidden: boolean
}): Promise<BrowserWindow> {
  // On macOS the menu carries copy, paste and quit.
  if (process.platform !== 'darwin') Menu.setApplicationMenu(null)
  const boundsPath = join(app.getPath('userData'), 'window.json')
  const workAreas = screen.getAllDisplays().map(({ workArea }) => workArea)
  return openWindow({
    preloadPath: appFile('out', 'preload', 'preload.cjs'),
    iconPath: appFile('assets', 'icon.png'),
    bounds: fitToDisplays(await readBounds(boundsPath), workAreas),
    isHidden: given.isHidden,
    hidesOnClose: () => given.life.isRunning(),
    onHidden: (bounds) =>
      void rememberBounds(boundsPath, bounds).catch(() =>
        given.logger.warn('the place of the window could not be remembered'),
      ),
  })
}

async function putIntoTray({
  station,
  answer,
  life,
  show,
}: {
  readonly station: Station
  readonly answer: Answer
  readonly life: Life
  readonly show: () => void
}): Promise<void> {
  const showStatus = openTray({
    iconPath: trayIconPath(),
    onOpen: show,
    onPause: () => void answer('station.pause', { seconds: null }),
    onResume: () => void answer('station.resume', {}),
    onQuit: () => void life.end('asked in the tray'),
  })
  station.on((event) => {
    if (event.name === 'stationChanged') showStatus(event.payload)
  })
  app.on('quit', closeTray)
  const status = await station.handlers['station.status']({})
  if (status.ok) showStatus(status.value)
}

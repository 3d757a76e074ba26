/** Introduces the screens' protocol to the station; while developing, the screens come from their own server. */
import { app, net, protocol } from 'electron'
import type { Station } from '../station/station-api.ts'
import { APP_SCHEME } from './app-scheme.ts'
import { appFile } from './app-files.ts'
import { createAppProtocol } from './app-protocol.ts'
import { withDevScreens } from './dev-screens.ts'
import { withRecoveryPage } from './recovery-page.ts'

/** `recoveryPage`: what is shown in place of screens that fail again and again. */
export function serveScreens(station: Station, recoveryPage: () => string): void {
  const handler = createAppProtocol({
    screensFolder: appFile('out', 'renderer'),
    bytes: (kind, id) => station.bytes(kind, id),
    saveUpload: (file) => station.saveUpload(file),
  })
  const devServer = app.isPackaged ? undefined : process.env['ELECTRON_RENDERER_URL']
  protocol.handle(
    APP_SCHEME,
    withRecoveryPage(
      devServer === undefined ? handler : withDevScreens(handler, devServer, (url) => net.fetch(url)),
      recoveryPage,
    ),
  )
}

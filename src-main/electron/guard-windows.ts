/** Puts every guard in its place; must be called before the first window is made. */
import { app, session, shell } from 'electron'
import type { Logger } from '../station/ports.ts'
import { offerDownloads } from './downloads.ts'
import { createOutsideLinks, type OutsideLinks } from './outside-addresses.ts'
import { closeNetwork, guardSession } from './session-guards.ts'
import { guardAllContents } from './window-guards.ts'

export function installGuards(logger: Logger): OutsideLinks {
  const outside = createOutsideLinks({
    openExternal: (address) => shell.openExternal(address),
    logger,
  })
  guardAllContents(app, (address) => outside.openIfShown(address))
  guardSession(session.defaultSession)
  // A developer's screens come from a server of their own.
  if (app.isPackaged || process.env['ELECTRON_RENDERER_URL'] === undefined)
    closeNetwork(session.defaultSession)
  offerDownloads(session.defaultSession, documentsFolder())
  return outside
}

/** Electron throws where the system knows no such folder, as for accounts whose folders lie on a share that is away. */
function documentsFolder(): string {
  try {
    return app.getPath('documents')
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return app.getPath('home')
  }
}

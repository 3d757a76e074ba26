import { app } from 'electron'
import type { Result } from '../../src-shared/result.ts'
import type { Station } from '../station/station-api.ts'
import { trayIconPath } from './app-files.ts'
import { closeTray, openTray } from './tray.ts'

/** Puts the station beside the clock and keeps what is told there as the station is. */
export async function putIntoTray({
  station,
  answer,
  show,
  quit,
}: {
  readonly station: Station
  readonly answer: (name: string, input: unknown) => Promise<Result<unknown>>
  readonly show: () => void
  readonly quit: () => void
}): Promise<void> {
  const showStatus = openTray({
    iconPath: trayIconPath(),
    onOpen: show,
    onPause: () => void answer('station.pause', { seconds: null }),
    onResume: () => void answer('station.resume', {}),
    onQuit: quit,
  })
  station.on((event) => {
    if (event.name === 'stationChanged') showStatus(event.payload)
  })
  app.on('quit', closeTray)
  const status = await station.handlers['station.status']({})
  if (status.ok) showStatus(status.value)
}

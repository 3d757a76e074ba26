import type { ConfigFile } from '../station/config-file.ts'
import { openStation } from '../station/open-station.ts'
import { recoverOutbox } from '../station/outbox/recover.ts'
import type { Ports } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import { openOrRecover, recoverAndOpen } from './open-or-recover.ts'
import { askForRecovery, tellOfRecovery } from './recovery-dialogs.ts'

/** Opens the station of the desktop, or null where a person would rather quit; rejects with a sentence for a person. */
export function openDesktopStation(given: {
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly ports: Ports
  readonly isRecovering: boolean
  readonly onStopRequested: () => void
}): Promise<Station | null> {
  const { dataFolder, config, ports, onStopRequested } = given
  const opening = {
    open: () => openStation({ dataFolder, config, ports, onStopRequested }),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: askForRecovery,
    tell: (sentences: readonly string[]) => void tellOfRecovery(sentences),
  }
  return given.isRecovering ? recoverAndOpen(opening) : openOrRecover(opening)
}

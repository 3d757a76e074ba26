import type { ConfigFile } from '../station/config-file.ts'
import { openStation } from '../station/open-station.ts'
import { recoverOutbox } from '../station/outbox/recover.ts'
import type { Ports } from '../station/ports.ts'
import type { Station } from '../station/station-api.ts'
import { openOrRecover, recoverAndOpen } from './open-or-recover.ts'
import { askForRecovery, tellOfRecovery } from './recovery-dialogs.ts'
import type { HostWords } from './words/host-words.ts'

/** Opens the station of the desktop, or null where a person would rather quit; rejects with a sentence for a person. */
export function openDesktopStation(given: {
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly ports: Ports
  readonly isRecovering: boolean
  readonly words: () => HostWords
  readonly onStopRequested: () => void
}): Promise<Station | null> {
  const { dataFolder, config, ports, words, onStopRequested } = given
  const opening = {
    open: () => openStation({ dataFolder, config, ports, onStopRequested }),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: (message: string) => askForRecovery(message, words().recovery),
    tell: (sentences: readonly string[]) => void tellOfRecovery(sentences, words().recovery),
  }
  return given.isRecovering ? recoverAndOpen(opening) : openOrRecover(opening)
}

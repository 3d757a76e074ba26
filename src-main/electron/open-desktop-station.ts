import type { ConfigFile } from '../station/config-file.ts'
import type { ManagedSetup } from '../station/managed-setup.ts'
import { openStation } from '../station/open-station.ts'
import { StorageError } from '../station/outbox/opening-trouble.ts'
import { recoverOutbox } from '../station/outbox/recover.ts'
import type { Ports } from '../station/ports.ts'
import type { Station, StationOptions } from '../station/station-api.ts'
import { openOrRecover, recoverAndOpen } from './open-or-recover.ts'
import { askForRecovery, showRecoveryResult } from './recovery-dialogs.ts'
import type { HostWords } from './words/host-words.ts'
import { saidAtStart } from './words/start-sentences.ts'

/** Opens the station of the desktop, or null where a person would rather quit; rejects with a sentence for a person. */
export async function openDesktopStation(options: {
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly managed: ManagedSetup
  readonly ports: Ports
  readonly isRecovering: boolean
  readonly startAs: NonNullable<StationOptions['startAs']>
  readonly texts: () => HostWords
  readonly onStopRequested: () => void
}): Promise<Station | null> {
  const { dataFolder, config, managed, ports, startAs, texts, onStopRequested } = options
  const translate = (message: string): string => saidAtStart(message, texts().language)
  const steps = {
    open: () => openStation({ dataFolder, config, managed, ports, startAs, onStopRequested }),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: (message: string) => askForRecovery(translate(message), texts().recovery),
    showResult: (sentences: readonly string[]) =>
      void showRecoveryResult(sentences.map(translate), texts().recovery),
  }
  try {
    return await (options.isRecovering ? recoverAndOpen(steps) : openOrRecover(steps))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(translate(error.message), { cause: error })
  }
}

/** Opens the station of the desktop; a person decides what becomes of an outbox that is lost or damaged. */
import type { Message } from '../../src-shared/wording.ts'
import type { Station, StationOptions } from '../station/api.ts'
import { StorageError } from '../station/lib/storage-error.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
import type { Ports } from '../station/ports.ts'
import type { ConfigFile } from '../station/settings/config-file.ts'
import type { ManagedSetup } from '../station/settings/policy.ts'
import { openStation } from '../station/station.ts'
import type * as Dialogs from './dialogs.ts'
import type { HostTexts } from './texts.ts'

/** If the outbox is lost or damaged, a person decides whether to rebuild it; nothing is done without asking. */
export type OpenOrRecover = {
  open(): Promise<Station>
  /** Rebuilds the outbox; returns messages about what was done. */
  recover(): Promise<readonly Message[]>
  /** Asks a person, who reads the message. */
  ask(message: Message): Promise<'recover' | 'quit'>
  /** Shows what was done, without waiting until it was read. */
  showResult(messages: readonly Message[]): void
}

/** Opens the station, or null if a person would rather quit. Rejects if recovery cannot help either. */
export async function openOrRecover(options: OpenOrRecover): Promise<Station | null> {
  try {
    return await options.open()
  } catch (error) {
    if (!(error instanceof StorageError) || error.remedy !== 'recover') throw error
    if ((await options.ask(error)) === 'quit') return null
  }
  return recoverAndOpen(options)
}

/** Recovers first, as the command line asked. */
export async function recoverAndOpen(options: Omit<OpenOrRecover, 'ask'>): Promise<Station> {
  const messages = await options.recover()
  const station = await options.open()
  options.showResult(messages)
  return station
}

/** Opens the station of the desktop, or null if a person would rather quit; rejects with a sentence for a person. */
export async function openDesktopStation(options: {
  readonly dataFolder: string
  readonly config: ConfigFile | null
  readonly managed: ManagedSetup
  readonly ports: Ports
  readonly isRecovering: boolean
  readonly dialogs: Pick<typeof Dialogs, 'askForRecovery' | 'showRecoveryResult'>
  readonly startAs: NonNullable<StationOptions['startAs']>
  readonly texts: () => HostTexts
  readonly onStopRequested: () => void
}): Promise<Station | null> {
  const { dataFolder, config, managed, ports, startAs, texts, dialogs, onStopRequested } = options
  const steps = {
    open: () => openStation({ dataFolder, config, managed, ports, startAs, onStopRequested }),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: (message: Message) => dialogs.askForRecovery(message, texts()),
    showResult: (messages: readonly Message[]) => void dialogs.showRecoveryResult(messages, texts()),
  }
  try {
    return await (options.isRecovering ? recoverAndOpen(steps) : openOrRecover(steps))
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(texts().messageOf(error), { cause: error })
  }
}

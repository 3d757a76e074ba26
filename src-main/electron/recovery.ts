/** Opens the station of the desktop; a person decides what becomes of an outbox that is lost or damaged. */
import type { Message } from '../../src-shared/wording.ts'
import type { Station, StationOptions } from '../station/api.ts'
import { StorageError } from '../station/lib/storage-error.ts'
import { recoverOutbox } from '../station/outbox/recovery/recover.ts'
import { openStation } from '../station/station.ts'
import { askForRecovery, showRecoveryResult } from './dialogs.ts'
import type { HostTexts } from './texts.ts'

type OpenOrRecover = {
  open(): Promise<Station>
  /** Rebuilds the outbox; returns messages about what was done. */
  recover(): Promise<readonly Message[]>
  ask(message: Message): Promise<'recover' | 'quit'>
  /** Shows what was done, without waiting until it was read. */
  showResult(messages: readonly Message[]): void
}

/**
 * Opens the station, or null if a person would rather quit. Nothing is rebuilt without a person who says so, or the
 * command line (`isRecovering`). Rejects if recovery cannot help either.
 */
export async function openOrRecover(steps: OpenOrRecover, isRecovering: boolean): Promise<Station | null> {
  if (!isRecovering)
    try {
      return await steps.open()
    } catch (error) {
      if (!(error instanceof StorageError) || error.remedy !== 'recover') throw error
      if ((await steps.ask(error)) === 'quit') return null
    }
  const messages = await steps.recover()
  const station = await steps.open()
  steps.showResult(messages)
  return station
}

/** Opens the station of the desktop, or null if a person would rather quit; rejects with a sentence for a person. */
export async function openDesktopStation(
  options: StationOptions,
  isRecovering: boolean,
  texts: () => HostTexts,
): Promise<Station | null> {
  const { dataFolder, ports } = options
  const steps: OpenOrRecover = {
    open: () => openStation(options),
    recover: () => recoverOutbox(dataFolder, ports.clock.now()),
    ask: (message) => askForRecovery(message, texts()),
    showResult: (messages) => void showRecoveryResult(messages, texts()),
  }
  try {
    return await openOrRecover(steps, isRecovering)
  } catch (error) {
    if (!(error instanceof StorageError)) throw error
    throw new StorageError(texts().messageOf(error), { cause: error })
  }
}

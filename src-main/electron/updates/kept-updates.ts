/** What the updates are given, and what they offer the host. */
import type { Result } from '../../../src-shared/result.ts'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { Clock, Logger, Updates } from '../../station/ports.ts'
import type { FeedChoice } from './choose-feed.ts'
import type { UpdateProgram } from './update-program.ts'
import type { UpdateMoment } from './whether-to-install.ts'

/** What of the station is needed. */
export type UpdatedStation = {
  /** How many cases are being sent, at this moment. */
  sending(): Promise<number>
  /** Copies the outbox, and checks the copy. */
  backUp(): Promise<Result<string>>
}

export type UpdateOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly ourOutboxSchema: number
  readonly program: () => Promise<UpdateProgram>
  readonly rights: UpdateMoment['rights']
  readonly isPersonThere: () => boolean
  /** The version for which the app ended before, and came back as it was. */
  readonly triedInVain: string | null
  /**
   * Writes down for the next start which version the app is about to end for: an installer starts it without any word of
   * ours. Never rejects.
   */
  readonly note: (version: string) => Promise<'noted' | 'not'>
  /** The app does not end for it, after all. Never rejects. */
  readonly forgetNote: () => Promise<void>
  /** Ends the app so that it is installed: `atEnd` is called once the station has stopped. */
  readonly endFor: (version: string) => Promise<void>
  /** Lets the app come back as it was once it has ended: the installation could not be begun. */
  readonly comeBack: () => void
}

export type KeptUpdates = Updates & {
  /** What the settings want and where to look; told again whenever they change. */
  follow(wanted: UpdateSettings['install'], feed: FeedChoice): void
  /** The station is there. */
  serve(station: UpdatedStation): void
  /** The station has stopped and the app is about to end: for this update, by a person's wish, or for another reason. */
  atEnd(by: 'person' | 'other'): Promise<void>
}

/**
 * Decides when to check for updates, download and install them; electron-updater does the work.
 *
 *   off ⇄ current → looking → fetching → ready → installing (the app exits and comes back as the new version)
 *                      ↓ refused        ↲ ↓ the feed offers another version, or none any more
 *
 * Three guards: a version with an older outbox schema is refused before its download, the outbox is backed up
 * before the installation, and electron-updater never installs a lower version (feed.ts).
 */
import type { UpdateProblem, UpdateState, UpdateWait } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { Result } from '../../../src-shared/failure.ts'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { Clock, Logger } from '../../station/ports.ts'
import { type FeedChoice, refusalOf, type Updater, updateTroubleOf } from './feed.ts'

/** Startup work comes first. */
const FIRST_CHECK_AFTER_MS = 5 * MINUTE
const CHECK_EVERY_MS = 6 * HOUR
/** How often the installation of a downloaded version is attempted. */
const TRY_EVERY_MS = 30 * SECOND
/** A disk without space for a backup still has none half a minute later. */
const TRY_AGAIN_AFTER_MS = HOUR

export type UpdateMoment = {
  readonly wanted: UpdateSettings['install']
  /** `now`: a person chose "Install now" for this version. */
  readonly request: 'not' | 'now'
  readonly sending: number
  /** Is a person editing something that a restart would lose? */
  readonly editor: 'open' | 'none'
  readonly person: 'there' | 'away'
  /** `administrator`: the installer would ask for one, and a refusal would end the app for nothing. */
  readonly rights: 'enough' | 'administrator'
  /** Did the app already exit for this version and come back unchanged? */
  readonly earlierTry: 'never' | 'inVain'
}

/** Is this a moment to install? Null if it is, else what the installation waits for. Pure. */
export function findBlock(moment: UpdateMoment): UpdateWait | null {
  if (moment.rights === 'administrator') return 'administrator'
  if (moment.sending > 0) return 'sending'
  if (moment.request === 'now') return null
  if (moment.wanted !== 'quietMoment' || moment.earlierTry === 'inVain') return 'word'
  if (moment.editor === 'open') return 'editor'
  return moment.person === 'there' ? 'person' : null
}

export type UpdatedApp = {
  sending(): Promise<number>
  backUp(): Promise<Result<string>>
  /** In safe mode nothing is installed unless a person asks. */
  isSafe(): boolean
  /** Ends the app; `installAtEnd` is called once the station has stopped. */
  end(): Promise<void>
  /** Starts the app again after it has exited, because the installation failed. */
  restart(): void
}

export type UpdateOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly ourOutboxSchema: number
  readonly program: () => Promise<Updater>
  readonly rights: UpdateMoment['rights']
  readonly isPersonThere: () => boolean
  /** The version for which the app exited before and came back unchanged. */
  readonly failedVersion: string | null
  /** Saves for the next start which version the app exits for; null clears it. Rejects if it cannot be written. */
  readonly saveNote: (version: string | null) => Promise<void>
}

export function createUpdates(options: UpdateOptions) {
  const { clock, logger } = options
  let state: UpdateState = { kind: 'off', why: 'noFeed' }
  let setting: UpdateSettings['install'] = 'quietMoment'
  let feed: FeedChoice = { kind: 'off', why: 'noFeed' }
  let app: UpdatedApp | null = null
  let request: UpdateMoment['request'] = 'not'
  let editorUntil = Number.NEGATIVE_INFINITY
  let tryAgainAt = Number.NEGATIVE_INFINITY
  let isEndingToInstall = false
  let cancelCheck: (() => void) | null = null
  let cancelTry: (() => void) | null = null

  const setState = (next: UpdateState): void => {
    if (next.kind !== state.kind) logger.info('updates', { state: next.kind })
    state = next
  }
  const isInState = (kind: UpdateState['kind'], version: string): boolean =>
    state.kind === kind && 'version' in state && state.version === version

  const currentBlock = async (version: string): Promise<UpdateWait | null> =>
    findBlock({
      sending: app === null ? 1 : await app.sending(),
      wanted: app?.isSafe() === true ? 'byHand' : setting,
      request,
      editor: clock.monotonicMs() < editorUntil ? 'open' : 'none',
      person: options.isPersonThere() ? 'there' : 'away',
      rights: options.rights,
      earlierTry: version === options.failedVersion ? 'inVain' : 'never',
    })
  const setReady = (version: string, waitsFor: UpdateWait | null, trouble: UpdateProblem | null): void =>
    setState({ kind: 'ready', version, waitsFor: waitsFor ?? 'sending', trouble })

  /** The shutdown needs a checked backup and the note for the next start. */
  const prepare = async (version: string): Promise<UpdateProblem | null> => {
    const backup = await app?.backUp()
    if (!backup?.ok) return 'notBackedUp'
    return options.saveNote(version).then(
      () => null,
      () => 'notNoted',
    )
  }

  const tryToInstall = async (): Promise<void> => {
    if (state.kind !== 'ready' || app === null) return
    const { version } = state
    const blockBefore = await currentBlock(version)
    if (!isInState('ready', version)) return
    if (blockBefore !== null) return setReady(version, blockBefore, state.trouble)
    if (request === 'not' && clock.monotonicMs() < tryAgainAt) return
    setState({ kind: 'installing', version })
    const trouble = await prepare(version)
    // A case may have started since; once this is answered, the shutdown begins at once.
    const blocked = await currentBlock(version)
    const isStillWanted = isInState('installing', version)
    if (isStillWanted && trouble === null && blocked === null) {
      isEndingToInstall = true
      return app.end()
    }
    if (trouble !== null) {
      logger.warn('the update was not installed', { trouble })
      request = 'not'
      tryAgainAt = clock.monotonicMs() + TRY_AGAIN_AFTER_MS
    }
    await options.saveNote(null).catch(() => logger.warn('the note of an update could not be removed'))
    if (isInState('installing', version)) setReady(version, blocked, trouble)
  }
  const scheduleTry = (): void => {
    cancelTry?.()
    cancelTry = clock.after(TRY_EVERY_MS, () => {
      void tryToInstall().finally(() => ['ready', 'installing'].includes(state.kind) && scheduleTry())
    })
  }

  const fetchOffer = async (program: Updater, version: string): Promise<void> => {
    setState({ kind: 'fetching', version, percent: 0 })
    try {
      // If this account could not install it, it is not downloaded.
      if (options.rights === 'enough')
        await program.fetch((percent) => {
          if (state.kind === 'fetching') state = { kind: 'fetching', version, percent }
        })
    } catch (error) {
      return failed(error)
    }
    // Updates may have been switched off meanwhile.
    if (!isInState('fetching', version)) return
    setReady(version, await currentBlock(version), version === options.failedVersion ? 'notInstalled' : null)
    await tryToInstall()
    scheduleTry()
  }
  const failed = (error: unknown): void => {
    const trouble = updateTroubleOf(error)
    logger.warn('the check for updates failed', { trouble })
    if (state.kind !== 'off') setState({ kind: 'current', lookedAt: null, trouble })
  }

  const check = async (): Promise<void> => {
    if (feed.kind === 'off' || !['current', 'refused', 'ready'].includes(state.kind)) return
    // A downloaded version stays ready until its feed offers another.
    const readyVersion = state.kind === 'ready' ? state.version : null
    if (readyVersion === null) setState({ kind: 'looking' })
    try {
      const program = await options.program()
      const offer = await program.check(feed.url)
      // Updates may have been switched off, or the download is about to be installed.
      if (readyVersion === null ? state.kind !== 'looking' : !isInState('ready', readyVersion)) return
      if (offer !== null && offer.version === readyVersion) return
      request = 'not'
      if (offer === null) return setState({ kind: 'current', lookedAt: clock.now(), trouble: null })
      const why = refusalOf(offer, options.ourOutboxSchema)
      if (why !== null) {
        logger.warn('an update was refused', { version: offer.version, why })
        return setState({ kind: 'refused', version: offer.version, why })
      }
      // Not awaited: the download may be large and the connection slow.
      void fetchOffer(program, offer.version)
    } catch (error) {
      if (readyVersion === null) return failed(error)
      logger.warn('the feed of what is ready could not be read', { trouble: updateTroubleOf(error) })
    }
  }
  const checkAfter = (delayMs: number): void => {
    cancelCheck?.()
    cancelCheck = clock.after(delayMs, () => {
      checkAfter(CHECK_EVERY_MS)
      void check()
    })
  }

  return {
    state: () => state,
    check,
    install: (): void => {
      if (state.kind !== 'ready') return
      request = 'now'
      void tryToInstall()
    },
    postpone: (seconds: number): void => {
      editorUntil = clock.monotonicMs() + seconds * SECOND
    },
    /** The settings and the feed; called again whenever they change. */
    follow: (next: UpdateSettings['install'], choice: FeedChoice): void => {
      setting = next
      feed = choice
      if (choice.kind === 'off') {
        cancelCheck?.()
        // The download stays on disk but is not installed.
        setState({ kind: 'off', why: choice.why })
      } else if (state.kind === 'off') {
        setState({ kind: 'current', lookedAt: null, trouble: null })
        checkAfter(FIRST_CHECK_AFTER_MS)
      }
    },
    attach: (opened: UpdatedApp): void => {
      app = opened
    },
    /** Called once the station has stopped: installs if the app exited for that, else does nothing. */
    installAtEnd: async (): Promise<void> => {
      if (!isEndingToInstall) return
      try {
        if (state.kind !== 'installing') throw new Error('updates were switched off')
        const program = await options.program()
        await program.install()
      } catch (error) {
        logger.error('the update could not be installed', { trouble: updateTroubleOf(error) })
        // A station that stays stopped ingests and sends nothing.
        app?.restart()
      }
    },
  }
}

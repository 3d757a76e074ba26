/**
 * Decides when to check for updates, download and install them; electron-updater does the work.
 *
 *   off ⇄ current → looking → fetching → ready → installing (the app exits and comes back as the new version)
 *                      ↓ refused        ↲ ↓ the feed offers another version, or none any more
 *
 * Three guards: a version with an older outbox schema is refused before its download, the outbox is backed up
 * before the installation, and electron-updater never installs a lower version (feed.ts).
 */
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app as electronApp, powerMonitor } from 'electron'
import { z } from 'zod'
import type { UpdateProblem, UpdateState, UpdateWait } from '../../../src-shared/desktop.ts'
import { HOUR, MINUTE, SECOND } from '../../../src-shared/durations.ts'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { CallHandlers, Station } from '../../station/api.ts'
import { errorCode } from '../../station/lib/errors.ts'
import { writeDurably } from '../../station/lib/files.ts'
import { PlannedRun } from '../../station/lib/schedule.ts'
import { SCHEMA_VERSION } from '../../station/outbox/migrations/migrate.ts'
import type { Clock, Logger } from '../../station/ports.ts'
import { appFile } from '../app-protocol.ts'
import type { CommandLine } from '../command-line.ts'
import { isWritableFolder } from '../machine.ts'
import {
  chooseFeed,
  createUpdater,
  type FeedChoice,
  refusalOf,
  type Updater,
  updateTroubleOf,
} from './feed.ts'

/** Startup work comes first. */
const FIRST_CHECK_AFTER_MS = 5 * MINUTE
const CHECK_EVERY_MS = 6 * HOUR
/** How often the installation of a downloaded version is attempted. */
const TRY_EVERY_MS = 30 * SECOND
/** A disk without space for a backup still has none half a minute later. */
const TRY_AGAIN_AFTER_MS = HOUR

/** The open station, and the app around it. */
type OpenedApp = {
  readonly station: Pick<Station, 'backUp'> & { readonly handlers: Pick<CallHandlers, 'station.status'> }
  /** In safe mode nothing is installed unless a person asks. */
  readonly isSafe: () => boolean
  /** Ends the app; `installAtEnd` is called once the station has stopped. */
  readonly end: (reason: string) => Promise<void>
  /** Starts the app again after it has exited, because the installation failed. */
  readonly restart: () => void
}

/** If the station cannot answer, something may be in progress. */
async function isSending({ station }: OpenedApp): Promise<boolean> {
  const status = await station.handlers['station.status']({}).catch(() => null)
  return !status?.ok || (status.value.counts.sending ?? 0) > 0
}

export type UpdateOptions = {
  readonly clock: Clock
  readonly logger: Logger
  readonly ourOutboxSchema: number
  readonly program: () => Promise<Updater>
  /** `administrator`: the installer would ask for one, and a refusal would end the app for nothing. */
  readonly rights: 'enough' | 'administrator'
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
  let app: OpenedApp | null = null
  /** Has a person chosen "Install now" for the version that is ready? */
  let isRequested = false
  let editorUntil = Number.NEGATIVE_INFINITY
  let tryAgainAt = Number.NEGATIVE_INFINITY
  let isEndingToInstall = false

  const setState = (next: UpdateState): void => {
    if (next.kind !== state.kind) logger.info('updates', { state: next.kind })
    state = next
  }
  const isInState = (kind: UpdateState['kind'], version: string): boolean =>
    state.kind === kind && 'version' in state && state.version === version

  /** What the installation waits for; null if this is a moment for it. */
  const currentBlock = async (version: string): Promise<UpdateWait | null> => {
    if (app === null || (await isSending(app))) return 'sending'
    if (isRequested) return null
    if (setting !== 'quietMoment' || app.isSafe() || version === options.failedVersion) return 'word'
    if (clock.monotonicMs() < editorUntil) return 'editor'
    return options.isPersonThere() ? 'person' : null
  }
  const setReady = (version: string, waitsFor: UpdateWait | null, trouble: UpdateProblem | null): void =>
    setState({ kind: 'ready', version, waitsFor: waitsFor ?? 'sending', trouble })

  /** The shutdown needs a checked backup and the note for the next start. */
  const prepare = async (version: string): Promise<UpdateProblem | null> => {
    const backup = await app?.station.backUp()
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
    if (!isRequested && clock.monotonicMs() < tryAgainAt) return
    setState({ kind: 'installing', version })
    const trouble = await prepare(version)
    // A case may have started since; once this is answered, the shutdown begins at once.
    const blocked = await currentBlock(version)
    const isStillWanted = isInState('installing', version)
    if (isStillWanted && trouble === null && blocked === null) {
      isEndingToInstall = true
      // The shutdown begins at once: from here on no case starts being sent.
      return app.end('an update is installed')
    }
    if (trouble !== null) {
      logger.warn('the update was not installed', { trouble })
      isRequested = false
      tryAgainAt = clock.monotonicMs() + TRY_AGAIN_AFTER_MS
    }
    await options.saveNote(null).catch(() => logger.warn('the note of an update could not be removed'))
    if (isInState('installing', version)) setReady(version, blocked, trouble)
  }
  const nextTry: PlannedRun = new PlannedRun(clock, () => {
    void tryToInstall().finally(
      () => ['ready', 'installing'].includes(state.kind) && nextTry.runIn(TRY_EVERY_MS),
    )
  })

  const fetchOffer = async (program: Updater, version: string): Promise<void> => {
    setState({ kind: 'fetching', version })
    try {
      await program.fetch()
    } catch (error) {
      return failed(error)
    }
    // Updates may have been switched off meanwhile.
    if (!isInState('fetching', version)) return
    setReady(version, await currentBlock(version), version === options.failedVersion ? 'notInstalled' : null)
    await tryToInstall()
    nextTry.runIn(TRY_EVERY_MS)
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
      isRequested = false
      if (offer === null) return setState({ kind: 'current', lookedAt: clock.now(), trouble: null })
      const why = refusalOf(offer, options)
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
  const nextCheck: PlannedRun = new PlannedRun(clock, () => {
    nextCheck.runIn(CHECK_EVERY_MS)
    void check()
  })

  return {
    state: () => state,
    check,
    install: (): void => {
      if (state.kind !== 'ready') return
      isRequested = true
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
        nextCheck.cancel()
        // The download stays on disk but is not installed.
        setState({ kind: 'off', why: choice.why })
      } else if (state.kind === 'off') {
        setState({ kind: 'current', lookedAt: null, trouble: null })
        nextCheck.runIn(FIRST_CHECK_AFTER_MS)
      }
    },
    attach: (opened: OpenedApp): void => {
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

/** A person who has not touched the computer for this long counts as away. */
const AWAY_AFTER_SECONDS = 600

/** `npm run package` writes this into our package.json. */
const manifestSchema = z.object({ updateFeed: z.string().nullish() })

/** For the start after an update. If that still runs the old program, the installation failed: no try every night. */
const noteSchema = z.object({ version: z.string(), window: z.enum(['shown', 'hidden']) })
type UpdateNote = z.infer<typeof noteSchema>

/** Null if there is no note. An unreadable note never blocks a start; it is logged. */
async function readUpdateNote(path: string, logger: Logger): Promise<UpdateNote | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') logger.warn('the note of an update could not be read')
    return null
  }
}

/** Called before the station is opened, because the station passes update states on to the screens. */
export async function startUpdates(options: {
  readonly clock: Clock
  readonly logger: Logger
  readonly commandLine: CommandLine
}) {
  const { clock, logger, commandLine } = options
  const notePath = join(electronApp.getPath('userData'), 'update.json')
  const note = await readUpdateNote(notePath, logger)
  /** It stays there, so that the update is not retried endlessly; the window is hidden only for this start. */
  const failed: UpdateNote | null =
    note !== null && note.version !== electronApp.getVersion()
      ? { version: note.version, window: 'shown' }
      : null
  const writeNote = (next: UpdateNote | null): Promise<void> =>
    next === null ? rm(notePath, { force: true }) : writeDurably(notePath, JSON.stringify(next))
  if (note) {
    if (failed) logger.warn('an update was not installed', { version: failed.version })
    else logger.info('the app was updated', { version: note.version })
    await writeNote(failed).catch(() => logger.warn('the note of an update could not be changed'))
  }
  const { isPackaged } = electronApp
  const manifest = isPackaged
    ? manifestSchema.parse(JSON.parse(await readFile(appFile('package.json'), 'utf8')))
    : null
  let isWindowHidden: (() => boolean) | null = null
  const updates = createUpdates({
    clock,
    logger,
    ourOutboxSchema: SCHEMA_VERSION,
    program: async () => {
      const { default: updaters } = await import('electron-updater')
      return createUpdater(updaters.autoUpdater, clock)
    },
    // Only an administrator can replace a program in the machine's folder.
    rights:
      process.platform !== 'win32' || isWritableFolder(dirname(process.execPath))
        ? 'enough'
        : 'administrator',
    isPersonThere: () => powerMonitor.getSystemIdleTime() < AWAY_AFTER_SECONDS,
    failedVersion: failed?.version ?? null,
    saveNote: (version) =>
      writeNote(
        version === null ? failed : { version, window: isWindowHidden?.() === true ? 'hidden' : 'shown' },
      ),
  })
  const follow = (settings: UpdateSettings): void => {
    const packagedFeed = manifest?.updateFeed ?? null
    const { platform } = process
    updates.follow(
      settings.install,
      chooseFeed({ isPackaged, platform, commandLine, packagedFeed, settings }),
    )
  }
  return {
    port: updates,
    /** Did an update restart the app while its window was hidden? Then it stays hidden. */
    wasHidden: note?.window === 'hidden',
    /** Called once the station is open and the shutdown is set up. */
    attach: async (
      opened: OpenedApp & { readonly station: Station; readonly isWindowHidden: () => boolean },
    ): Promise<void> => {
      const { station } = opened
      isWindowHidden = opened.isWindowHidden
      station.on((event) => {
        if (event.name === 'settingsChanged') follow(event.payload.updates)
      })
      updates.attach(opened)
      const settings = await station.handlers['settings.get']({}).catch(() => null)
      if (settings?.ok) return follow(settings.value.updates)
      logger.warn('the update settings could not be read; no updates are looked for until they change')
    },
    installAtEnd: () => updates.installAtEnd(),
  }
}

/** Introduces the updates to Electron, to the station and to the end of the app. */
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app, powerMonitor } from 'electron'
import { z } from 'zod'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import { SCHEMA_VERSION } from '../../station/outbox/migrate.ts'
import type { Clock, Logger, Updates } from '../../station/ports.ts'
import type { Station } from '../../station/station-api.ts'
import { appFile } from '../app-files.ts'
import { withWholePaths } from '../command-line.ts'
import { isWritableFolder } from '../data-folder.ts'
import { wordsForRelaunch } from '../relaunch.ts'
import { chooseFeed } from './choose-feed.ts'
import { keepUpdates } from './keep-updates.ts'
import { keepUpdateNote, readUpdateNote, wordsToStartOver, type UpdateNote } from './update-note.ts'
import { updateProgram } from './update-program.ts'

/** Somebody who has not touched the computer for so long is not there. */
const AWAY_AFTER_SECONDS = 600

/** What `npm run package` writes beside the rest of our package.json. */
const manifestSchema = z.object({ updateFeed: z.string().nullish() })

export type DesktopUpdates = {
  /** What the station passes on. */
  readonly port: Updates
  /** Was the app brought back by an update, and was its window hidden before? Then it stays so. */
  readonly wasHidden: boolean
  /** The installer started the app without words that it had before: it starts over with these, before the station is opened. */
  readonly startOver: string[] | null
  /** The station is open, and the life of the app has begun. */
  attach(given: {
    readonly station: Pick<Station, 'on' | 'handlers' | 'backUp'>
    readonly isWindowHidden: () => boolean
    readonly isSafe: () => boolean
    readonly end: (reason: string) => Promise<void>
    /** Starts the app again once it has ended. */
    readonly comeBack: () => void
  }): Promise<void>
  /** The station has stopped. */
  lastly(by: 'person' | 'other'): Promise<void>
}

/** Before the station, which is lent them. */
export async function beginUpdates(clock: Clock, logger: Logger): Promise<DesktopUpdates> {
  // Where the next start finds it without knowing of another folder for the account.
  const notePath = join(app.getPath('appData'), 'fundus-courier', 'update.json')
  const keepNote = (next: UpdateNote | null): Promise<'noted' | 'not'> =>
    keepUpdateNote(notePath, next, logger)
  const note = await readUpdateNote(notePath, logger)
  const words = process.argv.slice(1)
  const startOver = wordsToStartOver(note, withWholePaths(words, process.cwd()))
  const triedInVain = note !== null && note.version !== app.getVersion() ? note.version : null
  // Kept, so that it is not tried over and over; the window is hidden for this start only.
  const keptNote: UpdateNote | null =
    triedInVain === null ? null : { version: triedInVain, window: 'shown', words: [] }
  if (triedInVain !== null) {
    logger.warn('an update was not installed', { version: triedInVain })
    await keepNote(keptNote)
  } else if (note !== null && startOver !== null) {
    // Once: what is left of it is for the start with these words.
    await keepNote({ ...note, words: [] })
  } else if (note !== null) {
    logger.info('the app was updated', { version: note.version })
    await keepNote(null)
  }
  const packagedFeed = app.isPackaged ? await readPackagedFeed() : null
  let isWindowHidden: (() => boolean) | null = null
  let isSafe: (() => boolean) | null = null
  let endApp: ((reason: string) => Promise<void>) | null = null
  let comeBack: (() => void) | null = null
  const updates = keepUpdates({
    clock,
    logger,
    ourOutboxSchema: SCHEMA_VERSION,
    program: async () => {
      const { default: updaters } = await import('electron-updater')
      return updateProgram(updaters.autoUpdater, {
        clock,
        logger,
      })
    },
    // A program in a folder of the machine is replaced by an administrator only.
    rights:
      process.platform !== 'win32' || isWritableFolder(dirname(process.execPath))
        ? 'enough'
        : 'administrator',
    isPersonThere: () => isWindowHidden?.() !== true && powerMonitor.getSystemIdleTime() < AWAY_AFTER_SECONDS,
    triedInVain,
    note: (version) =>
      keepNote({
        version,
        window: isWindowHidden?.() === true ? 'hidden' : 'shown',
        words: wordsForRelaunch(withWholePaths(words, process.cwd()), {
          isHidden: false,
          isSafe: isSafe?.() === true,
          without: ['--updated'],
        }),
      }),
    forgetNote: async () => void (await keepNote(keptNote)),
    // The end begins at once: from here on no case begins to leave.
    endFor: async () => endApp?.('an update is installed'),
    comeBack: () => comeBack?.(),
  })
  const obey = (settings: UpdateSettings): void =>
    updates.follow(
      settings.install,
      chooseFeed({
        isPackaged: app.isPackaged,
        platform: process.platform,
        packagedFeed,
        settings,
      }),
    )
  return {
    port: updates,
    wasHidden: note?.window === 'hidden',
    startOver,
    attach: async ({ station, ...life }) => {
      isWindowHidden = life.isWindowHidden
      isSafe = life.isSafe
      endApp = life.end
      comeBack = life.comeBack
      station.on((event) => {
        if (event.name === 'settingsChanged') obey(event.payload.updates)
      })
      updates.serve({
        sending: async () => {
          const status = await station.handlers['station.status']({}).catch(() => null)
          // Where the station cannot say it, something may be under way.
          return status?.ok ? (status.value.counts.sending ?? 0) : 1
        },
        backUp: () => station.backUp(),
      })
      const settings = await station.handlers['settings.get']({}).catch(() => null)
      if (settings?.ok) return obey(settings.value.updates)
      logger.warn(
        'what is wanted of updates could not be read; none are looked for until the settings change',
      )
    },
    lastly: (by) => updates.atEnd(by),
  }
}

async function readPackagedFeed(): Promise<string | null> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(appFile('package.json'), 'utf8')))
  return manifest.updateFeed ?? null
}

/** Connects the updates to Electron, to the station and to the shutdown of the app. */
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { app, powerMonitor } from 'electron'
import { z } from 'zod'
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { Station } from '../../station/api.ts'
import { errorCode } from '../../station/lib/errors.ts'
import { writeDurably } from '../../station/lib/files.ts'
import { SCHEMA_VERSION } from '../../station/outbox/migrations/migrate.ts'
import type { Clock, Logger } from '../../station/ports.ts'
import { appFile } from '../app-protocol.ts'
import type { CommandLine } from '../command-line.ts'
import { isWritableFolder } from '../data-folder.ts'
import { chooseFeed, createUpdater } from './feed.ts'
import { createUpdates } from './updates.ts'

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

/** The open station, and the app around it. */
type OpenedApp = {
  readonly station: Pick<Station, 'on' | 'handlers' | 'backUp'>
  readonly isWindowHidden: () => boolean
  readonly isSafe: () => boolean
  readonly end: (reason: string) => Promise<void>
  readonly restart: () => void
}

/** Called before the station is opened, because the station passes update states on to the screens. */
export async function startUpdates(options: {
  readonly clock: Clock
  readonly logger: Logger
  readonly commandLine: CommandLine
}) {
  const { clock, logger, commandLine } = options
  const notePath = join(app.getPath('userData'), 'update.json')
  const note = await readUpdateNote(notePath, logger)
  const failedVersion = note !== null && note.version !== app.getVersion() ? note.version : null
  const writeNote = (next: UpdateNote | null): Promise<void> =>
    next === null ? rm(notePath, { force: true }) : writeDurably(notePath, JSON.stringify(next))
  // Preserved, so that the update is not retried endlessly; the window is hidden only for this start.
  const failedNote: UpdateNote | null =
    failedVersion === null ? null : { version: failedVersion, window: 'shown' }
  if (note !== null) {
    if (failedVersion === null) logger.info('the app was updated', { version: note.version })
    else logger.warn('an update was not installed', { version: failedVersion })
    await writeNote(failedNote).catch(() => logger.warn('the note of an update could not be changed'))
  }
  const packagedFeed = app.isPackaged ? await readPackagedFeed() : null
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
    failedVersion,
    saveNote: (version) =>
      writeNote(
        version === null ? failedNote : { version, window: isWindowHidden?.() === true ? 'hidden' : 'shown' },
      ),
  })
  const { isPackaged } = app
  const { platform } = process
  const follow = (settings: UpdateSettings): void =>
    updates.follow(
      settings.install,
      chooseFeed({ isPackaged, platform, commandLine, packagedFeed, settings }),
    )
  return {
    port: updates,
    /** Did an update restart the app while its window was hidden? Then it stays hidden. */
    wasHidden: note?.window === 'hidden',
    /** Called once the station is open and the shutdown is set up. */
    attach: async ({ station, ...callbacks }: OpenedApp): Promise<void> => {
      isWindowHidden = callbacks.isWindowHidden
      station.on((event) => {
        if (event.name === 'settingsChanged') follow(event.payload.updates)
      })
      updates.attach({
        sending: async () => {
          const status = await station.handlers['station.status']({}).catch(() => null)
          // If the station cannot answer, something may be in progress.
          return status?.ok ? (status.value.counts.sending ?? 0) : 1
        },
        backUp: () => station.backUp(),
        isSafe: callbacks.isSafe,
        // The shutdown begins at once: from here on no case starts being sent.
        end: () => callbacks.end('an update is installed'),
        restart: callbacks.restart,
      })
      const settings = await station.handlers['settings.get']({}).catch(() => null)
      if (settings?.ok) return follow(settings.value.updates)
      logger.warn('the update settings could not be read; no updates are looked for until they change')
    },
    installAtEnd: () => updates.installAtEnd(),
  }
}

async function readPackagedFeed(): Promise<string | null> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(appFile('package.json'), 'utf8')))
  return manifest.updateFeed ?? null
}

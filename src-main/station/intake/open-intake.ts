/** The intake: watched folders in, submissions out. */
import { SECOND } from '../../../src-shared/durations.ts'
import type { ParsedInput } from '../../../src-shared/contract.ts'
import type { Result } from '../../../src-shared/result.ts'
import type { FolderSettings } from '../../../src-shared/settings.ts'
import type { FolderStatus } from '../../../src-shared/station-status.ts'
import type { Reason } from '../../../src-shared/submission.ts'
import PQueue from 'p-queue'
import { openLoop } from '../loop.ts'
import type { Logger } from '../ports.ts'
import type { FileMark, SettledFile, WatchedFolder, Watcher, WatchEvent } from '../watch/watcher.ts'
import { addByHand } from './add-by-hand.ts'
import { gather, gatherAndMove } from './gather.ts'
import { IntakeFolder } from './intake-folder.ts'
import { takeIn, type TakeInContext } from './take-in.ts'

/** Two files at a time keep one disk and one core busy; more would only wait for each other. */
const FILES_AT_A_TIME = 2
/** One commit for so many old files: short enough for the thread, few enough for the disk. */
const MARKS_AT_A_TIME = 200
/** A share that is away at the start is asked for again as often as one that went away later. */
const LIST_AGAIN_MS = 15 * SECOND
export type IntakeOptions = Omit<TakeInContext, 'note' | 'storageIs'> & {
  readonly logger: Logger
  readonly openWatcher: (folder: WatchedFolder, onEvent: (event: WatchEvent) => void) => Watcher
  /** Every file that lies in the folder now, whatever it is. */
  readonly listFiles: (folderPath: string) => AsyncIterable<FileMark>
  /** What to do with files that lay there before, where the folder does not say. */
  readonly existingByDefault: 'ask' | 'include'
  readonly onChanged: () => void
}

export type Intake = {
  /** Watches these folders from now on, and no others. */
  watch(folders: readonly FolderSettings[]): Promise<void>
  status(): FolderStatus[]
  /** Why images cannot be kept on our own disk, where they cannot. */
  storageTrouble(): string | null
  sweepNow(): void
  /** Looks at every file anew, also at those that were dealt with and forgotten since. */
  lookAgain(): void
  /** Takes or leaves the files that lay there before the first start. */
  decideExisting(folderPath: string, decision: 'include' | 'ignore'): Promise<boolean>
  /** Makes a submission of images of this computer; answers with its id. */
  addByHand(given: ParsedInput<'submissions.create'>): Promise<Result<string>>
  /** Reads a submission anew from all its sources, where it is; answers with what is missing. */
  refresh(submissionId: string): readonly Reason[]
  /** Reads it anew and moves it to where it belongs: to a person, or to the line. */
  place(submissionId: string): void
  /** A quiet time may have changed. */
  wake(): void
  close(): Promise<void>
}

type Decision = 'include' | 'ignore' | 'ask' | 'since'

export function openIntake(options: IntakeOptions): Intake {
  const { outbox, clock, logger } = options
  const queue = new PQueue({ concurrency: FILES_AT_A_TIME })
  let folders: IntakeFolder[] = []
  let storageTrouble: string | null = null
  const retries = new Map<IntakeFolder, () => void>()
  const queued = new Set<string>()

  const readDecisions = (): Record<string, Decision> =>
    JSON.parse(outbox.readFact('existing') ?? '{}') as Record<string, Decision>
  const writeDecision = (path: string, decision: Decision): void =>
    outbox.writeFact('existing', JSON.stringify({ ...readDecisions(), [path]: decision }))

  const take = async (folder: IntakeFolder, file: SettledFile): Promise<void> => {
    const context: TakeInContext = { ...options, note: (_path, note) => folder.note(note), storageIs }
    try {
      if ((await takeIn(context, file)) === 'done') folder.done(file)
      quiet.wake()
    } catch (error) {
      logger.error('a file could not be taken in', { error: error instanceof Error ? error.name : 'unknown' })
      folder.note({
        fileName: file.relativePath,
        kind: 'unreadable',
        message: 'This file could not be taken in now. It is tried again by itself.',
        at: clock.now(),
      })
    }
  }

  const enqueue = (folder: IntakeFolder, file: SettledFile): void => {
    const key = JSON.stringify([file.folderPath, file.relativePath, file.sizeBytes, file.mtimeMs])
    if (queued.has(key)) return
    queued.add(key)
    void queue.add(async () => {
      await take(folder, file)
      queued.delete(key)
    })
  }

  const storageIs = (trouble: string | null): void => {
    if (trouble === storageTrouble) return
    storageTrouble = trouble
    options.onChanged()
  }

  const newFolder = (settings: FolderSettings): IntakeFolder =>
    new IntakeFolder({
      settings,
      clock,
      openWatcher: options.openWatcher,
      onSettled: enqueue,
      onChanged: options.onChanged,
    })

  const quiet = openLoop({
    name: 'closing cases',
    clock,
    logger,
    run: () => {
      for (const id of outbox.quietSubmissions(clock.now())) {
        const row = outbox.rowOf(id)
        if (row) gatherAndMove(options, row)
      }
      return Promise.resolve(outbox.nextQuietAt())
    },
  })

  /** At the first start on a folder: what lies there is taken, left, or kept for a person's decision. */
  const settleExisting = async (settings: FolderSettings): Promise<void> => {
    if (readDecisions()[settings.path] !== undefined) return
    const decision = settings.existing ?? options.existingByDefault
    if (decision !== 'include') {
      let batch: FileMark[] = []
      const mark = (): void => {
        outbox.write(() => {
          for (const file of batch) outbox.markSeen(file, 'ignored', null, clock.now())
        })
        batch = []
      }
      for await (const file of options.listFiles(settings.path))
        if (batch.push(file) === MARKS_AT_A_TIME) mark()
      mark()
    }
    writeDecision(settings.path, decision)
  }

  /**
   * Opens a folder once it is settled what to do with the files that lie there. A folder that cannot be listed yet is
   * tried again: opened undecided, its old exports would pass for new ones when it comes back.
   */
  const openFolder = async (folder: IntakeFolder): Promise<void> => {
    if (!folders.includes(folder)) return
    try {
      await settleExisting(folder.settings)
    } catch (error) {
      if (!folders.includes(folder)) return
      logger.warn('a folder cannot be listed', { error: error instanceof Error ? error.name : 'unknown' })
      folder.cannotBeListed()
      retries.set(
        folder,
        clock.after(LIST_AGAIN_MS, () => void openFolder(folder)),
      )
      return
    }
    retries.delete(folder)
    // While it was listed, somebody may have taken the folder out.
    if (folders.includes(folder)) folder.open()
  }

  const closeFolders = async (): Promise<void> => {
    for (const cancel of retries.values()) cancel()
    retries.clear()
    await Promise.all(folders.map((folder) => folder.close()))
  }

  const watchOnly = async (wanted: readonly FolderSettings[]): Promise<void> => {
    await closeFolders()
    folders = wanted.map(newFolder)
    for (const folder of folders) await openFolder(folder)
    options.onChanged()
  }

  /** Two changes of the folders at once would leave watchers that nobody knows. */
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = async (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }

  return {
    watch: (wanted) => inTurn(() => watchOnly(wanted)),
    lookAgain: () => void inTurn(() => watchOnly(folders.map((folder) => folder.settings))),
    storageTrouble: () => storageTrouble,
    status: () => {
      const decisions = readDecisions()
      return folders.map((folder) => {
        const { path } = folder.settings
        return folder.status(decisions[path] === 'ask' ? outbox.countIgnored(path) : 0)
      })
    },
    sweepNow: () => {
      for (const folder of folders) folder.sweep()
    },
    decideExisting: async (folderPath, decision) => {
      if (!folders.some((folder) => folder.settings.path === folderPath)) return false
      writeDecision(folderPath, decision)
      if (decision === 'include') {
        outbox.forgetIgnored(folderPath)
        await inTurn(() => watchOnly(folders.map((folder) => folder.settings)))
      }
      options.onChanged()
      return true
    },
    addByHand: (given) => addByHand({ ...options, note: () => undefined, storageIs }, given),
    refresh: (submissionId) => {
      const row = outbox.rowOf(submissionId)
      return row ? gather(options, row).reasons : []
    },
    place: (submissionId) => {
      const row = outbox.rowOf(submissionId)
      if (row) gatherAndMove(options, row)
    },
    wake: () => quiet.wake(),
    close: async () => {
      // Not in turn: a share that hangs while it is listed must not keep the station from ending.
      await closeFolders()
      folders = []
      queue.clear()
      await queue.onIdle()
      await quiet.close()
    },
  }
}

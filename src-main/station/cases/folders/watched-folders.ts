/** The watched folders: opened, changed and closed one by one, so that a change of one does not disturb another. */
import type { ParsedInput } from '../../../../src-shared/contract.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import type { FolderSettings } from '../../../../src-shared/folder-settings.ts'
import type { FolderStatus, LeftAsidePage } from '../../../../src-shared/station-status.ts'
import { diskCodeOf } from '../../lib/files.ts'
import { serially, waitAtMost } from '../../lib/schedule.ts'
import type { Outbox } from '../../outbox/outbox.ts'
import type { Logger } from '../../ports.ts'
import type { FileMark } from '../../../reader/watch-messages.ts'
import { stemKeyOf } from '../meaning/sources.ts'
import { CaseFolder, type CaseFolderOptions } from './case-folder.ts'

/** The fact of the outbox that holds the decision on the files that existed in each folder before. */
const DECISIONS_FACT = 'existing'

/**
 * What happens to files that existed in a folder before the station first watched it.
 *
 * - `include`, `ignore`  take all of them, or none
 * - `since`              take those last changed on a day or later
 * - `ask`                take none until a person has decided
 */
export type ExistingDecision =
  | { readonly kind: 'include' | 'ignore' | 'ask' }
  /** `since` is a calendar day, YYYY-MM-DD. */
  | { readonly kind: 'since'; readonly since: string }

/** The decision in the settings of a folder, else `byDefault`. A missing day leads to `ask`. */
function existingDecisionOf(
  { existing, existingSince }: Pick<FolderSettings, 'existing' | 'existingSince'>,
  byDefault: 'ask' | 'include',
): ExistingDecision {
  const kind = existing ?? byDefault
  if (kind !== 'since') return { kind }
  return existingSince === undefined ? { kind: 'ask' } : { kind, since: existingSince }
}

/** The earliest modification time, epoch milliseconds, of files to take; a day begins at local midnight. */
export function includeFromMs(decision: ExistingDecision): number {
  switch (decision.kind) {
    case 'include':
      return -Infinity
    case 'ignore':
    case 'ask':
      return Infinity
    case 'since': {
      const [year = 0, month = 1, date = 1] = decision.since.split('-').map(Number)
      return new Date(year, month - 1, date).getTime()
    }
  }
}

/** Old files per commit: short enough for the thread, few enough for the disk. */
const MARKS_PER_COMMIT = 200

/** A share that is unreachable at the start is retried as often as one that disconnects later. */
const LIST_RETRY_MS = 15 * SECOND

/** A change of folders is answered after this time, even while a slow share is still being listed. */
const OPEN_TIMEOUT_MS = 2 * SECOND

export type WatchedFoldersOptions = CaseFolderOptions & {
  readonly outbox: Outbox
  readonly logger: Logger
  /** Every file in the folder now, of any kind. */
  readonly listFiles: (folderPath: string) => AsyncIterable<FileMark>
  /** The decision on existing files if the folder does not state one. */
  readonly existingByDefault: 'ask' | 'include'
}

export class WatchedFolders {
  readonly #options: WatchedFoldersOptions
  #folders: CaseFolder[] = []
  /** Cancels the next attempt to list a folder. */
  readonly #retries = new Map<CaseFolder, () => void>()
  /** How many files of a folder wait for a decision; counted once, because the status is read often. */
  readonly #existingCounts = new Map<string, number>()
  #isClosed = false
  /** Two concurrent changes would leave orphaned watchers. */
  readonly #inTurn = serially()

  constructor(options: WatchedFoldersOptions) {
    this.#options = options
  }

  /** Watches these folders from now on, and no others. Unchanged ones are not disturbed. */
  async watch(wanted: readonly FolderSettings[]): Promise<void> {
    const unique = [...new Map(wanted.map((settings) => [settings.path, settings])).values()]
    await this.#change(() => {
      const before = new Map(this.#folders.map((folder) => [folder.settings.path, folder]))
      return unique.map((settings) => {
        const folder = before.get(settings.path)
        // Files to be taken after all are checked again.
        const mayStay = folder && !this.#applySettingsDecision(settings) && folder.adopt(settings)
        return mayStay ? folder : new CaseFolder(settings, this.#options)
      })
    })
  }

  /** Checks every file again, including those that were dealt with and forgotten since. */
  async rescan(): Promise<void> {
    await this.#restart(() => true)
  }

  status(): FolderStatus[] {
    return this.#folders.map((folder) => folder.status(this.#existingCount(folder.settings.path)))
  }

  /** A page of the files that are no part of a case. */
  leftAside(page: ParsedInput<'folders.leftAside'>): LeftAsidePage {
    for (const folder of this.#folders) folder.saveNotes()
    const paths = this.#folders.map((folder) => folder.settings.path)
    return this.#options.outbox.listNotes(paths, page)
  }

  /** Has a file that was set aside read once more; false if there is none of this name. */
  tryAgain(folderPath: string, fileName: string): boolean {
    if (!this.#isWatched(folderPath) || !this.#options.outbox.allowReading(folderPath, fileName)) return false
    for (const folder of this.#folders) if (folder.settings.path === folderPath) folder.readAgain(fileName)
    return true
  }

  sweepNow(): void {
    for (const folder of this.#folders) folder.sweep()
  }

  /** How many files existed before and were not taken, and their times in ms; null for a folder that is not watched. */
  countExisting(folderPath: string, since: string | undefined) {
    if (!this.#isWatched(folderPath)) return null
    const { outbox } = this.#options
    const { count, oldestMs, newestMs } = outbox.summariseIgnored(folderPath, -Infinity)
    const fromMs = since === undefined ? null : includeFromMs({ kind: 'since', since })
    const sinceCount = fromMs === null ? null : outbox.summariseIgnored(folderPath, fromMs).count
    return { count, sinceCount, oldestAt: oldestMs, newestAt: newestMs }
  }

  /** Takes or ignores the files that existed before the first start; false for a folder that is not watched. */
  async decideExisting(folderPath: string, decision: ExistingDecision): Promise<boolean> {
    if (!this.#isWatched(folderPath)) return false
    if (this.#recordDecision(folderPath, decision))
      await this.#restart((folder) => folder.settings.path === folderPath)
    this.#options.onChanged()
    return true
  }

  async close(): Promise<void> {
    // Not queued: a hanging share must not keep the station from closing.
    this.#isClosed = true
    const folders = this.#folders
    this.#folders = []
    await this.#close(folders)
  }

  #isWatched(folderPath: string): boolean {
    return this.#folders.some((folder) => folder.settings.path === folderPath)
  }

  #existingCount(folderPath: string): number {
    if (this.#decisionOf(folderPath) !== 'ask') return 0
    const count =
      this.#existingCounts.get(folderPath) ??
      this.#options.outbox.summariseIgnored(folderPath, -Infinity).count
    this.#existingCounts.set(folderPath, count)
    return count
  }

  async #close(folders: readonly CaseFolder[]): Promise<void> {
    for (const folder of folders) {
      this.#retries.get(folder)?.()
      this.#retries.delete(folder)
    }
    await Promise.all(folders.map((folder) => folder.close()))
  }

  async #restart(isMeant: (folder: CaseFolder) => boolean): Promise<void> {
    await this.#change(() =>
      this.#folders.map((folder) =>
        isMeant(folder) ? new CaseFolder(folder.settings, this.#options) : folder,
      ),
    )
  }

  /** Closes the folders that are not among the wanted ones any more, and opens the new ones among these. */
  async #change(choose: () => CaseFolder[]): Promise<void> {
    const fresh = await this.#inTurn(async () => {
      const before = this.#folders
      const wanted = choose()
      await this.#close(before.filter((folder) => !wanted.includes(folder)))
      if (this.#isClosed) return []
      this.#folders = wanted
      return wanted.filter((folder) => !before.includes(folder))
    })
    await this.#open(fresh)
  }

  async #open(folders: readonly CaseFolder[]): Promise<void> {
    this.#options.onChanged()
    const opened = Promise.all(folders.map((folder) => this.#openOne(folder)))
    await waitAtMost(this.#options.clock, OPEN_TIMEOUT_MS, opened)
    this.#options.onChanged()
  }

  /** Opens a folder once its existing files are decided. If it cannot be listed, it waits: old exports would be new. */
  async #openOne(folder: CaseFolder): Promise<void> {
    // The folder may have been removed meanwhile.
    if (!this.#folders.includes(folder) || folder.settings.watching === 'paused') return
    try {
      await this.#settleExisting(folder)
    } catch (error) {
      if (!this.#folders.includes(folder)) return
      this.#options.logger.warn('a folder cannot be listed', {
        error: error instanceof Error ? error.name : 'unknown',
        code: diskCodeOf(error),
      })
      folder.markUnlistable(error)
      const again = (): void => void this.#openOne(folder)
      this.#retries.set(folder, this.#options.clock.after(LIST_RETRY_MS, again))
      return
    }
    this.#retries.delete(folder)
    if (this.#folders.includes(folder)) folder.open()
  }

  /** On the first start of a folder: takes or ignores the existing files, or leaves them for a person's decision. */
  async #settleExisting(folder: CaseFolder): Promise<void> {
    const { settings } = folder
    if (this.#decisionOf(settings.path) !== undefined) {
      this.#applySettingsDecision(settings)
      return
    }
    const { outbox, clock, listFiles, existingByDefault } = this.#options
    const decision = existingDecisionOf(settings, existingByDefault)
    const fromMs = includeFromMs(decision)
    if (decision.kind !== 'include') {
      let batch: FileMark[] = []
      const mark = (): void => {
        outbox.write(() => {
          for (const file of batch.filter((one) => !outbox.hasSeen(one))) {
            // The names of restored images are used for nothing else.
            const stemKey = outbox.isOfImage(file) ? '' : stemKeyOf(file.relativePath)
            outbox.markSeen(file, 'ignored', clock.now(), { stemKey })
          }
        })
        batch = []
      }
      for await (const file of listFiles(settings.path)) {
        if (!this.#folders.includes(folder)) return
        if (file.mtimeMs < fromMs && batch.push(file) === MARKS_PER_COMMIT) mark()
      }
      mark()
    }
    this.#decide(settings.path, decision.kind)
  }

  /** Applies a decision made in the settings instead of the answer to the question; true if it takes files. */
  #applySettingsDecision(settings: FolderSettings): boolean {
    const { existing, path } = settings
    if (existing === undefined || existing === 'ask' || this.#decisionOf(path) !== 'ask') return false
    return this.#recordDecision(path, existingDecisionOf(settings, 'ask'))
  }

  /** Stores a decision; true if it takes files that were not taken before. */
  #recordDecision(folderPath: string, decision: ExistingDecision): boolean {
    this.#decide(folderPath, decision.kind)
    const fromMs = includeFromMs(decision)
    if (fromMs === Infinity) return false
    const { outbox, clock } = this.#options
    outbox.importIgnoredSince(folderPath, fromMs, clock.now())
    return true
  }

  #decisions(): Record<string, string> {
    return JSON.parse(this.#options.outbox.readFact(DECISIONS_FACT) ?? '{}') as Record<string, string>
  }

  /** The decision for a folder: `ask` while a person has yet to decide, undefined before its first start. */
  #decisionOf(folderPath: string): string | undefined {
    const decisions = this.#decisions()
    return Object.hasOwn(decisions, folderPath) ? decisions[folderPath] : undefined
  }

  #decide(folderPath: string, decision: ExistingDecision['kind']): void {
    const decisions = { ...this.#decisions(), [folderPath]: decision }
    this.#options.outbox.writeFact(DECISIONS_FACT, JSON.stringify(decisions))
    this.#existingCounts.delete(folderPath)
  }
}

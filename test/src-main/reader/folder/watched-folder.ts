/** A folder on the real disk, watched in this thread under a clock that tests turn. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inspectFile } from '../../../../src-main/reader/inspect-file.ts'
import { FolderWatch, type FolderWatchOptions } from '../../../../src-main/reader/folder/folder-watch.ts'
import type { OpenHints } from '../../../../src-main/reader/folder/hints.ts'
import type { SettledFile, WatchEvent } from '../../../../src-main/reader/watch-messages.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { temporaryFolder } from '../../../tools/temporary-folder.ts'

export const SETTLE_MS = 1_000
export const SWEEP_MS = 60_000

/** Hears nothing, as a subscription on a network share does. */
export const deafHints: OpenHints = () => ({
  follow: () => false,
  isDoubtful: () => false,
  close: () => Promise.resolve(),
})

export type Files = Readonly<Record<string, Uint8Array | string>>

export type WatchedTestFolder = Awaited<ReturnType<typeof watchFolder>>

/** Makes a folder with these files in it and begins to watch it; the first sweep has been made. */
export async function watchFolder(files: Files, options: Partial<FolderWatchOptions> = {}) {
  const path = join(temporaryFolder(), 'exports')
  const write = async (relativePath: string, content: Uint8Array | string): Promise<void> => {
    await mkdir(dirname(join(path, relativePath)), { recursive: true })
    await writeFile(join(path, relativePath), content)
  }
  await mkdir(path)
  for (const [relativePath, content] of Object.entries(files)) await write(relativePath, content)

  const clock = new ManualClock()
  const events: WatchEvent[] = []
  let emittedCount = 0
  const watch = new FolderWatch({
    folder: { path, settleMs: SETTLE_MS, sweepMs: SWEEP_MS, lease: null },
    clock,
    inspect: inspectFile,
    lookup: (marks) => Promise.resolve(marks.map(() => 'new' as const)),
    emit: (event) => events.push(event),
    openHints: deafHints,
    onDefect: (error) => {
      throw error
    },
    ...options,
  })
  await clock.settle()
  return {
    path,
    clock,
    events,
    watch,
    /** The events since the last time this was asked, as texts. `swept` is left out. */
    emitted: () => {
      const fresh = events.slice(emittedCount)
      emittedCount = events.length
      return fresh.flatMap((event) => textOf(event))
    },
    /** Why files were reported as unusable, in order. */
    unusable: (): string[] =>
      events.flatMap((event) =>
        event.kind === 'unusable' ? [`${event.file.relativePath} ${event.file.why}`] : [],
      ),
    settledFile: (relativePath: string): SettledFile => {
      const event = events.findLast((one) => one.kind === 'settled' && one.file.relativePath === relativePath)
      if (event?.kind !== 'settled') throw new Error(`${relativePath} was not emitted.`)
      return event.file
    },
    write,
    sweep: async () => {
      watch.sweep()
      await clock.settle()
    },
    close: () => watch.close(),
  }
}

function textOf(event: WatchEvent): string[] {
  switch (event.kind) {
    case 'settled':
      return [`settled ${event.file.relativePath}`]
    case 'noted':
      return [`${event.note.kind} ${event.note.fileName}`]
    case 'noteCleared':
      return [`cleared ${event.fileName}`]
    case 'unreachable':
      return [`unreachable: ${event.reason}`]
    case 'rewritten':
      return [`rewritten ${event.file.relativePath}`]
    case 'guard':
      return [`${event.guard}${event.hostName === null ? '' : ` by ${event.hostName}`}`]
    // Beside its note.
    case 'unusable':
    case 'gone':
    case 'verified':
    case 'swept':
      return []
  }
}

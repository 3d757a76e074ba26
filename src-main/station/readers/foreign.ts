/** Files that no watched folder holds: those that a person chose, and the patient list. */
import { MINUTE } from '../../../src-shared/durations.ts'
import { ShareSilent } from '../lib/schedule.ts'
import type { ForeignFiles } from '../reader/foreign-messages.ts'
import type { Beginning, WatchCommand } from '../watch/watch.ts'
import { FolderProcess, type FolderProcessOptions } from './folder-process.ts'

/** Without a request for so long, the process gives its memory back. */
const IDLE_MS = MINUTE

/** They are opened by one process, which is started when it is needed; one that hangs is replaced. */
export function openForeignFiles(
  options: Pick<FolderProcessOptions, 'program' | 'startProcess' | 'clock' | 'logger'>,
): ForeignFiles & { readonly close: () => Promise<void> } {
  let child: FolderProcess | null = null
  let using = 0
  let cancelIdle: (() => void) | null = null
  let isClosed = false

  const end = async (): Promise<void> => {
    const ending = child
    child = null
    await ending?.close({ kind: 'close' } satisfies WatchCommand)
  }
  const begin = (): ForeignFiles => {
    if (isClosed) throw new ShareSilent()
    cancelIdle?.()
    using += 1
    child ??= new FolderProcess({
      ...options,
      beginning: { kind: 'files' } satisfies Beginning,
      onMessage: () => undefined,
      onAlive: () => undefined,
      onLost: () => undefined,
    })
    return child.files
  }
  const release = (): void => {
    using -= 1
    if (using === 0 && !isClosed) cancelIdle = options.clock.after(IDLE_MS, () => void end())
  }
  const use = async <Value>(act: (files: ForeignFiles) => Promise<Value>): Promise<Value> => {
    const files = begin()
    try {
      return await act(files)
    } finally {
      release()
    }
  }

  return {
    copy: (request) => use((files) => files.copy(request)),
    hash: (path) => use((files) => files.hash(path)),
    read: (path, mostBytes) => use((files) => files.read(path, mostBytes)),
    inspect: (path, expected) => use((files) => files.inspect(path, expected)),
    locate: (path) => use((files) => files.locate(path)),
    factsOf: (path, nameOrder) => use((files) => files.factsOf(path, nameOrder)),
    async *expand(path, targetFolder) {
      const files = begin()
      try {
        yield* files.expand(path, targetFolder)
      } finally {
        release()
      }
    },
    close: () => {
      isClosed = true
      cancelIdle?.()
      return end()
    },
  }
}

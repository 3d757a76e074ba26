/** Watching and listing a folder, each in a process of its own. */
import { z } from 'zod'
import { IMAGE_TYPES } from '../../../src-shared/image-files.ts'
import { fileNoteSchema, folderStatusSchema } from '../../../src-shared/station-status.ts'
import { unusableWhySchema } from '../../../src-shared/submission.ts'
import { messageFields } from '../../../src-shared/wording.ts'
import { ShareSilent } from '../lib/schedule.ts'
import type {
  Beginning,
  FileMark,
  PriorResult,
  UnreachableReason,
  WatchCommand,
  WatchedFolder,
  Watcher,
  WatchEvent,
  WatchMessage,
} from '../watch/watch.ts'
import { FolderProcess, type FolderProcessOptions } from './folder-process.ts'

type ProcessOptions = Pick<FolderProcessOptions, 'program' | 'startProcess' | 'clock' | 'logger'>

export type WatcherOptions = ProcessOptions & {
  readonly folder: WatchedFolder
  readonly onEvent: (event: WatchEvent) => void
  /** The results of earlier ingests, one per file, so that a restart does not read years of exports again. */
  readonly lookup: (files: readonly FileMark[]) => readonly PriorResult[]
}

/** Watches a folder in a process of its own, which is started again whenever it ends or hangs. */
export function openWatcher({ folder, onEvent, lookup, ...ofProcess }: WatcherOptions): Watcher {
  const { logger } = ofProcess
  /** A sweep showed that the folder is there, not that it can be read. */
  let hasDoubtfulSweep = false
  const onWatchEvent = (event: WatchEvent): void => {
    if (event.kind === 'swept') {
      hasDoubtfulSweep = child.isDoubtful()
      if (hasDoubtfulSweep) return
    }
    if (event.kind === 'unreachable' || event.kind === 'guard') hasDoubtfulSweep = false
    if (event.kind === 'unreachable')
      logger.warn('a watched folder cannot be reached', { code: event.code ?? null })
    onEvent(event)
  }
  const child = new FolderProcess({
    ...ofProcess,
    beginning: { kind: 'watch', folder } satisfies Beginning,
    onMessage: (message) => {
      const received = watchMessageSchema.safeParse(message)
      if (!received.success) return logger.error('the process of a folder sent what no one knows')
      const { data } = received
      switch (data.kind) {
        case 'question': {
          const { question, files } = data
          return child.send({ kind: 'knownFiles', question, results: lookup(files) } satisfies WatchCommand)
        }
        case 'setAside':
          return logger.error('a file could not be read and was set aside', { error: data.error })
        case 'event':
          return onWatchEvent(data.event)
        case 'files':
        case 'notListed':
      }
    },
    onAlive: () => {
      if (hasDoubtfulSweep) onWatchEvent({ kind: 'swept' })
    },
    onLost: (why) => {
      hasDoubtfulSweep = false
      onEvent({ kind: 'unreachable', reason: why })
    },
  })
  const send = (command: WatchCommand): void => child.send(command)
  return {
    files: child.files,
    sweep: () => send({ kind: 'sweep' }),
    acknowledge: (file) => send({ kind: 'acknowledge', file }),
    reportGone: (fileNames) => {
      if (fileNames.length > 0) send({ kind: 'reportGone', fileNames })
    },
    close: () => child.close({ kind: 'close' } satisfies WatchCommand),
  }
}

/**
 * Lists a folder once, in a process of its own, which a hanging share may block; returning early ends it. Throws the file
 * system's error, or `ShareSilent` if the process ended or gave no sign of life. `former`: the last process of each folder.
 */
export async function* listFolder(
  folderPath: string,
  options: ProcessOptions,
  former = new Map<string, FolderProcess>(),
): AsyncGenerator<FileMark, void, void> {
  // While a former process hangs there and cannot be ended, another would hang, too.
  if (former.get(folderPath)?.hasAbandoned() === true) throw new ShareSilent()
  let next = Promise.withResolvers<WatchMessage>()
  // What is not waited for any more is no unhandled rejection.
  next.promise.catch(() => undefined)
  const child = new FolderProcess({
    ...options,
    beginning: { kind: 'list', folderPath } satisfies Beginning,
    onMessage: (message) => next.resolve(watchMessageSchema.parse(message)),
    onAlive: () => undefined,
    onLost: () => next.reject(new ShareSilent()),
  })
  former.set(folderPath, child)
  try {
    for (;;) {
      const message = await next.promise
      if (message.kind === 'notListed')
        throw Object.assign(new Error('The folder cannot be listed.'), { code: message.code })
      if (message.kind !== 'files' || message.files.length === 0) return
      next = Promise.withResolvers()
      next.promise.catch(() => undefined)
      yield* message.files
      child.send({ kind: 'nextFiles' } satisfies WatchCommand)
    }
  } finally {
    await child.close({ kind: 'close' } satisfies WatchCommand)
    if (!child.hasAbandoned()) former.delete(folderPath)
  }
}

const fileMark = {
  folderPath: z.string(),
  relativePath: z.string(),
  sizeBytes: z.number(),
  mtimeMs: z.number(),
  ctimeMs: z.number().exactOptional(),
  sha256: z.string().exactOptional(),
  crc32: z.number().exactOptional(),
}
const fileMarkSchema = z.object(fileMark)
const settledFileSchema = z.object({ ...fileMark, content: z.enum([...IMAGE_TYPES, 'zip', 'sidecar']) })

const watchEventSchema: z.ZodType<WatchEvent> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('settled'), file: settledFileSchema }),
  z.object({ kind: z.literal('noted'), note: fileNoteSchema }),
  z.object({
    kind: z.literal('unusable'),
    file: z.object({ ...fileMark, ...messageFields, why: unusableWhySchema }),
  }),
  z.object({ kind: z.literal('noteCleared'), fileName: z.string() }),
  z.object({ kind: z.literal('gone'), fileNames: z.array(z.string()) }),
  z.object({ kind: z.literal('rewritten'), file: fileMarkSchema }),
  z.object({ kind: z.literal('verified'), files: z.array(z.object({ ...fileMark, sha256: z.string() })) }),
  z.object({ kind: z.literal('swept') }),
  z.object({
    kind: z.literal('guard'),
    guard: folderStatusSchema.shape.guard,
    hostName: z.string().nullable(),
  }),
  z.object({
    kind: z.literal('unreachable'),
    reason: z.string() as unknown as z.ZodType<UnreachableReason>,
    code: z.string().exactOptional(),
  }),
])

const watchMessageSchema: z.ZodType<WatchMessage> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: watchEventSchema }),
  z.object({ kind: z.literal('question'), question: z.number(), files: z.array(fileMarkSchema) }),
  z.object({ kind: z.literal('setAside'), error: z.string() }),
  z.object({ kind: z.literal('files'), files: z.array(fileMarkSchema) }),
  z.object({ kind: z.literal('notListed'), code: z.string() }),
])

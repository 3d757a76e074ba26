/**
 * Watching and listing a folder, each in a process of its own. A file on which that died or hung is read in another one,
 * alone, so that it takes no other file along twice.
 */
import { join, relative, sep } from 'node:path'
import { MINUTE } from '../../../src-shared/durations.ts'
import { isSameStamp } from '../lib/poison.ts'
import { serially, ShareSilent } from '../lib/schedule.ts'
import { type Read, subjectOf } from '../../reader/messages.ts'
import {
  type Beginning,
  type FileMark,
  type PriorResult,
  type WatchCommand,
  type WatchedFolder,
  type Watcher,
  type WatchEvent,
  watchMessageSchema,
} from '../../reader/watch-messages.ts'
import {
  type Death,
  firstOf,
  FolderProcess,
  type FolderProcessOptions,
  foreignFilesBy,
  ONLY_FILES,
  openForeignFiles,
} from './folder-process.ts'

type ProcessOptions = Pick<FolderProcessOptions, 'program' | 'startProcess' | 'clock' | 'logger'>

export type WatcherOptions = ProcessOptions & {
  readonly folder: WatchedFolder
  readonly onEvent: (event: WatchEvent) => void
  /** The results of earlier ingests, one per file, so that a restart does not read years of exports again. */
  readonly lookup: (files: readonly FileMark[]) => readonly PriorResult[]
  /** Writes down that a process died while it read these files; false if that cannot be now. Without it nothing is. */
  readonly recordDeaths?: (files: readonly FileMark[], isProof: boolean) => boolean
}

/** One file that hangs is its own fault; more, with nothing read in between, are that of the share. */
const MOST_HUNG_OF_FILES = 1

/** Watches a folder in a process of its own, which is started again whenever it ends or hangs. */
export function openWatcher(options: WatcherOptions): Watcher {
  const { folder, onEvent, lookup, recordDeaths = () => false, ...ofProcess } = options
  const { logger, clock } = ofProcess
  const pathOf = ({ relativePath }: FileMark): string => join(folder.path, relativePath)
  /** The files that were emitted and are not dealt with, by path. */
  const emitted = new Map<string, FileMark>()
  /** The files that are read alone, by path, each with what cancels its next reading. */
  const suspects = new Map<string, { readonly file: FileMark; readonly cancel: () => void }>()
  /** What hung, until it is known that the folder answers. */
  let hanging: { readonly files: readonly FileMark[]; readonly wasAlone: boolean }[] = []
  /** The files that hung since anything was read. */
  const hung = new Set<string>()
  const inTurn = serially()
  const cancelAlone = (path: string): void => {
    suspects.get(path)?.cancel()
    suspects.delete(path)
  }
  const forget = (path: string): void => {
    emitted.delete(path)
    cancelAlone(path)
  }
  const marksOf = (reads: readonly Read[]): readonly FileMark[] =>
    reads.flatMap(({ path, stamp }) => {
      const relativePath = relative(folder.path, path).split(sep).join('/')
      // It may have been written over since it was emitted.
      return stamp === null ? (emitted.get(path) ?? []) : { folderPath: folder.path, relativePath, ...stamp }
    })
  const onDeath =
    (wasAlone: boolean) =>
    (reads: readonly Read[], how: Death): boolean => {
      const files = marksOf(reads)
      if (files.length === 0) return false
      if (how !== 'hung') return recordDeaths(files, wasAlone && files.length === 1)
      hanging.push({ files, wasAlone: wasAlone && files.length === 1 })
      return false
    }
  /** The folder answers: what hung is held against the files. */
  const recordHung = (): void => {
    const those = hanging
    hanging = []
    for (const { files } of those) for (const file of files) hung.add(pathOf(file))
    for (const { files, wasAlone } of those) {
      recordDeaths(files, wasAlone && hung.size <= MOST_HUNG_OF_FILES)
      if (wasAlone) send({ kind: 'readAgain', fileNames: files.map(({ relativePath }) => relativePath) })
    }
  }
  /** A sweep showed that the folder is there, not that it can be read. */
  let hasDoubtfulSweep = false
  const onWatchEvent = (event: WatchEvent): void => {
    if (event.kind === 'swept') {
      hasDoubtfulSweep = child.isDoubtful() || hung.size > MOST_HUNG_OF_FILES
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
          // Of a new process: the folder was listed before a file was asked about.
          if (hanging.some(({ wasAlone }) => !wasAlone)) recordHung()
          const results = lookup(files)
          for (const [index, file] of files.entries()) planAlone(file, results[index] ?? 'new')
          return send({ kind: 'knownFiles', question, results })
        }
        case 'setAside':
          return logger.error('a file could not be read and was set aside', { error: data.error })
        case 'event':
          if (data.event.kind === 'swept') recordHung()
          if (data.event.kind === 'settled') emitted.set(pathOf(data.event.file), data.event.file)
          if (data.event.kind === 'gone')
            for (const name of data.event.fileNames) forget(join(folder.path, name))
          return onWatchEvent(data.event)
      }
    },
    onDeath: onDeath(false),
    onAlive: () => {
      if (child.hasRead()) hung.clear()
      if (hasDoubtfulSweep) onWatchEvent({ kind: 'swept' })
    },
    onLost: (why) => {
      hasDoubtfulSweep = false
      onEvent({ kind: 'unreachable', reason: why })
    },
  })
  const send = (command: WatchCommand): void => child.send(command)
  const alone = openForeignFiles({ ...ofProcess, onDeath: onDeath(true) })

  /** Reads a suspect when it may be, and the process of the folder goes on with what was found. */
  const planAlone = (file: FileMark, prior: PriorResult): void => {
    const path = pathOf(file)
    cancelAlone(path)
    if (typeof prior === 'string' || prior.as !== 'suspect') return
    const cancel = clock.after(prior.inMs, () => void inTurn(() => readAlone(file)))
    suspects.set(path, { file, cancel })
  }
  const readAlone = async (file: FileMark): Promise<void> => {
    try {
      const found = await alone.inspect(pathOf(file), file)
      hung.clear()
      send({ kind: 'inspected', file, found })
    } catch (error) {
      // Lost, or not there yet; what becomes of a file that hangs is known once the folder answers.
      if (!(error instanceof ShareSilent)) throw error
      if (hanging.length > 0) return send({ kind: 'sweep' })
      const [prior = 'new'] = lookup([file])
      if (typeof prior !== 'string' && prior.as === 'suspect')
        planAlone(file, { ...prior, inMs: Math.max(prior.inMs, MINUTE) })
      else send({ kind: 'readAgain', fileNames: [file.relativePath] })
    }
  }
  return {
    files: foreignFilesBy(async function* (request) {
      if (!suspects.has(subjectOf(request).path)) yield* child.carry(request)
      else if (request.ask === 'expand') yield* alone.carry(request)
      else yield await inTurn(() => firstOf(alone.carry(request)))
    }),
    sweep: () => send({ kind: 'sweep' }),
    acknowledge: (file) => {
      const path = pathOf(file)
      // Another version that lies there by now is not dealt with.
      if (isSameStamp(emitted.get(path) ?? file, file)) emitted.delete(path)
      if (isSameStamp(suspects.get(path)?.file ?? file, file)) cancelAlone(path)
      send({ kind: 'acknowledge', file })
    },
    readAgain: (fileNames) => send({ kind: 'readAgain', fileNames }),
    reportGone: (fileNames) => {
      if (fileNames.length > 0) send({ kind: 'reportGone', fileNames })
    },
    close: async () => {
      for (const { cancel } of suspects.values()) cancel()
      await Promise.all([alone.close(), child.close({ kind: 'close' } satisfies WatchCommand)])
    },
  }
}

/**
 * Lists folders, each in a process of its own, which a hanging share may block; returning early ends it. Throws the file
 * system's error, or `ShareSilent` if the process ended or gave no sign of life.
 */
export function openLister(options: ProcessOptions) {
  /** The last process of each folder, until it is gone. */
  const former = new Map<string, FolderProcess>()
  return async function* (folderPath: string): AsyncGenerator<FileMark, void, void> {
    // While a former process hangs there and cannot be ended, another would hang, too.
    if (former.get(folderPath)?.hasAbandoned() === true) throw new ShareSilent()
    const child = new FolderProcess({ ...options, ...ONLY_FILES })
    former.set(folderPath, child)
    try {
      for await (const files of child.files.list(folderPath)) yield* files
    } finally {
      await child.close({ kind: 'close' } satisfies WatchCommand)
      if (!child.hasAbandoned()) former.delete(folderPath)
    }
  }
}

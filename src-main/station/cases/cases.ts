/** The cases: files of watched folders become submissions. */
import type { ParsedInput } from '../../../src-shared/contract.ts'
import { SECOND } from '../../../src-shared/durations.ts'
import { fail, type Failure, failureOf, type Result, succeed } from '../../../src-shared/failure.ts'
import type { Proof } from '../../../src-shared/proof.ts'
import type { ProfileDryRun } from '../../../src-shared/station-status.ts'
import type { SubmissionState } from '../../../src-shared/states.ts'
import { errorName } from '../lib/errors.ts'
import { storageFailureOf } from '../lib/storage-faults.ts'
import type { ReadingNow } from '../lib/poison.ts'
import { eachTimeSlice, openLoop } from '../lib/schedule.ts'
import { createSignal } from '../lib/part.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { SubmissionRow } from '../outbox/rows.ts'
import type { FileMark, PriorResult, UnusableMark } from '../../reader/watch-messages.ts'
import { addByHand, type AddedFiles, addFiles } from './by-hand.ts'
import { openArrivals } from './arrivals.ts'
import { foldPath, stemKeyOf } from './meaning/sources.ts'
import { fieldsColumn } from '../json-columns.ts'
import { recordUnread } from './ingest-data-file.ts'
import type { CaseFolder } from './folders/case-folder.ts'
import {
  type IngestContext,
  noteLeaving,
  refreshSubmission,
  refreshSubmissions,
  settle,
  type SettleOptions,
} from './settle.ts'
import { shownProof } from './shown-proof.ts'
import { collectEvidence, type SubmissionEvidence } from './visits/identity.ts'
import { readingOnce } from './visits/reads.ts'
import {
  type Answered,
  forgetSamePatient,
  type NumberAnswer,
  rememberNumber,
  rememberSamePatient,
  withdrawSamePatient,
} from './visits/memory.ts'
import { type DryRunOptions, tryProfile } from './folders/try-names.ts'
import { openUndo } from './undo.ts'
import { recordUnusable } from './unusable.ts'
import { openProfileOffers } from './profiles/offers.ts'
import type { Cause } from './next-state.ts'
import { WatchedFolders, type WatchedFoldersOptions } from './folders/watched-folders.ts'

const CLOSE_RETRY_MS = 30 * SECOND
export type CasesOptions = Omit<IngestContext, 'folderPath' | 'note' | 'storageIs'> &
  Omit<WatchedFoldersOptions, 'onSettled' | 'onUnusable' | 'onChanged'> &
  Pick<DryRunOptions, 'openMemoryOutbox'> & {
    /** True if the clinic's patient list was found but not read yet. */
    readonly isPatientListPending?: () => boolean
  }

export type Cases = ReturnType<typeof openCases>

/** How files ended before. Of an outbox that cannot be read nothing is known: a file is inspected, and then not taken in. */
export function findPriorResults(outbox: Outbox, files: readonly FileMark[], now: ReadingNow): PriorResult[] {
  return files.map((file) => {
    try {
      const suspicion = outbox.suspicionOf(file, now)
      if (suspicion.kind === 'setAside') return 'setAside'
      const prior = outbox.priorResult(file)
      // What was taken is only hashed again, in case that it was written over.
      return suspicion.kind === 'suspect' && prior === 'new' ? { as: 'suspect', inMs: suspicion.inMs } : prior
    } catch (error) {
      if (storageFailureOf(error) === null) throw error
      return 'new'
    }
  })
}

export function openCases(options: CasesOptions) {
  const { outbox, clock, logger } = options
  const changed = createSignal()
  let storageTrouble: Failure | null = null
  let isClosed = false
  /** One unreadable case must not block the others. */
  const runGuarded = (id: string, act: (row: SubmissionRow) => void, isInTransaction = false): boolean => {
    try {
      outbox.write(() => {
        const row = outbox.rowOf(id)
        if (row) act(row)
      })
      return true
    } catch (error) {
      // Only the end of a transaction lets the case be quarantined.
      if (isInTransaction && outbox.isCaseUnreadable(error)) throw error
      // A failed outbox is reported once by the storage monitor, not for each case at each run.
      if (storageFailureOf(error)?.kind !== 'storage')
        logger.error('a case could not be read', { submission: id, error: errorName(error) })
      return false
    }
  }

  const storageIs = (failure: Failure | null): void => {
    if (failure?.message === storageTrouble?.message) return
    storageTrouble = failure
    changed.emit()
  }

  /** Reported once: what cannot be recorded now, as on a full disk, is tried again. */
  const recordOnceWritable = (folder: CaseFolder, file: UnusableMark): void => {
    if (isClosed || !folder.isAccepting()) return
    const onFailed = (error: unknown): void => {
      if (isClosed) return
      if (storageFailureOf(error) === null)
        logger.error('an unusable file could not be recorded', { error: errorName(error) })
      else clock.after(CLOSE_RETRY_MS, () => recordOnceWritable(folder, file))
    }
    try {
      recordUnusable(options, file)
      closingLoop.wake()
    } catch (error) {
      return onFailed(error)
    }
    const { folderPath } = file
    const context = { ...options, folderPath, storageIs, note: () => undefined, isEnding: () => isClosed }
    recordUnread(context, file).then(() => closingLoop.wake(), onFailed)
  }

  // Quiet times may have begun.
  const arrivals = openArrivals({ ...options, storageIs, isEnding: () => isClosed }, () => closingLoop.wake())

  const folders = new WatchedFolders({
    ...options,
    onChanged: changed.emit,
    onSettled: arrivals.enqueue,
    onUnusable: recordOnceWritable,
  })

  const closingLoop = openLoop({
    name: 'closing cases',
    clock,
    logger,
    run: () => {
      // The patient list is read within a minute, or not waited for: a case that is sent unreviewed should include its data.
      if (options.isPatientListPending?.() === true) return Promise.resolve(clock.now() + SECOND)
      const dueAt = outbox.nextQuietAt()
      if (dueAt === null || dueAt > clock.now()) return Promise.resolve(dueAt)
      const closed = outbox
        .quietSubmissions(clock.now())
        .map((id) => runGuarded(id, () => settle(options, id, 'closing', { at: clock.now() })))
      const nextAt = outbox.nextQuietAt()
      if (nextAt === null || closed.every(Boolean)) return Promise.resolve(nextAt)
      return Promise.resolve(Math.max(nextAt, clock.now() + CLOSE_RETRY_MS))
    },
  })

  /** Reads cases a few milliseconds at a time. Always resolves; failures are in the log. */
  const readEach = async (ids: readonly string[], read: (row: SubmissionRow) => void): Promise<void> => {
    try {
      await eachTimeSlice(ids, clock, (slice) => {
        // Ended meanwhile: the next start reads them again.
        if (isClosed) return void [...slice]
        outbox.write(() => {
          for (const id of slice) runGuarded(id, read, true)
        })
      })
      closingLoop.wake()
    } catch (error) {
      // Trouble of the storage is reported by the part that keeps it.
      if (storageFailureOf(error) === null) logger.error('open cases could not be read again')
    }
  }
  /** Reads every open case again; one that has moved on since it was listed keeps what it was approved with. */
  const refreshAll = (): Promise<void> => {
    const states: readonly SubmissionState[] = ['collecting', 'incomplete', 'review']
    const ids = states.flatMap((state) => outbox.submissionIdsIn(state))
    return readEach(ids, ({ id, state }) => states.includes(state) && reread([id]))
  }

  /** Reads open cases again from all their sources, and moves them as they stand now. */
  const reread = (ids: Iterable<string>): void => refreshSubmissions(options, new Set(ids))

  /** What there is to be read of a case, each question once; null if there is no such case. */
  const sourcesOf = (id: string) => {
    const row = outbox.rowOf(id)
    if (row === undefined) return null
    const images = outbox.imageRowsOf(id)
    const reading = readingOnce(options, { row, files: images, folderPath: row.folder_path })
    return { row, reading, evidence: () => collectEvidence(reading, images) }
  }

  /** Does something with all that is known of a case; null if there is none, or if it was created by hand. */
  const inFolder = <Value>(
    id: string,
    act: (folder: typeof options & { folderPath: string }, evidence: SubmissionEvidence) => Value,
  ): Value | null => {
    const sources = sourcesOf(id)
    const folderPath = sources?.row.folder_path ?? null
    return sources === null || folderPath === null
      ? null
      : act({ ...options, folderPath }, sources.evidence())
  }

  const names = openProfileOffers({ ...options, onFirstReviewsDone: () => void refreshAll() })
  names.onChange(changed.emit)

  /** A case was let go: `seen` is what a person saw and is learnt from; null if no person did. Call it in a write. */
  const noteApproved = (submissionId: string, seen: SubmissionEvidence | null): void => {
    noteLeaving(options, submissionId, seen)
    if (seen !== null) outbox.afterCommit(() => names.recheck())
  }

  const undo = openUndo({
    outbox,
    clock,
    logger,
    forEach: readEach,
    onFinal: ({ id, approved_via: via }) =>
      noteApproved(id, via === 'screen' ? (sourcesOf(id)?.evidence() ?? null) : null),
  })

  return {
    /** What the names of the folders state: offers, and profiles that persons confirmed. */
    names,
    folders,
    /** Why images cannot be stored on our own disk; null if they can. */
    storageFailure: () => storageTrouble,
    addByHand: (input: ParsedInput<'submissions.create'>) => addByHand({ ...options, storageIs }, input),
    /** Stores images of this computer for a case, see `by-hand.ts`. */
    addFiles: <Value>(
      input: AddedFiles,
      use: (attachTo: (submissionId: string) => void) => Result<Value>,
    ): Promise<Result<Value>> => addFiles({ ...options, storageIs }, input, use),
    /** Previews how the files of a folder would be grouped, without changing anything. */
    tryProfile: async (input: ParsedInput<'folders.tryProfile'>): Promise<Result<ProfileDryRun>> => {
      try {
        return succeed(await tryProfile(options, input))
      } catch (error) {
        if (!(error instanceof Error && 'code' in error)) throw error
        return fail(failureOf('folderUnreachable'))
      }
    },
    refreshAll,
    reread,
    noteApproved,
    /** Approvals that can be taken back still. */
    undo,
    /** The same for all open cases of a folder: a person has answered something about it. Always resolves. */
    rereadFolder: async (folderPath: string | null): Promise<void> => {
      if (folderPath !== null) await readEach(outbox.openCasesOf(folderPath), ({ id }) => reread([id]))
    },
    /** Why the station believes what it shows of a case; null if there is no such case. */
    proofOf: (submissionId: string): Proof | null => {
      const sources = sourcesOf(submissionId)
      return sources && shownProof(sources.reading, sources.row)
    },
    /** Remembers that the numbers and names of a case are of one patient; see `visits/memory.ts`. Call it in a write. */
    rememberSamePatient: (id: string, answered: Answered): string | null =>
      inFolder(id, (folder, evidence) => rememberSamePatient(folder, id, evidence, answered)),
    /** Forgets what was said of the numbers and names of this case: it is asked again. Call it in a write. */
    withdrawSamePatient: (id: string) => inFolder(id, withdrawSamePatient),
    /** Forgets that anything of one of these cases is of the patient of another. Call it in a write. */
    forgetSamePatient: (folderPath: string | null, submissionIds: readonly string[]) => {
      if (folderPath === null) return
      const groups = submissionIds.map((id) => sourcesOf(id)?.evidence().pictures ?? [])
      forgetSamePatient({ ...options, folderPath }, groups)
    },
    /** Remembers whether a number is a patient's. Call it in a write. */
    rememberNumber: (submissionId: string, answer: NumberAnswer, answered: Answered) => {
      const row = outbox.rowOf(submissionId)
      if (!row || row.folder_path === null) return
      const own = outbox.submissionOf(submissionId)?.fields.history_number ?? ''
      rememberNumber({ ...options, folderPath: row.folder_path }, { ...answer, own }, answered)
    },
    /** Profiles may read names differently now: reads open submissions again, and checks the ignored files again. */
    rereadNames: () => {
      void refreshAll()
      if (outbox.forgetIgnoredFiles() > 0) void folders.rescan()
    },
    /** Brings back what was written in another unit than set now, and says so; also on those that came back before. */
    recheckUnits: (cameBefore: readonly string[] = []) => {
      const changedIds = outbox.applyUnits(options.settings().clinical, clock.now())
      for (const id of new Set([...cameBefore, ...changedIds])) {
        const state = outbox.rowOf(id)?.state
        if (state === 'sending' || state === 'unconfirmed' || state === 'discarded') continue
        refreshSubmission(options, id)
      }
    },
    /** What the status says of folders and of the storage has changed. */
    onChange: changed.subscribe,
    /** Reads a submission again from all its sources, in place: what is missing, and what it rests on. */
    refresh: (submissionId: string) => refreshSubmission(options, submissionId),
    /** Reads a case again and moves it, see `settle.ts`. */
    settle: (id: string, cause: Cause, how: SettleOptions) => settle(options, id, cause, how),
    /** Erases a discarded case whose patient withdrew, with the records about it. Call it in a write. */
    erase: (row: SubmissionRow, { at, by }: { readonly at: number; readonly by: string | undefined }) => {
      const { id, folder_path: folderPath } = row
      const number = fieldsColumn.read(row.fields).history_number ?? null
      const images = outbox.imageRowsOf(id)
      const copies = outbox.copiesAmong(images.map((image) => image.id))
      const names = [...images, ...copies].map(({ file_name: name }) => name)
      const keys = [
        ...names
          .flatMap((name) => [foldPath(name), stemKeyOf(name)])
          .map((key) => ({ kind: 'file', key }) as const),
        ...(number === null ? [] : [{ kind: 'patient', key: foldPath(number) } as const]),
      ]
      return outbox.eraseCase(id, { folderPath, number, keys, at, by })
    },
    /** A quiet time may have changed. */
    wake: () => closingLoop.wake(),
    close: async () => {
      isClosed = true
      await folders.close()
      await undo.close()
      await names.close()
      await arrivals.close()
      await closingLoop.close()
    },
  }
}

/**
 * The offers of each watched folder: learnt from what persons approved on screens, counted for the status after each
 * approval, and tried on the files of the folder when a person looks at them.
 */
import { setImmediate } from 'node:timers/promises'
import { type ConfirmedProfile, patternTextOf } from '../../../../src-shared/confirmed-profile.ts'
import type { CallInput, CallOutput } from '../../../../src-shared/contract.ts'
import { SECOND } from '../../../../src-shared/durations.ts'
import { type FolderSettings, MOST_PROFILES } from '../../../../src-shared/folder-settings.ts'
import type { HeldProfile, Offer } from '../../../../src-shared/profile-offers.ts'
import type { Settings } from '../../../../src-shared/settings.ts'
import type { NamesStatus } from '../../../../src-shared/station-status.ts'
import { fieldsColumn, sourcesColumn } from '../../json-columns.ts'
import { errorName } from '../../lib/errors.ts'
import { createSignal } from '../../lib/part.ts'
import { limitedWaits, serially } from '../../lib/schedule.ts'
import { storageFailureOf } from '../../lib/storage-faults.ts'
import type { ConfirmedNow } from '../../outbox/folder-memory.ts'
import type { ImageRow, SubmissionRow } from '../../outbox/rows.ts'
import type { Clock, Logger } from '../../ports.ts'
import type { FileMark } from '../../../reader/watch-messages.ts'
import { bareId } from '../meaning/numbers.ts'
import type { Verdict } from '../verdict/evidence.ts'
import { collectEvidence } from '../visits/identity.ts'
import type { VisitContext } from '../visits/pictures.ts'
import type { Approval } from './align.ts'
import { isEnough, learnOffers, offerOfDraft, previewOf, reproductionOf } from './learn.ts'
import { patternOfMarks, piecesOf } from './marked-path.ts'
import { confirm, confirmationOf, digestOf, firstReviewsLeft, splitExtension } from './strict.ts'

/** The latest visits show how files are named now; each takes a few milliseconds. */
const MOST_VISITS = 60

/** The work between two other things. */
const SLICE_MS = 15

/** Approvals come in rows. */
const RECOUNT_AFTER_MS = 2 * SECOND

/** The newest files show what a pattern does; there may be hundreds of thousands. */
const MOST_FILES = 1_000
const FILES_TO_LEARN = 300
const MOST_LISTED = 50_000

const MOST_REVOKED = 200

/** Paths to choose one from. */
const MOST_TO_MARK = 40

/** A share that hangs must not keep a person waiting: then the files that were taken in will do. */
const LIST_FOR_MS = 5 * SECOND

type ProfileOffersOptions = VisitContext & {
  readonly clock: Clock
  readonly logger: Logger
  readonly listFiles: (folderPath: string) => AsyncIterable<FileMark>
  /** The first visits of a profile of another station were looked at: what it reads is proven from now on. */
  readonly onFirstReviewsDone: () => void
}

export function openProfileOffers(options: ProfileOffersOptions) {
  const { outbox, settings, clock, logger } = options
  const changed = createSignal()
  let counted: readonly NamesStatus[] = []
  let reviewing: ReadonlySet<string> = new Set()
  let cancel: (() => void) | null = null
  let isClosed = false

  /** Learning takes up to some tenths of a second: it gives way every few milliseconds. */
  const inSlices = async <Value>(steps: Generator<undefined, Value>): Promise<Value> => {
    let until = clock.monotonicMs() + SLICE_MS
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (clock.monotonicMs() < until) continue
      await setImmediate()
      until = clock.monotonicMs() + SLICE_MS
    }
  }

  const offersOf = async (folder: FolderSettings): Promise<readonly Offer[]> => {
    const confirmed = confirmedIn(folder)
    const approvals = approvedVisits(options, folder.path)
    const paths = [...outbox.currentReadings(folder.path, FILES_TO_LEARN).keys()]
    const drafts = folder.confirmedProfiles.filter((profile) => !confirmed.includes(profile))
    const offers = await inSlices(learnOffers(approvals, paths, confirmed, drafts))
    const revoked = revokedAt()
    return offers.filter(({ profile }) => {
      const at = revoked.get(profile.id)
      if (at === undefined) return true
      // The person who ended it had a reason: it needs as many visits again.
      const since = approvals.filter(({ caseId }) => (outbox.rowOf(caseId)?.approved_at ?? 0) > at)
      return isEnough(reproductionOf(profile, since))
    })
  }

  /** When the confirmation of a profile last ended, by its id. */
  const revokedAt = (): ReadonlyMap<string, number> =>
    new Map(
      outbox
        .listAudit({ what: ['profileRevoked'], limit: MOST_REVOKED })
        .toReversed()
        .map(({ details, at }) => [String(details['profile']), at]),
    )

  const countIn = async (folder: FolderSettings): Promise<NamesStatus> => {
    const offers = (await offersOf(folder)).filter(({ counterExamples }) => counterExamples.length === 0)
    return { path: folder.path, offers: offers.length, unconfirmed: unconfirmedIn(folder, revokedAt()) }
  }

  const recount = async (): Promise<void> => {
    const found: NamesStatus[] = []
    try {
      for (const folder of settings().folders) if (!isClosed) found.push(await countIn(folder))
      if (isClosed) return
      noteReviews()
    } catch (error) {
      if (storageFailureOf(error) === null)
        logger.error('the offers could not be counted', { error: errorName(error) })
      return
    }
    const now = found.filter(({ offers, unconfirmed }) => offers + unconfirmed > 0)
    if (JSON.stringify(counted) === JSON.stringify(now)) return
    counted = now
    changed.emit()
  }
  const inTurn = serially()
  const recountNow = (): Promise<void> => {
    cancel?.()
    cancel = null
    return inTurn(recount)
  }
  const recheck = (): void => {
    if (!isClosed) cancel ??= clock.after(RECOUNT_AFTER_MS, () => void recountNow())
  }

  /** Cases are read again once the last of the first visits was looked at. */
  const noteReviews = (): void => {
    const now = new Set(
      settings().folders.flatMap((folder) =>
        confirmedIn(folder)
          .filter((profile) => firstReviewsLeft(outbox, folder, profile) > 0)
          .map(({ id }) => JSON.stringify([folder.path, id])),
      ),
    )
    const isOneDone = [...reviewing].some((one) => !now.has(one))
    reviewing = now
    if (isOneDone) options.onFirstReviewsDone()
  }

  const waitForList = limitedWaits(clock, LIST_FOR_MS)
  const filesOf = async (folder: FolderSettings): Promise<readonly string[]> => {
    const listed: FileMark[] = []
    try {
      await waitForList(folder.path, async () => {
        for await (const file of options.listFiles(folder.path)) if (listed.push(file) >= MOST_LISTED) break
      })
    } catch {
      return [...outbox.currentReadings(folder.path, MOST_FILES).keys()]
    }
    return listed
      .toSorted((one, other) => other.mtimeMs - one.mtimeMs)
      .slice(0, MOST_FILES)
      .map(({ relativePath }) => relativePath)
  }

  const shownOn = (folder: FolderSettings, files: readonly string[], offer: Offer): Shown => ({
    offer,
    preview: previewOf(offer.profile, files, outbox.currentReadings(folder.path, MOST_FILES)),
  })

  return {
    /** What the status says: of folders with an offer, or with a profile that is not confirmed. */
    status: (): readonly NamesStatus[] => counted,
    /** Visits were approved on a screen. */
    recheck,
    /** The settings say something else, or are read for the first time: what they confirm may leave by names. */
    applySettings: (): void => {
      outbox.noteConfirmed(confirmedNowIn(settings()))
      recheck()
    },
    /** A person confirmed or revoked one, and sees the result. */
    recheckNow: recountNow,
    isConfirmed: (profile: ConfirmedProfile): boolean => confirmationOf(profile) !== null,
    /** The profiles of a folder with this one, as a person confirms it now; null if there are too many. */
    withConfirmed: (
      { confirmedProfiles }: FolderSettings,
      offered: ConfirmedProfile,
      { by, at }: { readonly by: string; readonly at: number },
    ): { readonly profile: ConfirmedProfile; readonly all: ConfirmedProfile[] } | null => {
      const profile = confirm(offered, { by, now: at, station: outbox.readFact('stationId') ?? '' })
      const others = confirmedProfiles.filter(
        (one) => one.id !== profile.id && digestOf(one) !== digestOf(profile),
      )
      const kept =
        others.length < MOST_PROFILES ? others : others.filter((one) => confirmationOf(one) !== null)
      return kept.length < MOST_PROFILES ? { profile, all: [...kept, profile] } : null
    },
    of: offersOf,
    /** The same with their previews on the newest files of the folder. */
    previewsOf: async (folder: FolderSettings): Promise<Shown[]> => {
      const offers = await offersOf(folder)
      if (offers.length === 0) return []
      const files = await filesOf(folder)
      return offers.map((offer) => shownOn(folder, files, offer))
    },
    /** What the marks of a person on one path make of the files of the folder; without them, as the station marks it. */
    draftOf: async (
      folder: FolderSettings,
      { file, marks }: Omit<CallInput<'profiles.draft'>, 'path'>,
    ): Promise<Draft> => {
      const files = (await filesOf(folder)).filter((path) => splitExtension(path).extension !== null)
      const path = file ?? files[0]
      if (path === undefined) return { files: [], file: null, pieces: [], shown: null, problem: null }
      const cut = piecesOf(path, folder)
      let next = 0
      const pieces = cut.map((piece) =>
        piece.mark === null ? piece : { ...piece, mark: marks?.[next++] ?? piece.mark },
      )
      const drawn = { files: files.slice(0, MOST_TO_MARK), file: path, pieces }
      const marked = patternOfMarks(pieces, path, files.slice(0, FILES_TO_LEARN), folder)
      if ('problem' in marked) return { ...drawn, shown: null, problem: marked.problem }
      const offer = offerOfDraft(marked.pattern, approvedVisits(options, folder.path))
      return { ...drawn, shown: shownOn(folder, files, offer), problem: null }
    },
    /** The profiles of a folder with what rests on each. */
    heldBy: (folder: FolderSettings): HeldProfile[] =>
      folder.confirmedProfiles.map((profile) => {
        const isConfirmed = confirmationOf(profile) !== null
        return {
          profile,
          pattern: patternTextOf(profile),
          state: stateOf(profile, isConfirmed),
          waitingFor: isConfirmed ? firstReviewsLeft(outbox, folder, profile) : 0,
          ...outbox.casesRestingOn({ folderPath: folder.path, profileId: profile.id }),
        }
      }),
    onChange: changed.subscribe,
    close: async (): Promise<void> => {
      isClosed = true
      cancel?.()
      await inTurn(() => Promise.resolve())
    },
  }
}

type Draft = CallOutput<'profiles.draft'>
type Shown = NonNullable<Draft['shown']>

function stateOf({ confirmed, proposes }: ConfirmedProfile, isConfirmed: boolean): HeldProfile['state'] {
  if (isConfirmed) return 'confirmed'
  if (proposes) return 'marked'
  return confirmed === null ? 'unconfirmed' : 'changed'
}

/** The confirmations in force, as the outbox keeps them for its checks. */
function confirmedNowIn({ folders }: Pick<Settings, 'folders'>): ConfirmedNow {
  return Object.fromEntries(
    folders.map((folder) => [
      folder.path,
      Object.fromEntries(
        confirmedIn(folder).map(({ id, confirmed }) => [id, Date.parse(confirmed?.at ?? '')]),
      ),
    ]),
  )
}

function confirmedIn({ confirmedProfiles }: FolderSettings): readonly ConfirmedProfile[] {
  return confirmedProfiles.filter((profile) => confirmationOf(profile) !== null)
}

/** Profiles that were carried here without a confirmation: names proved by them before. */
function unconfirmedIn(folder: FolderSettings, revoked: ReadonlyMap<string, number>): number {
  const confirmed = confirmedIn(folder)
  return folder.confirmedProfiles.filter(
    (profile) => !confirmed.includes(profile) && !profile.proposes && !revoked.has(profile.id),
  ).length
}

/** The latest visits of a folder that persons approved on screens, oldest first. */
function approvedVisits(context: VisitContext, folderPath: string): readonly Approval[] {
  const rows = context.outbox.approvedOnScreens(folderPath, MOST_VISITS)
  return rows.toReversed().flatMap((row) => approvalOf(context, row) ?? [])
}

function approvalOf(context: VisitContext, row: SubmissionRow): Approval | null {
  const {
    history_number: historyNumber,
    visit_date: visitDay,
    last_name: lastName = null,
    first_name: firstName = null,
  } = fieldsColumn.read(row.fields)
  if (historyNumber === undefined || visitDay === undefined) return null
  const images = context.outbox.imageRowsOf(row.id)
  const eyeOf = ({ id, twin_of }: ImageRow) => images.find((one) => one.id === (twin_of ?? id))?.eye
  const files = images
    .filter((image) => image.excluded_because === null && image.folder_path === row.folder_path)
    .flatMap((image) => {
      const eye = eyeOf(image)
      return eye === undefined || eye === 'unknown' ? [] : [{ path: image.file_name, eye }]
    })
  return {
    caseId: row.id,
    patient: bareId(historyNumber),
    visitDay,
    files,
    historyNumber,
    lastName,
    firstName,
    corrected: isCorrected(context, row, images, { historyNumber, visitDay }),
  }
}

/** Did a person say something else than the station had proposed? An answer to a question is no correction. */
function isCorrected(
  context: VisitContext,
  row: SubmissionRow,
  images: readonly ImageRow[],
  { historyNumber, visitDay }: Pick<Approval, 'historyNumber' | 'visitDay'>,
): boolean {
  const sources = sourcesColumn.read(row.sources)
  const eyes = images.filter(({ eye_source, twin_of }) => eye_source === 'person' && twin_of === null)
  if (sources.history_number !== 'person' && sources.visit_date !== 'person' && eyes.length === 0)
    return false
  const { verdict } = collectEvidence(context, images)
  if (verdict === null) return false
  return (
    (sources.history_number === 'person' &&
      proposedIn(verdict.who).some((value) => bareId(value) !== bareId(historyNumber))) ||
    (sources.visit_date === 'person' && proposedIn(verdict.day).some((value) => value !== visitDay)) ||
    eyes.some(({ id, eye }) => proposedIn(verdict.eyes.get(id)).some((value) => value !== eye))
  )
}

function proposedIn(part: Verdict<string> | undefined): readonly string[] {
  if (part === undefined || part.kind === 'unknown') return []
  return part.kind === 'disputed' ? part.statements.map(({ value }) => value) : [part.value]
}

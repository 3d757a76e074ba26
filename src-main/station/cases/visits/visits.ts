/** Assigns pictures to submissions and to records of data files, again whenever new evidence arrives. */
import { SECOND } from '../../../../src-shared/durations.ts'
import { identityColumn, sourcesColumn } from '../../json-columns.ts'
import { enteredIn, eyeAnswerOf } from '../answers.ts'
import { discardEmptied } from '../../merge-submissions.ts'
import type { ImageRow, SubmissionRow } from '../../outbox/rows.ts'
import type { Clock } from '../../ports.ts'
import { folderOfVisit } from '../names/tokens.ts'
import { twinsAmong } from './twins.ts'
import type { TimedPicture } from '../verdict/evidence.ts'
import { burstsOf } from '../verdict/visit.ts'
import { type VisitIdentity, visitIdentityFor } from './identity.ts'
import { timedOf } from './memory.ts'
import { folderSettingsOf, type InFolder, isSharedFolder, type VisitContext } from './pictures.ts'
import { type ImageFile, readingOnce } from './reads.ts'
import { bareId } from '../meaning/numbers.ts'
import { foldPath, stemKeyOf } from '../meaning/sources.ts'

export type AssignContext = VisitContext & { readonly clock: Clock }
export type AssignFolder = InFolder<AssignContext>

/**
 * What comes for a case of which nothing is at the service is read, even for one that waits, which is then checked
 * again, and for one whose attempts have all failed; nothing changes what was sent, or may have been.
 */
export function isOpen({ state }: Pick<SubmissionRow, 'state'>): boolean {
  return ['collecting', 'incomplete', 'review', 'waiting', 'held'].includes(state)
}

/** Images join and leave a case only if no attempt of it can have arrived, also as far as was found since. */
export function isJoinable({ outbox }: VisitContext, row: SubmissionRow): boolean {
  if (!isOpen(row) || row.attempts === 0) return isOpen(row)
  return outbox
    .attemptsOf(row.id)
    .every(({ outcome, found_at }) => (outcome === 'unsent' || outcome === 'refused') && found_at === null)
}

/** True if a person has grouped or edited this case. Then the program removes nothing from it. */
export function isTouchedByPerson(context: VisitContext, id: string): boolean {
  const row = context.outbox.rowOf(id)
  if (!row || row.grouped_by === 'person') return row !== undefined
  const isWrittenIn = Object.values(sourcesColumn.read(row.sources)).includes('person')
  return isWrittenIn || context.outbox.imageRowsOf(id).some((image) => image.eye_source === 'person')
}

/** What has no number of its own never joins a case whose number a person has entered. */
function mayJoin(context: AssignContext, row: SubmissionRow, { heldBy }: VisitIdentity): boolean {
  if (heldBy === 'patient' || heldBy === 'conflict' || !isJoinable(context, row)) return true
  return sourcesColumn.read(row.sources).history_number !== 'person'
}

/** What an image may join or come after, newest first: everything of one patient and day is one visit. */
export function submissionsOfVisit(context: AssignFolder, identity: VisitIdentity): SubmissionRow[] {
  const all = context.outbox.submissionsOfGroup(context.folderPath, identity.key)
  const ofGroup = all.filter((row) => mayJoin(context, row, identity))
  if (!identity.isLoose) return ofGroup
  return ofGroup.filter((row) => isOfBurst(context, row, identity) && !isParted(context, row, all, identity))
}

/** When the pictures of a case were taken, and the files that it should have and cannot use. */
function timesOf({ outbox }: AssignContext, row: SubmissionRow): TimedPicture[] {
  const unusable = outbox.unusableOf(row.id).map(({ id, mtime_ms }) => ({ id, takenAt: mtime_ms, eye: null }))
  return [...outbox.imageRowsOf(row.id).map(timedOf), ...unusable]
}

/** True if a picture of another case was taken between this one and the nearest of the case: another patient was there. */
function isParted(
  context: AssignContext,
  row: SubmissionRow,
  all: readonly SubmissionRow[],
  { picture: { takenAt: own } }: VisitIdentity,
): boolean {
  const momentsOf = (one: SubmissionRow): readonly number[] =>
    timesOf(context, one).map(({ takenAt }) => takenAt)
  const away = (at: number): number => Math.abs(at - own)
  const [nearest = own] = momentsOf(row).toSorted((one, other) => away(one) - away(other))
  const isBetween = (at: number): boolean => Math.min(nearest, own) < at && at < Math.max(nearest, own)
  return all.some((other) => other.id !== row.id && momentsOf(other).some(isBetween))
}

/** True if a picture without any number continues the burst of this case: soon after it, and not through both eyes again. */
function isOfBurst(context: AssignContext, row: SubmissionRow, identity: VisitIdentity): boolean {
  if (!isJoinable(context, row)) return false
  const own = { id: '', takenAt: identity.picture.takenAt, eye: identity.eye }
  return burstsOf([...timesOf(context, row), own]).length === 1
}

/**
 * The open submission of a visit. If there is none, the visit gets `emptied` (a submission that gives up all its
 * pictures) or a new one. If one of this visit, or `lateFor`, is already being sent, the new one becomes an addendum.
 */
function submissionForVisit(
  context: AssignFolder,
  identity: VisitIdentity,
  emptied: SubmissionRow | null,
  lateFor?: string,
): string {
  const { outbox, folderPath } = context
  const ofVisit = submissionsOfVisit(context, identity)
  const target = ofVisit.findLast((row) => isJoinable(context, row))
  if (target) return target.id
  const addendumTo = ofVisit[0]?.id ?? lateFor ?? null
  if (emptied) {
    outbox.removeGroupKeys(emptied.id)
    outbox.addGroupKey(emptied.id, folderPath, identity.key)
    outbox.setAddendumTo(emptied.id, addendumTo)
    return emptied.id
  }
  return createVisit(context, identity.key, addendumTo)
}

/** An empty case that the files of one visit join. */
export function createVisit(
  context: AssignFolder,
  groupKey: string,
  addendumTo: string | null = null,
): string {
  const { outbox, clock, settings, folderPath } = context
  const at = clock.now()
  const quietUntil = at + quietMsOf(context, folderPath)
  const { centerId } = settings()
  return outbox.createSubmission({ folderPath, groupKey, addendumTo, centerId, quietUntil, at })
}

function quietMsOf(context: VisitContext, folderPath: string | null): number {
  return Math.round((folderSettingsOf(context, folderPath)?.quietSeconds ?? 0) * SECOND)
}

/** Something arrived: an open submission collects again, but a held one stays held. */
function resumeCollecting(context: AssignContext, { id, ...row }: SubmissionRow): void {
  const { outbox, clock } = context
  const at = clock.now()
  const quietUntil = at + quietMsOf(context, row.folder_path)
  const isCollecting = row.state === 'collecting'
  if (isCollecting && row.quiet_until !== quietUntil) outbox.setQuietUntil(id, quietUntil)
  if (!isCollecting && row.state !== 'held')
    outbox.moveSubmission(id, 'imageArrived', { quietUntil, notBefore: null }, { at })
}

/** A person's entry proves the images that were there, and not what only its name says of one that joins later. */
function noteJoinedAfterEntry(context: AssignContext, { id, ...row }: SubmissionRow): void {
  const entered = enteredIn(sourcesColumn.read(row.sources))
  if (entered.length === 0) return
  const stored = identityColumn.read(row.identity)
  const joinedAfterEntry = [...new Set([...(stored.joinedAfterEntry ?? []), ...entered])]
  context.outbox.setIdentity(id, { ...stored, joinedAfterEntry })
}

function isMovable(context: AssignContext, row: Pick<ImageRow, 'submission_id'>): boolean {
  const submission = context.outbox.rowOf(row.submission_id)
  return submission !== undefined && isJoinable(context, submission)
}

/** A person's decision on a file holds for the photograph, even if the file to be sent arrives later. */
function copyPersonsDecision(context: AssignContext, from: ImageRow, to: ImageRow): void {
  if (from.eye_source === 'person' && to.eye_source !== 'person') {
    // What came with this file is new to the choice.
    const answer = eyeAnswerOf(from)
    context.outbox.setEye(to.id, { eye: from.eye, source: 'person', statements: null, answer })
  }
  if (from.excluded_because !== null && to.excluded_because === null)
    context.outbox.setExcluded(to.id, from.excluded_because)
}

function pairTwins(
  context: AssignContext,
  stems: readonly (readonly ImageRow[])[],
): ReadonlyMap<string, string> {
  const twins = new Map(stems.flatMap((rows) => [...twinsAmong(rows)]))
  for (const row of stems.flat()) {
    const twinOf = twins.get(row.id) ?? null
    if (row.twin_of === twinOf) continue
    context.outbox.setTwinOf(row.id, twinOf)
    const shown = stems.flat().find((other) => other.id === twinOf)
    if (shown) copyPersonsDecision(context, row, shown)
  }
  return twins
}

/** The pictures that contain these images, each with its twins; only those that may still move. */
function picturesOf(context: AssignFolder, imageIds: readonly string[]): ImageRow[][] {
  const { outbox, folderPath } = context
  const named = [...outbox.imagesAmong(imageIds), ...outbox.copiesAmong(imageIds)]
  const names = [...new Set(named.map(({ stem_key: stem }) => stem))]
  const fellows = outbox.imagesOfStems(folderPath, names)
  const cases = new Set(fellows.map(({ submission_id: id }) => id))
  const open = [...cases].filter((id) => isMovable(context, { submission_id: id }))
  const movable = fellows.filter(({ submission_id: id }) => open.includes(id))
  const stems = names.map((name) => movable.filter(({ ofStem }) => ofStem === name))
  const twins = pairTwins(context, stems)
  const paired = stems.flat().map((row) => ({ ...row, twin_of: twins.get(row.id) ?? null }))
  const rows = [...new Map(paired.map((row) => [row.id, row])).values()]
  return rows
    .filter((row) => !twins.has(row.id))
    .map((row) => [row, ...rows.filter((other) => twins.get(other.id) === row.id)])
}

function moveToVisit(
  context: AssignFolder,
  identity: VisitIdentity,
  pictures: readonly ImageRow[],
): readonly string[] {
  const { outbox } = context
  const rows = outbox.imagesAmong(pictures.map(({ id }) => id))
  const origins = [...new Set(rows.map((row) => row.submission_id))]
  const personal = origins.find((id) => isTouchedByPerson(context, id))
  const ids = new Set(rows.map((row) => row.id))
  const whole = origins.find((id) => outbox.imageRowsOf(id).every((row) => ids.has(row.id)))
  const target =
    personal ??
    origins.find((id) => outbox.groupKeysOf(id).includes(identity.key)) ??
    submissionForVisit(context, identity, (whole === undefined ? null : outbox.rowOf(whole)) ?? null)
  const moved = rows.filter((row) => row.submission_id !== target)
  // A case that a person has grouped or edited is not split: only the program's own groups lose images.
  const free = moved.filter((row) => !isTouchedByPerson(context, row.submission_id))
  outbox.moveImages(
    free.map((row) => row.id),
    target,
  )
  const joined = free.length > 0 ? outbox.rowOf(target) : undefined
  // More of its visit may come.
  if (joined?.state === 'collecting') resumeCollecting(context, joined)
  if (joined) noteJoinedAfterEntry(context, joined)
  for (const home of origins) {
    const isLeft = home !== target && outbox.imageRowsOf(home).length === 0
    if (isLeft && outbox.rowOf(home)?.state !== 'discarded') discardEmptied(context, home, target)
  }
  return [target, ...origins]
}

/** Assigns images again and moves open ones; returns the cases that may have changed. In the evidence's transaction. */
export function assignVisits(context: AssignFolder, imageIds: readonly string[]): ReadonlySet<string> {
  const byKey = new Map<string, { visit: VisitIdentity; rows: ImageRow[] }>()
  const touched = new Set<string>()
  const pictures = picturesOf(context, imageIds)
  const files = pictures.flat()
  const newExports = context.outbox.newExportsAmong(files.map(({ id }) => id))
  const reading = readingOnce(context, { files, folderPath: context.folderPath })
  const homes = new Set(files.map(({ submission_id: id }) => id))
  const ofPerson = new Set([...homes].filter((id) => isTouchedByPerson(context, id)))
  for (const rows of pictures) {
    // The new export of a file that could not be used stays with the case that waits for it.
    const newExport = rows.find(({ id }) => newExports.includes(id))
    if (newExport) {
      touched.add(newExport.submission_id)
      continue
    }
    const visit = visitIdentityFor(reading, rows)
    // A picture in a case that a person has edited is assigned on its own: nothing else is drawn into it.
    const isAlone = rows.some((row) => ofPerson.has(row.submission_id))
    const key = isAlone ? `${visit.key} ${rows[0]?.id ?? ''}` : visit.key
    const group = byKey.get(key)
    if (group) for (const row of rows) group.rows.push(row)
    else byKey.set(key, { visit, rows: [...rows] })
  }
  for (const { visit, rows } of byKey.values())
    for (const id of moveToVisit(context, visit, rows)) touched.add(id)
  const placed = [...byKey.values()].flatMap(({ rows }) => rows)
  const loosened = imagesOfSharedFolders(context, placed)
  if (loosened.length > 0) for (const id of assignVisits(context, loosened)) touched.add(id)
  return touched
}

/** Images that only their folder held together, if it is known by now to have held two patients. */
function imagesOfSharedFolders(context: AssignFolder, rows: readonly ImageRow[]): readonly string[] {
  const folders = new Set(rows.flatMap(({ file_name }) => folderOfVisit(file_name) ?? []))
  return [...folders].flatMap((folder) => {
    const prefix = `${JSON.stringify(['folder', foldPath(folder)]).slice(0, -1)},`
    const held = context.outbox.submissionsOfGroupsFrom(context.folderPath, prefix)
    const free = held.filter((row) => isJoinable(context, row) && !isTouchedByPerson(context, row.id))
    if (free.length === 0 || !isSharedFolder(context, folder)) return []
    return free.flatMap(({ id }) => context.outbox.imageRowsOf(id).map((image) => image.id))
  })
}

/** Its own visit's case, or that of the picture beside it. `mayCorrect`: has its pixels and says something else. */
export function submissionForNewImage(
  context: AssignFolder,
  reading: InFolder,
  file: ImageFile,
  mayCorrect: string | null,
) {
  const { outbox, folderPath } = context
  const stemKey = stemKeyOf(file.file_name)
  const used = reading.outbox.namesUsed(folderPath, [stemKey])
  const ofStem = used.every(({ id }) => id === '') ? [] : outbox.imagesOfStem(folderPath, stemKey)
  const beside = ofStem.filter((row) => isMovable(context, row))
  const files = [...beside, file]
  const twins = twinsAmong(files)
  const other = beside.find((row) => twins.get(row.id) === file.id || twins.get(file.id) === row.id)
  const home = other ? outbox.rowOf(other.submission_id) : undefined
  // The photograph itself may be on its way already: then this is late, whatever it states.
  const late = ofStem.find((row) => !beside.includes(row) && twinsAmong([row, file]).size > 0)
  const shown = other ? [other, file] : [file]
  const identity = visitIdentityFor(other ? context : reading, shown)
  const target =
    home && isTouchedByPerson(context, home.id)
      ? home.id
      : submissionForVisit(context, identity, null, mayCorrect ?? late?.submission_id)
  const row = prepareToJoin(context, target)
  // What a person has joined or entered may hold more numbers than names say.
  const isPlain = row?.grouped_by === 'program' && sourcesColumn.read(row.sources).history_number !== 'person'
  const folder = folderOfVisit(file.file_name)
  const known = folder === null ? [] : reading.outbox.numbersInFolder(folderPath, folder)
  const numbers = new Set([...known.map(bareId), ...(identity.number === null ? [] : [identity.number])])
  // Nothing of its name, and no second patient in its folder.
  const isAlone = used.length === 0 && numbers.size < 2 && isPlain
  // Its next image joins a loose one only if its eyes allow it, so it is read at once each time.
  return { id: target, isLoose: identity.isLoose, isAlone }
}

/** An image is about to join this open submission, which collects again unless it is held. Returns its row before. */
export function prepareToJoin(context: AssignContext, id: string): SubmissionRow | undefined {
  const row = context.outbox.rowOf(id)
  if (!row) return undefined
  resumeCollecting(context, row)
  noteJoinedAfterEntry(context, row)
  return row
}

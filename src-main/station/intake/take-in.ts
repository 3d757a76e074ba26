/** Takes one settled file into the outbox: spooled first, then written down, then acknowledged. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import type { ImageType } from '../../../src-shared/image-type.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { StoredIdentity } from '../outbox/submission-store.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { SettledFile } from '../watch/watcher.ts'
import { localDate } from './compose-content.ts'
import { gather, names, readSidecarText, sidecarText, visitFolderOf, type GatherContext } from './gather.ts'
import { groupOf } from './group-of.ts'
import { readSidecar } from './read-sidecar.ts'
import type { Group } from './recognition.ts'
import { spoolFile } from './spool.ts'
import { decodabilityOf } from './thumbnails.ts'

export type TakeInContext = GatherContext & {
  readonly spoolFolder: string
  readonly note: (folderPath: string, note: FileNote) => void
  /** Tells why our own disk takes nothing more; null where it does. */
  readonly storageIs: (trouble: string | null) => void
}

/** Dealt with for good, or to be tried again at the next sweep. */
export type TakenIn = 'done' | 'again'

function identityFrom(group: Group, mtimeMs: number): StoredIdentity {
  return {
    certainty: group.isIdentityAgreed ? 'agreed' : group.historyNumber ? 'single' : 'none',
    conflict: group.conflict,
    historyNumber: group.historyNumber?.value ?? null,
    historyNumberSource: group.historyNumber?.source ?? null,
    visitDate: group.visitDate?.value ?? localDate(mtimeMs),
    visitDateSource: group.visitDate?.source ?? 'fileTime',
    idsInPaths: [
      ...new Set([...(group.historyNumber ? [group.historyNumber.value] : []), ...(group.conflict ?? [])]),
    ],
    isAddendumAccepted: false,
  }
}

/** An image that comes before the first attempt joins its case; a later one does not change what was sent. */
function isOpen(row: SubmissionRow): boolean {
  return row.attempts === 0 && ['collecting', 'incomplete', 'review', 'waiting', 'held'].includes(row.state)
}

/** Another image can only lower the certainty, never raise it: one name that agrees proves nothing for the others. */
function joinIdentity(before: StoredIdentity, joining: StoredIdentity): StoredIdentity {
  const conflict = [...new Set([...(before.conflict ?? []), ...(joining.conflict ?? [])])]
  const order: readonly StoredIdentity['certainty'][] = ['none', 'single', 'agreed']
  const lower =
    order.indexOf(joining.certainty) < order.indexOf(before.certainty) ? joining.certainty : before.certainty
  const idsInPaths = [...new Set([...before.idsInPaths, ...joining.idsInPaths])]
  return { ...before, certainty: lower, conflict: conflict.length > 0 ? conflict : null, idsInPaths }
}

/** The sidecar that an image is taken in under: beside it; in the root of a flat folder one that names it. */
function sidecarFor(context: TakeInContext, file: SettledFile): string | null {
  const directory = visitFolderOf(file.relativePath)
  const row = context.outbox.sidecarIn(file.folderPath, directory)
  if (!row) return null
  const text = sidecarText(row)
  if (directory !== '') return text
  return names(readSidecarText(text).sidecar, [file.relativePath]) ? text : null
}

/**
 * A sidecar beside the images makes its directory one visit, whatever the names say. A later sidecar of another
 * visit in the same directory, as a camera with one "current" folder writes it, begins another.
 */
function groupKeyFor(file: SettledFile, group: Group, sidecar: string | null): string {
  const directory = visitFolderOf(file.relativePath)
  return sidecar === null || directory === '' ? group.key : sidecarKey(directory, sidecar)
}

function sidecarKey(directory: string, sidecar: string): string {
  const fields = readSidecarText(sidecar).sidecar?.fields
  return JSON.stringify(['case', directory, fields?.history_number ?? null, fields?.visit_date ?? null])
}

function quietMs(context: TakeInContext, folderPath: string): number {
  const folder = context.settings().folders.find((one) => one.path === folderPath)
  return Math.round((folder?.quietSeconds ?? 0) * SECOND)
}

/** Finds or makes the submission that an image belongs to. Within the transaction that adds the image. */
function submissionFor(
  context: TakeInContext,
  file: SettledFile,
  group: Group,
  identity: StoredIdentity,
): string {
  const { outbox, clock } = context
  const at = clock.now()
  const quietUntil = at + quietMs(context, file.folderPath)
  const sidecar = sidecarFor(context, file)
  const groupKey = groupKeyFor(file, group, sidecar)
  const ofGroup = outbox.submissionsOfGroup(file.folderPath, groupKey)
  const open = ofGroup.find(isOpen)
  if (open) {
    outbox.setIdentity(open.id, joinIdentity(JSON.parse(open.identity) as StoredIdentity, identity))
    if (sidecar !== null) outbox.setSidecar(open.id, sidecar)
    if (open.state === 'collecting') outbox.setQuietUntil(open.id, quietUntil)
    else if (open.state !== 'held')
      outbox.moveSubmission(open.id, 'imageArrived', { quietUntil, notBefore: null }, { at })
    return open.id
  }
  const made = outbox.createSubmission({
    folderPath: file.folderPath,
    groupKey,
    addendumTo: ofGroup[0]?.id ?? null,
    identity,
    fields: {},
    sources: {},
    centerId: context.settings().centerId,
    quietUntil,
    at,
  })
  outbox.setSidecar(made, sidecar)
  return made
}

async function takeImage(
  context: TakeInContext,
  file: SettledFile,
  contentType: ImageType,
): Promise<TakenIn> {
  const { outbox, clock } = context
  const at = clock.now()
  const note = (kind: FileNote['kind'], message: string): void =>
    context.note(file.folderPath, { fileName: file.relativePath, kind, message, at })
  const spooled = await spoolFile({
    sourcePath: join(file.folderPath, file.relativePath),
    spoolFolder: context.spoolFolder,
    expected: { sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs },
  })
  context.storageIs(
    spooled.ok || (spooled.why !== 'diskFull' && spooled.why !== 'storage') ? null : spooled.message,
  )
  if (!spooled.ok) {
    note('unreadable', spooled.message)
    return 'again'
  }
  const { sha256, sizeBytes, spoolName } = spooled
  const decodability = await decodabilityOf(join(context.spoolFolder, spoolName))
  if (decodability === 'notOpened') {
    note('unreadable', 'This image could not be checked now. It is tried again by itself.')
    return 'again'
  }
  if (decodability === 'damaged') {
    note('unreadable', 'This image cannot be opened, so it is in no case. Export it again from the camera.')
    outbox.markSeen(file, 'unreadable', null, at)
    return 'done'
  }
  outbox.write(() => {
    const holder = outbox.holderOf(sha256)
    if (holder) {
      note(
        'duplicate',
        `The same image was seen before and is part of ${holder.reference}. It was not added again.`,
      )
      outbox.markSeen(file, 'duplicate', holder.submissionId, at)
      return
    }
    const group = groupOf(file.relativePath)
    const submissionId = submissionFor(context, file, group, identityFrom(group, file.mtimeMs))
    outbox.addImage({
      submissionId,
      folderPath: file.folderPath,
      fileName: file.relativePath,
      eye: 'unknown',
      eyeSource: null,
      sizeBytes,
      sha256,
      spoolName,
      contentType,
      at,
    })
    outbox.markSeen(file, 'image', submissionId, at)
    const row = outbox.rowOf(submissionId)
    if (row) gather(context, row)
  })
  return 'done'
}

function agree(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other
}

/** Do two sidecars speak of one visit? One that could not be read says nothing against it. */
function isSameVisit(left: string | null, right: string): boolean {
  const before = left === null ? null : readSidecarText(left).sidecar
  const after = readSidecarText(right).sidecar
  if (!before || !after) return true
  return (
    agree(before.fields.history_number, after.fields.history_number) &&
    agree(before.fields.visit_date, after.fields.visit_date)
  )
}

/** A sidecar that came after its images draws those that are still open into one visit and is read into it. */
function drawTogether(context: TakeInContext, file: SettledFile, sidecar: string): void {
  const { outbox, clock } = context
  const directory = visitFolderOf(file.relativePath)
  const open = outbox.submissionsUnder(file.folderPath, directory).filter((row) => {
    const images = outbox.imageRowsOf(row.id).map((image) => image.file_name)
    if (!isOpen(row) || !isSameVisit(row.sidecar, sidecar)) return false
    if (directory === '') return names(readSidecarText(sidecar).sidecar, images)
    return images.every((name) => visitFolderOf(name) === directory)
  })
  const [first, ...others] = open
  if (!first) return
  const at = clock.now()
  if (directory !== '') {
    let identity = JSON.parse(first.identity) as StoredIdentity
    for (const other of others) {
      identity = joinIdentity(identity, JSON.parse(other.identity) as StoredIdentity)
      outbox.moveImages(other.id, first.id)
      outbox.moveSubmission(other.id, 'discarded', {}, { at, details: { joinedInto: first.id } })
    }
    outbox.setIdentity(first.id, identity)
    outbox.setGroupKey(first.id, sidecarKey(directory, sidecar))
  }
  for (const row of directory === '' ? open : [first]) {
    outbox.setSidecar(row.id, sidecar)
    const isSettled = row.state === 'collecting' || row.state === 'held'
    if (!isSettled) outbox.moveSubmission(row.id, 'imageArrived', { quietUntil: at, notBefore: null }, { at })
    const now = outbox.rowOf(row.id)
    if (now) gather(context, now)
  }
}

async function takeSidecar(context: TakeInContext, file: SettledFile): Promise<TakenIn> {
  const { outbox, clock } = context
  const at = clock.now()
  const bytes = await readFile(join(file.folderPath, file.relativePath))
  const read = readSidecar(bytes)
  if (!read.ok) {
    context.note(file.folderPath, {
      fileName: file.relativePath,
      kind: 'sidecarUnreadable',
      message: read.message,
      at,
    })
  }
  outbox.write(() => {
    outbox.keepSidecar({
      folderPath: file.folderPath,
      directory: visitFolderOf(file.relativePath),
      relativePath: file.relativePath,
      content: read.ok ? JSON.stringify(read.value) : null,
      trouble: read.ok ? null : read.message,
      at,
    })
    outbox.markSeen(file, 'sidecar', null, at)
    const row = outbox.sidecarIn(file.folderPath, visitFolderOf(file.relativePath))
    if (row) drawTogether(context, file, sidecarText(row))
  })
  return 'done'
}

/** Takes a file in, or finds that it is known. Throws only where the disk or the database does. */
export async function takeIn(context: TakeInContext, file: SettledFile): Promise<TakenIn> {
  if (context.outbox.hasSeen(file)) return 'done'
  if (file.content === 'zip') return 'done'
  return file.content === 'sidecar' ? takeSidecar(context, file) : takeImage(context, file, file.content)
}

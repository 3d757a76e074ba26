/** Takes one settled file into the outbox: spooled first, then written down, then acknowledged. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SECOND } from '../../../src-shared/durations.ts'
import type { FileNote } from '../../../src-shared/station-status.ts'
import type { StoredIdentity } from '../outbox/submission-store.ts'
import type { SubmissionRow } from '../outbox/submission-rows.ts'
import type { SettledFile } from '../watch/watcher.ts'
import { localDate } from './compose-content.ts'
import { visitFolderOf, gather, type GatherContext } from './gather.ts'
import { groupOf } from './group-of.ts'
import { readSidecar } from './read-sidecar.ts'
import type { Group } from './recognition.ts'
import { spoolFile } from './spool.ts'
import { isDecodable } from './thumbnails.ts'

export type TakeInContext = GatherContext & {
  readonly spoolFolder: string
  readonly note: (folderPath: string, note: FileNote) => void
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
  return { ...before, certainty: lower, conflict: conflict.length > 0 ? conflict : null }
}

/** A sidecar beside the images makes its directory one visit, whatever the names say. */
function groupKeyFor(context: TakeInContext, file: SettledFile, group: Group): string {
  const directory = visitFolderOf(file.relativePath)
  const hasSidecar = directory !== '' && context.outbox.sidecarIn(file.folderPath, directory) !== null
  return hasSidecar ? sidecarKey(directory) : group.key
}

function sidecarKey(directory: string): string {
  return `case:${directory}`
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
  const groupKey = groupKeyFor(context, file, group)
  const ofGroup = outbox.submissionsOfGroup(file.folderPath, groupKey)
  const open = ofGroup.find(isOpen)
  if (open) {
    outbox.setIdentity(open.id, joinIdentity(JSON.parse(open.identity) as StoredIdentity, identity))
    if (open.state === 'collecting') outbox.setQuietUntil(open.id, quietUntil)
    else if (open.state !== 'held')
      outbox.moveSubmission(open.id, 'imageArrived', { quietUntil, notBefore: null }, { at })
    return open.id
  }
  return outbox.createSubmission({
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
}

async function takeImage(
  context: TakeInContext,
  file: SettledFile,
  contentType: Exclude<SettledFile['content'], 'sidecar'>,
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
  if (!spooled.ok) {
    note('unreadable', spooled.message)
    return 'again'
  }
  const { sha256, sizeBytes, spoolName } = spooled
  if (!(await isDecodable(join(context.spoolFolder, spoolName)))) {
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

/** A sidecar that came after its images draws those that are still open into one visit and is read into it. */
function drawTogether(context: TakeInContext, file: SettledFile): void {
  const { outbox, clock } = context
  const directory = visitFolderOf(file.relativePath)
  const open = outbox.submissionsUnder(file.folderPath, directory).filter((row) => {
    const images = outbox.imageRowsOf(row.id)
    return isOpen(row) && images.every((image) => visitFolderOf(image.file_name) === directory)
  })
  const [first, ...others] = open
  if (!first) return
  const at = clock.now()
  if (directory !== '') {
    outbox.setGroupKey(first.id, sidecarKey(directory))
    for (const other of others) {
      outbox.moveImages(other.id, first.id)
      outbox.moveSubmission(other.id, 'discarded', {}, { at, details: { joinedInto: first.id } })
    }
  }
  for (const row of directory === '' ? open : [first]) {
    gather(context, row)
    const isSettled = row.state === 'collecting' || row.state === 'held'
    if (!isSettled) outbox.moveSubmission(row.id, 'imageArrived', { quietUntil: at, notBefore: null }, { at })
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
    drawTogether(context, file)
  })
  return 'done'
}

/** Takes a file in, or finds that it is known. Throws only where the disk or the database does. */
export async function takeIn(context: TakeInContext, file: SettledFile): Promise<TakenIn> {
  if (context.outbox.hasSeen(file)) return 'done'
  return file.content === 'sidecar' ? takeSidecar(context, file) : takeImage(context, file, file.content)
}

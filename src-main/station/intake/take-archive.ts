/** Takes the images and data files of a ZIP archive in, each as if it lay in a folder of the archive's name. */
import { join } from 'node:path'
import type { FileNote } from '../../../src-shared/station-status.ts'
import { isJunkFile, isSidecar } from '../export-names.ts'
import type { FileMark } from '../watch/watcher.ts'
import { inspectFile } from './inspect-file.ts'
import { ingestDataFile } from './take-data-file.ts'
import { ingestImage, type IngestContext, type IngestResult } from './take-image.ts'
import { expandZip, type ExpandedEntry } from './zip/expand-zip.ts'

const NO_IMAGE = 'This file in the archive is not an image that is taken; it was left in the archive.'
const NOT_WHOLE =
  'This image in the archive is not complete, so it is not used. Export it again from the camera.'
const EMPTY =
  'This archive holds nothing that is read here, so nothing was taken of it. If images should be in it, export it again.'
const NESTED = 'This is an archive in an archive, which is not opened. Export its images by themselves.'

function noteFor(context: IngestContext, mark: FileMark): (kind: FileNote['kind'], message: string) => void {
  return (kind, message) =>
    context.note(mark.folderPath, { fileName: mark.relativePath, kind, message, at: context.clock.now() })
}

async function ingestEntry(
  context: IngestContext,
  mark: FileMark,
  entry: Extract<ExpandedEntry, { kind: 'file' }>,
): Promise<IngestResult> {
  const { outbox, clock } = context
  if (outbox.files.hasSeen(mark)) return 'done'
  const at = { path: entry.path, sizeBytes: entry.sizeBytes, mtimeMs: entry.mtimeMs }
  if (isSidecar(entry.name)) return ingestDataFile(context, mark, entry.path)
  const found = await inspectFile(entry.path, at)
  if (found.kind === 'whole' && found.content !== 'zip')
    return ingestImage(context, mark, { contentType: found.content, at })
  if (found.kind === 'changed') return 'again'
  const note = noteFor(context, mark)
  if (found.kind === 'whole') note('ignored', NESTED)
  else if (found.kind === 'incomplete') note('truncated', NOT_WHOLE)
  else if (found.kind === 'unreadable') note('unreadable', found.message)
  else note('ignored', NO_IMAGE)
  outbox.files.markSeen(mark, 'leftAlone', null, clock.now())
  return 'done'
}

/**
 * Takes an archive in, an entry at a time: what was dealt with before an interruption is known by its mark, and the
 * archive itself is marked only when all of it was dealt with.
 */
export async function ingestArchive(context: IngestContext, file: FileMark): Promise<IngestResult> {
  const { outbox, clock } = context
  const entries = expandZip(join(file.folderPath, file.relativePath), context.pictureFolder, isJunkFile)
  let isToBeTriedAgain = false
  let isEmpty = true
  for await (const entry of entries) {
    isEmpty = false
    if (entry.kind === 'refused') {
      const relativePath = entry.name === null ? file.relativePath : `${file.relativePath}/${entry.name}`
      noteFor(context, { ...file, relativePath })('ignored', entry.message)
      continue
    }
    const { sizeBytes, mtimeMs } = entry
    const mark = {
      folderPath: file.folderPath,
      relativePath: `${file.relativePath}/${entry.name}`,
      sizeBytes,
      mtimeMs,
    }
    if ((await ingestEntry(context, mark, entry)) === 'again') isToBeTriedAgain = true
  }
  if (isToBeTriedAgain) return 'again'
  if (isEmpty) noteFor(context, file)('ignored', EMPTY)
  outbox.files.markSeen(file, 'archive', null, clock.now())
  return 'done'
}

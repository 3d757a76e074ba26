/** Takes one settled file into the outbox: kept first, then written down, then acknowledged. */
import { join } from 'node:path'
import type { FileMark, SettledFile } from '../watch/watcher.ts'
import { ingestArchive } from './take-archive.ts'
import { ingestDataFile } from './take-data-file.ts'
import { ignoredTermOf } from './profile/read-by-profile.ts'
import { ingestImage, type IngestContext, type IngestResult } from './take-image.ts'
import { pathRulesOf } from './visits/exposure-of.ts'

/** A word in the name that the clinic's profile leaves alone, such as infrared. */
export function ignoreByProfile(context: IngestContext, file: FileMark): boolean {
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const term = profile === null ? null : ignoredTermOf(profile, file.relativePath)
  if (term === null) return false
  const at = context.clock.now()
  const message = `The profile of this folder leaves files with "${term}" in their name alone.`
  context.note(file.folderPath, { fileName: file.relativePath, kind: 'ignored', message, at })
  context.outbox.files.markSeen(file, 'leftAlone', null, at)
  return true
}

const WAITING_FOR_SPACE =
  'This file waits in the camera folder, because the disk of this computer has too little space. It is taken in by itself when there is space.'

/** Takes a file in, or finds that it is known. Throws only where the disk or the database does. */
export async function ingest(context: IngestContext, file: SettledFile): Promise<IngestResult> {
  if (context.outbox.files.hasSeen(file)) return 'done'
  if (context.hasSpaceFor && !(await context.hasSpaceFor(file.sizeBytes))) {
    const { folderPath, relativePath: fileName } = file
    context.note(folderPath, {
      fileName,
      kind: 'arriving',
      message: WAITING_FOR_SPACE,
      at: context.clock.now(),
    })
    return 'again'
  }
  switch (file.content) {
    case 'sidecar':
      return ingestDataFile(context, file)
    case 'zip':
      return ingestArchive(context, file)
    default: {
      if (ignoreByProfile(context, file)) return 'done'
      const path = join(file.folderPath, file.relativePath)
      const at = { path, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs }
      return ingestImage(context, file, { contentType: file.content, at })
    }
  }
}

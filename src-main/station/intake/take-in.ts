/** Takes one settled file into the outbox: kept first, then written down, then acknowledged. */
import { join } from 'node:path'
import type { FileMark, SettledFile } from '../watch/watcher.ts'
import { takeArchive } from './take-archive.ts'
import { takeDataFile } from './take-data-file.ts'
import { isLeftAlone } from './profile/read-by-profile.ts'
import { takeImage, type TakeInContext, type TakenIn } from './take-image.ts'
import { pathRulesOf } from './visits/exposure-of.ts'

/** A word in the name that the clinic's profile leaves alone, such as infrared. */
export function leaveAlone(context: TakeInContext, file: FileMark): boolean {
  const { profile } = pathRulesOf(context.settings(), file.folderPath)
  const word = profile === null ? null : isLeftAlone(profile, file.relativePath)
  if (word === null) return false
  const at = context.clock.now()
  const message = `The profile of this folder leaves files with "${word}" in their name alone.`
  context.note(file.folderPath, { fileName: file.relativePath, kind: 'ignored', message, at })
  context.outbox.markSeen(file, 'leftAlone', null, at)
  return true
}

const WAITS =
  'This file waits in the camera folder, because the disk of this computer has too little space. It is taken in by itself when there is space.'

/** Takes a file in, or finds that it is known. Throws only where the disk or the database does. */
export async function takeIn(context: TakeInContext, file: SettledFile): Promise<TakenIn> {
  if (context.outbox.hasSeen(file)) return 'done'
  if (context.mayTakeIn && !(await context.mayTakeIn(file.sizeBytes))) {
    const { folderPath, relativePath: fileName } = file
    context.note(folderPath, { fileName, kind: 'arriving', message: WAITS, at: context.clock.now() })
    return 'again'
  }
  switch (file.content) {
    case 'sidecar':
      return takeDataFile(context, file)
    case 'zip':
      return takeArchive(context, file)
    default: {
      if (leaveAlone(context, file)) return 'done'
      const path = join(file.folderPath, file.relativePath)
      const at = { path, sizeBytes: file.sizeBytes, mtimeMs: file.mtimeMs }
      return takeImage(context, file, { contentType: file.content, at })
    }
  }
}

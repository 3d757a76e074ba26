import type { FileMark } from './watcher.ts'
import { inSlices, walkFolder } from './walk-folder.ts'

/**
 * Every file that lies in a folder now, whatever it is, marked just as a `settled` event would mark it. Leaves its
 * thread free between short slices. Throws the file system's error when the folder cannot be opened: a share that is
 * away has no files for now, and nobody should take that for an empty folder.
 */
export async function* listFiles(folderPath: string): AsyncGenerator<FileMark, void, void> {
  for await (const slice of inSlices(walkFolder(folderPath), () => false)) {
    for (const walked of slice) {
      if (walked.kind === 'file') {
        const { relativePath, sizeBytes, mtimeMs } = walked
        yield { folderPath, relativePath, sizeBytes, mtimeMs }
      }
    }
  }
}

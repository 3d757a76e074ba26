/** The thread that watches a folder, or lists it once. It connects the watch to the checks of content. */
import { parentPort, workerData } from 'node:worker_threads'
import { inspectFile } from './reader/inspect-file.ts'
import { serveFolderWatch } from './watch/folder-watch.ts'
import { serveFileList } from './watch/list-folder.ts'
import type { WatchWorkerData } from './watch/watch.ts'

/** Begins to watch or to list the folder that the thread was started for. */
export function startWatchThread(): void {
  if (parentPort === null) throw new Error('This runs in a worker thread only.')
  const data = workerData as WatchWorkerData
  if (data.kind === 'watch') serveFolderWatch(parentPort, data.folder, inspectFile)
  else serveFileList(parentPort, data.folderPath)
}

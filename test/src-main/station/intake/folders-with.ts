/** Watched folders on a real outbox; what lies in them, and what the watchers tell, is played. */
import { onTestFinished } from 'vitest'
import { WatchedFolders } from '../../../../src-main/station/intake/watched-folders.ts'
import type { FileMark, WatchedFolder, WatchEvent } from '../../../../src-main/station/watch/watch.ts'
import { type FolderSettings, folderSettingsSchema } from '../../../../src-shared/folder-settings.ts'
import { createRecordingLogger } from '../../../tools/recording-logger.ts'
import { ManualClock } from '../../../tools/manual-clock.ts'
import { openTestOutbox, type TestOutbox } from '../../../tools/outbox-with.ts'

/** Noon of a day on this computer. */
export const noon = (day: string): number => new Date(`${day}T12:00:00`).getTime()

type Files = Readonly<Record<string, number>>
export type FoldersScene = {
  readonly test: TestOutbox
  readonly clock: ManualClock
  readonly folders: WatchedFolders
  /** What was opened and closed, in order. */
  readonly done: string[]
  readonly settled: string[]
  /** Everything that has settled is taken in. */
  finish(): void
  readonly opened: WatchedFolder[]
  lying: Record<string, Files | 'away' | 'hanging'>
  tell(path: string, event: WatchEvent): void
}

export const settings = (path: string, given: Partial<FolderSettings> = {}): FolderSettings =>
  folderSettingsSchema.parse({ path, ...given })
export const mark = (folderPath: string, relativePath: string, mtimeMs: number): FileMark => ({
  folderPath,
  relativePath,
  sizeBytes: 9,
  mtimeMs,
})

/** No folder is watched yet. */
export function foldersWith(
  existingByDefault: 'ask' | 'include' = 'ask',
  test = openTestOutbox(),
): FoldersScene {
  const clock = new ManualClock()
  const done: string[] = []
  const settled: string[] = []
  const finish: (() => void)[] = []
  const opened: WatchedFolder[] = []
  const listeners = new Map<string, (event: WatchEvent) => void>()
  const folders = new WatchedFolders({
    outbox: test.outbox,
    clock,
    logger: createRecordingLogger(),
    station: { stationId: 's1', hostName: 'room-1' },
    existingByDefault,
    onChanged: () => undefined,
    onSettled: (folder, file) => {
      settled.push(file.relativePath)
      finish.push(() => {
        if (folder.isAccepting()) folder.acknowledge(file)
        else done.push(`leave ${file.relativePath}`)
      })
    },
    openWatcher: (folder, onEvent) => {
      done.push(`open ${folder.path}`)
      opened.push(folder)
      listeners.set(folder.path, onEvent)
      return {
        sweep: () => void done.push(`sweep ${folder.path}`),
        acknowledge: () => undefined,
        close: () => {
          done.push(`close ${folder.path}`)
          return Promise.resolve()
        },
      }
    },
    async *listFiles(path) {
      await Promise.resolve()
      const files = scene.lying[path] ?? {}
      if (files === 'away') throw Object.assign(new Error('away'), { code: 'ENOENT' })
      if (files === 'hanging') await new Promise(() => undefined)
      for (const [name, mtimeMs] of Object.entries(files)) yield mark(path, name, mtimeMs)
    },
  })
  onTestFinished(() => folders.close())
  const scene: FoldersScene = {
    test,
    clock,
    folders,
    done,
    settled,
    finish: () => {
      for (const done of finish.splice(0)) done()
    },
    opened,
    lying: {},
    tell: (path, event) => listeners.get(path)?.(event),
  }
  return scene
}

export const healthOf = (scene: FoldersScene): string[] => scene.folders.status().map(({ health }) => health)

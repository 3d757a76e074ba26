/** Stands between the parts of a station and the host's notifier: what the clinic does not want to hear is not told. */
import { MINUTE } from '../../src-shared/durations.ts'
import type { NotificationSettings } from '../../src-shared/settings.ts'
import type { FolderStatus } from '../../src-shared/station-status.ts'
import { mayTell, timeOfDay } from './notice-choice.ts'
import type { Clock, Notice, Notifier } from './ports.ts'

/** A camera or a share that is switched on again within this time is no news. */
const OUT_OF_REACH_MS = 5 * MINUTE

export type NoticeKeeper = Notifier & {
  /** Looks whether a folder has been out of reach for too long; each time is told once. */
  readonly lookAtFolders: (folders: readonly Pick<FolderStatus, 'path' | 'health' | 'since'>[]) => void
  readonly close: () => void
}

export function keepNotices({
  clock,
  settings,
  notifier,
}: {
  readonly clock: Clock
  readonly settings: () => NotificationSettings
  readonly notifier: Notifier
}): NoticeKeeper {
  /** Since when each folder that was told of has been out of reach. */
  const told = new Map<string, number>()
  let cancelLook: (() => void) | null = null
  let isClosed = false

  const tell = (notice: Notice): boolean => {
    if (!mayTell(notice, settings(), timeOfDay(clock.now()))) return false
    notifier.notify(notice)
    return true
  }
  const lookAtFolders: NoticeKeeper['lookAtFolders'] = (folders) => {
    cancelLook?.()
    cancelLook = null
    if (isClosed) return
    const away = folders.filter(({ health }) => health === 'unreachable')
    for (const path of told.keys()) if (!away.some((folder) => folder.path === path)) told.delete(path)
    const untold = away.filter(({ path, since }) => told.get(path) !== since)
    const due = untold.filter(({ since }) => clock.now() - since >= OUT_OF_REACH_MS)
    if (due.length > 0 && tell({ kind: 'folderUnreachable' }))
      for (const { path, since } of due) told.set(path, since)
    // What falls into quiet hours is told after them, if it is still so.
    if (untold.some(({ path, since }) => told.get(path) !== since))
      cancelLook = clock.after(OUT_OF_REACH_MS, () => lookAtFolders(folders))
  }
  return {
    notify: (notice) => void tell(notice),
    lookAtFolders,
    close: () => {
      isClosed = true
      cancelLook?.()
    },
  }
}

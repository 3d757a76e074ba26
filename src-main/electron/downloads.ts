/** Files that the screens hand to a person: a report, a list, the diagnostics. Nothing else is ever saved. */
import { basename, dirname, join } from 'node:path'
import { isAppAddress } from './app-address.ts'

/** The part of a download that is needed. */
export type DownloadItem = {
  getURL(): string
  getFilename(): string
  getSavePath(): string
  setSaveDialogOptions(options: { readonly defaultPath: string }): void
  once(event: 'done', listener: (event: unknown, state: string) => void): unknown
}

/** The part of a session that is needed. */
export type DownloadingSession = {
  on(
    event: 'will-download',
    listener: (event: { preventDefault(): void }, item: DownloadItem) => void,
  ): unknown
}

/** Only what our own page has put together: an address of the service would be fetched outside of the station. */
export function maySave(address: string): boolean {
  return address.startsWith('blob:') && isAppAddress(address.slice('blob:'.length))
}

/** A person chooses where each file goes, beginning where the last one went; without a path the system would choose. */
export function offerDownloads(session: DownloadingSession, firstFolder: string): void {
  let folder = firstFolder
  session.on('will-download', (event, item) => {
    if (!maySave(item.getURL())) return event.preventDefault()
    item.setSaveDialogOptions({ defaultPath: join(folder, basename(item.getFilename())) })
    item.once('done', (_event, state) => {
      if (state === 'completed') folder = dirname(item.getSavePath())
    })
  })
}

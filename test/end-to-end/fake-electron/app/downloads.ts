/** Downloads of a page: `will-download`, the question where to, and the end. */
import { EventEmitter } from 'node:events'
import { dialog } from './dialogs.ts'
import { loud } from './loud.ts'
import { defaultSession } from './sessions.ts'
import { order, record } from './stage.ts'
import { preventable } from './the-app.ts'
import { windowOf } from './windows.ts'

/** Answers the path that it goes to, or null where it goes nowhere; then the browser writes it there. */
export async function offerDownload(given: {
  readonly window: number
  readonly download: number
  readonly url: string
  readonly fileName: string
}): Promise<void> {
  const { window, download, url, fileName } = given
  let dialogOptions: object = {}
  let path = ''
  const item = loud(
    'DownloadItem',
    Object.assign(new EventEmitter(), {
      getURL: () => url,
      getFilename: () => fileName,
      getSavePath: () => path,
      setSavePath: (wanted: string) => void (path = wanted),
      setSaveDialogOptions: (options: object) => void (dialogOptions = options),
    }),
  )
  const event = preventable()
  defaultSession.emit('will-download', event, item, windowOf(window)?.webContents)
  if (!event.defaultPrevented && path === '') path = (await dialog.showSaveDialog(dialogOptions)).filePath
  const goesTo = event.defaultPrevented || path === '' ? null : path
  record('download', { url, fileName, isPrevented: event.defaultPrevented, path: goesTo })
  await order({ kind: 'finishDownload', window, download, path: goesTo })
  if (!event.defaultPrevented) item.emit('done', {}, goesTo === null ? 'cancelled' : 'completed')
}

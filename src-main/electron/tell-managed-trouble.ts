import { dialog } from 'electron'
import type { Station } from '../station/station-api.ts'
import { describeManagedTrouble } from './managed-trouble.ts'
import type { HostWords } from './words/host-words.ts'

/** Says once what is wrong with the administrator's files. It waits for nobody: the station works meanwhile. */
export async function showManagedTrouble(
  station: Pick<Station, 'handlers'>,
  texts: () => HostWords,
): Promise<void> {
  const sources = await station.handlers['settings.sources']({})
  const notice = sources.ok ? describeManagedTrouble(sources.value.files, texts().managed) : null
  if (notice === null) return
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Fundus Courier',
    message: notice.title,
    detail: notice.detail,
    buttons: [notice.close],
    noLink: true,
  })
}

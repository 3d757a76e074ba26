import { dialog } from 'electron'
import type { Station } from '../station/station-api.ts'
import { managedTrouble } from './managed-trouble.ts'
import type { HostWords } from './words/host-words.ts'

/** Says once what is wrong with the administrator's files. It waits for nobody: the station works meanwhile. */
export async function tellManagedTrouble(
  station: Pick<Station, 'handlers'>,
  words: () => HostWords,
): Promise<void> {
  const sources = await station.handlers['settings.sources']({})
  const said = sources.ok ? managedTrouble(sources.value.files, words().managed) : null
  if (said === null) return
  await dialog.showMessageBox({
    type: 'warning',
    title: 'Fundus Courier',
    message: said.title,
    detail: said.detail,
    buttons: [said.close],
    noLink: true,
  })
}

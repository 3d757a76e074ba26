import { dialog } from 'electron'
import type { HostWords } from './words/host-words.ts'

const TITLE = 'Fundus Courier'

/** Asks whether the outbox is to be built anew. Closing the question quits: nothing is changed then. */
export async function askForRecovery(
  message: string,
  texts: HostWords['recovery'],
): Promise<'recover' | 'quit'> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: TITLE,
    message,
    detail: texts.detail,
    buttons: [texts.recover, texts.quit],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0 ? 'recover' : 'quit'
}

/** Says what a recovery has done, which may be nothing: an outbox that is sound is left as it is. */
export async function showRecoveryResult(
  sentences: readonly string[],
  texts: HostWords['recovery'],
): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: sentences[0] ?? texts.unchanged,
    detail: sentences.slice(1).join('\n'),
    buttons: [texts.go],
    noLink: true,
  })
}

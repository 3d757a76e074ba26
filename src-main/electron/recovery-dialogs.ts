import { dialog } from 'electron'

const TITLE = 'Fundus Courier'
const BUTTONS = ['Recover', 'Quit']

/** Asks whether the outbox is to be built anew. Closing the question quits: nothing is changed then. */
export async function askForRecovery(message: string): Promise<'recover' | 'quit'> {
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: TITLE,
    message,
    detail:
      'Recover sets the outbox that is there aside and builds it anew; nothing is deleted. Cases that are not known as sent are looked for at the service, and none goes again without evidence. Quit leaves all as it is.',
    buttons: BUTTONS,
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  })
  return response === 0 ? 'recover' : 'quit'
}

/** Says what a recovery has done, which may be nothing: an outbox that is sound is left as it is. */
export async function tellOfRecovery(sentences: readonly string[]): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: sentences[0] ?? 'Nothing was changed.',
    detail: sentences.slice(1).join('\n'),
    buttons: ['Continue'],
    noLink: true,
  })
}

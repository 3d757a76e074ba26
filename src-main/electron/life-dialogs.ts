/** What a person is asked or told about the life of the app. */
import { dialog } from 'electron'
import type { PendingCases } from './life.ts'
import type { QuitChoice } from './life-state.ts'
import { quitQuestion } from './quit-question.ts'
import type { HostWords } from './words/host-words.ts'

const TITLE = 'Fundus Courier'

/** Asks whether to quit although cases wait. */
export async function confirmQuit(pending: PendingCases, texts: HostWords): Promise<QuitChoice> {
  const { message, detail, choices } = quitQuestion(pending, texts)
  const { response } = await dialog.showMessageBox({
    type: 'question',
    title: TITLE,
    message,
    detail,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: 0,
    noLink: true,
  })
  return choices[response]?.choice ?? 'keepRunning'
}

/** The explanation. It also says the way back where the desktop shows no mark beside the clock: a second start. */
export async function showCloseExplanation({ life: texts }: HostWords): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: texts.closedTitle,
    detail: texts.closedDetail,
    buttons: [texts.understood],
    noLink: true,
  })
}

/** Says that the window cannot show anything any more, not even the page that says so. */
export async function showScreensFailed(texts: HostWords['life'], logFolder: string): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: TITLE,
    message: texts.failedTitle,
    detail: `${texts.failedSafe}\n\n${texts.failedLogs} ${logFolder}`,
    buttons: [texts.understood],
    noLink: true,
  })
}

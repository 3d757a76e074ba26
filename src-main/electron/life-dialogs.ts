/** What a person is asked or told about the life of the app. */
import { dialog } from 'electron'
import type { OnTheWay } from './life.ts'
import type { QuitChoice } from './life-state.ts'
import { quitQuestion } from './quit-question.ts'
import type { HostWords } from './words/host-words.ts'

const TITLE = 'Fundus Courier'

/** Asks whether to quit although cases wait. */
export async function askWhetherToQuit(onTheWay: OnTheWay, words: HostWords): Promise<QuitChoice> {
  const { message, detail, choices } = quitQuestion(onTheWay, words)
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
export async function showCloseExplanation({ life }: HostWords): Promise<void> {
  await dialog.showMessageBox({
    type: 'info',
    title: TITLE,
    message: life.closedTitle,
    detail: life.closedDetail,
    buttons: [life.understood],
    noLink: true,
  })
}

/** Says that the window cannot show anything any more, not even the page that says so. */
export async function tellOfFailedScreens(words: HostWords['life'], logFolder: string): Promise<void> {
  await dialog.showMessageBox({
    type: 'warning',
    title: TITLE,
    message: words.failedTitle,
    detail: `${words.failedSafe}\n\n${words.failedLogs} ${logFolder}`,
    buttons: [words.understood],
    noLink: true,
  })
}

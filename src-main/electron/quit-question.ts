import type { PendingCases } from './life.ts'
import type { QuitChoice } from './life-state.ts'
import type { HostWords } from './words/host-words.ts'

type QuitQuestion = {
  readonly message: string
  readonly detail: string
  /** The safe one first: it is the default, and what closing the question means. */
  readonly choices: readonly { readonly choice: QuitChoice; readonly label: string }[]
}

/** What is asked. Where nothing is sent at the moment, sending first is no choice: it could take for ever. */
export function quitQuestion({ count, isSending }: PendingCases, { life: texts }: HostWords): QuitQuestion {
  return {
    message: texts.quitTitle(count),
    detail: isSending ? texts.quitDetail : texts.quitDetailNotSending,
    choices: [
      { choice: 'keepRunning', label: texts.keepRunning },
      { choice: 'quitNow', label: texts.quitNow },
      ...(isSending ? [{ choice: 'sendFirst', label: texts.sendFirst } as const] : []),
    ],
  }
}

import type { OnTheWay } from './life.ts'
import type { QuitChoice } from './life-state.ts'
import type { HostWords } from './words/host-words.ts'

type Question = {
  readonly message: string
  readonly detail: string
  /** The safe one first: it is the default, and what closing the question means. */
  readonly choices: readonly { readonly choice: QuitChoice; readonly label: string }[]
}

/** What is asked. Where nothing is sent at the moment, sending first is no choice: it could take for ever. */
export function quitQuestion({ count, isSending }: OnTheWay, { life }: HostWords): Question {
  return {
    message: life.quitTitle(count),
    detail: isSending ? life.quitDetail : life.quitDetailNotSending,
    choices: [
      { choice: 'keepRunning', label: life.keepRunning },
      { choice: 'quitNow', label: life.quitNow },
      ...(isSending ? [{ choice: 'sendFirst', label: life.sendFirst } as const] : []),
    ],
  }
}

/** A question that stands before a decision. Whoever asks waits for the answer; the window shows one at a time. */
import { createStore } from 'zustand/vanilla'
import type { Submission } from '../../src-shared/submission.ts'
import type { Signed } from './use-signature.ts'

export const QUESTION_KINDS = ['discard', 'cancel', 'moveToCenter'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** What was answered; the center only where the question was about it. */
export type Answer = Signed & { readonly centerId?: string }

export type Question = {
  readonly kind: QuestionKind
  readonly submissions: readonly Pick<Submission, 'id' | 'state' | 'centerId'>[]
}

type Asked = { readonly question: Question; readonly answer: (answer: Answer | null) => void }

export const asked = createStore<{ readonly open: Asked | null }>(() => ({ open: null }))

/** Shows the question; answers null where the person would rather not. */
export function ask(question: Question): Promise<Answer | null> {
  // One that is still open is answered by the new one: it was not decided.
  asked.getState().open?.answer(null)
  const { promise, resolve } = Promise.withResolvers<Answer | null>()
  asked.setState({
    open: {
      question,
      answer(given) {
        asked.setState({ open: null })
        resolve(given)
      },
    },
  })
  return promise
}

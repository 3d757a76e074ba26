/** A question that stands before a decision. Whoever asks waits for the answer; the window shows one at a time. */
import { createStore } from 'zustand/vanilla'
import type { Submission } from '../../src-shared/submission.ts'
import type { Signed } from './use-signature.ts'

export const QUESTION_KINDS = ['discard', 'cancel', 'moveToCenter'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** What was answered; the center only where the question was about it. */
export type DecisionAnswer = Signed & { readonly centerId?: string }

export type Question = {
  readonly kind: QuestionKind
  readonly submissions: readonly Pick<Submission, 'id' | 'state' | 'centerId'>[]
}

type OpenQuestion = { readonly question: Question; readonly answer: (answer: DecisionAnswer | null) => void }

export const questionStore = createStore<{ readonly open: OpenQuestion | null }>(() => ({ open: null }))

/** Shows the question; answers null where the person would rather not. */
export function askQuestion(question: Question): Promise<DecisionAnswer | null> {
  // One that is still open is answered by the new one: it was not decided.
  questionStore.getState().open?.answer(null)
  const { promise, resolve } = Promise.withResolvers<DecisionAnswer | null>()
  questionStore.setState({
    open: {
      question,
      answer(result) {
        questionStore.setState({ open: null })
        resolve(result)
      },
    },
  })
  return promise
}

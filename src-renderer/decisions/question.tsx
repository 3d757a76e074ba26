/** Questions before a decision. The caller awaits the answer; the window shows one question at a time. */
import { NativeSelect, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { createStore } from 'zustand/vanilla'
import type { Submission } from '../../src-shared/submission.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useAnswer } from '../store/use-station.ts'
import css from './center-choice.module.css'
import type { Signed } from './signature.tsx'

export const QUESTION_KINDS = ['discard', 'cancel', 'moveToCenter'] as const

export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** The answer; the center only if the question was about it. */
export type DecisionAnswer = Signed & { readonly centerId?: string }

export type Question = {
  readonly kind: QuestionKind
  readonly submissions: readonly Pick<Submission, 'id' | 'state' | 'centerId'>[]
}

type OpenQuestion = { readonly question: Question; readonly answer: (answer: DecisionAnswer | null) => void }

export const questionStore = createStore<{ readonly open: OpenQuestion | null }>(() => ({ open: null }))

/** Shows the question; resolves with null if the person cancels. */
export function askQuestion(question: Question): Promise<DecisionAnswer | null> {
  // A question that is still open is cancelled by the new one.
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

export type ChosenCenter = { readonly id: string; readonly name: string }

type CenterChoiceProps = Pick<Question, 'submissions'> & {
  readonly chosen: ChosenCenter | null
  readonly onChoose: (center: ChosenCenter | null) => void
}

export function CenterChoice({ submissions, chosen, onChoose }: CenterChoiceProps) {
  const { value, failure } = useAnswer('centers.list', {})
  const centers = value?.items ?? []
  const nameOf = (id: string | null): string =>
    id === null
      ? t('decision:moveToCenter.noCenter')
      : (centers.find(({ centerId }) => centerId === id)?.name ?? t('decision:moveToCenter.unnamed', { id }))
  const from = Map.groupBy(submissions, ({ centerId }) => centerId)
  const fromText = [...from].map(([id, ofCenter]) =>
    from.size === 1
      ? nameOf(id)
      : t('decision:moveToCenter.many', { name: nameOf(id), count: ofCenter.length }),
  )
  // If all of them belong to one center, that center is not offered.
  const [only] = from.size === 1 ? from.keys() : []
  const choices = centers.filter(({ centerId }) => centerId !== only)
  return (
    <>
      <div className={css.centers}>
        <div className={css.from}>
          <span>{t('decision:moveToCenter.from')}</span>
          <ul role="list">
            {fromText.map((name) => (
              <li key={name}>
                <strong>{name}</strong>
              </li>
            ))}
          </ul>
        </div>
        <span className={css.arrow}>
          <IconArrowRight size={18} aria-hidden />
        </span>
        <NativeSelect
          label={t('decision:moveToCenter.to')}
          data-autofocus
          value={chosen?.id ?? ''}
          data={[
            {
              value: '',
              label:
                value || failure ? t('decision:moveToCenter.choose') : t('decision:moveToCenter.loading'),
            },
            ...choices.map(({ centerId }) => ({ value: centerId, label: nameOf(centerId) })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value
            onChoose(id === '' ? null : { id, name: nameOf(id) })
          }}
        />
      </div>
      {failure && <p className={css.trouble}>{messageOf(failure)}</p>}
      <Text className={css.sentence ?? ''} fw={600}>
        {chosen &&
          t('decision:moveToCenter.sentence', {
            count: submissions.length,
            from: fromText.join(', '),
            to: chosen.name,
          })}
      </Text>
      <Text>{t('decision:moveToCenter.means')}</Text>
    </>
  )
}

import { NativeSelect, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useAnswer } from '../store/use-answer.ts'
import { QUESTION_WORDS } from '../words/decision-words.ts'
import type { Question } from './question.ts'
import css from './question-dialog.module.css'

const WORDS = QUESTION_WORDS.moveToCenter

export type ChosenCenter = { readonly id: string; readonly name: string }

export type CenterChoiceProps = Pick<Question, 'submissions'> & {
  readonly chosen: ChosenCenter | null
  readonly onChoose: (center: ChosenCenter | null) => void
}

/** Names the centers that cases were made for beside the one that they shall be sent to. */
export function CenterChoice({ submissions, chosen, onChoose }: CenterChoiceProps) {
  const { value, failure } = useAnswer('centers.list', {})
  const centers = value?.items ?? []
  const nameOf = (id: string | null): string =>
    id === null
      ? WORDS.noCenter
      : (centers.find(({ centerId }) => centerId === id)?.name ?? WORDS.unnamed(id))
  const from = Map.groupBy(submissions, ({ centerId }) => centerId)
  const fromWords = [...from].map(([id, ofCenter]) =>
    from.size === 1 ? nameOf(id) : WORDS.many(nameOf(id), ofCenter.length),
  )
  // Where all of them were made for one center, that one is no choice.
  const [only] = from.size === 1 ? from.keys() : []
  const choices = centers.filter(({ centerId }) => centerId !== only)
  return (
    <>
      <div className={css.centers}>
        <div className={css.from}>
          <span>{WORDS.from}</span>
          <ul role="list">
            {fromWords.map((name) => (
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
          label={WORDS.to}
          data-autofocus
          value={chosen?.id ?? ''}
          data={[
            { value: '', label: value || failure ? WORDS.choose : WORDS.loading },
            ...choices.map(({ centerId }) => ({ value: centerId, label: nameOf(centerId) })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value
            onChoose(id === '' ? null : { id, name: nameOf(id) })
          }}
        />
      </div>
      {failure && <p className={css.trouble}>{failure.message}</p>}
      <Text className={css.sentence ?? ''} fw={600}>
        {chosen && WORDS.sentence(submissions.length, fromWords.join(', '), chosen.name)}
      </Text>
      <Text>{WORDS.means}</Text>
    </>
  )
}

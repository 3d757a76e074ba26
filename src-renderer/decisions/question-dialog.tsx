/** The dialog in which a person confirms a decision. */
import { IconArrowRight } from '@tabler/icons-react'
import { useAnswer } from '../store/use-station.ts'
import centerCss from './center-choice.module.css'
import { NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Caution, Form } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { type DecisionAnswer, type Question, SignatureFields, useSignature } from './decisions.tsx'

const COMMON_REASONS = ['mistake', 'test', 'otherWay'] as const

type QuestionDialogProps = {
  readonly question: Question
  readonly isOpen: boolean
  readonly onAnswer: (answer: DecisionAnswer | null) => void
  readonly onGone: () => void
}

export function QuestionDialog({ question, isOpen, onAnswer, onGone }: QuestionDialogProps) {
  return (
    <Dialog
      opened={isOpen}
      onClose={() => onAnswer(null)}
      onExitTransitionEnd={onGone}
      // The host restores the focus: this dialog is fetched only when it opens.
      returnFocus={false}
      title={t(`decision:${question.kind}.title`, { count: question.submissions.length })}
    >
      <QuestionForm question={question} onAnswer={onAnswer} />
    </Dialog>
  )
}

function QuestionForm({ question, onAnswer }: Pick<QuestionDialogProps, 'question' | 'onAnswer'>) {
  const { kind, submissions } = question
  const signature = useSignature()
  const [center, setCenter] = useState<ChosenCenter | null>(null)
  const decide = (): void => {
    if (kind === 'moveToCenter' && center === null) return
    const signed = signature.sign()
    if (signed) onAnswer(center === null ? signed : { ...signed, centerId: center.id })
  }
  return (
    <Form onSubmit={decide}>
      <Stack>
        {kind === 'discard' && <DiscardMeans submissions={submissions} />}
        {kind === 'cancel' && (
          <>
            <Text>{t('decision:cancel.means')}</Text>
            <Text c="dimmed">{t('decision:cancel.tooLate')}</Text>
          </>
        )}
        {kind === 'moveToCenter' && (
          <CenterChoice submissions={submissions} chosen={center} onChoose={setCenter} />
        )}
        <SignatureFields
          signature={signature}
          hasFocus={kind !== 'moveToCenter'}
          {...(kind !== 'cancel' && {
            usualReasons:
              kind === 'discard' ? COMMON_REASONS.map((reason) => t(`decision:discard.usual.${reason}`)) : [],
          })}
        />
        <DialogButtons
          onCancel={() => onAnswer(null)}
          back={t(`decision:${kind}.back`)}
          isFocused={false}
          color={kind === 'moveToCenter' ? 'petrol' : 'red'}
          disabled={kind === 'moveToCenter' && center === null}
        >
          {kind === 'moveToCenter' && center !== null
            ? t('decision:moveToCenter.actionTo', { name: center.name })
            : t(`decision:${kind}.action`)}
        </DialogButtons>
      </Stack>
    </Form>
  )
}

function DiscardMeans({ submissions }: Pick<Question, 'submissions'>) {
  const unsure = submissions.filter(({ state }) => state === 'unconfirmed').length
  return (
    <>
      <Text>{t('decision:discard.means', { count: submissions.length })}</Text>
      {unsure > 0 && (
        <Caution>
          {submissions.length === 1
            ? t('decision:discard.thisMayHaveArrived')
            : t('decision:discard.mayHaveArrived', { count: unsure })}
        </Caution>
      )}
    </>
  )
}

type ChosenCenter = { readonly id: string; readonly name: string }

type CenterChoiceProps = Pick<Question, 'submissions'> & {
  readonly chosen: ChosenCenter | null
  readonly onChoose: (center: ChosenCenter | null) => void
}

function CenterChoice({ submissions, chosen, onChoose }: CenterChoiceProps) {
  const { value, failure } = useAnswer('centers.list', {})
  const centers = value?.items ?? []
  const nameOf = (id: string | null): string =>
    id === null
      ? t('decision:moveToCenter.noCenter')
      : (centers.find(({ centerId }) => centerId === id)?.name ?? t('shell:center.unnamed', { id }))
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
      <div className={centerCss.centers}>
        <div className={centerCss.from}>
          <span>{t('decision:moveToCenter.from')}</span>
          <ul role="list">
            {fromText.map((name) => (
              <li key={name}>
                <strong>{name}</strong>
              </li>
            ))}
          </ul>
        </div>
        <span className={centerCss.arrow}>
          <IconArrowRight size={18} aria-hidden />
        </span>
        <NativeSelect
          label={t('decision:moveToCenter.to')}
          data-autofocus
          value={chosen?.id ?? ''}
          data={[
            {
              value: '',
              label: value || failure ? t('decision:moveToCenter.choose') : t('shell:center.loading'),
            },
            ...choices.map(({ centerId }) => ({ value: centerId, label: nameOf(centerId) })),
          ]}
          onChange={(event) => {
            const id = event.currentTarget.value
            onChoose(id === '' ? null : { id, name: nameOf(id) })
          }}
        />
      </div>
      {failure && <p className="red">{messageOf(failure)}</p>}
      <Text className={centerCss.sentence ?? ''} fw={600}>
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

/** The dialog in which a person confirms a decision. */
import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { Caution } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import { CenterChoice, type ChosenCenter, type DecisionAnswer, type Question } from './question.tsx'
import { SignatureFields, useSignature } from './signature.tsx'

const COMMON_REASONS = ['mistake', 'test', 'otherWay'] as const

export type QuestionDialogProps = {
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
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        decide()
      }}
    >
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
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(null)}>
            {t(`decision:${kind}.back`)}
          </Button>
          <Button
            type="submit"
            color={kind === 'moveToCenter' ? 'petrol' : 'red'}
            disabled={kind === 'moveToCenter' && center === null}
          >
            {kind === 'moveToCenter' && center !== null
              ? t('decision:moveToCenter.actionTo', { name: center.name })
              : t(`decision:${kind}.action`)}
          </Button>
        </Group>
      </Stack>
    </form>
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

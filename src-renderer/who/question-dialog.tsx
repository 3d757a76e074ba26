import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import { QUESTION_WORDS } from '../words/decision-words.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { CenterChoice, type ChosenCenter } from './center-choice.tsx'
import type { Answer, Question } from './question.ts'
import css from './question-dialog.module.css'
import { SignatureFields } from './signature-fields.tsx'
import { useSignature } from './use-signature.ts'

export type QuestionDialogProps = {
  readonly question: Question
  readonly isOpen: boolean
  readonly onAnswer: (answer: Answer | null) => void
  /** It has faded out. */
  readonly onGone: () => void
}

/** Says what a decision means before it is made, and asks who makes it. */
export function QuestionDialog({ question, isOpen, onAnswer, onGone }: QuestionDialogProps) {
  return (
    <Modal
      opened={isOpen}
      onClose={() => onAnswer(null)}
      onExitTransitionEnd={onGone}
      // The host brings the focus back: this dialog is fetched only when it opens.
      returnFocus={false}
      title={QUESTION_WORDS[question.kind].title(question.submissions.length)}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      <QuestionForm question={question} onAnswer={onAnswer} />
    </Modal>
  )
}

function QuestionForm({ question, onAnswer }: Pick<QuestionDialogProps, 'question' | 'onAnswer'>) {
  const { kind, submissions } = question
  const words = QUESTION_WORDS[kind]
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
            <Text>{QUESTION_WORDS.cancel.means}</Text>
            <Text c="dimmed">{QUESTION_WORDS.cancel.tooLate}</Text>
          </>
        )}
        {kind === 'moveToCenter' && (
          <CenterChoice submissions={submissions} chosen={center} onChoose={setCenter} />
        )}
        <SignatureFields
          signature={signature}
          hasFocus={kind !== 'moveToCenter'}
          {...(kind !== 'cancel' && {
            usualReasons: kind === 'discard' ? QUESTION_WORDS.discard.usual : [],
          })}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={() => onAnswer(null)}>
            {words.back}
          </Button>
          <Button
            type="submit"
            color={kind === 'moveToCenter' ? 'petrol' : 'red'}
            disabled={kind === 'moveToCenter' && center === null}
          >
            {kind === 'moveToCenter' && center !== null
              ? QUESTION_WORDS.moveToCenter.actionTo(center.name)
              : words.action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function DiscardMeans({ submissions }: Pick<Question, 'submissions'>) {
  const words = QUESTION_WORDS.discard
  const unsure = submissions.filter(({ state }) => state === 'unconfirmed').length
  return (
    <>
      <Text>{words.means(submissions.length)}</Text>
      {unsure > 0 && (
        <p className={css.caution}>
          <IconAlertTriangle size={18} aria-hidden />
          {submissions.length === 1 ? words.thisMayHaveArrived : words.mayHaveArrived(unsure)}
        </p>
      )}
    </>
  )
}

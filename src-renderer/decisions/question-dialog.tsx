/** The dialog in which a person confirms a decision. */
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Caution, Form } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useStation } from '../store/use-station.ts'
import { CenterSelect, useCenters } from './center-choice.tsx'
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
        <Whose submissions={submissions} />
        {kind === 'discard' && <DiscardMeans submissions={submissions} />}
        {kind === 'withdraw' && (
          <>
            <Caution>{t('decision:withdraw.means')}</Caution>
            <Text>{t('decision:withdraw.elsewhere')}</Text>
          </>
        )}
        {kind === 'cancel' && (
          <>
            <Text>{t('decision:cancel.means')}</Text>
            <Text c="dimmed">{t('decision:cancel.tooLate')}</Text>
          </>
        )}
        {kind === 'moveToCenter' && (
          <CenterQuestion madeFor={submissions[0]?.centerId ?? null} chosen={center} onChoose={setCenter} />
        )}
        <SignatureFields
          signature={signature}
          hasFocus={kind !== 'moveToCenter'}
          {...((kind === 'discard' || kind === 'moveToCenter') && {
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

/** Whose cases these are, as the list shows them; of many the first. */
function Whose({ submissions }: Pick<Question, 'submissions'>) {
  const names = useNames()
  const cases = useStation((state) => state.submissions)
  const named = submissions.slice(0, 5).flatMap(({ id }) => cases[id] ?? [])
  const others = submissions.length - named.length
  return (
    <Text fw={600}>
      {named.map(({ fields }) => names.patientLabel(fields)).join('; ')}{' '}
      {named.length > 0 && others > 0 && t('shell:andMore', { count: others })}
    </Text>
  )
}

function DiscardMeans({ submissions }: Pick<Question, 'submissions'>) {
  const unsure = submissions.filter(({ state }) => state === 'unconfirmed').length
  return (
    <>
      <Text>{t('decision:discard.means')}</Text>
      {unsure > 0 && <Caution>{t('decision:discard.mayHaveArrived', { count: unsure })}</Caution>}
    </>
  )
}

type ChosenCenter = { readonly id: string; readonly name: string }

type CenterQuestionProps = {
  /** The center that the case was made for; it is not offered. */
  readonly madeFor: string | null
  readonly chosen: ChosenCenter | null
  readonly onChoose: (center: ChosenCenter | null) => void
}

function CenterQuestion({ madeFor, chosen, onChoose }: CenterQuestionProps) {
  const centers = useCenters()
  const { failure, nameOf } = centers
  return (
    <>
      <Text>
        {t('decision:moveToCenter.from')} <strong>{nameOf(madeFor)}</strong>
      </Text>
      <CenterSelect
        label={t('decision:moveToCenter.to')}
        from={centers}
        except={madeFor}
        chosenId={chosen?.id ?? null}
        onChoose={(id) => onChoose(id === null ? null : { id, name: nameOf(id) })}
      />
      {failure && <p className="red">{messageOf(failure)}</p>}
      <Text>{t('decision:moveToCenter.means')}</Text>
    </>
  )
}

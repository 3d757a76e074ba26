/**
 * How a person decides: with the initials that this window keeps until it closes, because the next person is another
 * one, and after a question if the decision is an important one.
 */
import { Group, NativeSelect, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowRight, IconUser } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Submission } from '../../src-shared/submission.ts'
import { restoreFocus } from '../components/browser.tsx'
import { Caution, Dialog, DialogButtons, Form, SmallButton } from '../components/controls.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { useAnswer } from '../store/use-station.ts'
import centerCss from './center-choice.module.css'

const KEY = 'fundus-courier.initials'

/** Longer texts are names, which the audit trail must not need. */
export const MAX_INITIALS_LENGTH = 20

export const initials = createStore<{ readonly by: string }>(() => ({ by: '' }))

export function restoreInitials(storage: Pick<Storage, 'getItem' | 'setItem'>): void {
  initials.setState({ by: storage.getItem(KEY) ?? '' })
  initials.subscribe(({ by }) => storage.setItem(KEY, by))
}

export function writeInitials(by: string): void {
  initials.setState({ by: by.slice(0, MAX_INITIALS_LENGTH) })
}

/** The initials for a call that changes something, if any were entered. */
export function currentSignature(): { by?: string } {
  const by = initials.getState().by.trim()
  return by === '' ? {} : { by }
}

type Signed = { readonly by: string; readonly why?: string }

type Signature = ReturnType<typeof useSignature>

/** The initials and the reason of one decision; initials that were used once are remembered by the window. */
export function useSignature() {
  const [by, setBy] = useState(() => initials.getState().by)
  const [why, setWhy] = useState('')
  const [isMissing, setMissing] = useState(false)
  return {
    by,
    why,
    isMissing,
    writeBy: (text: string) => {
      setBy(text)
      setMissing(false)
    },
    writeWhy: setWhy,
    /** The signature, or null without initials: the field then shows an error. */
    sign(): Signed | null {
      const signed = by.trim()
      setMissing(signed === '')
      if (signed === '') return null
      writeInitials(signed)
      return why.trim() === '' ? { by: signed } : { by: signed, why: why.trim() }
    },
  }
}

const MAX_REASON_LENGTH = 500

type SignatureFieldsProps = {
  readonly signature: Signature
  /** Asks for a reason too, with the usual ones as buttons. */
  readonly usualReasons?: readonly string[]
  readonly hasFocus?: boolean
}

export function SignatureFields({ signature, usualReasons, hasFocus = false }: SignatureFieldsProps) {
  const { by, why, isMissing, writeBy, writeWhy } = signature
  const isFocusOnWhy = hasFocus && usualReasons !== undefined && by !== ''
  return (
    <>
      {usualReasons !== undefined && (
        <div>
          <TextInput
            label={t('decision:sign.why')}
            description={t('decision:sign.whyHint')}
            value={why}
            maxLength={MAX_REASON_LENGTH}
            autoComplete="off"
            data-autofocus={isFocusOnWhy || undefined}
            onChange={(event) => writeWhy(event.currentTarget.value)}
          />
          {usualReasons.length > 0 && (
            <Group gap={6} mt={8}>
              {usualReasons.map((reason) => (
                <SmallButton key={reason} aria-pressed={why === reason} onClick={() => writeWhy(reason)}>
                  {reason}
                </SmallButton>
              ))}
            </Group>
          )}
        </div>
      )}
      <TextInput
        label={t('decision:sign.initials')}
        description={t('decision:sign.initialsWhy')}
        value={by}
        maxLength={MAX_INITIALS_LENGTH}
        autoComplete="off"
        w={220}
        error={isMissing && t('decision:sign.initialsMissing')}
        data-autofocus={(hasFocus && !isFocusOnWhy) || undefined}
        onChange={(event) => writeBy(event.currentTarget.value)}
      />
    </>
  )
}

export function InitialsControl() {
  const { by } = useStore(initials)
  return (
    <Tooltip label={t('decision:who.hint')}>
      <TextInput
        w={112}
        aria-label={t('decision:who.label')}
        placeholder={t('decision:who.placeholder')}
        leftSection={<IconUser size={17} aria-hidden />}
        autoComplete="off"
        maxLength={MAX_INITIALS_LENGTH}
        value={by}
        onChange={(event) => writeInitials(event.currentTarget.value)}
      />
    </Tooltip>
  )
}

export const QUESTION_KINDS = ['discard', 'cancel', 'moveToCenter'] as const

/** The answer; the center only if the question was about it. */
export type DecisionAnswer = Signed & { readonly centerId?: string }

type Question = {
  readonly kind: (typeof QUESTION_KINDS)[number]
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

const COMMON_REASONS = ['mistake', 'test', 'otherWay'] as const

/** The dialog in which a person confirms a decision. */
export function QuestionHost() {
  const open = useStore(questionStore, (state) => state.open)
  // While a dialog fades out, it keeps its text.
  const [last, setLast] = useState<Question | null>(null)
  if (open && open.question !== last) setLast(open.question)
  const cameFrom = useRef<HTMLElement | null>(null)
  const isOpen = open !== null
  const answer = (result: DecisionAnswer | null): void => questionStore.getState().open?.answer(result)
  useEffect(() => {
    if (isOpen) cameFrom.current = focusReturnTarget(document.activeElement)
  }, [isOpen])
  if (!last) return null
  return (
    <Dialog
      opened={isOpen}
      onClose={() => answer(null)}
      onExitTransitionEnd={() => restoreFocus(cameFrom.current)}
      returnFocus={false}
      title={t(`decision:${last.kind}.title`, { count: last.submissions.length })}
    >
      <QuestionForm question={last} onAnswer={answer} />
    </Dialog>
  )
}

/** A menu item is gone by then; the button that opened the menu is not. */
function focusReturnTarget(element: Element | null): HTMLElement | null {
  const menu = element?.closest('[role="menu"]')
  const target = menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : element
  return target instanceof HTMLElement && target !== document.body ? target : null
}

type QuestionFormProps = {
  readonly question: Question
  readonly onAnswer: (answer: DecisionAnswer | null) => void
}

function QuestionForm({ question, onAnswer }: QuestionFormProps) {
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

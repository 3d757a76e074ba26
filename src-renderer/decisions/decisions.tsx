/** The initials of the person at this window, for every decision until it closes. The next person is another one. */
import { Group, TextInput, Tooltip } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { Submission } from '../../src-shared/submission.ts'
import { SmallButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'

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
    <Tooltip label={t('shell:who.hint')}>
      <TextInput
        w={112}
        aria-label={t('shell:who.placeholder')}
        placeholder={t('shell:who.placeholder')}
        leftSection={<IconUser size={17} aria-hidden />}
        autoComplete="off"
        maxLength={MAX_INITIALS_LENGTH}
        value={by}
        onChange={(event) => writeInitials(event.currentTarget.value)}
      />
    </Tooltip>
  )
}

export const QUESTION_KINDS = ['discard', 'withdraw', 'cancel', 'moveToCenter'] as const

/** The answer; the center only if the question was about it. */
export type DecisionAnswer = Signed & { readonly centerId?: string }

export type Question = {
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

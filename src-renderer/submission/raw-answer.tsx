import { Loader, Modal, Stack } from '@mantine/core'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './raw-answer.module.css'

const WORDS = SUBMISSION_WORDS.answer
/** More than any person reads; a hostile answer must not stop the window. */
const MOST_LETTERS = 20_000

export type RawAnswerProps = {
  readonly attempt: { readonly id: string; readonly number: number } | null
  readonly onClose: () => void
}

/** What the service answered to an attempt: as text, cut where it is endless, and never taken for markup. */
export function RawAnswer({ attempt, onClose }: RawAnswerProps) {
  return (
    <Modal
      opened={attempt !== null}
      onClose={onClose}
      size="xl"
      title={attempt && WORDS.title(attempt.number)}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      {attempt && <AnswerText attemptId={attempt.id} />}
    </Modal>
  )
}

function AnswerText({ attemptId }: { readonly attemptId: string }) {
  const { value, failure } = useAnswer('submissions.answer', { attemptId })
  if (failure) return <FailureNotice failure={failure} tone="amber" />
  if (value === null) return <Loader className={css.loading} aria-label={WORDS.loading} />
  const { answer } = value
  if (answer === null) return <p>{WORDS.none}</p>
  const { status, sizeBytes, text } = answer
  return (
    <Stack gap="sm">
      <p className="dim">{WORDS.explain}</p>
      <p className="tabular">
        <strong>{WORDS.facts(status, formatBytes(sizeBytes))}</strong>
      </p>
      {text === '' ? (
        <p>{WORDS.empty}</p>
      ) : (
        // A place that scrolls must be reachable by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it
        <pre className={css.text} tabIndex={0} role="region" aria-label={WORDS.text}>
          {text.slice(0, MOST_LETTERS)}
        </pre>
      )}
      {text.length > MOST_LETTERS && <p className="dim">{WORDS.cut(formatCount(MOST_LETTERS))}</p>}
    </Stack>
  )
}

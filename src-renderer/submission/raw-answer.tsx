import { Loader, Modal, Stack } from '@mantine/core'
import { formatBytes, formatCount } from '../format/numbers.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useAnswer } from '../store/use-answer.ts'
import css from './raw-answer.module.css'
import { useFields } from './fields-context.ts'
import { t } from '../words/t.ts'

/** More than any person reads; a hostile answer must not stop the window. */
const MAX_LENGTH = 20_000

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
      title={attempt && t('submission:answer.title', { number: attempt.number })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {attempt && <AnswerText attemptId={attempt.id} />}
    </Modal>
  )
}

function AnswerText({ attemptId }: { readonly attemptId: string }) {
  const { value, failure } = useAnswer('submissions.answer', { attemptId })
  const { conceal } = useFields()
  if (failure) return <FailureNotice failure={failure} tone="amber" />
  if (value === null) return <Loader className={css.loading} aria-label={t('submission:answer.loading')} />
  const { answer } = value
  if (answer === null) return <p>{t('submission:answer.none')}</p>
  const { status, sizeBytes, text } = answer
  return (
    <Stack gap="sm">
      <p className="dim">{t('submission:answer.explain')}</p>
      <p className="tabular">
        <strong>{t('submission:answer.facts', { status, size: formatBytes(sizeBytes) })}</strong>
      </p>
      {text === '' ? (
        <p>{t('submission:answer.empty')}</p>
      ) : (
        // A place that scrolls must be reachable by the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it
        <pre className={css.text} tabIndex={0} role="region" aria-label={t('submission:answer.text')}>
          {conceal(text.slice(0, MAX_LENGTH))}
        </pre>
      )}
      {text.length > MAX_LENGTH && (
        <p className="dim">{t('submission:answer.cut', { shown: formatCount(MAX_LENGTH) })}</p>
      )}
    </Stack>
  )
}

import { Button } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'
import { useState } from 'react'
import type { Attempt, SubmissionDetails } from '../../src-shared/submission.ts'
import { formatExactly, formatInstant } from '../format/instants.ts'
import { formatBytes } from '../format/numbers.ts'
import { t } from '../words/t.ts'
import css from '../parts/timeline.module.css'
import { RawAnswer } from './raw-answer.tsx'

/** What left this computer, when, how much of it, and what came back: of every attempt that may have arrived. */
export function SentFacts({ details }: { readonly details: SubmissionDetails }) {
  const [shown, setShown] = useState<Attempt | null>(null)
  const doubtful = details.attemptList
    .filter(({ outcome }) => outcome === 'unknown' || outcome === null)
    .toSorted((one, other) => other.number - one.number)
  if (doubtful.length === 0) return <p className="dim">{t('delivery:sent.none')}</p>
  return (
    <>
      <ol role="list" className={css.list}>
        {doubtful.map((attempt) => (
          <SentItem key={attempt.id} attempt={attempt} onShow={() => setShown(attempt)} />
        ))}
      </ol>
      <p className={css.small}>{t('delivery:sent.under', { reference: details.reference })}</p>
      <RawAnswer attempt={shown} onClose={() => setShown(null)} />
    </>
  )
}

function SentItem({ attempt, onShow }: { readonly attempt: Attempt; readonly onShow: () => void }) {
  const { number, handedOverBytes, requestBytes, centerId, failure, hasAnswer, startedAt } = attempt
  const all = formatBytes(requestBytes)
  return (
    <li className={css.item} data-outcome="unknown">
      <p className={css.line}>
        <strong>
          {handedOverBytes >= requestBytes
            ? t('delivery:sent.all', { size: all })
            : t('delivery:sent.part', { sent: formatBytes(handedOverBytes), all })}
        </strong>
        <time className="tabular" title={formatExactly(startedAt)}>
          {formatInstant(startedAt)}
        </time>
      </p>
      <p className={css.small}>
        {[
          t('delivery:sent.attempt', { number }),
          ...(centerId === null ? [] : [t('delivery:sent.center', { id: centerId })]),
        ].join(' ')}
      </p>
      <p className={css.small}>
        {failure?.status !== undefined
          ? t('delivery:sent.answered', { status: failure.status })
          : hasAnswer
            ? t('delivery:sent.answeredUnread')
            : t('delivery:sent.noAnswer')}
      </p>
      {hasAnswer && (
        <Button
          size="compact-sm"
          variant="default"
          my={4}
          leftSection={<IconFileCode size={15} aria-hidden />}
          aria-label={t('delivery:sent.showOf', { number })}
          onClick={onShow}
        >
          {t('delivery:sent.show')}
        </Button>
      )}
    </li>
  )
}

import { Button } from '@mantine/core'
import { IconFileCode } from '@tabler/icons-react'
import { useState } from 'react'
import { FAILURE_TEXTS } from '../../src-shared/failure.ts'
import type { Attempt } from '../../src-shared/submission.ts'
import { formatExactly, formatInstant } from '../format/instants.ts'
import { formatBytes } from '../format/numbers.ts'
import css from './about.module.css'
import { useFields } from './fields-context.ts'
import { RawAnswer } from './raw-answer.tsx'
import screen from './submission-screen.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** Every try to deliver, the latest first, with what it came to. */
export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  const [shown, setShown] = useState<Attempt | null>(null)
  return (
    <section className={screen.block} aria-labelledby="block-attempts">
      <h2 id="block-attempts" className={screen.blockTitle}>
        {t('submission:attempts.title')}
      </h2>
      {attempts.length === 0 ? (
        <p className="dim">{t('submission:attempts.none')}</p>
      ) : (
        <ol role="list" className={css.list}>
          {attempts
            .toSorted((one, other) => other.number - one.number)
            .map((attempt) => (
              <AttemptItem key={attempt.id} attempt={attempt} onShow={() => setShown(attempt)} />
            ))}
        </ol>
      )}
      <RawAnswer attempt={shown} onClose={() => setShown(null)} />
    </section>
  )
}

type AttemptItemProps = { readonly attempt: Attempt; readonly onShow: () => void }

function AttemptItem({ attempt, onShow }: AttemptItemProps) {
  const { conceal } = useFields()
  const { number, outcome, hasAnswer, failure, handedOverBytes, requestBytes, centerId, startedAt } = attempt
  const facts = [
    t('submission:attempts.bytes', { sent: formatBytes(handedOverBytes), all: formatBytes(requestBytes) }),
    ...(centerId === null ? [] : [t('submission:attempts.center', { id: centerId })]),
    ...(failure?.status === undefined ? [] : [t('part:status', { status: failure.status })]),
  ]
  return (
    <li className={css.item} data-outcome={outcome ?? 'open'}>
      <p className={css.line}>
        <span>{t('submission:attempts.number', { number })}</span>
        <strong>
          {outcome === null ? t('submission:attempts.open') : t(`submission:outcome.${outcome}`)}
        </strong>
        <time className="tabular" title={formatExactly(startedAt)}>
          {formatInstant(startedAt)}
        </time>
      </p>
      {failure && (
        <p className={css.small}>
          {said(FAILURE_TEXTS[failure.kind].title)}
          {failure.serviceSaid !== undefined && (
            <>
              {'. '}
              {t('part:serviceSaid')} <q>{conceal(failure.serviceSaid)}</q>
            </>
          )}
        </p>
      )}
      <p className={`${css.small} tabular`}>{facts.join(' \u00b7 ')}</p>
      {hasAnswer && (
        <Button
          size="compact-sm"
          variant="default"
          mt={4}
          leftSection={<IconFileCode size={15} aria-hidden />}
          aria-label={t('submission:attempts.answerOf', { number })}
          onClick={onShow}
        >
          {t('submission:attempts.answer')}
        </Button>
      )}
    </li>
  )
}

import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import css from './about.module.css'
import screen from './submission-screen.module.css'
import { t } from '../words/t.ts'

/** The facts that nobody types. */
export function About({ details }: { readonly details: SubmissionDetails }) {
  const { addedAt, centerId, caseId, sentAt, confirmedAt, hasReport } = details
  return (
    <section className={screen.block} aria-labelledby="block-about">
      <h2 id="block-about" className={screen.blockTitle}>
        {t('submission:facts.title')}
      </h2>
      <dl className={css.facts}>
        <Fact name={t('submission:facts.added')}>{formatExactly(addedAt)}</Fact>
        <Fact name={t('submission:facts.center')}>{centerId ?? t('submission:facts.noCenter')}</Fact>
        {caseId !== null && (
          <Fact name={t('submission:facts.caseId')}>
            <Anchor href={writeRoute({ screen: 'cases', caseId })}>{caseId}</Anchor>
          </Fact>
        )}
        {sentAt !== null && <Fact name={t('submission:facts.sentAt')}>{formatExactly(sentAt)}</Fact>}
        {sentAt !== null && (
          <Fact name={t('submission:facts.confirmedAt')}>
            {confirmedAt === null ? t('submission:facts.notConfirmed') : formatExactly(confirmedAt)}
          </Fact>
        )}
      </dl>
      <p className={css.links}>
        {hasReport && caseId !== null && (
          <Anchor href={writeRoute({ screen: 'reports', caseId, submissionId: details.id })} fw={600}>
            {t('submission:facts.openReport')}
          </Anchor>
        )}
        <Anchor href={writeRoute({ screen: 'activity', submissionId: details.id })}>
          {t('submission:facts.activity')}
        </Anchor>
      </p>
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  )
}

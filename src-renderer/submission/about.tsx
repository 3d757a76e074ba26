import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './about.module.css'
import screen from './submission-screen.module.css'

const WORDS = SUBMISSION_WORDS.facts

/** The facts that nobody types. */
export function About({ details }: { readonly details: SubmissionDetails }) {
  const { addedAt, centerId, caseId, sentAt, confirmedAt, hasReport } = details
  return (
    <section className={screen.block} aria-labelledby="block-about">
      <h2 id="block-about" className={screen.blockTitle}>
        {WORDS.title}
      </h2>
      <dl className={css.facts}>
        <Fact name={WORDS.added}>{formatExactly(addedAt)}</Fact>
        <Fact name={WORDS.center}>{centerId ?? WORDS.noCenter}</Fact>
        {caseId !== null && <Fact name={WORDS.caseId}>{caseId}</Fact>}
        {sentAt !== null && <Fact name={WORDS.sentAt}>{formatExactly(sentAt)}</Fact>}
        {sentAt !== null && (
          <Fact name={WORDS.confirmedAt}>
            {confirmedAt === null ? WORDS.notConfirmed : formatExactly(confirmedAt)}
          </Fact>
        )}
      </dl>
      <p className={css.links}>
        {hasReport && caseId !== null && (
          <Anchor href={writeRoute({ screen: 'reports', caseId })} fw={600}>
            {WORDS.openReport}
          </Anchor>
        )}
        <Anchor href={writeRoute({ screen: 'activity', submissionId: details.id })}>{WORDS.activity}</Anchor>
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

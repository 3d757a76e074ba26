/** A case that is opened: what is shown until it is read or if it cannot be, and whose it is. */
import { Group } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Proof } from '../../src-shared/proof.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { CopyAction, FailureNotice } from '../components/controls.tsx'
import { failureOfKind, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useStation } from '../store/use-station.ts'
import { useOpenElsewhere } from '../store/windows.ts'
import { CaseContext, useCase, useOpenCase, useSubmission } from './form.ts'
import css from './submission-screen.module.css'

/** How the case is read: is it read again, and by what did that fail? And whose number nearly is this one. */
export type CaseReading = Omit<ReturnType<typeof useSubmission>, 'details' | 'proof' | 'take'>

type OpenedCaseProps = {
  readonly id: string
  readonly heading: 'h1' | 'h2'
  /** In its place while it is read. */
  readonly waiting: ReactNode
  readonly children: (reading: CaseReading) => ReactNode
}

export function OpenedCase({ id, heading: Heading, waiting, children }: OpenedCaseProps) {
  const { details, proof, take, ...reading } = useSubmission(id)
  const settings = useStation((station) => station.settings)
  // The answer may still be that of the case before.
  if (details?.id !== id) {
    if (reading.failure === null) return waiting
    return (
      <div className={css.screen}>
        <FailureNotice failure={reading.failure} />
      </div>
    )
  }
  if (details.unreadable !== undefined)
    return (
      <div className={css.screen}>
        <Group gap={6}>
          <Heading>{details.reference}</Heading>
          <CopyAction text={details.reference} />
        </Group>
        <FailureNotice failure={failureOfKind('caseUnreadable')} />
      </div>
    )
  // Without the clinic's units a value would be read wrongly.
  if (!proof || !settings) return waiting
  return (
    <Opened details={details} proof={proof} settings={settings} take={take}>
      {children(reading)}
    </Opened>
  )
}

type OpenedProps = {
  readonly details: SubmissionDetails
  readonly proof: Proof
  readonly settings: ShownSettings
  readonly take: (changed: SubmissionDetails) => void
  readonly children: ReactNode
}

function Opened({ details, proof, settings, take, children }: OpenedProps) {
  return <CaseContext value={useOpenCase(details, proof, settings, take)}>{children}</CaseContext>
}

/** Whose case it is. People compare the number: the name is cut off first. */
export function CaseHeading({ heading: Heading }: Pick<OpenedCaseProps, 'heading'>) {
  const { details } = useCase()
  const { id, state, fields, reference, erasedAt } = details
  const names = useNames()
  const elsewhere = useOpenElsewhere(id)
  const people = [...new Set(elsewhere)].filter(Boolean)
  const ref = useRef<HTMLHeadingElement>(null)
  // A new screen is read from its heading, not from the previous focus.
  useEffect(() => {
    if (Heading === 'h1') ref.current?.focus({ preventScroll: true })
  }, [Heading])
  return (
    <div className={css.heading}>
      <Heading ref={ref} tabIndex={-1} className="truncate">
        {erasedAt === null ? (
          <>
            <bdi className={css.number}>{fields.history_number ?? t('queue:noHistoryNumber')}</bdi>{' '}
            <bdi>{names.titleOf(details)}</bdi>
          </>
        ) : (
          t('queue:erased')
        )}
      </Heading>
      {state !== 'review' && state !== 'incomplete' && <CaseBadge of={details} size="md" />}
      <span role="status" className={css.elsewhere}>
        {people.length > 0
          ? t('submission:openElsewhere.by', { by: people.join(', '), count: people.length })
          : elsewhere.length > 0 && t('submission:openElsewhere.window')}
      </span>
      <span className="grow" />
      <span className="mono dim" title={t('submission:reference')}>
        {reference}
      </span>
      <CopyAction text={reference} />
    </div>
  )
}

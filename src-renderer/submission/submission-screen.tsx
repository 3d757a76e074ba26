import { Loader } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import { failureOf } from '../../src-shared/failure.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { unlessBehindDialog } from '../parts/behind-dialog.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useNames } from '../privacy/use-names.ts'
import { About } from './about.tsx'
import { Attempts } from './attempts.tsx'
import { ClinicalBlock } from './clinical-block.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { EarlierPanel } from './earlier-panel.tsx'
import { Evidence } from './evidence.tsx'
import { FieldsContext, useFieldsOf } from './fields-context.ts'
import { ImagesBoard } from './images-board.tsx'
import { MeasurementsBlock } from './measurements-block.tsx'
import { MissingList } from './missing-list.tsx'
import { PatientBlock } from './patient-block.tsx'
import css from './submission-screen.module.css'
import { SendingPanel } from './sending-panel.tsx'
import { SubmissionHeader } from './submission-header.tsx'
import { useSaving } from './use-saving.ts'
import { useSubmission, type ShownSubmission } from './use-submission.ts'
import type { Words } from '../words/english.ts'
import { t } from '../words/t.ts'

/** One submission: its images, what is known of the patient and the visit, and what became of it. */
export function SubmissionScreen({ id }: { readonly id: string }) {
  const shown = useSubmission(id)
  if (shown.details?.unreadable !== undefined)
    return (
      <div className={css.screen}>
        <h1>{shown.details.reference}</h1>
        <FailureNotice failure={failureOf('caseUnreadable')} />
      </div>
    )
  if (shown.details) return <Loaded details={shown.details} shown={shown} />
  return (
    <div className={css.screen}>
      {shown.failure ? (
        <FailureNotice failure={shown.failure} />
      ) : (
        <Loader className={css.loading} aria-label={t('submission:title', { who: '' })} />
      )}
    </div>
  )
}

type LoadedProps = { readonly details: SubmissionDetails; readonly shown: ShownSubmission }

function Loaded({ details, shown }: LoadedProps) {
  const fields = useFieldsOf(details)
  const names = useNames()
  const saving = useSaving(details, shown.take)
  useHotkeys(
    [
      ['mod+S', unlessBehindDialog(() => void saving.save())],
      ['mod+Enter', unlessBehindDialog(() => void saving.saveAndSend())],
    ],
    [],
  )
  const heading = useRef<HTMLHeadingElement>(null)
  // A new screen is read from its heading, not from wherever the focus was.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const { state, failure, attemptList, evidence } = details
  return (
    <FieldsContext value={fields}>
      <SubmissionHeader
        details={details}
        saving={saving}
        headingRef={heading}
        onChanged={shown.take}
        patient={names.patientLabel(details.fields)}
      />
      <div className={css.screen}>
        {state === 'unconfirmed' && <DecisionPanel details={details} onDecided={shown.take} />}
        {failure !== null && state !== 'unconfirmed' && state !== 'sent' && (
          <FailureNotice
            failure={{
              ...failure,
              ...(failure.serviceSaid !== undefined && { serviceSaid: fields.conceal(failure.serviceSaid) }),
            }}
            tone={state === 'refused' ? 'red' : 'amber'}
          />
        )}
        <MissingList details={details} />
        <EarlierPanel details={details} saving={saving} />
        {state === 'sending' && <SendingPanel id={details.id} />}
        {fields.isFrozen && state !== 'unconfirmed' && state !== 'sending' && (
          <p className={css.frozen}>{t(`submission:frozen.${frozenTextKey(state)}`)}</p>
        )}
        <div className={css.columns}>
          <div className={css.column}>
            <ImagesBoard details={details} isFrozen={fields.isFrozen} onChanged={shown.take} />
            <About details={details} />
            <Attempts attempts={attemptList} />
            {state !== 'unconfirmed' && evidence.length > 0 && (
              <section className={css.block}>
                <h2 className={css.blockTitle}>{t('submission:evidence.title')}</h2>
                <Evidence evidence={evidence} />
              </section>
            )}
          </div>
          <form
            className={css.column}
            onSubmit={(event) => event.preventDefault()}
            onBlur={saving.leave}
            noValidate
          >
            <PatientBlock />
            <MeasurementsBlock />
            <ClinicalBlock />
          </form>
        </div>
      </div>
    </FieldsContext>
  )
}

function frozenTextKey(state: SubmissionDetails['state']): keyof Words['submission']['frozen'] {
  return state === 'discarded' ? state : 'sent'
}

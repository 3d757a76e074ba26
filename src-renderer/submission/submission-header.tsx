/** The screen of one submission, with its header. */
import { Button, Group, Loader } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowLeft, IconSend } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { Proof } from '../../src-shared/proof.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { CaseBadge } from '../components/badges.tsx'
import { unlessBehindDialog } from '../components/browser.tsx'
import { ActionButton, CopyAction, FailureNotice } from '../components/controls.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { failureOfKind, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { useStation } from '../store/use-station.ts'
import { useDiscardUntouched } from './add-images.tsx'
import { isSendable, type Saving, useSaving } from './autosave.ts'
import { CaseQuestions, MoreActions } from './case-questions.tsx'
import { CheckPanel } from './check.tsx'
import { History } from './delivery.tsx'
import { CaseContext, useCase, useOpenCase, useSubmission } from './form.ts'
import { ImagesBoard } from './images-board.tsx'
import { MeasurementsBlock } from './measurements.tsx'
import { patientsQuestionOf } from './patients-question.tsx'
import { Block, ClinicalBlock, PatientBlock, SaveNote } from './field-input.tsx'
import css from './submission-screen.module.css'

function SubmissionHeader({ saving }: { readonly saving: Saving }) {
  const { details } = useCase()
  const { state, fields, reference } = details
  const names = useNames()
  const heading = useRef<HTMLHeadingElement>(null)
  // A new screen is read from its heading, not from the previous focus.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={css.header}>
      <Button
        component="a"
        href="#/queue"
        variant="subtle"
        color="gray"
        px={10}
        leftSection={<IconArrowLeft size={17} aria-hidden />}
      >
        {t('shell:screens.queue')}
      </Button>
      <div className={css.who}>
        <h1
          className={css.heading}
          ref={heading}
          tabIndex={-1}
          aria-label={t('submission:title', { who: names.patientLabel(fields) })}
        >
          <span className={css.number} title={fields.history_number}>
            {fields.history_number ?? t('queue:noHistoryNumber')}
          </span>
          <span className="truncate">{names.nameOf(fields) ?? t('queue:noName')}</span>
        </h1>
        <p className={css.sub}>
          {fields.visit_date && <span>{formatCalendarDay(fields.visit_date)}</span>}
          <span className="mono" title={t('submission:reference')}>
            {reference}
          </span>
          <CopyAction text={reference} />
        </p>
      </div>
      <CaseBadge of={details} size="md" />
      <span className={css.gap} />
      <Group gap={8} wrap="nowrap">
        <SaveNote state={saving.state} />
        {isSendable(state) && (
          <ActionButton
            variant="filled"
            size="md"
            px={20}
            icon={IconSend}
            loading={saving.isBusy}
            onClick={() => void saving.saveAndSend()}
          >
            {t(`submission:send.${state}`)}
          </ActionButton>
        )}
        <MoreActions hasSend={isSendable(state)} />
      </Group>
    </div>
  )
}

export function SubmissionScreen({ id }: { readonly id: string }) {
  const { details, proof, failure, isReading, take } = useSubmission(id)
  const settings = useStation((station) => station.settings)
  useDiscardUntouched(id)
  if (details?.unreadable !== undefined)
    return (
      <div className={css.screen}>
        <Group gap={6}>
          <h1>{details.reference}</h1>
          <CopyAction text={details.reference} />
        </Group>
        <FailureNotice failure={failureOfKind('caseUnreadable')} />
      </div>
    )
  // Without the clinic's units a value would be read wrongly.
  if (details && proof && settings)
    return <Loaded details={details} proof={proof} settings={settings} isReading={isReading} take={take} />
  return (
    <div className={css.screen}>
      {failure ? (
        <FailureNotice failure={failure} />
      ) : (
        <Loader display="block" m="80px auto" aria-label={t('submission:title', { who: '' })} />
      )}
    </div>
  )
}

type LoadedProps = {
  readonly details: SubmissionDetails
  readonly proof: Proof
  readonly settings: ShownSettings
  readonly isReading: boolean
  readonly take: (changed: SubmissionDetails) => void
}

function Loaded({ details, proof, settings, isReading, take }: LoadedProps) {
  const open = useOpenCase(details, proof, settings, take)
  const saving = useSaving(open)
  useHotkeys(
    [
      ['mod+S', unlessBehindDialog(() => void saving.save())],
      ['mod+Enter', unlessBehindDialog(() => void saving.saveAndSend())],
    ],
    [],
  )
  const { state } = details
  const question = open.isFrozen ? null : patientsQuestionOf(details, proof)
  return (
    <CaseContext value={open}>
      <SubmissionHeader saving={saving} />
      <div className={css.screen}>
        <CaseQuestions question={question} />
        <div className={css.columns}>
          <div className={css.column}>
            <ImagesBoard />
            {/* The panel of a case in doubt has it: a person decides by it. */}
            {state !== 'unconfirmed' && (
              <Block id="history" title={t('submission:history')}>
                <History />
              </Block>
            )}
          </div>
          <form
            className={css.column}
            onSubmit={(event) => event.preventDefault()}
            onBlur={saving.leave}
            noValidate
          >
            <CheckPanel isReading={isReading} askedAbove={question === null ? null : 'patient'} />
            <PatientBlock />
            <MeasurementsBlock />
            <ClinicalBlock />
          </form>
        </div>
      </div>
    </CaseContext>
  )
}

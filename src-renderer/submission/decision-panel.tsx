/** Candidates, confirmation and case choice for decisions about a delivery. */
import { Button, Checkbox, Loader, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { moveFocus } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { ListedCase } from '../../src-shared/case.ts'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { StateBadge } from '../components/badges.tsx'
import { FailureNotice, Caution as Sentence } from '../components/notices.tsx'
import { SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { formatCalendarDay } from '../format/dates.ts'
import { messageOf, t } from '../i18n/i18n.ts'
import { useNames } from '../privacy/names.tsx'
import { MERGEABLE_STATES } from '../queue/selection-dialogs.tsx'
import { shownStateOf } from '../store/state.ts'
import { useAnswer, useCall } from '../store/use-station.ts'
import {
  candidateIds,
  compareCase,
  type Compared,
  firstUnconfirmedAt,
  ourFacts,
  type OurFacts,
  summarizeComparison,
} from './compare.ts'
import type { Caution } from './delivery.tsx'
import css from './grouping.module.css'
import { Cautions } from './missing-list.tsx'

export type Candidate = {
  readonly caseId: string
  /** Null if the service's list does not contain it. */
  readonly compared: readonly Compared[] | null
}

export type Candidates = {
  readonly ours: OurFacts
  readonly items: readonly Candidate[]
  readonly list: 'reading' | 'read' | 'unreadable'
  readonly readAt: number | null
  readonly readAgain: () => void
}

export function useCandidates(details: SubmissionDetails, found: readonly string[]): Candidates {
  const { value, failure, readAgain } = useAnswer('cases.list', {})
  // Each lookup may have read another list.
  const lookupCount = details.evidence.length
  const seen = useRef(lookupCount)
  useEffect(() => {
    if (seen.current === lookupCount) return
    seen.current = lookupCount
    readAgain()
  }, [lookupCount, readAgain])

  const ours = useMemo(
    () => ({ submission: details, sentAt: firstUnconfirmedAt(details.attemptList) }),
    [details],
  )
  const items = useMemo(() => {
    const listed = value?.items ?? []
    const byId = new Map<string, ListedCase>(listed.map((one) => [one.caseId, one]))
    return candidateIds(found, ours, listed).map((caseId): Candidate => {
      const theirs = byId.get(caseId)
      return { caseId, compared: theirs === undefined ? null : compareCase(ours, theirs) }
    })
  }, [value, ours, found])
  return {
    ours: ourFacts(ours),
    items,
    list: value !== null ? 'read' : failure ? 'unreadable' : 'reading',
    readAt: value?.readAt ?? null,
    readAgain,
  }
}

export type Decision = { readonly delivered: true; readonly caseId: string } | { readonly delivered: false }

type ConfirmDecisionProps = {
  readonly id: string
  readonly decision: Decision | null
  readonly cautions: readonly Caution[]
  readonly candidates: readonly Candidate[]
  readonly onClose: () => void
  readonly onResolved: (details: SubmissionDetails) => void
}

export function ConfirmDecision({ decision, onClose, ...rest }: ConfirmDecisionProps) {
  return (
    <Dialog
      opened={decision !== null}
      onClose={onClose}
      title={
        decision?.delivered
          ? t('submission:decision.there.confirmTitle', { id: decision.caseId })
          : t('submission:decision.absent.confirmTitle')
      }
    >
      {decision && <DecisionForm {...rest} decision={decision} onClose={onClose} />}
    </Dialog>
  )
}

type DecisionFormProps = Omit<ConfirmDecisionProps, 'decision'> & { readonly decision: Decision }

function DecisionForm({ id, decision, cautions, candidates, onClose, onResolved }: DecisionFormProps) {
  const signature = useSignature()
  const [hasChecked, setChecked] = useState(false)
  // Shown beside the question. If the station objects and can be overruled, the same answer again insists.
  const { isBusy, failure, call } = useCall()
  const decide = async (): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    const resolved = await call('submissions.resolve', {
      id,
      delivered: decision.delivered,
      ...signed,
      ...(decision.delivered && { caseId: decision.caseId }),
      // Only after the station's own objection was shown here: a failure on the way is no objection.
      ...(failure?.overruledBy === 'insists' && { insists: true }),
    })
    if (!resolved) return
    onClose()
    onResolved(resolved)
  }
  const isComplete = signature.by.trim() !== '' && (decision.delivered || hasChecked)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) void decide()
      }}
    >
      <Stack>
        <Text>
          {decision.delivered ? t('submission:decision.there.confirm') : t('submission:decision.absent.risk')}
        </Text>
        {decision.delivered ? (
          <Comparison caseId={decision.caseId} candidates={candidates} />
        ) : (
          <>
            <Cautions cautions={cautions} />
            <Checkbox
              label={t('submission:decision.absent.looked')}
              checked={hasChecked}
              onChange={(event) => setChecked(event.currentTarget.checked)}
            />
          </>
        )}
        <SignatureFields signature={signature} />
        {failure && <FailureNotice failure={failure} tone="amber" />}
        <DialogButtons onCancel={onClose}>
          <Button
            type="submit"
            color={decision.delivered ? 'petrol' : 'red'}
            disabled={!isComplete}
            loading={isBusy}
          >
            {failure !== null
              ? t('delivery:again')
              : decision.delivered
                ? t('submission:decision.there.confirmAction')
                : t('submission:decision.absent.confirmAction')}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  )
}

function list(facts: readonly Compared['what'][]): string {
  return facts.map((what) => t(`delivery:compare.fields.${what}`).toLocaleLowerCase()).join(', ')
}

function Comparison({
  caseId,
  candidates,
}: {
  readonly caseId: string
  readonly candidates: readonly Candidate[]
}) {
  const compared = candidates.find((one) => one.caseId === caseId)?.compared ?? []
  const { same, differs } = summarizeComparison(compared)
  if (differs.length > 0)
    return (
      <Sentence>
        {t('delivery:compare.differs', { count: differs.length, id: caseId, what: list(differs) })}
      </Sentence>
    )
  return same.length > 0 ? (
    <p>{t('delivery:compare.agrees', { id: caseId, what: list(same) })}</p>
  ) : (
    <Sentence>{t('delivery:compare.unknown', { id: caseId })}</Sentence>
  )
}

const PAUSE_MS = 250
const MAX_CASES = 30

type CaseChoiceProps = {
  readonly exceptId: string
  readonly chosenId: string | null
  readonly onChoose: (submission: Submission) => void
}

export function CaseChoice({ exceptId, chosenId, onChoose }: CaseChoiceProps) {
  const names = useNames()
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS)
  const { value, failure, isReading } = useAnswer('submissions.list', {
    state: [...MERGEABLE_STATES],
    // One more, because the list may contain the case itself.
    limit: MAX_CASES + 1,
    ...(search !== '' && { search }),
  })
  const cases = (value?.items ?? []).filter(({ id }) => id !== exceptId).slice(0, MAX_CASES)
  return (
    <div className={css.choice} onKeyDown={(event) => moveFocus(event, '[data-case]')}>
      <TextInput
        role="searchbox"
        data-autofocus
        label={t('submission:grouping.search')}
        placeholder={t('queue:search')}
        autoComplete="off"
        leftSection={<IconSearch size={17} aria-hidden />}
        rightSection={isReading && <Loader size={15} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {failure && <p className={css.trouble}>{messageOf(failure)}</p>}
      <div className={css.cases} role="group" aria-label={t('submission:grouping.cases')}>
        {value && cases.length === 0 && <p className={css.nothing}>{t('submission:grouping.noCases')}</p>}
        {cases.map((one) => (
          <UnstyledButton
            key={one.id}
            data-case={one.id}
            className={css.case}
            aria-pressed={one.id === chosenId}
            onClick={() => onChoose(one)}
          >
            <span className={css.who}>
              <strong className="truncate">{one.fields.history_number ?? t('queue:noHistoryNumber')}</strong>
              <span className="truncate">{names.nameOf(one.fields) ?? t('queue:noName')}</span>
            </span>
            <span className="tabular">
              {one.fields.visit_date ? formatCalendarDay(one.fields.visit_date) : t('queue:noDate')}
            </span>
            <StateBadge state={shownStateOf(one)} />
          </UnstyledButton>
        ))}
      </div>
    </div>
  )
}

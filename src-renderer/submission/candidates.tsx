/** The service's cases that may be an unconfirmed one: compared with ours, and the confirmation of a choice. */
import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Caution as Sentence, FailureNotice, Form } from '../components/controls.tsx'
import { DialogButtons } from '../components/dialog.tsx'
import type { ListedCase } from '../../src-shared/case.ts'
import { DAY, MINUTE } from '../../src-shared/durations.ts'
import type { Attempt, Submission } from '../../src-shared/submission.ts'
import { SignatureFields, useSignature } from '../decisions/decisions.tsx'
import { foldText, t } from '../i18n/i18n.ts'
import { useAnswer, useCall } from '../store/use-station.ts'
import type { Caution } from './delivery.tsx'
import { useCase } from './form.ts'

/** A fact that one of them lacks is evidence neither for nor against. */
type Verdict = 'same' | 'differs' | 'unsaid'

export type Compared = {
  readonly what: keyof ReturnType<typeof ourFacts>
  /** As text; instants verbatim. */
  readonly theirs: string | null
  readonly verdict: Verdict
}

type OurCase = {
  readonly submission: Pick<Submission, 'id' | 'reference' | 'fields'>
  /** When the first unconfirmed attempt began; null if none is known here. */
  readonly sentAt: number | null
}

/** Later attempts do not matter: the case may be the result of the first. */
export function firstUnconfirmedAt(
  attempts: readonly Pick<Attempt, 'outcome' | 'startedAt'>[],
): number | null {
  return attempts.find(({ outcome }) => outcome === 'unknown' || outcome === null)?.startedAt ?? null
}

/** The facts of our own case in their order on the screen, also if the service lists none to compare with. */
function ourFacts({ submission: { fields, reference }, sentAt }: OurCase) {
  return {
    reference,
    historyNumber: fields.history_number ?? null,
    lastName: fields.last_name ?? null,
    firstName: fields.first_name ?? null,
    visitDate: fields.visit_date ?? null,
    created: sentAt === null ? null : new Date(sentAt).toISOString(),
    state: null,
    boundTo: null,
  }
}

/** Compares a case of the service with ours, fact by fact. Pure. */
export function compareCase(our: OurCase, theirs: ListedCase): Compared[] {
  const { submission, sentAt } = our
  const ours = ourFacts(our)
  const row = (
    what: Compared['what'],
    other: string | null,
    verdict: Verdict = verdictOf(ours[what], other),
  ): Compared => ({ what, theirs: other, verdict })
  const isOfAnother = theirs.submissionId !== null && theirs.submissionId !== submission.id
  return [
    row('reference', referenceIn(theirs, submission.reference)),
    row('historyNumber', theirs.historyNumber),
    row('lastName', theirs.lastName),
    row('firstName', theirs.firstName),
    row('visitDate', theirs.visitDate?.slice(0, 10) ?? null),
    row('created', theirs.createdAt, verdictOnTimes(sentAt, theirs.createdAt)),
    row('state', theirs.state),
    row('boundTo', isOfAnother ? (theirs.reference ?? '') : null, isOfAnother ? 'differs' : 'unsaid'),
  ]
}

const plain = (text: string): string => foldText(text).replaceAll(/\s+/g, ' ').trim()

function verdictOf(ours: string | null, theirs: string | null): Verdict {
  if (ours === null || theirs === null || plain(ours) === '' || plain(theirs) === '') return 'unsaid'
  return plain(ours) === plain(theirs) ? 'same' : 'differs'
}

/** A time without a zone may be in any zone: it cannot be ordered. */
const WITH_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{1,2}:\d{2}[\d:.,]* ?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

/** Both clocks may be slightly wrong. */
const CLOCK_TOLERANCE_MS = 15 * MINUTE

/** A case created before ours was sent is another one; one from about that time may be ours. */
function verdictOnTimes(sentAt: number | null, createdAt: string | null): Verdict {
  const created = createdAt !== null && WITH_ZONE.test(createdAt) ? Date.parse(createdAt) : NaN
  if (sentAt === null || Number.isNaN(created)) return 'unsaid'
  if (created < sentAt - CLOCK_TOLERANCE_MS) return 'differs'
  return created < sentAt + DAY ? 'same' : 'unsaid'
}

/** The reference in any field of the case: ours if present, else another station's. */
function referenceIn({ raw }: ListedCase, ours: string): string | null {
  const text = JSON.stringify(raw)
  return text.includes(ours) ? ours : (/\bFC[0-9A-HJKMNP-TV-Z]{9}\b/.exec(text)?.[0] ?? null)
}

export function summarizeComparison(
  compared: readonly Compared[],
): Readonly<Record<'same' | 'differs', readonly Compared['what'][]>> {
  const those = (verdict: Verdict): Compared['what'][] =>
    compared.filter((one) => one.verdict === verdict).map(({ what }) => what)
  return { same: those('same'), differs: those('differs') }
}

/** More columns cannot be compared on one screen. */
const MAX_CANDIDATES = 4

/** The cases to choose from: first those found by lookups, then unassigned ones of this patient in the list. */
export function candidateIds(
  found: readonly string[],
  { submission }: Pick<OurCase, 'submission'>,
  listed: readonly ListedCase[],
): string[] {
  const number = submission.fields.history_number ?? ''
  const ofPatient = listed.filter(
    ({ historyNumber, submissionId }) => submissionId === null && verdictOf(number, historyNumber) === 'same',
  )
  return [...new Set([...found, ...ofPatient.map(({ caseId }) => caseId)])].slice(
    0,
    Math.max(MAX_CANDIDATES, found.length),
  )
}

export type Candidate = {
  readonly caseId: string
  /** Null if the service's list does not contain it. */
  readonly compared: readonly Compared[] | null
}

export type Candidates = ReturnType<typeof useCandidates>

export function useCandidates(found: readonly string[]) {
  const { details } = useCase()
  // Each lookup may have read another list.
  const { value, failure, readAgain } = useAnswer('cases.list', {}, details.evidence.length)
  const ours = { submission: details, sentAt: firstUnconfirmedAt(details.attemptList) }
  const listed = value?.items ?? []
  const byId = new Map(listed.map((one) => [one.caseId, one]))
  const items = candidateIds(found, ours, listed).map((caseId): Candidate => {
    const theirs = byId.get(caseId)
    return { caseId, compared: theirs === undefined ? null : compareCase(ours, theirs) }
  })
  return {
    ours: ourFacts(ours),
    items,
    list: value !== null ? 'read' : failure ? 'unreadable' : 'reading',
    readAt: value?.readAt ?? null,
    readAgain,
  }
}

export type Decision = { readonly delivered: true; readonly caseId: string } | { readonly delivered: false }

type DecisionFormProps = {
  readonly decision: Decision
  readonly cautions: readonly Caution[]
  readonly candidates: readonly Candidate[]
  readonly onClose: () => void
}

/** Asks for the signature of a decision; shown in a dialog. */
export function DecisionForm({ decision, cautions, candidates, onClose }: DecisionFormProps) {
  const { details, take } = useCase()
  const { id } = details
  const signature = useSignature()
  const [hasChecked, setChecked] = useState(false)
  // As it was when the question was asked.
  const [seen] = useState({ [id]: details.digest })
  // Shown beside the question. If the station objects and can be overruled, the same answer again insists.
  const { isBusy, failure, call } = useCall()
  const decide = async (): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    const resolved = await call('submissions.resolve', {
      id,
      delivered: decision.delivered,
      ...signed,
      ...(decision.delivered ? { caseId: decision.caseId } : { seen }),
      // Only after the station's own objection was shown here: a failure on the way is no objection.
      ...(failure?.overruledBy === 'insists' && { insists: true }),
    })
    if (!resolved) return
    onClose()
    take(resolved)
  }
  const isComplete = signature.by.trim() !== '' && (decision.delivered || hasChecked)
  return (
    <Form onSubmit={() => isComplete && void decide()}>
      <Stack>
        <Text>
          {decision.delivered ? t('submission:decision.there.risk') : t('submission:decision.absent.risk')}
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
        <DialogButtons
          onCancel={onClose}
          color={decision.delivered ? 'petrol' : 'red'}
          disabled={!isComplete}
          loading={isBusy}
        >
          {failure !== null
            ? t('delivery:again')
            : decision.delivered
              ? t('submission:decision.there.confirmAction')
              : t('submission:decision.absent.confirmAction')}
        </DialogButtons>
      </Stack>
    </Form>
  )
}

function list(facts: readonly Compared['what'][]): string {
  return facts.map((what) => t(`delivery:compare.fields.${what}`).toLocaleLowerCase()).join(', ')
}

type ComparisonProps = { readonly caseId: string; readonly candidates: readonly Candidate[] }

function Comparison({ caseId, candidates }: ComparisonProps) {
  const compared = candidates.find((one) => one.caseId === caseId)?.compared ?? []
  const { same, differs } = summarizeComparison(compared)
  if (differs.length > 0)
    return <Sentence>{t('delivery:compare.differs', { id: caseId, what: list(differs) })}</Sentence>
  return same.length > 0 ? (
    <p>{t('delivery:compare.agrees', { id: caseId, what: list(same) })}</p>
  ) : (
    <Sentence>{t('delivery:compare.unknown', { id: caseId })}</Sentence>
  )
}

export function Cautions({ cautions }: { readonly cautions: readonly Caution[] }) {
  return cautions.map((caution) => (
    <Sentence key={caution.kind}>
      {caution.kind === 'centerUnsure'
        ? t('submission:decision.cautions.centerUnsure')
        : t(`submission:decision.cautions.${caution.kind}`, { ids: caution.caseIds.join(', ') })}
    </Sentence>
  ))
}

import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { Caution as Sentence } from '../parts/caution.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { useSession } from '../store/use-station.ts'
import { SignatureFields } from '../who/signature-fields.tsx'
import { useSignature } from '../who/use-signature.ts'
import { t } from '../words/t.ts'
import { Cautions } from './cautions.tsx'
import { summarizeComparison, type Compared } from './compare-case.ts'
import type { Caution } from './delivery-picture.ts'
import type { Candidate } from './use-candidates.ts'

export type Decision = { readonly delivered: true; readonly caseId: string } | { readonly delivered: false }

export type ConfirmDecisionProps = {
  readonly id: string
  readonly decision: Decision | null
  readonly cautions: readonly Caution[]
  readonly candidates: readonly Candidate[]
  readonly onClose: () => void
  readonly onDecided: (details: SubmissionDetails) => void
}

/** Asks once more, names what a wrong decision would do, and takes the initials that are kept with it. */
export function ConfirmDecision({ decision, onClose, ...rest }: ConfirmDecisionProps) {
  return (
    <Modal
      opened={decision !== null}
      onClose={onClose}
      title={
        decision?.delivered
          ? t('submission:decision.there.confirmTitle', { id: decision.caseId })
          : t('submission:decision.absent.confirmTitle')
      }
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {decision && <DecisionForm {...rest} decision={decision} onClose={onClose} />}
    </Modal>
  )
}

type DecisionFormProps = Omit<ConfirmDecisionProps, 'decision'> & { readonly decision: Decision }

function DecisionForm({ id, decision, cautions, candidates, onClose, onDecided }: DecisionFormProps) {
  const session = useSession()
  const signature = useSignature()
  const [hasChecked, setChecked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  /** It stays beside the question. Where the station objects and may be overruled, the same answer once more insists. */
  const [failure, setFailure] = useState<Failure | null>(null)
  const decide = async (): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    setBusy(true)
    const decided = await session.call('submissions.resolve', {
      id,
      delivered: decision.delivered,
      ...signed,
      ...(decision.delivered && { caseId: decision.caseId }),
      // Only where the station's own objection has been read here: a failure on the way objects to nothing.
      ...(failure?.overruledBy === 'insists' && { insists: true }),
    })
    setBusy(false)
    if (!decided.ok) return setFailure(decided.failure)
    onClose()
    onDecided(decided.value)
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
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('shell:cancel')}
          </Button>
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
        </Group>
      </Stack>
    </form>
  )
}

function list(facts: readonly Compared['what'][]): string {
  return facts.map((what) => t(`delivery:compare.fields.${what}`).toLocaleLowerCase()).join(', ')
}

/** What the comparison of the chosen case came to, in one sentence. */
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

import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { runCall } from '../shell/run-call.ts'
import { useSession } from '../store/use-station.ts'
import { SignatureFields } from '../who/signature-fields.tsx'
import { useSignature } from '../who/use-signature.ts'
import { Cautions } from './cautions.tsx'
import type { Caution } from './delivery-picture.ts'
import { t } from '../words/t.ts'

export type Decision = { readonly delivered: true; readonly caseId: string } | { readonly delivered: false }

export type ConfirmDecisionProps = {
  readonly id: string
  readonly decision: Decision | null
  readonly cautions: readonly Caution[]
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

function DecisionForm({ id, decision, cautions, onClose, onDecided }: DecisionFormProps) {
  const session = useSession()
  const signature = useSignature()
  const [hasLooked, setLooked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const decide = async (): Promise<void> => {
    const signed = signature.sign()
    if (!signed) return
    setBusy(true)
    const decided = await runCall(session, 'submissions.resolve', {
      id,
      delivered: decision.delivered,
      ...signed,
      ...(decision.delivered && { caseId: decision.caseId }),
    })
    setBusy(false)
    onClose()
    if (decided) onDecided(decided)
  }
  const isComplete = signature.by.trim() !== '' && (decision.delivered || hasLooked)
  return (
    <Stack>
      <Text>
        {decision.delivered ? t('submission:decision.there.confirm') : t('submission:decision.absent.risk')}
      </Text>
      {!decision.delivered && (
        <>
          <Cautions cautions={cautions} />
          <Checkbox
            label={t('submission:decision.absent.looked')}
            checked={hasLooked}
            onChange={(event) => setLooked(event.currentTarget.checked)}
          />
        </>
      )}
      <SignatureFields signature={signature} />
      <Group justify="flex-end">
        <Button variant="default" data-autofocus onClick={onClose}>
          {t('shell:cancel')}
        </Button>
        <Button
          color={decision.delivered ? 'petrol' : 'red'}
          disabled={!isComplete}
          loading={isBusy}
          onClick={() => void decide()}
        >
          {decision.delivered
            ? t('submission:decision.there.confirmAction')
            : t('submission:decision.absent.confirmAction')}
        </Button>
      </Group>
    </Stack>
  )
}

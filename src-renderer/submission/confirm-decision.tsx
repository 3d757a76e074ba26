import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SubmissionDetails } from '../../src-shared/submission.ts'
import { runCall } from '../shell/run-call.ts'
import { useSession } from '../store/use-station.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'

const WORDS = SUBMISSION_WORDS.decision

export type Decision = { readonly delivered: true; readonly caseId: string } | { readonly delivered: false }

export type ConfirmDecisionProps = {
  readonly id: string
  readonly decision: Decision | null
  readonly onClose: () => void
  readonly onDecided: (details: SubmissionDetails) => void
}

/** Asks once more, names what a wrong decision would do, and takes the initials that are kept with it. */
export function ConfirmDecision({ id, decision, onClose, onDecided }: ConfirmDecisionProps) {
  const session = useSession()
  const [by, setBy] = useState('')
  const [hasLooked, setLooked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const close = (): void => {
    setLooked(false)
    onClose()
  }
  const decide = async (): Promise<void> => {
    if (!decision) return
    setBusy(true)
    const decided = await runCall(session, 'submissions.resolve', {
      id,
      delivered: decision.delivered,
      by: by.trim(),
      ...(decision.delivered && { caseId: decision.caseId }),
    })
    setBusy(false)
    close()
    if (decided) onDecided(decided)
  }
  const isComplete = by.trim() !== '' && (decision?.delivered === true || hasLooked)
  return (
    <Modal
      opened={decision !== null}
      onClose={close}
      title={decision?.delivered ? WORDS.there.confirmTitle(decision.caseId) : WORDS.absent.confirmTitle}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      <Stack>
        <Text>{decision?.delivered ? WORDS.there.confirm : WORDS.absent.risk}</Text>
        {decision?.delivered === false && (
          <Checkbox
            label={WORDS.absent.looked}
            checked={hasLooked}
            onChange={(event) => setLooked(event.currentTarget.checked)}
          />
        )}
        <TextInput
          label={WORDS.initials}
          description={WORDS.initialsWhy}
          value={by}
          maxLength={40}
          autoComplete="off"
          w={180}
          onChange={(event) => setBy(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {SHELL_WORDS.cancel}
          </Button>
          <Button
            color={decision?.delivered ? 'petrol' : 'red'}
            disabled={!isComplete}
            loading={isBusy}
            onClick={() => void decide()}
          >
            {decision?.delivered ? WORDS.there.confirmAction : WORDS.absent.confirmAction}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import { goTo } from '../shell/routes.ts'
import { tell } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { signature } from '../who/initials.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { ChosenImages } from './chosen-images.tsx'
import css from './grouping.module.css'

const WORDS = SUBMISSION_WORDS.grouping

export type SplitDialogProps = {
  readonly details: SubmissionDetails
  readonly chosen: readonly Image[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onChanged: (details: SubmissionDetails) => void
}

/** Asks before images become a case of their own, and says what happens to both. */
export function SplitDialog({ details, chosen, isOpen, onClose, onChanged }: SplitDialogProps) {
  const session = useSession()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const close = (): void => {
    setFailure(null)
    onClose()
  }
  const split = async (): Promise<void> => {
    setBusy(true)
    const answer = await session.call('submissions.split', {
      id: details.id,
      imageIds: chosen.map(({ id }) => id),
      ...signature(),
    })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    const { kept, made } = answer.value
    close()
    onChanged(kept)
    tell({
      tone: 'green',
      message: WORDS.splitDone(made.reference),
      action: { label: WORDS.open, run: () => goTo({ screen: 'submission', id: made.id }) },
    })
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={WORDS.splitTitle(chosen.length)}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <Text>{WORDS.splitExplain}</Text>
        <Text>{WORDS.looksAgain}</Text>
        {failure && <p className={css.trouble}>{failure.message}</p>}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {SHELL_WORDS.cancel}
          </Button>
          <Button loading={isBusy} onClick={() => void split()}>
            {WORDS.split}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

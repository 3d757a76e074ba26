import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { whoIs } from '../queue/patient-name.ts'
import { goTo } from '../shell/routes.ts'
import { tell } from '../shell/tell.tsx'
import { takeIn } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { signature } from '../who/initials.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { CaseChoice } from './case-choice.tsx'
import { ChosenImages } from './chosen-images.tsx'
import css from './grouping.module.css'

const WORDS = SUBMISSION_WORDS.grouping

export type MoveDialogProps = {
  readonly details: SubmissionDetails
  readonly chosen: readonly Image[]
  readonly isOpen: boolean
  /** No image would stay. */
  readonly isEmptied: boolean
  readonly onClose: () => void
  /** The case that the images left has to be read anew. */
  readonly onChanged: (details: null) => void
}

/** Gives images to another open case, which a person picks by name and number. */
export function MoveDialog({ details, chosen, isOpen, isEmptied, onClose, onChanged }: MoveDialogProps) {
  const session = useSession()
  const [target, setTarget] = useState<Submission | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)
  const close = (): void => {
    setFailure(null)
    setTarget(null)
    onClose()
  }
  const move = async (to: Submission): Promise<void> => {
    setBusy(true)
    const answer = await session.call('submissions.moveImages', {
      imageIds: chosen.map(({ id }) => id),
      toId: to.id,
      ...signature(),
    })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    close()
    takeIn(session, answer.value)
    onChanged(null)
    const open = (): void => goTo({ screen: 'submission', id: to.id })
    tell({
      tone: 'green',
      message: WORDS.moveDone(chosen.length, whoIs(to.fields)),
      ...(!isEmptied && { action: { label: WORDS.open, run: open } }),
    })
    if (isEmptied) open()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="lg"
      title={WORDS.moveTitle(chosen.length)}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <CaseChoice exceptId={details.id} chosenId={target?.id ?? null} onChoose={setTarget} />
        <Text className={css.says} aria-live="polite">
          {target === null
            ? WORDS.moveChoose
            : WORDS.moveExplain(whoIs(details.fields), whoIs(target.fields))}
        </Text>
        <Text>
          {isEmptied ? `${WORDS.emptied} ` : ''}
          {WORDS.looksAgain}
        </Text>
        {failure && <p className={css.trouble}>{failure.message}</p>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {SHELL_WORDS.cancel}
          </Button>
          <Button
            disabled={target === null}
            loading={isBusy}
            onClick={() => target !== null && void move(target)}
          >
            {WORDS.moveAction(chosen.length)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { Image, SubmissionDetails } from '../../src-shared/submission.ts'
import { goTo } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { useSession } from '../store/use-station.ts'
import { currentSignature } from '../who/initials.ts'
import { ChosenImages } from './chosen-images.tsx'
import css from './grouping.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

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
      ...currentSignature(),
    })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    const { kept: remaining, made } = answer.value
    close()
    onChanged(remaining)
    showToast({
      tone: 'green',
      message: t('submission:grouping.splitDone', { count: chosen.length, reference: made.reference }),
      action: {
        label: t('submission:grouping.open'),
        run: () => goTo({ screen: 'submission', id: made.id }),
      },
    })
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={t('submission:grouping.splitTitle', { count: chosen.length })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <Text>{t('submission:grouping.splitExplain', { count: chosen.length })}</Text>
        <Text>{t('submission:grouping.looksAgain')}</Text>
        {failure && <p className={css.trouble}>{said(failure.message)}</p>}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button loading={isBusy} onClick={() => void split()}>
            {t('submission:grouping.split', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

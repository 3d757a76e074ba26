import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Failure } from '../../src-shared/failure.ts'
import type { Image, Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { namesNow, useNames } from '../privacy/use-names.ts'
import { goTo } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { upsertSubmission } from '../store/station-session.ts'
import { useSession } from '../store/use-station.ts'
import { currentSignature } from '../who/initials.ts'
import { CaseChoice } from './case-choice.tsx'
import { ChosenImages } from './chosen-images.tsx'
import css from './grouping.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

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
  const names = useNames()
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
      ...currentSignature(),
    })
    setBusy(false)
    if (!answer.ok) return setFailure(answer.failure)
    close()
    upsertSubmission(session, answer.value)
    onChanged(null)
    const open = (): void => goTo({ screen: 'submission', id: to.id })
    showToast({
      tone: 'green',
      message: t('submission:grouping.moveDone', {
        count: chosen.length,
        who: namesNow().patientLabel(to.fields),
      }),
      ...(!isEmptied && { action: { label: t('submission:grouping.open'), run: open } }),
    })
    if (isEmptied) open()
  }
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      size="lg"
      title={t('submission:grouping.moveTitle', { count: chosen.length })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <ChosenImages images={chosen} />
        <CaseChoice exceptId={details.id} chosenId={target?.id ?? null} onChoose={setTarget} />
        <Text className={css.says} aria-live="polite">
          {target === null
            ? t('submission:grouping.moveChoose')
            : t('submission:grouping.moveExplain', {
                from: names.patientLabel(details.fields),
                to: names.patientLabel(target.fields),
              })}
        </Text>
        <Text>
          {isEmptied ? `${t('submission:grouping.emptied')} ` : ''}
          {t('submission:grouping.looksAgain')}
        </Text>
        {failure && <p className={css.trouble}>{said(failure.message)}</p>}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button
            disabled={target === null}
            loading={isBusy}
            onClick={() => target !== null && void move(target)}
          >
            {t('submission:grouping.moveAction', { count: chosen.length })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

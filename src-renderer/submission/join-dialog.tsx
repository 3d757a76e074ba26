import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Submission, SubmissionDetails } from '../../src-shared/submission.ts'
import { namesNow } from '../privacy/use-names.ts'
import { MergeDialog } from '../queue/merge-dialog.tsx'
import { goTo } from '../shell/routes.ts'
import { showToast } from '../shell/tell.tsx'
import { useStation } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import { CaseChoice } from './case-choice.tsx'

export type JoinDialogProps = {
  readonly details: SubmissionDetails
  readonly onClose: () => void
  /** The case on the screen has grown. Where it became part of an older one, that one is opened. */
  readonly onChanged: (details: SubmissionDetails) => void
}

/** Finds another open case for the one on the screen, and shows both before they become one. */
export function JoinDialog({ details, onClose, onChanged }: JoinDialogProps) {
  const [other, setOther] = useState<Submission | null>(null)
  const [isChecked, setChecked] = useState(false)
  // What somebody else changes in it meanwhile is seen before the two are joined.
  const live = useStation(({ submissions }) => (other === null ? null : (submissions[other.id] ?? other)))
  if (isChecked && live !== null)
    return (
      <MergeDialog
        submissions={[details, live]}
        isOpen
        onClose={onClose}
        onMerged={(merged) => {
          onClose()
          showToast({
            tone: 'green',
            message: t('queue:merge.done', { count: 2, who: namesNow().patientLabel(merged.fields) }),
          })
          if (merged.id === details.id) onChanged(merged)
          else goTo({ screen: 'submission', id: merged.id })
        }}
      />
    )
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('submission:join.title')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <Text>{t('submission:join.explain')}</Text>
        <CaseChoice exceptId={details.id} chosenId={other?.id ?? null} onChoose={setOther} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button disabled={other === null} onClick={() => setChecked(true)}>
            {t('submission:join.look')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

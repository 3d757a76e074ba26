import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'

export type ApproveDialogProps = {
  readonly count: number
  /** How many of them the table shows. */
  readonly shown: number
  readonly onClose: () => void
  readonly onApprove: () => void
}

/** Asks for confirmation before cases outside the visible rows are approved. */
export function ApproveDialog({ count, shown, onClose, onApprove }: ApproveDialogProps) {
  const counts = { number: formatCount(count), shown: formatCount(shown) }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('queue:approveUnseen.title', counts)}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <Text>{t('queue:approveUnseen.explain', counts)}</Text>
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button onClick={onApprove}>{t('queue:approveUnseen.action', counts)}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}

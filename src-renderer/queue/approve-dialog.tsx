import { Button, Stack, Text } from '@mantine/core'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'

export type ApproveDialogProps = {
  readonly count: number
  readonly shown: number
  readonly onClose: () => void
  readonly onApprove: () => void
}

/** Asks for confirmation before cases outside the visible rows are approved. */
export function ApproveDialog({ count, shown, onClose, onApprove }: ApproveDialogProps) {
  const counts = { number: formatCount(count), shown: formatCount(shown) }
  return (
    <Dialog opened onClose={onClose} title={t('queue:approveUnseen.title', counts)}>
      <Stack>
        <Text>{t('queue:approveUnseen.explain', counts)}</Text>
        <DialogButtons onCancel={onClose}>
          <Button onClick={onApprove}>{t('queue:approveUnseen.action', counts)}</Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

/** The frame of dialogs, and their buttons. */
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.ts'

export function Dialog(props: ModalProps) {
  return <Modal closeButtonProps={{ 'aria-label': t('shell:close') }} {...props} />
}

type ConfirmDialogProps = Pick<ModalProps, 'opened' | 'onClose' | 'title'> & {
  readonly text: string
  /** The words of the button that goes on. */
  readonly action: string
  readonly onConfirm: () => void
  readonly children?: ReactNode
}

/** Asks before something that a person may not mean. */
export function ConfirmDialog({ text, action, onConfirm, children, ...rest }: ConfirmDialogProps) {
  return (
    <Dialog {...rest}>
      <Stack>
        <Text>{text}</Text>
        {children}
        <DialogButtons onCancel={rest.onClose}>
          <Button onClick={onConfirm}>{action}</Button>
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

type DialogButtonsProps = {
  readonly onCancel: () => void
  /** Does the keyboard start here? Not in a dialog with inputs. */
  readonly isFocused?: boolean
  readonly children: ReactNode
}

export function DialogButtons({ onCancel, isFocused = true, children }: DialogButtonsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" data-autofocus={isFocused || undefined} onClick={onCancel}>
        {t('shell:cancel')}
      </Button>
      {children}
    </Group>
  )
}

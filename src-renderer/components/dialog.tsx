/** The frame of dialogs, and their buttons. The first page does without. */
import { Button, Group, Modal, type ModalProps, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.ts'
import type { TextButtonProps } from './controls.tsx'

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
        <DialogButtons onCancel={rest.onClose} onClick={onConfirm}>
          {action}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

type DialogButtonsProps = TextButtonProps & {
  readonly onCancel: () => void
  /** The words of the button that goes back. */
  readonly back?: string
  /** Does the keyboard start here? Not in a dialog with inputs. */
  readonly isFocused?: boolean
}

/** "Cancel", and the button that goes on, which submits the form around it unless it does something else. */
export function DialogButtons(props: DialogButtonsProps) {
  const { onCancel, back = t('shell:cancel'), isFocused = true, ...rest } = props
  return (
    <Group justify="flex-end">
      <Button variant="default" data-autofocus={isFocused || undefined} onClick={onCancel}>
        {back}
      </Button>
      <Button type={rest.onClick ? 'button' : 'submit'} {...rest} />
    </Group>
  )
}

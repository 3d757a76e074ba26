/** The frame of dialogs, and their buttons. */
import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.ts'

/** A dialog with a title and a button that closes it. */
export function Dialog(props: ModalProps) {
  return <Modal closeButtonProps={{ 'aria-label': t('shell:close') }} {...props} />
}

type DialogButtonsProps = {
  readonly onCancel: () => void
  /** Does the keyboard start here? Not in a dialog with inputs. */
  readonly isFocused?: boolean
  /** The button that acts. */
  readonly children: ReactNode
}

/** "Cancel", and the button that acts. */
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

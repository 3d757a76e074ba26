/** The frame of dialogs, and their buttons. */
import { Button, Group, Modal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../i18n/i18n.ts'

export function Dialog(props: ModalProps) {
  return <Modal closeButtonProps={{ 'aria-label': t('shell:close') }} {...props} />
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

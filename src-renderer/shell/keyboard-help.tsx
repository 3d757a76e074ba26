import { Modal } from '@mantine/core'
import { t } from '../words/t.ts'
import { KeyboardList } from './keyboard-list.tsx'

export type KeyboardHelpProps = { readonly isShown: boolean; readonly onClose: () => void }

/** The list of keys over whatever is on the screen. */
export function KeyboardHelp({ isShown, onClose }: KeyboardHelpProps) {
  return (
    <Modal
      opened={isShown}
      onClose={onClose}
      title={t('shell:keys.title')}
      size="xl"
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <KeyboardList />
    </Modal>
  )
}

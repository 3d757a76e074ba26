import { Modal } from '@mantine/core'
import type { ListedCase } from '../../src-shared/case.ts'
import { JsonTree } from '../parts/json-tree.tsx'
import { CASE_WORDS } from '../words/case-words.ts'
import { SHELL_WORDS } from '../words/shell-words.ts'

export type CaseDetailsProps = { readonly shown: ListedCase | null; readonly onClose: () => void }

/** Every field that the service sent, also those that nobody documented. */
export function CaseDetails({ shown, onClose }: CaseDetailsProps) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      size="xl"
      title={shown && CASE_WORDS.detailsOf(shown.caseId)}
      closeButtonProps={{ 'aria-label': SHELL_WORDS.close }}
    >
      {shown && <JsonTree value={shown.raw} />}
    </Modal>
  )
}

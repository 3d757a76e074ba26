import { Modal } from '@mantine/core'
import type { ListedCase } from '../../src-shared/case.ts'
import { JsonTree } from '../parts/json-tree.tsx'

import { t } from '../words/t.ts'
export type CaseDetailsProps = { readonly shown: ListedCase | null; readonly onClose: () => void }

/** Every field that the service sent, also those that nobody documented. */
export function CaseDetails({ shown, onClose }: CaseDetailsProps) {
  return (
    <Modal
      opened={shown !== null}
      onClose={onClose}
      size="xl"
      title={shown && t('case:detailsOf', { id: shown.caseId })}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {shown && <JsonTree value={shown.raw} />}
    </Modal>
  )
}

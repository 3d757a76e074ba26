import { Button, Modal, Stack, Text } from '@mantine/core'
import { useStore } from 'zustand'
import { t } from '../words/t.ts'
import { addFiles, clearNewCase, discardDropped, newCase } from './new-case-store.ts'

/** Asked where images come while another case is begun: they may be another patient's. */
export function DroppedFilesDialog() {
  const { files, draft, dropped, isMaking } = useStore(newCase)
  const addDropped = (): void => {
    discardDropped()
    addFiles(dropped)
  }
  const startNewCase = (): void => {
    clearNewCase()
    addFiles(dropped)
  }
  return (
    <Modal
      opened={dropped.length > 0 && !isMaking}
      onClose={discardDropped}
      title={t('newCase:begun.title')}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      <Stack>
        <Text>
          <strong>{draft.history_number?.trim() || t('queue:noHistoryNumber')}</strong>
          {` \u00b7 ${t('newCase:images', { count: files.length })}`}
        </Text>
        <Text>{t('newCase:begun.ask', { count: dropped.length })}</Text>
        <Button data-autofocus variant="default" onClick={addDropped}>
          {t('newCase:begun.add')}
        </Button>
        <Button variant="default" onClick={startNewCase}>
          {t('newCase:begun.anew')}
        </Button>
        <Button variant="default" onClick={discardDropped}>
          {t('newCase:begun.leave')}
        </Button>
      </Stack>
    </Modal>
  )
}

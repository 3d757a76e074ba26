/** The dialog in which new cases get another center. */
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Caution, FailureNotice } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import { CenterSelect, type useCenters } from '../decisions/center-choice.tsx'
import { messageOf, t } from '../i18n/i18n.ts'
import { countOf } from '../store/state.ts'
import { useCall, useStation } from '../store/use-station.ts'

type CenterDialogProps = {
  readonly centerId: string | null
  readonly isGone: boolean
  readonly from: ReturnType<typeof useCenters>
  readonly onClose: () => void
}

export function CenterDialog({ centerId, isGone, from, onClose }: CenterDialogProps) {
  const { value, nameOf } = from
  const isLocked = useStation((state) => state.settings?.managed['centerId'] === 'enforced')
  const [isOpen, setOpen] = useState(true)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const { isBusy, failure, setFailure, call } = useCall()
  const open = useStation(({ status }) => (status ? countOf('open', status.counts) : 0))
  // Fades out before it is removed, so that the focus can be restored.
  const close = (): void => setOpen(false)

  const change = async (): Promise<void> => {
    if (chosenId === null) return
    setFailure(null)
    if (await call('centers.change', { centerId: chosenId })) close()
  }

  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClose}
      // The header restores the focus: this dialog is fetched only when it opens.
      returnFocus={false}
      title={
        chosenId === null
          ? t('shell:center.choose')
          : t('shell:center.confirmTitle', { name: nameOf(chosenId) })
      }
    >
      <Stack>
        {isGone && <Caution>{t('shell:center.gone', { id: centerId })}</Caution>}
        <Text>{t('shell:center.explain')}</Text>
        {isLocked && <Text fw={600}>{t('shell:setByAdministrator')}</Text>}
        <CenterSelect
          label={t('shell:center.label')}
          from={from}
          except={centerId}
          chosenId={chosenId}
          isDisabled={isLocked}
          onChoose={setChosenId}
        />
        {value?.items.length === 0 && <Text>{t('shell:center.empty')}</Text>}
        {from.failure && <p className="red">{messageOf(from.failure)}</p>}
        {open > 0 && <Text fw={600}>{t('shell:center.waitingKeep', { count: open })}</Text>}
        {failure && (
          <div role="alert">
            <FailureNotice failure={failure}>
              <p>{t('shell:center.notChanged', { name: nameOf(value?.centerId ?? null) })}</p>
            </FailureNotice>
          </div>
        )}
        <DialogButtons
          onCancel={close}
          isFocused={false}
          disabled={chosenId === null}
          loading={isBusy}
          onClick={() => void change()}
        >
          {t(failure ? 'shell:tryAgain' : 'shell:center.confirm')}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

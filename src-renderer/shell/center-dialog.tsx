/** The confirmation before new cases get another center. */
import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { FailureNotice } from '../components/controls.tsx'
import { Dialog, DialogButtons } from '../components/dialog.tsx'
import type { Center } from '../../src-shared/case.ts'
import type { CallOutput } from '../../src-shared/contract.ts'
import { formatCount } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import { useCall } from '../store/use-station.ts'
import css from './center-menu.module.css'
import { showToast } from './toast.tsx'

type CenterDialogProps = {
  readonly wanted: Center
  readonly list: CallOutput<'centers.list'>
  readonly nameOf: (centerId: string | null) => string
  readonly onClose: () => void
}

export function CenterDialog({ wanted, list, nameOf, onClose }: CenterDialogProps) {
  const [isOpen, setOpen] = useState(true)
  const { isBusy, failure, setFailure, call } = useCall()
  const name = nameOf(wanted.centerId)
  const waiting = list.waiting.reduce((sum, { count }) => sum + count, 0)
  // Fades out before it is removed, so that the focus can be restored.
  const close = (): void => setOpen(false)

  const change = async (): Promise<void> => {
    setFailure(null)
    if (!(await call('centers.change', { centerId: wanted.centerId }))) return
    showToast({ message: t('shell:center.changed', { name }) })
    close()
  }

  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      onExitTransitionEnd={onClose}
      // The menu restores the focus: this dialog is fetched only when it opens.
      returnFocus={false}
      title={t('shell:center.confirmTitle', { name })}
    >
      <Stack>
        <Text>{t('shell:center.explain')}</Text>
        <div>
          <Text fw={600}>{t('shell:center.waitingKeep', { count: waiting })}</Text>
          {waiting > 0 && (
            <ul className={css.waiting} role="list" aria-label={t('shell:center.waitingBy')}>
              {list.waiting.map(({ centerId, count }) => (
                <li key={centerId ?? ''}>
                  <span>{centerId === null ? t('shell:center.madeForNone') : nameOf(centerId)}</span>
                  <strong className="tabular">{formatCount(count)}</strong>
                </li>
              ))}
            </ul>
          )}
        </div>
        {failure && (
          <div role="alert">
            <FailureNotice failure={failure}>
              <p>{t('shell:center.notChanged', { name: nameOf(list.centerId) })}</p>
            </FailureNotice>
          </div>
        )}
        <DialogButtons onCancel={close} loading={isBusy} onClick={() => void change()}>
          {t(failure ? 'shell:tryAgain' : 'shell:center.confirm')}
        </DialogButtons>
      </Stack>
    </Dialog>
  )
}

import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyAction } from '../parts/copy-action.tsx'
import { readWebAddress } from './openable.ts'
import css from './report-reader.module.css'
import { t } from '../words/t.ts'

/**
 * An address from outside is shown, and opened only by a person who was told where it leads. The desktop app opens no
 * window for it: it gives the address to the system's browser, and only one that was shown here.
 */
export function LinkReport({ address }: { readonly address: string }) {
  const target = readWebAddress(address)
  const [isAsking, setAsking] = useState(false)
  const open = (): void => {
    setAsking(false)
    if (target) window.open(target.href, '_blank', 'noopener,noreferrer')
  }
  return (
    <div className={`${css.paper} ${css.link}`}>
      <p>{t('report:link.explain')}</p>
      <code>{address}</code>
      <Group>
        <CopyAction text={address} label={t('report:link.copy')} />
        {target && (
          <Button
            variant="default"
            leftSection={<IconExternalLink size={17} aria-hidden />}
            onClick={() => setAsking(true)}
          >
            {t('report:link.open')}
          </Button>
        )}
      </Group>
      <Modal
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={t('report:link.question', { host: target?.host ?? '' })}
        closeButtonProps={{ 'aria-label': t('shell:close') }}
      >
        <Stack>
          <Text>{t('report:link.means')}</Text>
          <code className={css.address}>{address}</code>
          <Group justify="flex-end">
            <Button variant="default" data-autofocus onClick={() => setAsking(false)}>
              {t('shell:cancel')}
            </Button>
            <Button onClick={open}>{t('report:link.openNow')}</Button>
          </Group>
        </Stack>
      </Modal>
    </div>
  )
}

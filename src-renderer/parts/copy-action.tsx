import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'

import { t } from '../words/t.ts'
export type CopyActionProps = { readonly text: string; readonly label?: string }

/** Puts a text on the clipboard and says so. */
export function CopyAction({ text, label = t('shell:copy') }: CopyActionProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('shell:copied') : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={copied ? t('shell:copied') : label}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

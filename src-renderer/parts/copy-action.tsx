import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { SHELL_WORDS } from '../words/shell-words.ts'

export type CopyActionProps = { readonly text: string; readonly label?: string }

/** Puts a text on the clipboard and says so. */
export function CopyAction({ text, label = SHELL_WORDS.copy }: CopyActionProps) {
  return (
    <CopyButton value={text} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? SHELL_WORDS.copied : label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={copied ? SHELL_WORDS.copied : label}
            onClick={copy}
          >
            {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  )
}

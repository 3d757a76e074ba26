import { TextInput, Tooltip } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useStore } from 'zustand'
import { initials, MAX_INITIALS_LENGTH, writeInitials } from './initials.ts'
import { t } from '../words/t.ts'

/** Whose initials stand by what is decided in this window. */
export function InitialsControl() {
  const { by } = useStore(initials)
  return (
    <Tooltip label={t('decision:who.hint')}>
      <TextInput
        w={112}
        aria-label={t('decision:who.label')}
        placeholder={t('decision:who.placeholder')}
        leftSection={<IconUser size={17} aria-hidden />}
        autoComplete="off"
        maxLength={MAX_INITIALS_LENGTH}
        value={by}
        onChange={(event) => writeInitials(event.currentTarget.value)}
      />
    </Tooltip>
  )
}

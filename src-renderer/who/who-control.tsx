import { TextInput, Tooltip } from '@mantine/core'
import { IconUser } from '@tabler/icons-react'
import { useStore } from 'zustand'
import { WHO_WORDS } from '../words/decision-words.ts'
import { initials, LONGEST_INITIALS, writeInitials } from './initials.ts'

/** Whose initials stand by what is decided in this window. */
export function WhoControl() {
  const { by } = useStore(initials)
  return (
    <Tooltip label={WHO_WORDS.hint}>
      <TextInput
        w={112}
        aria-label={WHO_WORDS.label}
        placeholder={WHO_WORDS.placeholder}
        leftSection={<IconUser size={17} aria-hidden />}
        autoComplete="off"
        maxLength={LONGEST_INITIALS}
        value={by}
        onChange={(event) => writeInitials(event.currentTarget.value)}
      />
    </Tooltip>
  )
}

import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconPhotoMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'

export type ExcludeControlProps = {
  readonly name: string
  /** Why it is left out now; null where it is sent. */
  readonly reason: string | null
  readonly onChange: (reason: string | null) => void
}

const WORDS = SUBMISSION_WORDS.images

/** Leaves an image out, with a reason that stays with the case, or takes it back in. */
export function ExcludeControl({ name, reason, onChange }: ExcludeControlProps) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  if (reason !== null)
    return (
      <Button size="compact-sm" variant="default" fullWidth onClick={() => onChange(null)}>
        {WORDS.takeBack}
      </Button>
    )
  const exclude = (why: string): void => {
    if (why.trim() === '') return
    setOpen(false)
    setText('')
    onChange(why.trim())
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      width={300}
      trapFocus
      withinPortal
      position="bottom-end"
      shadow="md"
    >
      <Popover.Target>
        <Tooltip label={WORDS.exclude}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={WORDS.excludeWhat(name)}
            onClick={() => setOpen(!isOpen)}
          >
            <IconPhotoMinus size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={WORDS.excludeWhat(name)}>
        <Stack gap="xs">
          <Text size="sm">{WORDS.excludeExplain}</Text>
          <Group gap={6}>
            {WORDS.reasons.map((word) => (
              <Button key={word} size="compact-sm" variant="default" onClick={() => exclude(word)}>
                {word}
              </Button>
            ))}
          </Group>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              exclude(text)
            }}
          >
            <TextInput
              label={WORDS.excludeReason}
              value={text}
              maxLength={500}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" mt="xs" fullWidth disabled={text.trim() === ''}>
              {WORDS.exclude}
            </Button>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

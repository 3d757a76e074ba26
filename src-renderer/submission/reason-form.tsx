import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

export type ReasonFormProps = {
  readonly explain: string
  /** Usual reasons, one click each. */
  readonly usual: readonly string[]
  readonly label: string
  readonly action: string
  readonly onSay: (reason: string) => void
}

/** Asks for a reason: one of the usual ones, or in own words. */
export function ReasonForm({ explain, usual, label, action, onSay }: ReasonFormProps) {
  const [text, setText] = useState('')
  const say = (reason: string): void => {
    if (reason.trim() === '') return
    setText('')
    onSay(reason.trim())
  }
  return (
    <Stack gap="xs">
      <Text size="sm">{explain}</Text>
      <Group gap={6}>
        {usual.map((word) => (
          <Button key={word} size="compact-sm" variant="default" onClick={() => say(word)}>
            {word}
          </Button>
        ))}
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          say(text)
        }}
      >
        <TextInput
          label={label}
          value={text}
          maxLength={500}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" mt="xs" fullWidth disabled={text.trim() === ''}>
          {action}
        </Button>
      </form>
    </Stack>
  )
}

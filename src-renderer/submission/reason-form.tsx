import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'

export type ReasonFormProps = {
  readonly explain: string
  /** Usual reasons, one click each. */
  readonly usual: readonly string[]
  readonly label: string
  readonly action: string
  readonly onReason: (reason: string) => void
}

/** Asks for a reason: one of the usual ones, or in own words. */
export function ReasonForm({ explain, usual, label, action, onReason }: ReasonFormProps) {
  const [text, setText] = useState('')
  const submit = (reason: string): void => {
    if (reason.trim() === '') return
    setText('')
    onReason(reason.trim())
  }
  return (
    <Stack gap="xs">
      <Text size="sm">{explain}</Text>
      <Group gap={6}>
        {usual.map((reason) => (
          <Button key={reason} size="compact-sm" variant="default" onClick={() => submit(reason)}>
            {reason}
          </Button>
        ))}
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit(text)
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

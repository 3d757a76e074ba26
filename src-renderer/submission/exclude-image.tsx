/** Leaving an image out, and the reason that a person states. */
import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { IconPhotoMinus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { Form, IconAction, SmallButton } from '../components/controls.tsx'
import { t } from '../i18n/i18n.ts'

type ReasonPopoverProps = {
  readonly name: string
  readonly renderButton: (toggle: () => void) => ReactNode
  readonly explain: string
  readonly usual: readonly string[]
  readonly action: string
  readonly onReason: (reason: string) => void
}

/** A button that asks for a reason. */
export function ReasonPopover(props: ReasonPopoverProps) {
  const { name, renderButton, explain, usual, action, onReason } = props
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const toggle = (): void => {
    setText('')
    setOpen(!isOpen)
  }
  const submit = (reason: string): void => {
    if (reason.trim() === '') return
    setOpen(false)
    onReason(reason.trim())
  }
  return (
    <Popover opened={isOpen} onChange={setOpen} width={300} trapFocus returnFocus withinPortal shadow="md">
      <Popover.Target>{renderButton(toggle)}</Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <Stack gap="xs">
          <Text size="sm">{explain}</Text>
          <Group gap={6}>
            {usual.map((reason) => (
              <SmallButton key={reason} onClick={() => submit(reason)}>
                {reason}
              </SmallButton>
            ))}
          </Group>
          <Form onSubmit={() => submit(text)}>
            <TextInput
              label={t('activity:why')}
              value={text}
              maxLength={500}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <Button type="submit" mt="xs" fullWidth disabled={text.trim() === ''}>
              {action}
            </Button>
          </Form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}

const REASONS = ['blurred', 'dark', 'mistake', 'otherPatient', 'notFundus'] as const

type ExcludeControlProps = {
  readonly name: string
  /** Why it is excluded; null if it is sent. */
  readonly reason: string | null
  readonly onChange: (reason: string | null) => void
}

/** Excludes an image, with a reason that is stored with the case, or includes it again. */
export function ExcludeControl({ name, reason, onChange }: ExcludeControlProps) {
  if (reason !== null)
    return (
      <SmallButton fullWidth onClick={() => onChange(null)}>
        {t('submission:images.takeBack')}
      </SmallButton>
    )
  const label = t('submission:images.excludeWhat', { what: name })
  return (
    <ReasonPopover
      name={label}
      renderButton={(toggle) => (
        <IconAction
          label={t('submission:images.exclude')}
          aria-label={label}
          data-exclude
          size={34}
          icon={IconPhotoMinus}
          onClick={toggle}
        />
      )}
      explain={t('submission:images.excludeExplain')}
      usual={REASONS.map((one) => t(`submission:images.reasons.${one}`))}
      action={t('submission:images.exclude')}
      onReason={onChange}
    />
  )
}

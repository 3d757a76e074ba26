import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { IconPhotoMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import { ReasonForm } from './reason-form.tsx'

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
  if (reason !== null)
    return (
      <Button size="compact-sm" variant="default" fullWidth onClick={() => onChange(null)}>
        {WORDS.takeBack}
      </Button>
    )
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
        <ReasonForm
          explain={WORDS.excludeExplain}
          usual={WORDS.reasons}
          label={WORDS.excludeReason}
          action={WORDS.exclude}
          onSay={(why) => {
            setOpen(false)
            onChange(why)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

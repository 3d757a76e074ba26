import { ActionIcon, Button, Popover, Tooltip } from '@mantine/core'
import { IconPhotoMinus } from '@tabler/icons-react'
import { useState } from 'react'
import { ReasonForm } from './reason-form.tsx'
import { t } from '../words/t.ts'

const REASONS = ['blurred', 'dark', 'mistake', 'otherPatient', 'notFundus'] as const

export type ExcludeControlProps = {
  readonly name: string
  /** Why it is left out now; null where it is sent. */
  readonly reason: string | null
  readonly onChange: (reason: string | null) => void
}

/** Leaves an image out, with a reason that stays with the case, or takes it back in. */
export function ExcludeControl({ name, reason, onChange }: ExcludeControlProps) {
  const [isOpen, setOpen] = useState(false)
  if (reason !== null)
    return (
      <Button size="compact-sm" variant="default" fullWidth onClick={() => onChange(null)}>
        {t('submission:images.takeBack')}
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
        <Tooltip label={t('submission:images.exclude')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={34}
            aria-label={t('submission:images.excludeWhat', { what: name })}
            onClick={() => setOpen(!isOpen)}
          >
            <IconPhotoMinus size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('submission:images.excludeWhat', { what: name })}>
        <ReasonForm
          explain={t('submission:images.excludeExplain')}
          usual={REASONS.map((reason) => t(`submission:images.reasons.${reason}`))}
          label={t('submission:images.excludeReason')}
          action={t('submission:images.exclude')}
          onReason={(why) => {
            setOpen(false)
            onChange(why)
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

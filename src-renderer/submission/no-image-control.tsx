import { Button, Popover } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { Eye } from '../../src-shared/eye.ts'
import { focusNoImage, noImageId } from './focus-field.ts'
import css from './images-board.module.css'
import { ReasonForm } from './reason-form.tsx'
import { t } from '../words/t.ts'

const COMMON_REASONS = ['absent', 'opaque', 'pupil', 'cooperation'] as const

export type NoImageControlProps = {
  readonly eye: Exclude<Eye, 'unknown'>
  /** Why there is no image of this eye, where somebody has said so. */
  readonly reason: string | undefined
  readonly hasImages: boolean
  readonly isFrozen: boolean
  readonly onReason: (reason: string | null) => void
}

/** Says why an eye has no image, or shows what was said. */
export function NoImageControl({ eye, reason, hasImages, isFrozen, onReason }: NoImageControlProps) {
  const [isOpen, setOpen] = useState(false)
  const lastReason = useRef<string | null>(null)
  const submitReason = (why: string | null): void => {
    lastReason.current = why ?? ''
    onReason(why)
  }
  // Another button stands here then: the focus goes to it, and not back to the top of the page.
  useEffect(() => {
    if (lastReason.current !== (reason ?? '')) return
    lastReason.current = null
    focusNoImage(eye)
  }, [eye, reason])
  if (reason !== undefined)
    return (
      <div className={css.noImage} id={noImageId(eye)}>
        <p>
          <strong>{t('submission:noImage.because')}</strong> {reason}
        </p>
        {hasImages && <p className={css.conflict}>{t('submission:noImage.butImages')}</p>}
        {!isFrozen && (
          <Button size="compact-sm" variant="default" onClick={() => submitReason(null)}>
            {t('submission:noImage.takeBack')}
          </Button>
        )}
      </div>
    )
  if (isFrozen || hasImages) return null
  return (
    <div className={css.noImage} id={noImageId(eye)}>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        width={300}
        trapFocus
        withinPortal
        position="bottom"
        shadow="md"
      >
        <Popover.Target>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t('submission:noImage.askFor', { eye: t(`field:eye.${eye}.full`) })}
            onClick={() => setOpen(!isOpen)}
          >
            {t('submission:noImage.ask')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t('submission:noImage.askFor', { eye: t(`field:eye.${eye}.full`) })}>
          <ReasonForm
            explain={t('submission:noImage.explain')}
            usual={COMMON_REASONS.map((reason) => t(`submission:noImage.usual.${reason}`))}
            label={t('submission:noImage.label')}
            action={t('submission:noImage.action')}
            onReason={(why) => {
              setOpen(false)
              submitReason(why)
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  )
}

import { IconChevronsUp, IconChevronUp } from '@tabler/icons-react'
import type { Urgency } from '../../src-shared/urgency.ts'
import css from './urgency-mark.module.css'
import { t } from '../words/t.ts'

export type UrgencyMarkProps = {
  readonly urgency: Urgency
  /** The service's own word, where it is shown instead of ours. */
  readonly label?: string
}

/** How soon somebody should look at it, as colour, icon and word; nothing for what can wait its turn. */
export function UrgencyMark({ urgency, label }: UrgencyMarkProps) {
  if (urgency === 'routine') return null
  const Sign = urgency === 'urgent' ? IconChevronsUp : IconChevronUp
  return (
    <span className={css.mark} data-urgency={urgency}>
      <Sign size={14} stroke={2.4} aria-hidden />
      {label ?? t(`part:urgency.${urgency}`)}
    </span>
  )
}

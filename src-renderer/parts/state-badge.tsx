import {
  IconArrowUpRight,
  IconAlertCircle,
  IconCheck,
  IconClock,
  IconDots,
  IconEye,
  IconHelpCircle,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import type { ShownState } from '../store/shown-state.ts'
import css from './state-badge.module.css'
import { t } from '../words/t.ts'

export type Tone = 'grey' | 'blue' | 'amber' | 'red' | 'green'

/** Colour and icon of every state; with the word they are three signs of one thing. */
const BADGE_STYLES: Readonly<Record<ShownState, { readonly tone: Tone; readonly icon: Icon }>> = {
  collecting: { tone: 'grey', icon: IconDots },
  incomplete: { tone: 'amber', icon: IconPencil },
  review: { tone: 'amber', icon: IconEye },
  waiting: { tone: 'blue', icon: IconClock },
  retrying: { tone: 'amber', icon: IconHistory },
  held: { tone: 'grey', icon: IconPlayerPause },
  sending: { tone: 'blue', icon: IconArrowUpRight },
  unconfirmed: { tone: 'amber', icon: IconHelpCircle },
  refused: { tone: 'red', icon: IconAlertCircle },
  sent: { tone: 'green', icon: IconCheck },
  discarded: { tone: 'grey', icon: IconTrash },
}

/** A state as colour, icon and word. */
export function StateBadge({
  state,
  size = 'sm',
}: {
  readonly state: ShownState
  readonly size?: 'sm' | 'md'
}) {
  const { tone, icon: Sign } = BADGE_STYLES[state]
  return (
    // The browser's own hint: a part for each badge of a long list would take longer to draw than the list.
    <span
      className={css.badge}
      data-tone={tone}
      data-size={size}
      data-state={state}
      title={t(`state:${state}.meaning`)}
    >
      <Sign size={size === 'sm' ? 14 : 17} stroke={2.2} aria-hidden />
      {t(`state:${state}.name`)}
    </span>
  )
}

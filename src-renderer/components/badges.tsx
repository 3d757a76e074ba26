/** Badges for states, eyes and urgency. */
import {
  type Icon,
  IconAlertCircle,
  IconAlertTriangle,
  IconArrowUpRight,
  IconCheck,
  IconChevronsUp,
  IconChevronUp,
  IconClock,
  IconDots,
  IconEye,
  IconHelpCircle,
  IconHistory,
  IconPencil,
  IconPlayerPause,
  IconTrash,
} from '@tabler/icons-react'
import type { Eye } from '../../src-shared/measurement-ranges.ts'
import type { Submission, Urgency } from '../../src-shared/submission.ts'
import { t } from '../i18n/i18n.ts'
import { type ShownFrom, type ShownState, shownStateOf } from '../store/state.ts'
import css from './badges.module.css'

/** Blue to review, amber a question, red a problem, grey the rest: colour, icon and text are three signs of one state. */
const BADGE_STYLES: Readonly<Record<ShownState, { readonly tone: string; readonly icon: Icon }>> = {
  collecting: { tone: 'grey', icon: IconDots },
  incomplete: { tone: 'amber', icon: IconPencil },
  review: { tone: 'blue', icon: IconEye },
  waiting: { tone: 'grey', icon: IconClock },
  retrying: { tone: 'grey', icon: IconHistory },
  held: { tone: 'grey', icon: IconPlayerPause },
  sending: { tone: 'grey', icon: IconArrowUpRight },
  unconfirmed: { tone: 'amber', icon: IconHelpCircle },
  refused: { tone: 'red', icon: IconAlertCircle },
  sent: { tone: 'grey', icon: IconCheck },
  sentWrongly: { tone: 'red', icon: IconAlertTriangle },
  sentFewer: { tone: 'red', icon: IconAlertTriangle },
  discarded: { tone: 'grey', icon: IconTrash },
}

type StateBadgeProps = {
  readonly state: ShownState
  readonly size?: 'sm' | 'md'
  readonly shortfall?: Submission['imageShortfall']
}

type CaseBadgeProps = { readonly of: ShownFrom; readonly size?: 'sm' | 'md' }

/** The state of a case, with the images that the service shows of it if these are too few. */
export function CaseBadge({ of, size = 'sm' }: CaseBadgeProps) {
  return <StateBadge state={shownStateOf(of)} size={size} shortfall={of.imageShortfall} />
}

export function StateBadge({ state, size = 'sm', shortfall = null }: StateBadgeProps) {
  const { tone, icon: Sign } = BADGE_STYLES[state]
  return (
    // The browser's own tooltip: a component per badge would slow down long lists.
    <span
      className={css.badge}
      data-tone={tone}
      data-size={size}
      data-state={state}
      title={t(`state:${state}.meaning`)}
    >
      <Sign size={size === 'sm' ? 14 : 17} stroke={2.2} aria-hidden />
      <span>{t(`state:${state}.name`, shortfall ?? {})}</span>
    </span>
  )
}

/** The abbreviation of an eye. Its position (OD first) says the same, so the tint is only a third sign. */
export function EyeMark({ eye }: { readonly eye: Eye }) {
  return (
    <abbr className={css.mark} data-eye={eye} title={t(`field:eye.${eye}.name`)}>
      {t(`field:eye.${eye}.short`)}
    </abbr>
  )
}

type UrgencyMarkProps = {
  readonly urgency: Urgency
  /** The service's own term, to be shown instead of ours. */
  readonly label?: string
}

export function UrgencyMark({ urgency, label }: UrgencyMarkProps) {
  if (urgency === 'routine') return null
  const Sign = urgency === 'urgent' ? IconChevronsUp : IconChevronUp
  return (
    <span className={css.badge} data-tone={urgency === 'urgent' ? 'red' : 'amber'}>
      <Sign size={14} stroke={2.4} aria-hidden />
      {label ?? t(`part:urgency.${urgency}`)}
    </span>
  )
}

import { UnstyledButton } from '@mantine/core'
import {
  IconCheck,
  IconClock,
  IconHandStop,
  IconSend,
  IconStack2,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { formatCount } from '../format/numbers.ts'
import { countOf, QUEUE_FILTERS, type QueueFilter } from '../store/queue-view.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './counters.module.css'
import { t } from '../words/t.ts'

const ICONS: Readonly<Record<QueueFilter, Icon>> = {
  open: IconStack2,
  needsYou: IconHandStop,
  waiting: IconClock,
  sending: IconSend,
  sent: IconCheck,
  discarded: IconTrash,
}

/** How many there are of each kind; pressing one shows only those. */
export function Counters() {
  const session = useSession()
  const shown = useStation((state) => state.queue.filter)
  const counts = useStation((state) => state.status?.counts)
  return (
    <div className={css.counters} role="group" aria-label={t('queue:counters')}>
      {QUEUE_FILTERS.map((filter) => {
        const Sign = ICONS[filter]
        const count = counts ? countOf(filter, counts) : null
        return (
          <UnstyledButton
            key={filter}
            className={css.counter}
            data-filter={filter}
            data-some={(count ?? 0) > 0}
            aria-pressed={shown === filter}
            title={t(`queue:filter.${filter}.meaning`)}
            onClick={() => session.showQueue({ filter: shown === filter ? 'open' : filter })}
          >
            <span className={css.name}>
              <Sign size={16} stroke={2} aria-hidden />
              {t(`queue:filter.${filter}.name`)}
            </span>
            <span className={css.count}>{count === null ? '\u2013' : formatCount(count)}</span>
          </UnstyledButton>
        )
      })}
    </div>
  )
}

/** Tells of cases that were captured long ago and have not left, or are not known to have arrived: each once. */
import type { OverdueItem } from '../../src-shared/ageing.ts'
import { HOUR, MINUTE } from '../../src-shared/durations.ts'
import { overdueLimits, listOverdue, MAX_OVERDUE } from './calls/ageing-of.ts'
import { openLoop, type Loop } from './loop.ts'
import type { Occasion } from './notice-choice.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Clock, Logger } from './ports.ts'

/** A start has other things to do first, and what waits since yesterday can wait for this. */
const FIRST_LOOK_MS = 2 * MINUTE
const LOOK_MS = HOUR

/** A report that does not come, and a case that the service rejected, are told on the screens: no image is at stake. */
const NOTIFIED_KINDS: readonly OverdueItem['kind'][] = ['notSent', 'notConfirmed']

export function openOverdueNotices(options: {
  readonly outbox: Pick<Outbox, 'oversight'>
  readonly clock: Clock
  readonly logger: Logger
  readonly notify: (occasion: Occasion) => void
}): Loop {
  const { outbox, clock, logger, notify } = options
  let notified: ReadonlySet<string> = new Set()
  let nextAt = clock.monotonicMs() + FIRST_LOOK_MS

  const check = (): void => {
    const now = clock.now()
    const items = listOverdue(outbox.oversight.overdueRows(overdueLimits(now), MAX_OVERDUE), now).filter(
      ({ kind }) => NOTIFIED_KINDS.includes(kind),
    )
    for (const { submissionId: id } of items)
      if (!notified.has(id)) notify({ kind: 'waitsTooLong', about: id, route: { screen: 'submission', id } })
    notified = new Set(items.map(({ submissionId }) => submissionId))
  }
  return openLoop({
    name: 'ageing',
    clock,
    logger,
    run: () => {
      if (clock.monotonicMs() >= nextAt) {
        nextAt = clock.monotonicMs() + LOOK_MS
        check()
      }
      return Promise.resolve(clock.now() + Math.max(0, nextAt - clock.monotonicMs()))
    },
  })
}

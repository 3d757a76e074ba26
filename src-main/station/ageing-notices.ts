/** Tells of cases that were captured long ago and have not left, or are not known to have arrived: each once. */
import type { Ageing } from '../../src-shared/ageing.ts'
import { HOUR, MINUTE } from '../../src-shared/durations.ts'
import { ageingLimits, ageingList, MOST_AGEING } from './calls/ageing-of.ts'
import { openLoop, type Loop } from './loop.ts'
import type { Occasion } from './notice-choice.ts'
import type { Outbox } from './outbox/outbox.ts'
import type { Clock, Logger } from './ports.ts'

/** A start has other things to do first, and what waits since yesterday can wait for this. */
const FIRST_LOOK_MS = 2 * MINUTE
const LOOK_MS = HOUR

/** A report that does not come, and a case that the service rejected, are told on the screens: no image is at stake. */
const TOLD_KINDS: readonly Ageing['kind'][] = ['notSent', 'notConfirmed']

export function openAgeingNotices(given: {
  readonly outbox: Pick<Outbox, 'ageingRows'>
  readonly clock: Clock
  readonly logger: Logger
  readonly tell: (occasion: Occasion) => void
}): Loop {
  const { outbox, clock, logger, tell } = given
  let told: ReadonlySet<string> = new Set()
  let nextAt = clock.monotonicMs() + FIRST_LOOK_MS

  const look = (): void => {
    const now = clock.now()
    const items = ageingList(outbox.ageingRows(ageingLimits(now), MOST_AGEING), now).filter(({ kind }) =>
      TOLD_KINDS.includes(kind),
    )
    for (const { submissionId: id } of items)
      if (!told.has(id)) tell({ kind: 'waitsTooLong', about: id, place: { screen: 'submission', id } })
    told = new Set(items.map(({ submissionId }) => submissionId))
  }
  return openLoop({
    name: 'ageing',
    clock,
    logger,
    run: () => {
      if (clock.monotonicMs() >= nextAt) {
        nextAt = clock.monotonicMs() + LOOK_MS
        look()
      }
      return Promise.resolve(clock.now() + Math.max(0, nextAt - clock.monotonicMs()))
    },
  })
}

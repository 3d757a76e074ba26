import { DAY, HOUR, MINUTE } from '../../../src-shared/durations.ts'
import type { ClockReading } from '../service/clock-reading.ts'
import { failureOf, type Failure } from '../../../src-shared/failure.ts'

function formatDifference(ms: number): string {
  const [size, name] = ms >= 2 * DAY ? [DAY, 'days'] : ms >= 2 * HOUR ? [HOUR, 'hours'] : [MINUTE, 'minutes']
  return `about ${Math.round(ms / size)} ${name}`
}

/** The sentence for a clock that is ahead or behind; null where it is not known to be. */
export function clockFailure(reading: ClockReading): Failure | null {
  if (reading.kind !== 'wrong') return null
  const { differenceMs } = reading
  const amount = formatDifference(Math.abs(differenceMs))
  return failureOf('clockWrong', {
    message: `It is ${amount} ${differenceMs > 0 ? 'ahead of' : 'behind'} the clock of the service, so dates of visits and times of attempts may be wrong. Cases go on; set the date and time of this computer.`,
  })
}

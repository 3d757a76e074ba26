import { formatCountdown } from '../format/instants.ts'
import { useStationNow } from './use-now.ts'

export type CountdownProps = {
  readonly until: number
  /** The sentence around what is left. */
  readonly format: (left: string) => string
  /** What stands there once nothing is left. */
  readonly elapsedText: string
}

/** Counts down by itself, so that nothing around it is drawn anew. */
export function Countdown({ until, format, elapsedText }: CountdownProps) {
  const left = until - useStationNow()
  return <span className="tabular">{left > 0 ? format(formatCountdown(left)) : elapsedText}</span>
}

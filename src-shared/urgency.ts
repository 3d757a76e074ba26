/** How soon somebody should look at a case. The service's words for it are written down nowhere. */
import { z } from 'zod'

export const URGENCIES = ['urgent', 'preferential', 'routine'] as const
export const urgencySchema = z.enum(URGENCIES)
export type Urgency = z.infer<typeof urgencySchema>

/** The service's word in ours; what is not known here says nothing. */
export function readUrgency(text: string | null): Urgency {
  const plain = (text ?? '').trim().toLowerCase()
  if (/^(?:urgent[e]?|emergency|stat)$/.test(plain)) return 'urgent'
  return /^(?:preferential|preferente|priority|high)$/.test(plain) ? 'preferential' : 'routine'
}

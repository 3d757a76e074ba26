import { z } from 'zod'

/** How many cases came, and how many were taken by the service, on one day. */
export const dayCountSchema = z.object({
  /** `YYYY-MM-DD` on the calendar of this computer. */
  day: z.iso.date(),
  added: z.number().int(),
  sent: z.number().int(),
})
export type DayCount = z.infer<typeof dayCountSchema>

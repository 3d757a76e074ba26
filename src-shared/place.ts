/** What a desktop host and its window say to one another that is no business of the station. */
import { z } from 'zod'

/** The call by which the window tells which language was chosen on it: `en`, `es`, or `auto` for none. */
export const LANGUAGE_CALL = 'desktop.speaks'

/** Where on the screens a notice or the tray leads to. */
export const desktopRouteSchema = z.discriminatedUnion('screen', [
  z.object({ screen: z.literal('queue') }),
  z.object({ screen: z.literal('help') }),
  z.object({ screen: z.literal('submission'), id: z.string().min(1) }),
  z.object({
    screen: z.literal('reports'),
    /** Null: all of them. */
    of: z.object({ caseId: z.string().min(1), submissionId: z.string().min(1) }).nullable(),
  }),
  z.object({
    screen: z.literal('settings'),
    section: z.enum(['general', 'service', 'folders', 'storage']),
  }),
])
export type DesktopRoute = z.infer<typeof desktopRouteSchema>
